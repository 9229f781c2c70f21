/** Positions of the parts of a bar chart, in CSS pixels, and which parts are dropped first when space is short. */
import type { CssPixels } from '../../base/units';
import type { RowMargins, VegaSize } from '../../plot/plot';
import { type Ticks, ticksThatFit } from '../axis';
import { MANY } from './band';
import type { BarChart, BarColumn, BarPlace } from './model';

const PITCHES: readonly CssPixels[] = [25, 20, 14];
const DENSE: CssPixels = 8;
const BAR_HEIGHTS: Readonly<Record<number, CssPixels>> = { 25: 16, 20: 13, 14: 10, 8: 6 };
/** Below this pitch texts would overlap. */
const READABLE: CssPixels = 12;
/** Minimum number of visible rows before rows get lower. */
const FEWEST = 12;
/** Maximum width of row labels in a wide pane: the longest names of Dask's own functions fit. */
const GUTTER_LIMIT: CssPixels = 240;
/** Rows with a line of text above their bars: heights of the row, of its text and of its bars. */
const STACKED = { pitch: 28, text: 15, bar: 9 } as const;
/** Widths of panes in which texts may be above the bars. */
const NARROW = { from: 120, to: 480 } as const;

/** Distance of texts from the edges of the picture. */
export const EDGE: CssPixels = 8;
/** Height of the labels of an axis. */
export const AXIS: CssPixels = 18;
/** Height of the title of an axis. */
export const AXIS_TITLE: CssPixels = 15;
/** Height of the headers above the rows. */
export const HEAD: CssPixels = 16;

/** Height of a row with text: large enough to fill the space, otherwise such that 12 rows are visible. */
export function readablePitch(rows: number, height: CssPixels): CssPixels {
  const fitting = PITCHES.find(pitch => pitch * rows <= height);
  return fitting ?? PITCHES.find(pitch => pitch * FEWEST <= height) ?? PITCHES[PITCHES.length - 1];
}

/** Height of a row: readable up to 100 rows, beyond that 8 pixels with the name on hover. */
export function barPitch(rows: number, height: CssPixels): CssPixels {
  return rows > MANY ? DENSE : readablePitch(rows, height);
}

/** The parts above and below the rows. */
export interface BarParts {
  readonly heads: boolean;
  readonly axis: boolean;
  /** Whether the axis has a title. */
  readonly title: boolean;
}

/** Space for headers and axis, which are dropped first in a low pane. */
export function barMargins(height: CssPixels, parts: BarParts): RowMargins {
  if (height < 44) {
    return { top: 2, bottom: 2 };
  }
  return {
    top: parts.heads && height >= 60 ? HEAD : 4,
    bottom: parts.axis ? AXIS + (parts.title && height >= 150 ? AXIS_TITLE : 0) : 4
  };
}

/**
 * Rows whose texts are above their bars, which a narrow pane gets if its labels do not fit beside them; else `null`.
 *
 * @param pitch - height of a row without that
 * @param room - height for all rows
 */
export function stackedPlace(
  chart: Pick<BarChart, 'columns' | 'gutter' | 'leastBars'>,
  width: CssPixels,
  { top }: RowMargins,
  pitch: CssPixels,
  room: CssPixels
): BarPlace | null {
  const narrow = width >= NARROW.from && width < NARROW.to && pitch >= READABLE && room >= STACKED.pitch;
  return narrow && chart.gutter > gutterRoom(chart, width, true, takenBy(placeColumns(chart.columns, width, true)))
    ? { top, pitch: STACKED.pitch, bar: STACKED.bar, above: STACKED.text }
    : null;
}

/** Start of the rows, for a pitch; `band` is the height of a strip above, which is part of the margins. */
export function barPlace(margins: RowMargins, pitch: CssPixels, band: CssPixels = 0): BarPlace {
  const place = { top: margins.top, pitch, bar: BAR_HEIGHTS[pitch] ?? Math.round(pitch * 0.64) };
  return band > 0 ? { ...place, band } : place;
}

/** A column that fits. */
export interface PlacedColumn {
  readonly column: BarColumn;
  /** Index among all columns of the chart. */
  readonly index: number;
  readonly right: CssPixels;
}

