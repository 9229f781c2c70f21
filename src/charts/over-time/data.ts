/** Converts a chart over time to the datasets and parameters of its spec. */
import type { Theme } from '../../base/theme';
import type { CssPixels, Seconds } from '../../base/units';
import type { Tick } from '../axis';
import type { Json, TimeAxis, VegaDrawing, VegaPicture, VegaSize } from '../../plot/plot';
import { textWidth } from '../../plot/text';
import { layTime, type TimeLayout, timesThatFit } from './layout';
import type { TimeChart, TimeLine } from './model';
import { timeSpec } from './spec';
import type { Span } from './thin';
import { timeTicks } from './time-ticks';

/** A row of a dataset. */
export type Row = Readonly<Record<string, Json>>;

const SOLID: Json = [1, 0];
const DASHED: Json = [5, 3];

/** The picture of a chart over time. */
export function timePicture(theme: Theme, chart: (size: VegaSize) => TimeChart): VegaPicture {
  return { key: 'over-time', spec: () => timeSpec(theme), draw: frame => draw(chart(frame), frame, theme) };
}

function draw(chart: TimeChart, size: VegaSize, theme: Theme): VegaDrawing {
  const layout = layTime(size, chart);
  const { left, right, top, bottom } = layout;
  const [from, to] = [chart.span.from - chart.origin, chart.span.to - chart.origin];
  return {
    ...(chart.elapsed === true ? {} : { axis: timeAxis(chart, layout) }),
    params: { left, right, top, bottom, from, to, end: chart.end },
    data: datasets(chart, layout, { from, to }, size, theme)
  };
}

/** Where scheduler times are in an area. */
export function timeAxis(
  { span }: Pick<TimeChart, 'span'>,
  { left, right, top, bottom }: Omit<TimeAxis, 'at' | 'timeAt'>
): TimeAxis {
  const perSecond = (right - left) / (span.to - span.from);
  return {
    ...{ left, right, top, bottom },
    at: time => left + (time - span.from) * perSecond,
    timeAt: x => span.from + (x - left) / perSecond
  };
}

/** @param span - visible time, relative to the axis' origin */
function datasets(
  chart: TimeChart,
  layout: TimeLayout,
  { from, to }: Span,
  { width }: VegaSize,
  theme: Theme
): VegaDrawing['data'] {
  const times = layout.times ? timeTicks(from, to, timesThatFit(layout)) : [];
  const x = (time: Seconds): CssPixels => layout.left + ((time - from) / (to - from)) * (layout.right - layout.left);
  const y = (value: number): CssPixels => layout.bottom - (value / chart.end) * (layout.bottom - layout.top);
  const limit = chart.limit > 0 && chart.limit <= chart.end ? [chart.limit] : [];
  return {
    grid: [
      ...chart.ticks.map(tick => level(y(tick.value), layout, theme)),
      ...times.map(tick => upright(x(tick.value), layout, theme)),
      ...(chart.marked ?? [])
        .flatMap(mark => [mark.from, mark.to])
        .filter(time => time >= chart.span.from && time <= chart.span.to)
        .map(time => ({ ...upright(x(time - chart.origin), layout, theme), stroke: theme.brand })),
      ...(layout.values && chart.second ? secondMarks(chart.second, layout, theme) : [])
    ],
    bands: chart.lines.filter(line => line.band).flatMap(line => band(line, chart.origin)),
    limits: limit.map(value => ({ x: layout.left, x2: layout.right, value, stroke: theme.textSecondary })),
    lines: chart.lines.filter(line => line.line).flatMap(line => stroke(line, chart)),
    dots: chart.lines.filter(line => line.line).flatMap(line => lonely(line, chart)),
    texts: [
      ...(layout.values ? chart.ticks.map(tick => valueText(tick, y(tick.value), layout, theme)) : []),
      ...(layout.values && chart.second ? secondTexts(chart.second, layout, theme) : []),
      ...times.map(tick => timeText(tick, x(tick.value), layout, width, theme)),
      ...(layout.times ? limit.map(value => limitText(chart.limitText, y(value), layout, theme)) : []),
      ...(layout.times ? lineLabels(chart, layout, x, y) : [])
    ],
    hits: chart.hits.map(hit => ({
      at: Math.max(hit.from, chart.span.from) - chart.origin,
      until: Math.min(hit.to, chart.span.to) - chart.origin,
      y: layout.top,
      y2: layout.bottom,
      tooltip: hit.tooltip
    }))
  };
}

/** A horizontal grid line. Lines are on half pixels, so that they are one sharp pixel. */
export function level(y: CssPixels, { left, right }: TimeLayout, theme: Theme): Row {
  const sharp = Math.round(y) + 0.5;
  return { x: left, x2: right, y: sharp, y2: sharp, stroke: theme.grid };
}

