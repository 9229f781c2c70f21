import { element } from '../base/element';
import type { MenuItem } from '../plot-frame/menu-item';
import { swatchOf } from '../plot-frame/legend';
import { openPopover } from '../plot-frame/popover';

/** A menu without JupyterLab: buttons in a popover. It closes on a choice, and returns the focus, as Escape does. */
export function openChoices(items: readonly MenuItem[], anchor: HTMLElement): void {
  const buttons = items.map(item =>
    element(
      'button',
      {
        class: 'dp-Report-choice',
        attributes: item.checked === undefined ? {} : { 'aria-pressed': String(item.checked) },
        onClick: () => {
          close();
          // Before it acts, which may draw the anchor again.
          anchor.focus({ preventScroll: true });
          item.run();
        }
      },
      ...(item.swatch === undefined ? [] : [swatchOf(item.swatch), ' ']),
      item.label
    )
  );
  const close = openPopover(anchor, anchor.textContent ?? '', [element('div', { class: 'dp-Report-choices' }, ...buttons)]);
  buttons[0]?.focus();
}
