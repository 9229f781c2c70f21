import { element, setData } from '../../base/element';
import type { TableColumn } from '../../plot/plot';
import type { Sort } from './row-order';

/**
 * The headers of a table.
 *
 * @param shown - indices of the columns that have one
 * @param cellId - id of the element of a column
 * @param active - whether a column's header is the active cell
 */
export function tableHeads(
  columns: readonly TableColumn[],
  shown: readonly number[],
  by: Sort,
  cellId: (column: number) => string,
  active: (column: number) => boolean
): HTMLElement[] {
  return shown.map(i => {
    const column = columns[i];
    const sorted = by.column === column.id;
    const arrow = sorted ? (by.descending ? ' ▾' : ' ▴') : '';
    return element('div', {
      class: 'dp-Table-head',
      role: 'columnheader',
      text: `${column.label}${arrow}`,
      title: column.tooltip ?? column.label,
      attributes: {
        id: cellId(i),
        'aria-colindex': String(i + 1),
        'aria-sort': sorted ? (by.descending ? 'descending' : 'ascending') : 'none'
      },
      data: { column: column.id, align: column.align, active: String(active(i)) }
    });
  });
}

/**
 * The cell that a key moves to, possibly in a row outside of the table; undefined for other keys. Row 0 is the header.
 *
 * @param columns - indices of those that are shown
 */
export function keyMove(
  key: string,
  { row, column }: { readonly row: number; readonly column: number },
  page: number,
  columns: readonly number[]
): readonly [row: number, column: number] | undefined {
  const at = columns.indexOf(column);
  const moves: Readonly<Record<string, readonly [row: number, column: number]>> = {
    ArrowDown: [row + 1, column],
    ArrowUp: [row - 1, column],
    ArrowRight: [row, columns[at + 1] ?? column],
    ArrowLeft: [row, columns[at - 1] ?? column],
    PageDown: [row + page, column],
    PageUp: [row - page, column],
    Home: [row, columns[0] ?? column],
    End: [row, columns[columns.length - 1] ?? column]
  };
  return moves[key];
}

/** The sign of columns at the right that are not in view, where {@link showMore} says so; arrow keys reach them. */
export function moreSign(): HTMLElement {
  return element('div', { class: 'dp-Table-more', attributes: { 'aria-hidden': 'true' } });
}

/** Mark a scrolled element that goes on at the right, and one that is not at its left edge. */
export function showMore(scroller: HTMLElement): void {
  const { scrollLeft, clientWidth, scrollWidth } = scroller;
  // Both are rounded, and the sum may be less by one at the end.
  setData(scroller, 'more', String(scrollLeft + clientWidth < scrollWidth - 1));
  setData(scroller, 'scrolled', String(scrollLeft !== 0));
}
