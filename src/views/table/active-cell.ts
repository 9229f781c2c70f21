import type { Cell, TableColumn, TableRow } from '../../plot/plot';

/** Where a row of a long table may be, from 0: where it probably is, and the rows in view. */
interface Near {
  readonly place: number;
  readonly first: number;
  readonly end: number;
}

/**
 * The active cell of a table: the column and the row of two ids, wherever these are now. An action is never about another row
 * that has come to its place.
 */
export class ActiveCell {
  /** Place for the arrow keys: 0 is the header, 1 the first row. */
  row = 0;
  /** Among all columns, also those that are not shown. */
  column = 0;

  /** Id of the row; undefined in the header, and once the row has gone. */
  get id(): string | undefined {
    return this.known;
  }

  /** Activate a cell of a column that there is; what is beyond the rows becomes the header or the last one. */
  set(row: number, column: number, rows: readonly TableRow[], columns: readonly TableColumn[]): void {
    this.row = Math.max(0, Math.min(row, rows.length));
    this.column = column;
    this.columnId = columns[column]?.id;
    this.known = rows[this.row - 1]?.id;
    // A row of a long table that is out of view is read when it is drawn.
    this.unread = this.row > 0 && this.known === undefined;
  }

  /**
   * Find the row again among rows that may have moved. If it has gone, the place stays without an id.
   *
   * @param rows - sparse for a long table
   * @param near - where to look in a long table, read into `rows`; `null` for all rows
   */
  follow(rows: readonly TableRow[], near: Near | null): void {
    if (this.unread) {
      this.known = rows[this.row - 1]?.id;
      this.unread = false;
    }
    if (this.known === undefined || rows[this.row - 1]?.id === this.known) {
      return;
    }
    const at = near === null ? rows.findIndex(({ id }) => id === this.known) : this.findNear(rows, near);
    if (at < 0) {
      this.known = undefined;
      this.row = Math.min(this.row, rows.length);
    } else {
      this.row = at + 1;
    }
  }

  /**
   * Find the column again among columns that may be others. If it is not shown, the nearest one that is becomes active.
   *
   * @param shown - indices of those that are shown
   */
  followColumn(columns: readonly TableColumn[], shown: readonly number[]): void {
    const at = columns.findIndex(({ id }) => id === this.columnId);
    const wanted = at < 0 ? this.column : at;
    const distance = (column: number): number => Math.abs(column - wanted);
    this.column = shown.reduce((best, each) => (distance(each) < distance(best) ? each : best), shown[0] ?? 0);
    this.columnId = columns[this.column]?.id;
  }

  /** Another run numbers its rows from the start: the place stays, without an id. */
  restart(): void {
    this.known = undefined;
    this.unread = false;
  }

  /** Whether a cell is the active one; row 0 is the header. */
  is(row: number, column: number): boolean {
    return this.row === row && this.column === column;
  }

  /** Whether it is in the header or in one of the rows from `first` to `end`, from 0. */
  isDrawn(first: number, end: number): boolean {
    return this.row === 0 || (this.row > first && this.row <= end);
  }

  /** The content of the cell, except of the header. */
  in(rows: readonly TableRow[]): Cell | undefined {
    const row = rows[this.row - 1];
    return row !== undefined && row.id === this.known ? row.cells[this.column] : undefined;
  }

  private findNear(rows: readonly TableRow[], { place, first, end }: Near): number {
    if (rows[place]?.id === this.known) {
      return place;
    }
    // Another row may have moved from before it to behind it, as a running task that ends.
    const at = rows.slice(first, end).findIndex(row => row?.id === this.known);
    return at < 0 ? -1 : first + at;
  }

  private known: string | undefined;
  private columnId: string | undefined;
  private unread = false;
}
