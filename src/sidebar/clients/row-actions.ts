import { element } from '../../base/element';
import type { KernelEntry } from '../../clients/model';
import { lossActions } from '../../panes/pane/lost-words';
import type { Translate } from '../../plot/plot';

/** A button of a row. */
export function rowAction(label: string, title: string, run: () => void): HTMLElement {
  return element('button', { class: 'dp-Link dp-Row-action', text: label, title, onClick: run });
}

/** Buttons for a lost connection. */
export function repairActions(kernel: KernelEntry, trans: Translate): HTMLElement[] {
  const actions = kernel.state === 'disconnected' ? lossActions(kernel, trans) : [];
  return actions.map(({ label, run }) => rowAction(label, label, run));
}

/** The button that opens the menu of a client; `open` receives it as the menu's anchor. */
export function moreAction(trans: Translate, open: (anchor: HTMLElement) => void): HTMLElement {
  const more = rowAction('⋯', trans.__('Actions on the cluster'), () => open(more));
  more.setAttribute('aria-label', more.title);
  more.setAttribute('aria-haspopup', 'menu');
  more.classList.add('dp-Row-more');
  return more;
}

/** The button that saves a report. */
export function saveButton(trans: Translate, run: () => void): HTMLElement {
  const title = trans.__('Save what the cluster did as one HTML file next to the notebook');
  return element('button', { class: 'dp-Button', text: trans.__('Save report'), title, onClick: run });
}
