/** The rows of a plot. Any plot can show them instead of its picture. */
import type { Colour, Pattern } from '../base/theme';
import type { PlotLink, TooltipLink } from './tooltip';

/** Where code ran: a cell of a notebook, as it was then. Untrusted. */
export interface CellPlace {
  /** Id of the cell in its notebook; empty if it is not known. */
  readonly cellId: string;
  /** The number that the notebook showed for it, from 1; 0 if it is not known. */
  readonly shown: number;
  /** Beginning of its source; empty if it is not known. */
  readonly source: string;
}

/** A table cell: the displayed text and the value to sort by. Everything is displayed as text, never as markup. */
export interface Cell {
  readonly text: string;
  readonly value: number | string;
  /** A symbol before the text (state of a worker …). */
  readonly sign?: string;
  readonly tone?: 'warn' | 'bad';
  /** The text leads to the cell of a notebook: see `TablePlot.leads`. */
  readonly leads?: boolean;
  /** The plot that explains the text, which is a link. */
  readonly opens?: PlotLink;
  /** Recent values, drawn as a sparkline before the text. */
  readonly spark?: readonly number[];
  /** Value at the top of the sparkline. If missing or too small, the maximum of the cell's values. */
  readonly sparkEnd?: number;
  /** Segments of a bar before the text, as fractions of the whole, with an optional marker. */
  readonly bar?: readonly { readonly share: number; readonly colour: Colour; readonly pattern?: Pattern }[];
}

/** Everything about a row. Texts are untrusted and shown as text. */
export interface RowDetail {
  readonly title: string;
  readonly tone?: 'plain' | 'bad';
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** A text of several lines in the code font, such as a traceback; empty for none. */
  readonly text: string;
  /** Plots with more, which need a live scheduler. */
  readonly links: readonly TooltipLink[];
}

/** A column of a table. */
export interface TableColumn {
  readonly id: string;
  readonly label: string;
  /** Explains the column, with its unit. */
  readonly tooltip?: string;
  readonly align: 'left' | 'right';
}

/** Rows and columns of any plot ("Show as table"). */
export interface TableData {
  readonly columns: readonly TableColumn[];
  /** Cells by column, in the plot's row order; `id` is stable, so that sorting and selection survive an update. */
  readonly rows: readonly { readonly id: string; readonly cells: readonly Cell[] }[];
  /** Number of rows that there are, where `rows` has only the newest of them. */
  readonly total?: number;
}
