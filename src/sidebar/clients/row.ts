import { element } from '../../base/element';
import type { SharedKernel } from '../../clients/kernels/sharing';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import { clientName } from '../../panes/pane/pane-menus';
import type { RowWords } from './kernel-words';

/** What a row leads to. */
export interface RowEvents {
  /** It was selected; only with a client. */
  show(): void;
  /** Its context menu was asked for, by pointer or keyboard; absent for rows without one. */
  menu?(anchor: HTMLElement, place: { readonly x: number; readonly y: number }): void;
}

/** A row of the list of clients: a kernel with one of its clients, or with none. */
export function clientRow(
  { kernel, names, paths }: SharedKernel,
  info: ClientInfo | null,
  words: RowWords,
  actions: readonly HTMLElement[],
  events: RowEvents
): HTMLElement {
  const head = element(
    'span',
    { class: 'dp-Row-head' },
    element('span', {
      class: 'dp-Sign',
      attributes: { 'aria-hidden': 'true' },
      data: { sign: words.sign, tone: words.tone ?? 'plain' }
    }),
    element('span', { class: 'dp-Row-name', text: names, title: paths.join('\n') }),
    element('span', { class: 'dp-Row-key', text: info ? clientName(info) : '' })
  );
  const main = element(
    info ? 'button' : 'div',
    { class: 'dp-Row-main', attributes: { tabindex: '-1' }, data: { row: `${kernel.path}\0${info?.key ?? ''}` } },
    head,
    element('span', { class: 'dp-Row-words', text: words.text, data: { tone: words.tone ?? 'plain' } })
  );
  if (info) {
    main.title = [info.address, info.key].filter(text => text !== '').join('\n');
    main.addEventListener('click', () => events.show());
  }
  const data = { path: kernel.path, state: kernel.state };
  const row = element('div', { class: 'dp-Row', role: 'listitem', data }, main, ...actions);
  row.addEventListener('contextmenu', event => {
    if (events.menu) {
      events.menu(main, { x: event.clientX, y: event.clientY });
      event.preventDefault();
      // JupyterLab would open its own menu.
      event.stopPropagation();
    }
  });
  return row;
}
