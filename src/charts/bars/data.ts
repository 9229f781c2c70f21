/** Converts a chart of bars to the datasets and parameters of its spec. */
import type { Theme } from '../../base/theme';
import type { Ticks } from '../axis';
import { hatchPath } from '../hatch';
import { type BandData, bandData, bandHeight, NO_BAND, type RowBand } from './band';
import { foundRows } from '../../selectors/search/row-search';
import type { Json, VegaFrame, VegaPicture, VegaRows, VegaSize } from '../../plot/plot';
import {
  type Band,
  bandOf,
  type BarLayout,
  barMargins,
  type BarParts,
  barPlace,
  hasAxis,
  layBars,
  readablePitch,
  spanOf,
  stackedPlace,
  withTicks
} from './layout';
import type { Bar, BarChart, BarRow, BarSegment } from './model';
import { barSpec } from './spec';
import { barTexts } from './texts';

type Row = Readonly<Record<string, Json>>;

/** Rows of the datasets of a spec. */
export type Datasets = Readonly<Record<string, readonly Row[]>>;

/** Dash patterns of lines, in pixels. */
const SOLID: Json = [1, 0];
const DOTTED: Json = [1.5, 2.5];

/** Values of the parameters of {@link barSpec}. */
function barParams({ chart, left, right, bottom, rows }: BarLayout): Readonly<Record<string, number>> {
  return { left, right, top: chart.place.top, bottom, rows, end: chart.end };
}

/**
 * The picture of a chart of bars.
 *
 * @param chart - the chart with the visible rows
 * @param rows - all rows, if they scroll
 * @param band - a strip with all of them
 */
export function barPicture(
  theme: Theme,
  chart: (frame: VegaFrame) => BarChart,
  rows?: VegaRows,
  band?: (end: number, frame: VegaFrame) => BandData
): VegaPicture {
  return {
    key: 'bars',
    spec: () => barSpec(theme),
    ...(rows === undefined ? {} : { rows }),
    draw: frame => {
      const layout = layBars(chart(frame), frame);
      return { params: barParams(layout), data: barData(layout, theme, band?.(layout.chart.end, frame) ?? NO_BAND) };
    }
  };
}

/** A chart with a row for each item; row positions follow from the available space. */
export interface RowChart<T> extends Omit<BarChart, 'ticks' | 'rows' | 'place'> {
  readonly items: readonly T[];
  /** What they are searched for, and in which of their texts; default: all are drawn. */
  readonly search?: { readonly wanted: string; readonly texts: (item: T) => readonly string[] };
  readonly row: (item: T) => BarRow;
  /** A strip with all of them where they are very many; default: none. */
  readonly band?: RowBand<T>;
  readonly parts: BarParts;
  /** Height of a row for a number of rows; default: a row with text. */
  readonly pitch?: typeof readablePitch;
  /** Default: none. */
  readonly ticks?: Ticks;
}

const NO_TICKS: Ticks = () => [];

/** The picture of a chart with a row for each item, which scroll if they do not all fit. */
export function rowPicture<T>(
  theme: Theme,
  { width, height }: VegaSize,
  { items: all, search, row, band, parts, pitch: pitchOf = readablePitch, ticks = NO_TICKS, ...chart }: RowChart<T>
): VegaPicture {
  const items = search === undefined ? all : foundRows(all, search.wanted, search.texts);
  const taken = band === undefined ? 0 : bandHeight(items.length, { width, height });
  const { top, bottom } = barMargins(height, parts);
  const margins = { top: top + taken, bottom };
  const room = height - margins.top - margins.bottom;
  const readable = pitchOf(items.length, room);
  const place = stackedPlace(chart, width, margins, readable, room) ?? barPlace(margins, readable, taken);
  const { pitch } = place;
  const inView = (frame: VegaFrame): BarChart =>
    withTicks(ticks, frame, { ...chart, place, rows: items.slice(frame.firstRow, frame.endRow).map(row) });
  const of = search === undefined ? {} : { of: all.length };
  const strip = (end: number, frame: VegaFrame): BandData =>
    band === undefined || taken === 0 ? NO_BAND : bandData(items, band, end, frame, theme);
  return barPicture(theme, inView, { count: items.length, ...of, pitch, margins }, strip);
}

