import type { CssPixels } from '../../base/units';
import type { TableColumn, TableRow } from '../../plot/plot';

/** The columns of a table for which a pane is wide enough. */
export class NarrowTable {
  /** Of the pane, at the default size of the font. */
  width: CssPixels = Number.POSITIVE_INFINITY;

  /** Indices of the columns that are shown. */
  get shown(): readonly number[] {
    return this.indices;
  }

  /**
   * Find out which of these columns are shown.
   *
   * @param sorted - the id of the one by which the table is sorted: its header says so
   */
  take(columns: readonly TableColumn[], sorted: string): void {
    this.indices = [...columns.keys()].filter(i => columns[i].id === sorted || this.has(columns[i]));
  }

  /** Those of the shown columns. */
  of<T>(each: readonly T[]): readonly T[] {
    return this.shown.map(i => each[i]);
  }

  /** Rows with the cells of the shown columns. Only for rows in view: it writes their cells. */
  rows(rows: readonly TableRow[]): readonly TableRow[] {
    return rows.map(({ id, cells }) => ({ id, cells: this.of(cells) }));
  }

  private has({ from = 0 }: TableColumn): boolean {
    return this.width >= from;
  }

  private indices: readonly number[] = [];
}
