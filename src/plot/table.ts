/** The rows of a plot, which any plot can show in place of its picture. */
import type { Colour, Pattern } from '../base/theme';

/** A cell of a table: the text that is shown and the value that sorts. All text is shown as text. */
export interface Cell {
  readonly text: string;
  readonly value: number | string;
  /** A sign before the text (state of a worker …). */
  readonly sign?: string;
  readonly tone?: 'warn' | 'bad';
  /** Recent values, drawn as a sparkline before the text. */
  readonly spark?: readonly number[];
  /** Value at the top of the sparkline; the greatest of its own values where it is missing or less. */
  readonly sparkEnd?: number;
  /** Segments of a bar before the text, in shares of the whole, with an optional mark at a share. */
  readonly bar?: readonly { readonly share: number; readonly colour: Colour; readonly pattern?: Pattern }[];
}

/** A column of a table. */
export interface TableColumn {
  readonly id: string;
  readonly label: string;
  /** Explains the column, with its unit. */
  readonly tooltip?: string;
  readonly align: 'left' | 'right';
}

/** Rows and columns as any plot can show them ("Show as table"). */
export interface TableData {
  readonly columns: readonly TableColumn[];
  /** Cells by column, rows in the plot's own order; `id` is stable, so that a sort or selection survives an update. */
  readonly rows: readonly { readonly id: string; readonly cells: readonly Cell[] }[];
}
