import { MenuSvg } from '@jupyterlab/ui-components';
import { CommandRegistry } from '@lumino/commands';
import type { CssPixels } from '../../base/units';
import type { MenuItem } from '../../plot-frame/menu-item';

/** Where a menu opens, in coordinates of the browser's window. */
export interface MenuPlace {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

/** Open a menu under an element, or at a place; focus goes back to the element when the menu closes. */
export function openMenu(items: readonly (MenuItem | null)[], anchor: HTMLElement, place?: MenuPlace): void {
  const commands = new CommandRegistry();
  const menu = new MenuSvg({ commands });
  menu.addClass('dp-Menu');
  for (const [i, item] of items.entries()) {
    if (item === null) {
      menu.addItem({ type: 'separator' });
      continue;
    }
    const command = String(i);
    commands.addCommand(command, {
      label: item.label,
      isToggled: () => item.checked ?? false,
      isToggleable: item.checked !== undefined,
      isEnabled: () => item.enabled ?? true,
      execute: () => item.run()
    });
    menu.addItem({ command });
  }
  const button = place === undefined ? anchor : null;
  menu.aboutToClose.connect(() => {
    button?.setAttribute('aria-expanded', 'false');
    // The command runs after the menu has closed.
    setTimeout(() => menu.dispose(), 0);
  });
  const { left, bottom } = anchor.getBoundingClientRect();
  button?.setAttribute('aria-haspopup', 'menu');
  button?.setAttribute('aria-expanded', 'true');
  menu.open(place?.x ?? left, place?.y ?? bottom);
}
