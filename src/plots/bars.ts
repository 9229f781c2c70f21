/**
 * Charts of horizontal bars in rows, which most plots of workers and functions are: one Vega-Lite spec for all of them.
 * Lengths are values on a linear axis from zero, rows are units of a second axis, text is placed in pixels. Edges and
 * axis end are parameters, so that neither a new size nor a longer bar compiles anything.
 */
import type { Colour, Pattern, Theme } from '../base/theme';
import type { CssPixels } from '../base/units';
import type { Tick } from './axis';
import { hatchPath } from './hatch';
import type { Json, RowMargins, TooltipContent, VegaFrame } from './plot';
import { textWidth } from './text';

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

/** A text of a row or over the rows. */
export interface BarText {
  readonly text: string;
  readonly colour?: Colour;
  readonly strong?: boolean;
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
}

/** A chart: what differs from one to the next. */
export interface BarChart {
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

/** Rows of the datasets of a spec. */
export type Datasets = Readonly<Record<string, readonly Readonly<Record<string, Json>>[]>>;

const PITCHES: readonly CssPixels[] = [25, 20, 14];
const DENSE: CssPixels = 8;
const BAR_HEIGHTS: Readonly<Record<number, CssPixels>> = { 25: 16, 20: 13, 14: 10, 8: 6 };
/** Below this pitch texts would overlap. */
const READABLE: CssPixels = 12;
/** Rows that should be in view before they get lower. */
const FEWEST = 12;
/** From so many rows on, each gets as little as can be told apart. */
const MANY = 100;
const EDGE: CssPixels = 8;
const GUTTER_LIMIT: CssPixels = 150;
const AXIS: CssPixels = 18;
const AXIS_TITLE: CssPixels = 15;
const HEAD: CssPixels = 16;

/** Height of a row: as high as fits all, else what brings 12 into view; 8 pixels above 100 rows. */
export function barPitch(rows: number, height: CssPixels): CssPixels {
  if (rows > MANY) {
    return DENSE;
  }
  const fitting = PITCHES.find(pitch => pitch * rows <= height);
  return fitting ?? PITCHES.find(pitch => pitch * FEWEST <= height) ?? PITCHES[PITCHES.length - 1];
}

/** Room for heads and axis; they go first where a pane is low. */
export function barMargins(
  height: CssPixels,
  parts: { readonly heads: boolean; readonly axis: boolean; readonly title: boolean }
): RowMargins {
  if (height < 44) {
    return { top: 2, bottom: 2 };
  }
  return {
    top: parts.heads && height >= 60 ? HEAD : 4,
    bottom: parts.axis ? AXIS + (parts.title && height >= 150 ? AXIS_TITLE : 0) : 4
  };
}

/** Where rows of a pitch begin. */
export function barPlace(margins: RowMargins, pitch: CssPixels): BarPlace {
  return { top: margins.top, pitch, bar: BAR_HEIGHTS[pitch] ?? Math.round(pitch * 0.64) };
}

/** Columns that have room in a width. */
function columnsIn(chart: BarChart, width: CssPixels): { column: BarColumn; index: number; right: CssPixels }[] {
  if (chart.place.pitch < READABLE) {
    return [];
  }
  let right = width - EDGE;
  const all = chart.columns.map((column, index) => ({ column, index }));
  const shown = all.filter(({ column }) => column.width > 0 && width >= column.from);
  return shown.reverse().map(({ column, index }) => {
    const place = { column, index, right };
    right -= column.width;
    return place;
  });
}

/** Left and right end of the bars. */
export function barEdges(chart: BarChart, width: CssPixels): { left: CssPixels; right: CssPixels } {
  const most = width < 200 || chart.place.pitch < READABLE ? 0 : width < 300 ? 40 : Math.min(GUTTER_LIMIT, width * 0.3);
  const gutter = Math.min(chart.gutter, most);
  const columns = columnsIn(chart, width).reduce((sum, { column }) => sum + column.width, 0);
  const left = EDGE + (gutter > 0 ? gutter + 8 : 0);
  return { left, right: Math.max(left + 20, width - EDGE - columns - (columns > 0 ? 4 : 0)) };
}

/** Parameters of {@link BAR_SPEC}. */
export function barParams(chart: BarChart, frame: VegaFrame): Readonly<Record<string, number>> {
  const { top, pitch } = chart.place;
  const rows = Math.max(chart.rows.length, 1);
  return { ...barEdges(chart, frame.width), end: chart.end, top, bottom: top + rows * pitch, rows };
}

/** The datasets of {@link BAR_SPEC}. */
export function barData(chart: BarChart, frame: VegaFrame, theme: Theme): Datasets {
  const edges = barEdges(chart, frame.width);
  const pixels = (edges.right - edges.left) / chart.end;
  const out = { tracks: [], segments: [], hatches: [], lines: [], texts: [], hits: [] } as Record<string, Record<string, Json>[]>;
  for (const [i, row] of chart.rows.entries()) {
    if (row.track !== undefined) {
      out.tracks.push({ from: 0, to: Math.min(row.track, chart.end), ...band(chart.place, i, 0, 1), fill: theme.track });
    }
    for (const [lane, bar] of row.bars.entries()) {
      addBar(out, bar, { chart, row: i, lane, lanes: row.bars.length, pixels });
    }
    for (const line of row.lines ?? []) {
      out.lines.push({ at: line.value, ...span(i, chart.place), stroke: line.colour, dash: line.dotted ? [1.5, 2.5] : [1, 0] });
    }
    out.texts.push(...rowTexts(chart, row, i, frame.width, edges.left, theme));
    out.hits.push({ y0: i, y1: i + 1, right: frame.width, tooltip: row.tooltip });
  }
  out.texts.push(...headTexts(chart, frame.width, edges, pixels, theme));
  return { ...out, ticks: ticks(chart, theme, frame), ...axisTexts(chart, frame, edges, pixels, theme, out.texts) };
}

interface BarSpot {
  readonly chart: BarChart;
  readonly row: number;
  readonly lane: number;
  readonly lanes: number;
  /** CSS pixels of one unit of the axis. */
  readonly pixels: number;
}

/** Vertical extent of a bar in units of rows; whole pixels, so that edges are sharp. */
function band(place: BarPlace, row: number, lane: number, lanes: number): { y0: number; y1: number } {
  const inset = Math.floor((place.pitch - place.bar) / 2);
  const height = Math.max(1, Math.floor(place.bar / lanes) - (lanes > 1 ? 1 : 0));
  const y = inset + lane * Math.floor(place.bar / lanes);
  return { y0: row + y / place.pitch, y1: row + (y + height) / place.pitch };
}

/** Vertical extent of a line across a row: a little more than the bar. */
function span(row: number, place: BarPlace): { y0: number; y1: number } {
  const { y0, y1 } = band(place, row, 0, 1);
  const more = 2 / place.pitch;
  return { y0: y0 - more, y1: y1 + more };
}

function addBar(out: Record<string, Record<string, Json>[]>, bar: Bar, spot: BarSpot): void {
  const { chart, pixels } = spot;
  const rows = band(chart.place, spot.row, spot.lane, spot.lanes);
  const height = Math.round((rows.y1 - rows.y0) * chart.place.pitch);
  let at = 0;
  for (const segment of bar.segments) {
    if (!(segment.size > 0)) {
      continue;
    }
    const from = at + (segment.apart && at > 0 ? 1 / pixels : 0);
    const to = Math.min(from + Math.max(segment.size, (segment.least ?? 0) / pixels), Math.max(chart.end, from));
    at = to;
    out.segments.push({ from, to, ...rows, fill: segment.fill, stroke: null, value: segment.size });
    if (segment.outline !== undefined) {
      out.segments.push({ ...inner(from, to, rows, spot), fill: 'transparent', stroke: segment.outline });
    }
    const path = hatchPath(segment.pattern ?? 'none', (to - from) * pixels, height);
    if (path !== '') {
      out.hatches.push({ from, y0: rows.y0, path, stroke: segment.ink ?? '#ffffff' });
    }
  }
  if (bar.frame !== undefined && bar.frame.to > 0) {
    out.segments.push({ ...inner(0, bar.frame.to, rows, spot), fill: 'transparent', stroke: bar.frame.colour });
  }
}

/** An outline lies half a pixel within its rectangle. */
function inner(from: number, to: number, rows: { y0: number; y1: number }, spot: BarSpot): Record<string, Json> {
  const [dx, dy] = [0.5 / spot.pixels, 0.5 / spot.chart.place.pitch];
  return { from: from + dx, to: Math.max(to - dx, from + dx), y0: rows.y0 + dy, y1: rows.y1 - dy };
}

function rowTexts(
  chart: BarChart,
  row: BarRow,
  i: number,
  width: CssPixels,
  left: CssPixels,
  theme: Theme
): Record<string, Json>[] {
  const { place } = chart;
  if (place.pitch < READABLE) {
    return [];
  }
  const y = place.top + (i + 0.5) * place.pitch + 0.5;
  const label = left > EDGE ? [text(row.label, EDGE, y, 'left', left - EDGE - 6, theme.text)] : [];
  const figures = columnsIn(chart, width).flatMap(({ column, index, right }) => {
    const figure = row.figures[index];
    const atLeft = column.align === 'left';
    const x = atLeft ? right - column.width + 4 : right;
    return figure ? [text(figure, x, y, atLeft ? 'left' : 'right', column.width - 2, theme.text)] : [];
  });
  return [...label, ...figures];
}

/** Heads of the columns, and the labels of marks: from the right, each as near to its mark as the next one lets it. */
function headTexts(
  chart: BarChart,
  width: CssPixels,
  edges: { left: CssPixels; right: CssPixels },
  pixels: number,
  theme: Theme
): Record<string, Json>[] {
  if (chart.place.top < HEAD) {
    return [];
  }
  const y = HEAD / 2;
  const heads = columnsIn(chart, width).flatMap(({ column, right }) =>
    column.head ? [text({ text: column.head }, right, y, 'right', column.width - 2, theme.textSecondary)] : []
  );
  let room = heads.length > 0 ? edges.right : width - 4;
  const marks: Record<string, Json>[] = [];
  for (const mark of [...(chart.marks ?? [])].sort((a, b) => b.value - a.value)) {
    const size = textWidth(mark.text);
    const end = Math.min(edges.left + mark.value * pixels + size / 2, room);
    if (end - size >= 0 && mark.value <= chart.end) {
      marks.push(text({ text: mark.text }, end, y, 'right', size + 20, theme.textSecondary));
      room = end - size - 6;
    }
  }
  return [...heads, ...marks];
}

function ticks(chart: BarChart, theme: Theme, frame: VegaFrame): Record<string, Json>[] {
  const rows = Math.max(chart.rows.length, 1);
  return hasAxis(chart, frame) ? chart.ticks.map(tick => ({ at: tick.value, y0: 0, y1: rows, stroke: theme.grid })) : [];
}

/** Whether there is room for the axis below the rows. */
function hasAxis(chart: BarChart, frame: VegaFrame): boolean {
  const bottom = chart.place.top + Math.max(chart.rows.length, 1) * chart.place.pitch;
  return chart.ticks.length > 0 && frame.height - bottom >= AXIS - 2;
}

function axisTexts(
  chart: BarChart,
  frame: VegaFrame,
  edges: { left: CssPixels; right: CssPixels },
  pixels: number,
  theme: Theme,
  texts: readonly Record<string, Json>[]
): { texts: readonly Record<string, Json>[] } {
  if (!hasAxis(chart, frame)) {
    return { texts };
  }
  const y = chart.place.top + Math.max(chart.rows.length, 1) * chart.place.pitch + AXIS / 2 + 1;
  // A low pane keeps the ends only.
  const shown = frame.height < 60 ? chart.ticks.filter((_, i) => i === 0 || i === chart.ticks.length - 1) : chart.ticks;
  const labels = shown.map(tick => {
    const half = textWidth(tick.label) / 2;
    const x = Math.min(edges.left + tick.value * pixels, frame.width - half - 2);
    return text({ text: tick.label }, x, y, 'center', 100, theme.textSecondary);
  });
  const room = frame.height - y >= AXIS / 2 + AXIS_TITLE - 2;
  const title = chart.axisTitle !== undefined && room ? [{ text: chart.axisTitle }] : [];
  const middle = (edges.left + edges.right) / 2;
  const titles = title.map(line => text(line, middle, y + AXIS_TITLE, 'center', frame.width - 8, theme.textSecondary));
  return { texts: [...texts, ...labels, ...titles] };
}

function text(content: BarText, x: number, y: number, align: string, limit: number, colour: Colour): Record<string, Json> {
  return { text: content.text, x, y, align, limit, fill: content.colour ?? colour, weight: content.strong ? 600 : 400 };
}

const AT_VALUE: Json = {
  type: 'quantitative',
  axis: null,
  scale: { domain: [0, { expr: 'end' }], range: [{ expr: 'left' }, { expr: 'right' }], nice: false, zero: false }
};
const AT_ROW: Json = {
  type: 'quantitative',
  axis: null,
  scale: { domain: [0, { expr: 'rows' }], range: [{ expr: 'top' }, { expr: 'bottom' }], nice: false, zero: false }
};

function onAxis(field: string, axis: Json): Json {
  return { field, ...(axis as { readonly [key: string]: Json }) };
}

/** A channel whose field holds what is drawn: a colour, a path, a pixel. */
function as(field: string, type: 'nominal' | 'quantitative' = 'nominal'): Json {
  return { field, type, scale: null };
}

const RECT = { x: onAxis('from', AT_VALUE), x2: { field: 'to' }, y: onAxis('y0', AT_ROW), y2: { field: 'y1' } };
const RULE = { x: onAxis('at', AT_VALUE), y: onAxis('y0', AT_ROW), y2: { field: 'y1' }, stroke: as('stroke') };

/** A layer; no descriptions for assistive technology, since the view has a summary and a table of its own. */
function layer(data: string, mark: { readonly [key: string]: Json }, encoding: Json): Json {
  return { data: { name: data }, mark: { aria: false, ...mark }, encoding };
}

/** The spec of all charts of bars. Names of fields are fixed; what comes from a cluster is only ever a value. */
export function barSpec(theme: Theme): Json {
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    padding: 0,
    width: 100,
    height: 100,
    autosize: 'none',
    background: 'transparent',
    params: ['left', 'right', 'top', 'bottom', 'rows', 'end'].map(name => ({ name, value: 1 })),
    config: { font: theme.fontFamily, view: { stroke: null }, mark: { invalid: null } },
    layer: [
      layer('ticks', { type: 'rule', strokeWidth: 1 }, RULE),
      layer('tracks', { type: 'rect' }, { ...RECT, fill: as('fill') }),
      layer('segments', { type: 'rect', strokeWidth: 1 }, { ...RECT, fill: as('fill'), stroke: as('stroke') }),
      layer(
        'hatches',
        { type: 'point', filled: false, size: 4, strokeWidth: 1, opacity: 1 },
        { x: onAxis('from', AT_VALUE), y: onAxis('y0', AT_ROW), shape: as('path'), stroke: as('stroke') }
      ),
      layer('lines', { type: 'rule', strokeWidth: 1.5 }, { ...RULE, strokeDash: as('dash') }),
      layer(
        'texts',
        {
          type: 'text',
          baseline: 'middle',
          fontSize: 11,
          align: { expr: 'datum.align' },
          fontWeight: { expr: 'datum.weight' },
          limit: { expr: 'datum.limit' }
        },
        { x: as('x', 'quantitative'), y: as('y', 'quantitative'), text: { field: 'text', type: 'nominal' }, fill: as('fill') }
      ),
      layer(
        'hits',
        { type: 'rect', fill: 'transparent' },
        { x: { value: 0 }, x2: as('right', 'quantitative'), y: onAxis('y0', AT_ROW), y2: { field: 'y1' } }
      )
    ]
  };
}
