import { copyText } from '../../base/dom/copy-text';
import { element, setText } from '../../base/element';
import type { Translate } from '../../plot/plot';

/** How to look at an erred task in a notebook: a line of code, and a button that copies it. */
export function debugHint(line: string, trans: Translate): HTMLElement {
  const status = element('span', { role: 'status' });
  const copy = element('button', {
    class: 'dp-Button',
    text: trans.__('Copy'),
    onClick: () =>
      void copyText(line).then(
        () => setText(status, trans.__('Copied')),
        () => setText(status, trans.__('The browser did not allow copying.'))
      )
  });
  const hint = trans.__(
    'Runs the task again in the kernel of a notebook, with its inputs from the cluster; %debug then stops where it raises. "client" is the variable of the Client.'
  );
  return element(
    'div',
    { class: 'dp-Debug' },
    element('p', { text: hint }),
    element('pre', { class: 'dp-Debug-line', attributes: { tabindex: '0' }, text: line }),
    element('div', { class: 'dp-Table-links' }, copy, status)
  );
}
