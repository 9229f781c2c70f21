import { element } from '../../base/element';
import type { PlotLink, TableData } from '../../plot/plot';

/** Rows that a table shows; a copy has all. */
export const LISTED = 50;

/** What clicks in a table of the panel do. */
export interface TableActions {
  /** Called with the number of the row whose first cell was activated; missing if rows stand for nothing. */
  readonly pick?: (row: number) => void;
  /** Open the plot that explains a figure. */
  open(link: PlotLink): void;
}

/** The first {@link LISTED} rows of a table as an element. */
export function tableElement(title: string, { columns, rows }: TableData, { pick, open }: TableActions): HTMLElement {
  const heads = columns.map(({ label, tooltip, align }) =>
    element('th', { text: label, data: { align }, attributes: { scope: 'col' }, ...(tooltip ? { title: tooltip } : {}) })
  );
  const first = (text: string, row: number): HTMLElement =>
    pick === undefined
      ? bdi(text)
      : element('button', { class: 'dp-Selection-pick', title: text, onClick: () => pick(row) }, bdi(text));
  const lines = rows
    .slice(0, LISTED)
    .map(({ cells: [head, ...cells] }, row) =>
      element(
        'tr',
        {},
        element('th', { attributes: { scope: 'row' } }, first(head.text, row)),
        ...cells.map(({ text, tone = 'plain', opens }, i) =>
          element(
            'td',
            { data: { align: columns[i + 1].align, tone } },
            opens === undefined ? bdi(text) : linkElement(text, () => open(opens))
          )
        )
      )
    );
  return element(
    'table',
    { class: 'dp-Selection-table' },
    element('caption', { text: title }),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...lines)
  );
}

/** A figure of something that went wrong, which leads to what explains it. */
export function linkElement(text: string, onClick: () => void): HTMLElement {
  return element('button', { class: 'dp-Selection-pick', text, data: { tone: 'bad' }, onClick });
}

/** A sentence about the statistics. */
export function noteElement(text: string): HTMLElement {
  return element('p', { class: 'dp-Selection-note' }, bdi(text));
}

function bdi(text: string): HTMLElement {
  return element('bdi', { text });
}
