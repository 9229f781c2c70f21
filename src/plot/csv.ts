import type { Cell, TableData } from './table';
import { withoutIsolates } from './text';

/** Characters with which spreadsheets begin a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** What they take for a number although it begins with one of these. */
const SIGNED = /^[+-][\d.,\u00a0\u202f ]*\d( ?%)?$/;

/**
 * A table as comma-separated values with full precision: seconds, bytes, counts; what is not known, or has no value such as a share of
 * nothing, is empty. The head has the columns' ids. A word in a column of
 * words is itself, whatever number the table sorts it by.
 *
 * Texts come from a cluster. One that a spreadsheet would take for a formula begins with an apostrophe.
 */
export function commaSeparated({ columns, rows }: TableData): string {
  const values = rows.map(({ cells }) => cells.map((cell, i) => (columns[i]?.align === 'left' ? wordOr(cell) : cell.value)));
  const lines = [columns.map(({ id }) => id), ...values];
  return `${lines.map(line => line.map(quoted).join(',')).join('\r\n')}\r\n`;
}

/** The word of a cell that is sorted by a number: `erred`, not 1. */
function wordOr({ text, value }: Cell): string | number {
  return typeof value === 'number' && !Number.isNaN(value) && /\p{L}/u.test(text) && !/\d/.test(text) ? text : value;
}

function quoted(value: string | number): string {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? String(value) : '';
  }
  const text = withoutFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Rows as tab-separated text, as a table shows them and as spreadsheets paste it. The head has the columns' labels. Texts
 * that a spreadsheet would take for a formula begin with an apostrophe: those from a cluster, and differences such as `+2.10 s
 * (+40 %)`.
 */
export function tabSeparated({ columns, rows }: Pick<TableData, 'columns' | 'rows'>): string {
  const line = (texts: readonly string[]): string => texts.map(each => each.replace(/[\t\r\n]+/g, ' ')).join('\t');
  const cells = rows.map(row =>
    row.cells.map(({ text, value }) => (typeof value === 'number' && SIGNED.test(text) ? text : withoutFormula(text)))
  );
  return [columns.map(({ label }) => label), ...cells].map(line).join('\n');
}

function withoutFormula(text: string): string {
  const plain = withoutIsolates(text);
  return FORMULA.test(plain) ? `'${plain}` : plain;
}
