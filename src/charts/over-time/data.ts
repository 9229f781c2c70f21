/** Converts a chart over time to the datasets and parameters of its spec. */
import type { Theme } from '../../base/theme';
import type { CssPixels, Seconds } from '../../base/units';
import type { Tick } from '../axis';
import type { Json, VegaDrawing, VegaPicture, VegaSize } from '../../plot/plot';
import { textWidth } from '../../plot/text';
import { layTime, type TimeLayout, timesThatFit } from './layout';
import type { TimeChart, TimeLine } from './model';
import { timeSpec } from './spec';
import { TimeScale } from './time-scale';

/** A row of a dataset. */
export type Row = Readonly<Record<string, Json>>;

const SOLID: Json = [1, 0];
const DASHED: Json = [5, 3];
const DOTTED: Json = [1.5, 3];

/** The picture of a chart over time. */
export function timePicture(theme: Theme, chart: (size: VegaSize) => TimeChart): VegaPicture {
  return { key: 'over-time', spec: () => timeSpec(theme), draw: frame => draw(chart(frame), frame, theme) };
}

function draw(chart: TimeChart, size: VegaSize, theme: Theme): VegaDrawing {
  const layout = layTime(size, chart);
  const { left, right, top, bottom } = layout;
  const scale = new TimeScale(chart.span, chart.origin, left, right);
  return {
    ...(chart.elapsed === true ? {} : { axis: scale.axis(top, bottom) }),
    params: { left, right, top, bottom, from: scale.from, to: scale.to, end: chart.end },
    data: datasets(chart, layout, scale, size, theme)
  };
}

