/** What a chart over time says, before anybody knows how large it is. */
import type { Colour } from '../../base/theme';
import type { CssPixels, Seconds } from '../../base/units';
import type { Tick } from '../axis';
import type { TooltipContent } from '../../plot/plot';
import type { Moment, Span } from './thin';

/** A line with its band. */
export interface TimeLine {
  readonly id: string;
  readonly colour: Colour;
  readonly dashed: boolean;
  /** Whether the line is drawn. */
  readonly line: boolean;
  /** Whether the band is drawn. */
  readonly band: boolean;
  readonly moments: readonly Moment[];
  /** Written at the end of the line; nothing where it is missing. */
  readonly label?: string;
  /** Whether its values belong to the axis at the right. */
  readonly second?: boolean;
}

/** A chart; times are the scheduler's clock. */
export interface TimeChart {
  readonly span: Span;
  /** Time from which the axis counts. */
  readonly origin: Seconds;
  /** Upper end of the values. */
  readonly end: number;
  /** Ticks of the values, from zero. */
  readonly ticks: readonly Tick[];
  readonly lines: readonly TimeLine[];
  /** The axis at the right, with its own unit; none where it is missing. */
  readonly second?: { readonly end: number; readonly ticks: readonly Tick[] };
  /** Left edge of the time axis and free space right of it, for a chart that shares its axis; else as the labels need. */
  readonly edges?: { readonly left: CssPixels; readonly right: CssPixels };
  /** A level that must not be passed; NaN where there is none. */
  readonly limit: number;
  readonly limitText: string;
  readonly hits: readonly (Span & { readonly tooltip: TooltipContent })[];
}
