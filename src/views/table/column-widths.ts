import type { TableColumn, TableData } from '../../plot/plot';

/** Room for a sparkline or a bar before the text, in widths of a digit. */
const PICTURE = 11;
const NARROWEST = 5;
const WIDEST = 40;
/** Sentences at the end of a row push nothing about: a log line, an event. */
const LAST_WIDEST = 240;

/**
 * Widths of columns in digits (CSS `ch`), after the rows that were in view. They only grow while a table is shown:
 * figures that change must not push their neighbours about.
 */
export class ColumnWidths {
  /** Widths for the rows that are in view now, with all that were before. */
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

/** A head has its label and room for the sign of the sort. */
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