function datasets(
  chart: TimeChart,
  layout: TimeLayout,
  scale: TimeScale,
  { width }: VegaSize,
  theme: Theme
): VegaDrawing['data'] {
  const times = layout.times ? scale.ticks(timesThatFit(layout)) : [];
  const axes = { at: (time: Seconds): Seconds => scale.at(time), end: chart.end, second: chart.second };
  const y = (value: number): CssPixels => layout.bottom - (value / chart.end) * (layout.bottom - layout.top);
  const limit = chart.limit > 0 && chart.limit <= chart.end ? [chart.limit] : [];
  return {
    grid: [
      ...chart.ticks.map(tick => level(y(tick.value), layout, theme)),
      ...times.map(tick => upright(tick.x, layout, theme)),
      ...(chart.marked ?? [])
        .flatMap(mark => [mark.from, mark.to])
        .filter(time => time >= chart.span.from && time <= chart.span.to)
        .map(time => ({ ...upright(scale.x(time), layout, theme), stroke: theme.brand })),
      ...(layout.values && chart.second ? secondMarks(chart.second, layout, theme) : [])
    ],
    bands: [
      ...foldBands(scale, 0, chart.end, theme),
      ...chart.lines.filter(line => line.band).flatMap(line => band(line, axes.at))
    ],
    limits: limit.map(value => ({ x: layout.left, x2: layout.right, value, stroke: theme.textSecondary })),
    lines: chart.lines.filter(line => line.line).flatMap(line => stroke(line, axes)),
    dots: chart.lines.filter(line => line.line).flatMap(line => lonely(line, axes)),
    texts: [
      ...(layout.values ? chart.ticks.flatMap(tick => valueText(tick, y(tick.value), layout, theme)) : []),
      ...(layout.values && chart.second ? secondTexts(chart.second, layout, theme) : []),
      ...times.map(tick => timeText(tick.label, tick.x, layout, width, theme)),
      ...(layout.times ? foldTexts(scale, layout, width, theme) : []),
      ...(layout.times ? limit.map(value => limitText(chart.limitText, y(value), layout, theme)) : []),
      ...(layout.times ? lineLabels(chart, layout, time => scale.x(time), y) : [])
    ],
    hits: chart.hits.map(hit => ({
      at: Math.max(scale.at(hit.from), scale.from),
      until: Math.min(scale.at(hit.to), scale.to),
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

/** The folded pauses behind all else, from a value to another. */
export function foldBands({ folds }: TimeScale, low: number, high: number, theme: Theme): Row[] {
  return folds.flatMap(({ from, to }, i) =>
    [from, to].map(at => ({ at, low, high, fill: theme.grid, opacity: 1, group: `folded ${i}` }))
  );
}

/** "⋯" and the length of the folded pauses, among the times. */
export function foldTexts(scale: TimeScale, layout: TimeLayout, width: CssPixels, theme: Theme): Row[] {
  const perSecond = (layout.right - layout.left) / (scale.to - scale.from);
  return scale.folds
    .filter(({ text }) => text !== '')
    .map(({ from, to, text }) => timeText(text, layout.left + ((from + to) / 2 - scale.from) * perSecond, layout, width, theme));
}

/** Rows of the band of a line. `at` gives the axis' time. */
export function band(line: TimeLine, at: LineAxes['at']): Row[] {
  return line.moments.map(({ at: time, low, high, piece }) => ({
    ...{ at: at(time), low, high },
    ...{ fill: line.colour, opacity: line.bandOpacity ?? FAINT, group: group(line, piece) }
  }));
}

/** The axes that lines are drawn to; `at` gives the time axis' own time of a scheduler time. */
export type LineAxes = Pick<TimeChart, 'end'> & {
  readonly at: (time: Seconds) => Seconds;
  readonly second?: TimeChart['second'] | undefined;
};

/** Values of the second axis are scaled to the first. */
function factor({ second }: TimeLine, chart: LineAxes): number {
  return second && chart.second ? chart.end / chart.second.end : 1;
}

/** Rows of a line. */
export function stroke(line: TimeLine, chart: LineAxes): Row[] {
  const dash = line.dashed === 'dotted' ? DOTTED : line.dashed ? DASHED : SOLID;
  const scale = factor(line, chart);
  return line.moments.map(({ at, value, piece }) => ({
    ...{ at: chart.at(at), value: value * scale },
    ...{ stroke: line.colour, dash, group: group(line, piece) }
  }));
}

/** Rows of isolated points: one makes no line and would be invisible. */
export function lonely(line: TimeLine, chart: LineAxes): Row[] {
  const { moments, colour } = line;
  const scale = factor(line, chart);
  return moments
    .filter(({ piece }, i) => moments[i - 1]?.piece !== piece && moments[i + 1]?.piece !== piece)
    .map(({ at, value }) => ({ at: chart.at(at), value: value * scale, fill: colour }));
}

/** The label of a value: left of a narrow axis, which a chart has beside a narrow timeline, without its unit. */
export function valueText({ label }: Tick, y: CssPixels, { left }: TimeLayout, theme: Theme): Row[] {
  const right = left - VALUE_GAP;
  const text = textWidth(label) <= right ? label : label.split(' ')[0];
  return right < LEAST_VALUE ? [] : [{ text, x: right, y, align: 'right', limit: right, fill: theme.textSecondary }];
}

/** Space between a label and its axis, and least space for one. */
const VALUE_GAP: CssPixels = 5;
const LEAST_VALUE: CssPixels = 12;

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
export function timeText(label: string, x: CssPixels, { bottom }: TimeLayout, width: CssPixels, theme: Theme): Row {
  const half = textWidth(label) / 2;
  const inside = Math.min(Math.max(x, half + 2), width - half - 2);
  return { text: label, x: inside, y: bottom + 12, align: 'center', limit: 120, fill: theme.textSecondary };
}

/** Height of a label at the end of a line. */
const LABEL: CssPixels = 13;

/** Names above the ends of lines; of two overlapping ones, the later one moves down. */
function lineLabels(
  { lines }: TimeChart,
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
    const x1 = Math.min(Math.max(x(end.at), left + width), right);
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
