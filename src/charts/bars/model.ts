/** What a chart of horizontal bars in rows says, before anybody knows how large it is. */
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
  /** A gap of a pixel before it: it does not belong to the same whole. */
  readonly apart?: boolean;
  /** Pixels that it has at least when it is not nothing: rare things must not vanish. */
  readonly least?: CssPixels;
}

/** One bar; a row has one, or several that share its height. */
export interface Bar {
  readonly segments: readonly BarSegment[];
  /** A frame from zero to a value, in the full colour. */
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
  /** Where there is little room, cut the start and not the end: the ends of addresses differ. */
  readonly keepEnd?: boolean;
  /** Width of a figure that may write over the place of the bars, where its row has none. */
  readonly limit?: CssPixels;
}

/** A row. */
export interface BarRow {
  readonly label: BarText;
  /** End of the pale track under the bar; none where it is missing. */
  readonly track?: number;
  readonly bars: readonly Bar[];
  readonly lines?: readonly BarLine[];
  /** Texts of the columns at the right, by position. */
  readonly figures: readonly (BarText | null)[];
  readonly tooltip: TooltipContent;
}

/** A column of figures at the right of the bars. */
export interface BarColumn {
  readonly width: CssPixels;
  readonly head?: string;
  /** Width of the view from which on there is room for it. */
  readonly from: CssPixels;
  readonly align?: 'left' | 'right';
  /** Holds signs: stays, smaller, where rows are too low for texts. */
  readonly signs?: boolean;
}

/** A chart: what differs from one to the next. */
export interface BarChart {
  /** Labels of rows may take all the room but so much for the bars: they say more than these. */
  readonly leastBars?: CssPixels;
  readonly end: number;
  readonly ticks: readonly Tick[];
  readonly axisTitle?: string;
  /** Labels over the rows at values of the axis: thresholds, threads. */
  readonly marks?: readonly { readonly value: number; readonly text: string }[];
  readonly columns: readonly BarColumn[];
  /** Width of the longest label of all rows, also of those that are not in view. */
  readonly gutter: CssPixels;
  readonly rows: readonly BarRow[];
  readonly place: BarPlace;
}

/** Where the rows are. */
export interface BarPlace {
  readonly top: CssPixels;
  readonly pitch: CssPixels;
  /** Height of a bar within the pitch. */
  readonly bar: CssPixels;
}
