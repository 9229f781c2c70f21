/** The content of a chart over time, independent of its size. */
import type { Colour } from '../../base/theme';
import type { CssPixels, Seconds } from '../../base/units';
import type { Tick } from '../axis';
import type { TooltipContent } from '../../plot/plot';
import type { Moment, Span } from './thin';

/** A line with its band. */
export interface TimeLine {
  readonly id: string;
  readonly colour: Colour;
  readonly dashed: boolean | 'dotted';
  /** Whether the line is drawn. */
  readonly line: boolean;
  /** Whether the band is drawn. */
  readonly band: boolean;
  readonly moments: readonly Moment[];
  /** Opacity of the band; default: faint, behind its line. */
  readonly bandOpacity?: number;
  /** Label at the end of the line; default: none. */
  readonly label?: string;
  /** Whether its values belong to the axis on the right. */
  readonly second?: boolean;
}

/** A chart; times are scheduler time. */
export interface TimeChart {
  readonly span: Span;
  /** Origin of the time axis. */
  readonly origin: Seconds;
  /** Whether its times are not those of the scheduler, but since the start of each line. */
  readonly elapsed?: boolean;
  /** Upper end of the values. */
  readonly end: number;
  /** Ticks of the values, from zero. */
  readonly ticks: readonly Tick[];
  readonly lines: readonly TimeLine[];
  /** The axis on the right, with a separate unit; default: none. */
  readonly second?: { readonly end: number; readonly ticks: readonly Tick[] };
  /**
   * Left edge of the time axis and free space right of it, for a chart that shares its axis; otherwise derived from the
   * labels.
   */
  readonly edges?: { readonly left: CssPixels; readonly right: CssPixels };
  /** Periods marked by a line at each end; default: none. */
  readonly marked?: readonly Span[];
  /** An upper limit; NaN if none. */
  readonly limit: number;
  readonly limitText: string;
  readonly hits: readonly (Span & { readonly tooltip: TooltipContent })[];
}
