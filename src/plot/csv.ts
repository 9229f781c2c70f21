import type { TableData } from './table';

/** Characters with which spreadsheets begin a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A table as comma-separated values with full precision: seconds, bytes, counts. The head has the columns' ids.
 *
 * Texts come from a cluster. One that a spreadsheet would take for a formula begins with an apostrophe.
 */
export function commaSeparated({ columns, rows }: TableData): string {
  const lines = [columns.map(({ id }) => id), ...rows.map(({ cells }) => cells.map(({ value }) => value))];
  return `${lines.map(line => line.map(quoted).join(',')).join('\r\n')}\r\n`;
}

function quoted(value: string | number): string {
  if (typeof value === 'number') {
    return Number.isNaN(value) ? '' : String(value);
  }
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