/** A vertical grid line. */
export function upright(x: CssPixels, { top, bottom }: TimeLayout, theme: Theme): Row {
  const sharp = Math.round(x) + 0.5;
  return { x: sharp, x2: sharp, y: top, y2: bottom, stroke: theme.grid };
}

function group(line: TimeLine, piece: number): string {
  return `${line.id} ${piece}`;
}

/** Opacity of a band behind its line. */
const FAINT = 0.18;

/** Rows of the band of a line. */
export function band(line: TimeLine, origin: Seconds): Row[] {
  return line.moments.map(({ at, low, high, piece }) => ({
    ...{ at: at - origin, low, high },
    ...{ fill: line.colour, opacity: line.bandOpacity ?? FAINT, group: group(line, piece) }
  }));
}

/** The axes that lines are drawn to. */
export type LineAxes = Pick<TimeChart, 'origin' | 'end' | 'second'>;

/** Values of the second axis are scaled to the first. */
function factor({ second }: TimeLine, chart: LineAxes): number {
  return second && chart.second ? chart.end / chart.second.end : 1;
}

/** Rows of a line. */
export function stroke(line: TimeLine, chart: LineAxes): Row[] {
  const dash = line.dashed ? DASHED : SOLID;
  const scale = factor(line, chart);
  return line.moments.map(({ at, value, piece }) => ({
    ...{ at: at - chart.origin, value: value * scale },
    ...{ stroke: line.colour, dash, group: group(line, piece) }
  }));
}

/** Rows of isolated points: one makes no line and would be invisible. */
export function lonely(line: TimeLine, chart: LineAxes): Row[] {
  const { moments, colour } = line;
  const scale = factor(line, chart);
  return moments
    .filter(({ piece }, i) => moments[i - 1]?.piece !== piece && moments[i + 1]?.piece !== piece)
    .map(({ at, value }) => ({ at: at - chart.origin, value: value * scale, fill: colour }));
}

/** The label of a value. */
export function valueText(tick: Tick, y: CssPixels, { left }: TimeLayout, theme: Theme): Row {
  return { text: tick.label, x: left - 5, y, align: 'right', limit: 120, fill: theme.textSecondary };
}

/**
 * Labels of the second axis are inside the chart, at separate marks: the time axis must end where a timeline's ends.
 */
function secondTexts({ end, ticks }: NonNullable<TimeChart['second']>, layout: TimeLayout, theme: Theme): Row[] {
  const { right, top, bottom } = layout;
  return ticks.map(tick => ({
    text: tick.label,
    x: right - 9,
    y: Math.max(bottom - (tick.value / end) * (bottom - top), 6),
    align: 'right',
    limit: 120,
    fill: theme.textSecondary
  }));
}

/** Short marks at the right edge, at the values of the second axis. */
function secondMarks({ end, ticks }: NonNullable<TimeChart['second']>, { right, top, bottom }: TimeLayout, theme: Theme): Row[] {
  return ticks.map(tick => {
    const y = bottom - (tick.value / end) * (bottom - top);
    return { x: right - 6, x2: right, y, y2: y, stroke: theme.textSecondary };
  });
}

/** The label of a time. */
export function timeText(tick: Tick, x: CssPixels, { bottom }: TimeLayout, width: CssPixels, theme: Theme): Row {
  const half = textWidth(tick.label) / 2;
  const inside = Math.min(Math.max(x, half + 2), width - half - 2);
  return { text: tick.label, x: inside, y: bottom + 12, align: 'center', limit: 120, fill: theme.textSecondary };
}

/** Height of a label at the end of a line. */
const LABEL: CssPixels = 13;

/** Names above the ends of lines; of two overlapping ones, the later one moves down. */
function lineLabels(
  { lines, origin }: TimeChart,
  { left, right, top, bottom }: TimeLayout,
  x: (time: Seconds) => CssPixels,
  y: (value: number) => CssPixels
): Row[] {
  const placed: { x0: CssPixels; x1: CssPixels; y: CssPixels }[] = [];
  return lines.flatMap(({ label, line, moments, colour }) => {
    const end = moments[moments.length - 1];
    if (label === undefined || !line || end === undefined) {
      return [];
    }
    const width = Math.min(textWidth(label), right - left);
    const x1 = Math.min(Math.max(x(end.at - origin), left + width), right);
    const box = { x0: x1 - width, x1, y: Math.min(Math.max(y(end.value) - 8, top + 6), bottom - 6) };
    for (const other of placed.sort((a, b) => a.y - b.y)) {
      if (other.x0 < box.x1 && box.x0 < other.x1 && Math.abs(other.y - box.y) < LABEL) {
        box.y = other.y + LABEL;
      }
    }
    placed.push(box);
    return box.y > bottom ? [] : [{ text: label, x: x1, y: box.y, align: 'right', limit: right - left, fill: colour }];
  });
}

function limitText(text: string, y: CssPixels, { right }: TimeLayout, theme: Theme): Row {
  return { text, x: right - 2, y: y + 8, align: 'right', limit: 120, fill: theme.textSecondary };
}
