/** The rows of a plot. Any plot can show them instead of its picture. */
import type { Colour, Pattern } from '../base/theme';
import type { CssPixels } from '../base/units';
import type { Scalar } from '../feed/frame';
import type { Run } from '../run/run';
import type { PlotLink, TooltipLink } from './tooltip';
import type { Translate } from './translation';

/** Where code ran: a cell of a notebook, as it was then. Untrusted. */
export interface CellPlace {
  /** Id of the cell in its notebook; empty if it is not known. */
  readonly cellId: string;
  /** The number that the notebook showed for it, from 1; 0 if it is not known. */
  readonly shown: number;
  /** Beginning of its source; empty if it is not known. */
  readonly source: string;
  /** Id of the Dask client that it used; empty or absent where it is not known: that of the pane, most likely. */
  readonly client?: string;
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
  /** Code for a notebook that runs the erred task again, which needs a live scheduler, too. */
  readonly debug?: string;
}

/** What another plot shows of one row, beside one that the plot chooses, or of two that the user picks. */
export interface RowPairs {
  /** Text of the button, by the number of picked rows. */
  label(picked: number, trans: Translate): string;
  /** How rows are picked. */
  hint(trans: Translate): string;
  /** What one row, or two, open, the most useful first; nothing where there is nothing to open. */
  links(run: Run, rows: readonly string[], trans: Translate): readonly TooltipLink[];
}

/** A column of a table. */
export interface TableColumn {
  readonly id: string;
  readonly label: string;
  /** Explains the column, with its unit. */
  readonly tooltip?: string;
  readonly align: 'left' | 'right';
  /** Whether it says what a row is about: it is shortened less than others. */
  readonly main?: boolean;
  /**
   * Width of the pane from which on it is there: in a narrower one, others go before it, unless the table is sorted by it.
   * Default: always.
   */
  readonly from?: CssPixels;
}

/** Data that a picture needs and no topic carries: a request to the feed, repeated while the pane is visible. */
export interface PlotQuestion {
  /** Identifies the request; the same request is repeated only after a while. */
  readonly about: string;
  readonly name: string;
  readonly args: Record<string, Scalar>;
  /** Store the answer with the run. */
  take(answer: Scalar): void;
  /** The request failed; the reason is a text for users. */
  fail(reason: string): void;
}

/** One row; `id` is stable, so that sorting and selection survive an update. */
export interface TableRow {
  readonly id: string;
  readonly cells: readonly Cell[];
}

/** The rows of a long table at one moment, the newest last, of which a view reads what it needs. */
export interface LongRows {
  readonly count: number;
  /** A row with what is known of it now. */
  row(i: number): TableRow;
  /** What a column sorts by; NaN if it is not known. */
  key(i: number, column: string): number;
  /**
   * Which rows a search finds; `null` for all.
   *
   * @param keyed - ids of rows that {@link LongTable.keys} has found
   */
  fits(text: string, keyed?: ReadonlySet<string>): ((i: number) => boolean) | null;
}

/** Rows of a long table whose keys are on the scheduler. */
export interface KeyedRows {
  readonly of: 'executions' | 'graph';
  /** The id of a row is this and the number of its key. */
  readonly row: string;
}

/**
 * A table of up to a million rows. It is read in slices, sorted and searched by the view; the functions of the plot must not
 * look at all rows.
 */
export interface LongTable {
  readonly columns: readonly TableColumn[];
  /** What the rows are of: a sorted table is sorted again when it changes. */
  readonly identity: string;
  /** Rows that there are now. */
  readonly count: number;
  /**
   * Rows that have come up to now and stay as they are, also those that are no longer kept; where they may take the place of
   * others.
   */
  readonly settled?: number;
  /** Prepare the rows in slices: each `next` takes below a millisecond. */
  rows(): Generator<void, LongRows, void>;
  /**
   * Keys on the scheduler that a search also looks through, and how the ids of their rows begin; none where names that are
   * known here have the text.
   */
  keys?(text: string): readonly KeyedRows[];
  /** Requests that would complete rows that are in view, such as their keys. */
  ask(ids: readonly string[]): readonly PlotQuestion[];
}

/** Rows and columns of any plot ("Show as table"). */
export interface TableData {
  readonly columns: readonly TableColumn[];
  /** Cells by column, in the plot's row order; `id` is stable, so that sorting and selection survive an update. */
  readonly rows: readonly TableRow[];
  /** Number of rows that there are, where `rows` has only the newest of them. */
  readonly total?: number;
}
