import type { CssPixels } from '../../base/units';
import type { TableColumn, TableData } from '../../plot/plot';

/** A table without the columns for which a pane is too narrow. */
export class NarrowTable {
  /** Of the pane, at the default size of the font. */
  width: CssPixels = Number.POSITIVE_INFINITY;

  /** Everything that it was made from. */
  get whole(): TableData {
    return this.data;
  }

  /** Leave out columns; rows stay the same objects where none is. */
  take(data: TableData, rows: TableData['rows']): [data: TableData, rows: TableData['rows']] {
    this.data = { ...data, rows };
    const shown = data.columns.map(column => this.has(column));
    return shown.every(Boolean)
      ? [data, rows]
      : [
          { ...data, columns: data.columns.filter((_, i) => shown[i]) },
          rows.map(row => ({ ...row, cells: row.cells.filter((_, i) => shown[i]) }))
        ];
  }

  private has({ from = 0 }: TableColumn): boolean {
    return this.width >= from;
  }

  private data: TableData = { columns: [], rows: [] };
}
