import { Announcer } from '../../base/dom/announcer';
import { element, setAttribute, setText } from '../../base/element';
import { formatCount } from '../../base/format';
import { compareNames } from '../../plot/text';
import { tabSeparated } from '../../plot/csv';
import type { Cell, TableData, Translate } from '../../plot/plot';

/** Sort key of a table. */
export interface Sort {
  /** Id of the column; '' for the plot's order. */
  readonly column: string;
  readonly descending: boolean;
}

/** Rows that have gone whose places are kept, in addition to as many as there are now: they may come back. */
const GONE = 1000;

/** A table in its plot's order. */
const UNSORTED: Sort = { column: '', descending: false };

/**
 * The row order of a table, computed when the user sorts and kept until the next time: rows whose figures change stay
 * in place, and new rows go to the end.
 */
export class RowOrder {
  /** Recompute the order with the next data. */
  sortBy(sort: Sort): void {
    this.sort = sort;
    this.places.clear();
  }

  /** Another run has other rows: compute their order with the next data. */
  restart(): void {
    this.places.clear();
  }

  get by(): Sort {
    return this.sort;
  }

  /** The rows in the kept order. */
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
    const sorted = [...data.rows].sort((a, b) => (this.places.get(a.id) ?? 0) - (this.places.get(b.id) ?? 0));
    if (this.places.size > 2 * sorted.length + GONE) {
      this.places.clear();
      for (const [place, row] of sorted.entries()) {
        this.places.set(row.id, place);
      }
    }
    return sorted;
  }

  private sort: Sort = UNSORTED;
  private readonly places = new Map<string, number>();
}

/** Numbers by size, texts in natural order; unknown values last in either direction. */
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

/** The sort of a selected header: figures descending, texts ascending; selecting it again reverses the order. */
export function nextSort(current: Sort, column: string, data: TableData): Sort {
  if (current.column === column) {
    return { column, descending: !current.descending };
  }
  const index = data.columns.findIndex(each => each.id === column);
  return { column, descending: data.columns[index]?.align === 'right' };
}

/** The rows with a text in any cell. */
export function search(rows: TableData['rows'], text: string): TableData['rows'] {
  const wanted = text.trim().toLocaleLowerCase();
  return wanted === '' ? rows : rows.filter(({ cells }) => cells.some(cell => cell.text.toLocaleLowerCase().includes(wanted)));
}

/** "3 of 1,204 rows". */
export function foundWords(found: number, all: number, trans: Translate): string {
  return trans._n('%2 of 1 row', '%2 of %3 rows', all, formatCount(found), formatCount(all));
}

/** Which rows are shown: those found by a search, and the newest where a table does not have all; empty for every row. */
export function countWords(shown: number, { rows, total = 0 }: TableData, trans: Translate): string {
  const found = shown === rows.length ? '' : foundWords(shown, rows.length, trans);
  const cut = total > rows.length ? trans.__('the newest %1 of %2 rows', formatCount(rows.length), formatCount(total)) : '';
  return [found, cut].filter(words => words !== '').join(' · ');
}

/**
 * The words beside the field of a search. Screen readers hear what the user asked for, and that there is something new, but not
 * figures that age while rows come.
 */
export class FoundText {
  /** @param className - of the text, besides that of all */
  constructor(className = '') {
    this.text = element('span', { class: `dp-Table-found ${className}`.trim() });
    this.nodes = [this.text, this.announcer.node];
  }

  readonly nodes: readonly HTMLElement[];

  /**
   * @param asked - what the user has asked for: another value is another result
   * @param passing - whether the result is still on its way
   */
  show(asked: unknown, text: string, passing: boolean): void {
    setText(this.text, text);
    setAttribute(this.text, 'title', text);
    this.announcer.say({ state: JSON.stringify(asked), sign: String(text !== ''), text, passing });
  }

  private readonly text: HTMLElement;
  private readonly announcer = new Announcer();
}

/**
 * Put a table on the clipboard in the order in which it is shown, unless the user has selected text.
 *
 * @param long - the rows of a long table
 */
export function copyTable(event: ClipboardEvent, { columns, rows }: TableData, long: TableData['rows'] | null): void {
  if (document.getSelection()?.isCollapsed !== false && event.clipboardData !== null) {
    event.clipboardData.setData('text/plain', tabSeparated({ columns, rows: long ?? rows }));
    event.preventDefault();
  }
}
