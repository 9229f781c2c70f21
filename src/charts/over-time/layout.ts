/**
 * Positions of the parts of a chart over time, in CSS pixels, and which parts are dropped first when space is short.
 */
import type { CssPixels } from '../../base/units';
import type { VegaSize } from '../../plot/plot';
import { textWidth } from '../../plot/text';
import type { TimeChart } from './model';

const EDGE: CssPixels = 8;
/** Height of the time labels. */
const AXIS: CssPixels = 18;
/** Minimum distance between labels. */
const TIME_LABEL: CssPixels = 64;
const VALUE_LABEL: CssPixels = 30;

/** Edges of the area with lines. */
export interface TimeLayout {
  readonly left: CssPixels;
  readonly right: CssPixels;
  readonly top: CssPixels;
  readonly bottom: CssPixels;
  /** Whether value labels and time labels fit. */
  readonly values: boolean;
  readonly times: boolean;
}

/** Lay out a chart with the given value ticks. */
export function layTime({ width, height }: VegaSize, { ticks, edges }: Pick<TimeChart, 'ticks' | 'edges'>): TimeLayout {
  const values = width >= 160 && height >= 44;
  const times = height >= 60;
  const widest = ticks.reduce((most, tick) => Math.max(most, textWidth(tick.label)), 0);
  const left = edges?.left ?? (values ? EDGE + widest + 6 : EDGE);
  const top = times ? 10 : 3;
  return {
    left,
    right: Math.max(left + 20, width - (edges?.right ?? 14)),
    top,
    bottom: Math.max(top + 10, height - (times ? AXIS + 4 : 3)),
    values,
    times
  };
}

/** How many value labels fit. */
export function valuesThatFit(height: CssPixels): number {
  return Math.max(1, Math.floor((height - AXIS - 14) / VALUE_LABEL));
}

/** How many time labels fit. */
export function timesThatFit({ left, right }: TimeLayout): number {
  return Math.max(1, Math.floor((right - left) / TIME_LABEL));
}
