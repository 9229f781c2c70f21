/** The content of a chart of horizontal bars in rows, independent of its size. */
import type { Colour, Pattern } from '../../base/theme';
import type { CssPixels } from '../../base/units';
import type { Tick } from '../axis';
import type { TooltipContent } from '../../plot/plot';

/** A part of a bar, after the part before it. */
export interface BarSegment {
  /** Length in units of the axis. */
  readonly size: number;
  readonly fill: Colour;
  readonly pattern?: Pattern;
  /** Colour of the pattern's lines. */
  readonly ink?: Colour;
  readonly outline?: Colour;
  /** A one-pixel gap before it: it is not part of the same whole. */
  readonly apart?: boolean;
  /** Minimum width in pixels if not zero: rare items must stay visible. By more than that, no bar is longer than its values. */
  readonly least?: CssPixels;
}

/** One bar; a row has one, or several that share its height. */
export interface Bar {
  readonly segments: readonly BarSegment[];
  /** An outline from zero to a value, in the full colour. */
  readonly frame?: { readonly to: number; readonly colour: Colour };
}

/** A line across a row at a value. */
export interface BarLine {
  readonly value: number;
  readonly colour: Colour;
  readonly dotted?: boolean;
}

/** A text of a row. */
export interface BarText {
  readonly text: string;
  readonly colour?: Colour;
  readonly strong?: boolean;
  /** If space is short, cut the start and not the end: the ends of addresses differ. */
  readonly keepEnd?: boolean;
  /** Width of a figure that may use the space of the bars if its row has none. */
  readonly limit?: CssPixels;
}

/** A row. */
export interface BarRow {
  readonly label: BarText;
  /** End of the pale track under the bar; default: none. */
  readonly track?: number;
  readonly bars: readonly Bar[];
  readonly lines?: readonly BarLine[];
  /** Texts of the columns on the right, by index. */
  readonly figures: readonly (BarText | null)[];
  readonly tooltip: TooltipContent;
}

/** A column of figures to the right of the bars. */
export interface BarColumn {
  readonly width: CssPixels;
  readonly head?: string;
  /** View width from which on it is shown. */
  readonly from: CssPixels;
  readonly align?: 'left' | 'right';
  /** Contains symbols: shown smaller if rows are too low for text. */
  readonly signs?: boolean;
}

/** The variable part of a chart. */
export interface BarChart {
  /** Row labels may take all space except this much for the bars: they are more informative. */
  readonly leastBars?: CssPixels;
  readonly end: number;
  readonly ticks: readonly Tick[];
  readonly axisTitle?: string;
  /** Labels above the rows at axis values: thresholds, threads. */
  readonly marks?: readonly { readonly value: number; readonly text: string }[];
  readonly columns: readonly BarColumn[];
  /** Width of the longest label of all rows, including invisible ones. */
  readonly gutter: CssPixels;
  readonly rows: readonly BarRow[];
  readonly place: BarPlace;
}

/** Positions of the rows. */
export interface BarPlace {
  readonly top: CssPixels;
  /** Height of a strip with all rows, above everything else; default: none. */
  readonly band?: CssPixels;
  readonly pitch: CssPixels;
  /** Height of a bar within the pitch. */
  readonly bar: CssPixels;
  /** Height of a line of text above the bar; if missing, texts are beside the bar. */
  readonly above?: CssPixels;
}
