import type { TableColumn, TableData } from '../../plot/plot';

/** Space for a sparkline or a bar before the text, in digit widths. */
const PICTURE = 11;
const NARROWEST = 5;
const WIDEST = 40;
/** Sentences at the end of a row (a log line, an event) do not shift other columns. */
const LAST_WIDEST = 240;

/**
 * Column widths in digits (CSS `ch`), from all rows that have been visible. They only grow while a table is shown, so
 * that changing figures do not shift their neighbours.
 */
export class ColumnWidths {
  /** Widths for the visible rows and all earlier ones. */
  fit(columns: readonly TableColumn[], rows: TableData['rows']): readonly number[] {
    return columns.map((column, i) => {
      const sentence = i === columns.length - 1 && column.align === 'left';
      const width = Math.min(
        sentence ? LAST_WIDEST : WIDEST,
        Math.max(this.widths.get(column.id) ?? 0, headWidth(column), bodyWidth(rows, i))
      );
      this.widths.set(column.id, width);
      return width;
    });
  }

  private readonly widths = new Map<string, number>();
}

/** A header has its label and space for the sort indicator. */
function headWidth(column: TableColumn): number {
  return Math.max(NARROWEST, column.label.length + 2);
}

function bodyWidth(rows: TableData['rows'], i: number): number {
  return rows.reduce((most, { cells }) => {
    const cell = cells[i];
    if (cell === undefined) {
      return most;
    }
    const picture = cell.spark !== undefined || cell.bar !== undefined ? PICTURE : 0;
    return Math.max(most, cell.text.length + (cell.sign ? 2 : 0) + picture);
  }, 0);
}
