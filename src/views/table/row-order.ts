import { compareNames } from '../../selectors/workers/worker-rows';
import type { Cell, TableData } from '../../plot/plot';

/** What a table is sorted by. */
export interface Sort {
  /** Id of the column; '' for the plot's own order. */
  readonly column: string;
  readonly descending: boolean;
}

/** A table in the order of its plot. */
export const UNSORTED: Sort = { column: '', descending: false };

/**
 * The order of a table's rows, taken when the person sorts and kept until the next time: a row whose figures change
 * stays where it is, and a new row comes last.
 */
export class RowOrder {
  /** Take the order anew with the next data. */
  sortBy(sort: Sort): void {
    this.sort = sort;
    this.places.clear();
  }

  get by(): Sort {
    return this.sort;
  }

  /** The rows of the data in the kept order. */
  apply(data: TableData): TableData['rows'] {
    const column = data.columns.findIndex(each => each.id === this.sort.column);
    if (column < 0) {
      return data.rows;
    }
    const fresh = data.rows.filter(row => !this.places.has(row.id));
    const direction = this.sort.descending ? -1 : 1;
    fresh.sort((a, b) => compareCells(a.cells[column], b.cells[column], direction));
    for (const row of fresh) {
      this.places.set(row.id, this.places.size);
    }
    return [...data.rows].sort((a, b) => (this.places.get(a.id) ?? 0) - (this.places.get(b.id) ?? 0));
  }

  private sort: Sort = UNSORTED;
  private readonly places = new Map<string, number>();
}

/** Numbers by size, texts as people count; what is unknown comes last in either direction. */
function compareCells(a: Cell, b: Cell, direction: number): number {
  const [unknownA, unknownB] = [isUnknown(a), isUnknown(b)];
  if (unknownA || unknownB) {
    return Number(unknownA) - Number(unknownB);
  }
  if (typeof a.value === 'number' && typeof b.value === 'number') {
    return direction * (a.value - b.value);
  }
  return direction * compareNames(String(a.value), String(b.value));
}

function isUnknown({ value }: Cell): boolean {
  return value === '' || Number.isNaN(value);
}

/** How a head sorts when it is chosen: figures from the largest, texts from the first; the same head again turns round. */
export function nextSort(current: Sort, column: string, data: TableData): Sort {
  if (current.column === column) {
    return { column, descending: !current.descending };
  }
  const index = data.columns.findIndex(each => each.id === column);
  return { column, descending: data.columns[index]?.align === 'right' };
}

/** The rows that hold a text in any cell. */
export function search(rows: TableData['rows'], text: string): TableData['rows'] {
  const wanted = text.trim().toLocaleLowerCase();
  return wanted === '' ? rows : rows.filter(({ cells }) => cells.some(cell => cell.text.toLocaleLowerCase().includes(wanted)));
}

/** Rows as tab-separated text with heads, for the clipboard: what a cell says, without its pictures. */
export function tabSeparated(columns: TableData['columns'], rows: TableData['rows']): string {
  const line = (texts: readonly string[]): string => texts.map(each => each.replace(/[\t\r\n]+/g, ' ')).join('\t');
  return [line(columns.map(column => column.label)), ...rows.map(({ cells }) => line(cells.map(cell => cell.text)))].join('\n');
}
