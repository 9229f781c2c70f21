import { wantsBrowserMenu } from '../../base/dom/browser-menu';
import { element, setData, setText } from '../../base/element';
import { panesStayWith } from '../../clients/binding';
import type { SharedKernel } from '../../clients/kernels/sharing';
import type { Clients } from '../../clients/model';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import type { Translate } from '../../plot/plot';
import { clientName, notebookName } from '../../clients/status';
import { openClients, type RowWords } from './kernel-words';

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
    { class: 'dp-Row-main', attributes: { tabindex: '-1' }, data: { row: rowName(kernel.path, info) } },
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
    if (events.menu && !wantsBrowserMenu(event)) {
      events.menu(main, { x: event.clientX, y: event.clientY });
      event.preventDefault();
      // JupyterLab would open its own menu.
      event.stopPropagation();
    }
  });
  return row;
}

/** Mark the row of the followed client as the one that panes show, or say which one they stay with. */
export function markFollowed(row: HTMLElement, clients: Clients, client: string, trans: Translate): void {
  const other = panesStayWith(clients, client);
  if (other === null) {
    row.dataset.followed = 'true';
    row.querySelector('.dp-Row-main')?.setAttribute('aria-current', 'true');
  } else {
    const text = trans.__('Panes still show %1, whose client has closed.', notebookName(clients, other));
    row.append(element('p', { class: 'dp-Row-notice', text }));
  }
}

/**
 * Write the words of clients into their rows. The rows stay: what has the focus would be announced again, and what is pointed at would
 * lose its tooltip.
 */
export function rewriteRows(
  list: HTMLElement,
  kernels: readonly SharedKernel[],
  wordsOf: (shared: SharedKernel, info: ClientInfo) => RowWords
): void {
  const mains = [...list.querySelectorAll<HTMLElement>('.dp-Row-main')];
  for (const shared of kernels) {
    for (const info of openClients(shared.kernel)) {
      const main = mains.find(({ dataset }) => dataset.row === rowName(shared.kernel.path, info));
      const { sign, text, tone = 'plain' } = wordsOf(shared, info);
      for (const part of main?.querySelectorAll<HTMLElement>('.dp-Sign, .dp-Row-words') ?? []) {
        setData(part, 'tone', tone);
        if (part.classList.contains('dp-Sign')) {
          setData(part, 'sign', sign);
        } else {
          setText(part, text);
        }
      }
    }
  }
}

/** Identifies the row of a client, or of a kernel without one. */
function rowName(path: string, info: ClientInfo | null): string {
  return `${path}\0${info?.key ?? ''}`;
}