/** The datasets of {@link barSpec}. */
function barData(layout: BarLayout, theme: Theme, { band, bandHits, texts }: BandData): Datasets {
  const { chart } = layout;
  const { rows } = chart;
  const drawn = rows.map((row, i) => drawRow(layout, row, i));
  return {
    ticks: hasAxis(layout) ? chart.ticks.map(tick => ({ at: tick.value, y0: 0, y1: layout.rows, stroke: theme.grid })) : [],
    tracks: rows.flatMap((row, i) => track(layout, row, i, theme)),
    segments: drawn.flatMap(each => each.segments),
    hatches: drawn.flatMap(each => each.hatches),
    lines: rows.flatMap((row, i) => lines(layout, row, i)),
    texts: [...barTexts(layout, theme), ...texts],
    band,
    bandHits,
    hits: rows.map((row, i) => ({ y0: i, y1: i + 1, right: layout.width, tooltip: row.tooltip }))
  };
}

function track({ chart }: BarLayout, row: BarRow, i: number, theme: Theme): Row[] {
  return row.track === undefined
    ? []
    : [{ from: 0, to: Math.min(row.track, chart.end), ...bandOf(chart.place, i), fill: theme.track }];
}

function lines({ chart }: BarLayout, row: BarRow, i: number): Row[] {
  return (row.lines ?? []).map(({ value, colour, dotted }) => ({
    ...{ at: value, stroke: colour, dash: dotted ? DOTTED : SOLID },
    ...spanOf(chart.place, i)
  }));
}

interface Drawn {
  readonly segments: Row[];
  readonly hatches: Row[];
}

function drawRow(layout: BarLayout, row: BarRow, i: number): Drawn {
  const drawn: Drawn = { segments: [], hatches: [] };
  for (const [lane, bar] of row.bars.entries()) {
    drawBar(drawn, layout, bar, bandOf(layout.chart.place, i, lane, row.bars.length));
  }
  return drawn;
}

function drawBar(drawn: Drawn, layout: BarLayout, bar: Bar, band: Band): void {
  const { chart, unit } = layout;
  let at = 0;
  // Where the values alone would end: many small parts with a least width must not make a bar long.
  let valuesEnd = 0;
  for (const segment of bar.segments) {
    if (segment.size > 0) {
      const gap = segment.apart && at > 0 ? 1 / unit : 0;
      const [from, valuesFrom] = [at + gap, valuesEnd + gap];
      const least = (segment.least ?? 0) / unit;
      const wanted = Math.max(from, valuesFrom + Math.max(segment.size, least));
      const to = Math.min(wanted, Math.max(chart.end, from));
      drawSegment(drawn, layout, segment, from, to, band);
      [at, valuesEnd] = [to, valuesFrom + segment.size];
    }
  }
  if (bar.frame !== undefined && bar.frame.to > 0) {
    drawn.segments.push(outline(layout, 0, bar.frame.to, band, bar.frame.colour));
  }
}

function drawSegment(drawn: Drawn, layout: BarLayout, segment: BarSegment, from: number, to: number, band: Band): void {
  drawn.segments.push({ from, to, ...band, fill: segment.fill, stroke: null, value: segment.size });
  if (segment.outline !== undefined) {
    drawn.segments.push(outline(layout, from, to, band, segment.outline));
  }
  const height = Math.round((band.y1 - band.y0) * layout.chart.place.pitch);
  const path = hatchPath(segment.pattern ?? 'none', (to - from) * layout.unit, height);
  if (path !== '') {
    drawn.hatches.push({ from, y0: band.y0, path, stroke: segment.ink ?? segment.fill });
  }
}

/** The outline is half a pixel inside its rectangle, so that its line is one sharp pixel. */
function outline({ chart, unit }: BarLayout, from: number, to: number, band: Band, stroke: string): Row {
  const [dx, dy] = [0.5 / unit, 0.5 / chart.place.pitch];
  return { from: from + dx, to: Math.max(to - dx, from + dx), y0: band.y0 + dy, y1: band.y1 - dy, fill: 'transparent', stroke };
}