/** The parts of a chart and their positions. */
export interface BarLayout {
  readonly chart: BarChart;
  readonly width: CssPixels;
  readonly height: CssPixels;
  /** Ends of the bars. */
  readonly left: CssPixels;
  readonly right: CssPixels;
  /** Below the last row. */
  readonly bottom: CssPixels;
  /** Whether rows are high enough for texts. */
  readonly readable: boolean;
  readonly columns: readonly PlacedColumn[];
  /** CSS pixels per unit of the axis. */
  readonly unit: number;
  /** Number of drawn rows; at least one, so that an axis has a height. */
  readonly rows: number;
}

/** Lay out a chart in a frame. */
export function layBars(chart: BarChart, { width, height }: VegaSize): BarLayout {
  const { top, pitch, above } = chart.place;
  const readable = pitch >= READABLE;
  const columns = placeColumns(chart.columns, width, readable);
  const taken = above === undefined ? takenBy(columns) : 0;
  const gutter = above === undefined ? Math.min(chart.gutter, gutterRoom(chart, width, readable, taken)) : 0;
  const left = EDGE + (gutter > 0 ? gutter + 8 : 0);
  const right = Math.max(left + 20, width - EDGE - taken - (taken > 0 ? 4 : 0));
  const rows = Math.max(chart.rows.length, 1);
  const unit = (right - left) / chart.end;
  return { chart, width, height, left, right, bottom: top + rows * pitch, readable, columns, unit, rows };
}

/** A chart with as many ticks as fit. */
export function withTicks(ticks: Ticks, size: VegaSize, bare: Omit<BarChart, 'ticks'>): BarChart {
  const { left, right } = layBars({ ...bare, ticks: [] }, size);
  return { ...bare, ticks: ticks(bare.end, ticksThatFit(right - left)) };
}

/** Width of columns. */
export function takenBy(columns: readonly PlacedColumn[]): CssPixels {
  return columns.reduce((sum, { column }) => sum + column.width, 0);
}

/** Space for row labels beside the bars. */
function gutterRoom(
  { leastBars }: Pick<BarChart, 'leastBars'>,
  width: CssPixels,
  readable: boolean,
  taken: CssPixels
): CssPixels {
  const wide = leastBars !== undefined && readable ? width - 2 * EDGE - 12 - taken - leastBars : 0;
  return Math.max(wide, gutterLimit(width, readable));
}

/** Maximum width of row labels. */
function gutterLimit(width: CssPixels, readable: boolean): CssPixels {
  if (!readable || width < 200) {
    return 0;
  }
  return width < 300 ? 40 : Math.min(GUTTER_LIMIT, width * (width < NARROW.to ? 0.3 : 0.45));
}

/** Columns that fit, from the right. */
function placeColumns(columns: readonly BarColumn[], width: CssPixels, readable: boolean): PlacedColumn[] {
  let right = width - EDGE;
  const placed: PlacedColumn[] = [];
  for (const [index, column] of [...columns.entries()].reverse()) {
    if (column.width > 0 && width >= column.from && (readable || column.signs)) {
      placed.push({ column, index, right });
      right -= column.width;
    }
  }
  return placed;
}

/** Vertical extent in units of rows. */
export interface Band {
  readonly y0: number;
  readonly y1: number;
}

/** Extent of a bar that shares its row with others; whole pixels for sharp edges. */
export function bandOf(place: BarPlace, row: number, lane = 0, lanes = 1): Band {
  const inset = place.above ?? Math.floor((place.pitch - place.bar) / 2);
  const height = Math.max(1, Math.floor(place.bar / lanes) - (lanes > 1 ? 1 : 0));
  const y = inset + lane * Math.floor(place.bar / lanes);
  return { y0: row + y / place.pitch, y1: row + (y + height) / place.pitch };
}

/** Extent of a line across a row: slightly more than the bar. */
export function spanOf(place: BarPlace, row: number): Band {
  const { y0, y1 } = bandOf(place, row);
  const more = Math.min(2, (place.pitch - place.bar) / 2) / place.pitch;
  return { y0: y0 - more, y1: y1 + more };
}

/** Whether the axis fits below the rows. A zero alone, with a unit, is none. */
export function hasAxis({ chart, height, bottom }: BarLayout): boolean {
  return chart.ticks.some(({ value }) => value > 0) && height - bottom >= AXIS - 2;
}
