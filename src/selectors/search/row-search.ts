/** Rows of a picture that a text finds, as the search of the pane's table does. */
import { textOf } from '../../base/untrusted';
import type { PlotContext } from '../../plot/plot';

/** What a pane searches its rows for, in its picture and in its table; '' for all rows. */
export function searchedFor({ saved }: PlotContext): string {
  return textOf(saved?.search).trim();
}

/** The rows with the wanted text in one of theirs, whatever its case. */
export function foundRows<T>(rows: readonly T[], wanted: string, texts: (row: T) => readonly string[]): readonly T[] {
  const text = wanted.toLocaleLowerCase();
  return text === '' ? rows : rows.filter(row => texts(row).some(each => each.toLocaleLowerCase().includes(text)));
}
