/** Charts with axes of their own below each other, on one time axis. */
import type { Theme } from '../../base/theme';
import type { CssPixels } from '../../base/units';
import type { VegaDrawing, VegaPicture, VegaSize } from '../../plot/plot';
import { textWidth } from '../../plot/text';
import type { Tick } from '../axis';
import { band, foldBands, foldTexts, level, type LineAxes, lonely, type Row, stroke, timeText, upright, valueText } from './data';
import { timesThatFit, type TimeLayout } from './layout';
import type { TimeChart, TimeLine } from './model';
import { timeSpec } from './spec';
import { TimeScale } from './time-scale';

/** A chart of one quantity. */
export interface TimePanel {
  /** Name and unit of the quantity. */
  readonly title: string;
  /** Upper end of the values. */
  readonly end: number;
  /** Ticks of the values, as many as fit. */
  readonly ticks: (most: number) => readonly Tick[];
  readonly lines: readonly TimeLine[];
  /** Why there are no lines; empty if there are. */
  readonly absent: string;
}

/** Panels from top to bottom; times are scheduler time. */
export type TimePanels = Pick<TimeChart, 'span' | 'origin' | 'hits' | 'edges'> & {
  readonly panels: readonly TimePanel[];
  /** Text for panels that do not fit. */
  readonly more: (count: number) => string;
};

/** Least height of a panel. */
const LEAST: CssPixels = 54;
const TITLE: CssPixels = 17;
const AXIS: CssPixels = 20;
const VALUE_LABEL: CssPixels = 24;
const LONGEST_TITLE = 400;

/** The picture of panels. */
export function panelsPicture(theme: Theme, chart: (size: VegaSize) => TimePanels): VegaPicture {
  return { key: 'over-time', spec: () => timeSpec(theme), draw: frame => draw(chart(frame), frame, theme) };
}

interface Placed extends TimePanel {
  readonly layout: TimeLayout;
  readonly marks: readonly Tick[];
}

function draw(chart: TimePanels, size: VegaSize, theme: Theme): VegaDrawing {
  const { placed, left, right, times } = place(chart, size);
  const scale = new TimeScale(chart.span, chart.origin, left, right);
  const { from, to } = scale;
  const left_out = chart.panels.length - placed.length;
  const layout = { left, right, top: 0, bottom: size.height - AXIS, values: true, times };
  const marks = times ? scale.ticks(timesThatFit(layout)) : [];
  const drawn = placed.map(panel => panelRows(panel, time => scale.at(time), size.height, theme));
  return {
    axis: scale.axis(layout.top, layout.bottom),
    // One pixel a unit: each panel has placed its values itself.
    params: { left, right, top: 0, bottom: size.height, from, to, end: size.height },
    data: {
      grid: [
        ...drawn.flatMap(rows => rows.grid),
        ...placed.flatMap(panel => marks.map(tick => upright(tick.x, panel.layout, theme)))
      ],
      bands: [...foldBands(scale, times ? AXIS : 0, size.height, theme), ...drawn.flatMap(rows => rows.bands)],
      limits: [],
      lines: drawn.flatMap(rows => rows.lines),
      dots: drawn.flatMap(rows => rows.dots),
      texts: [
        ...drawn.flatMap(rows => rows.texts),
        ...marks.map(tick => timeText(tick.label, tick.x, layout, size.width, theme)),
        ...(times ? foldTexts(scale, layout, size.width, theme) : []),
        ...(left_out > 0 ? [moreText(chart.more(left_out), right, theme)] : [])
      ],
      hits: chart.hits.map(hit => ({
        at: Math.max(scale.at(hit.from), from),
        until: Math.min(scale.at(hit.to), to),
        y: 0,
        y2: size.height - (times ? AXIS : 0),
        tooltip: hit.tooltip
      }))
    }
  };
}

function place(
  { panels, edges }: TimePanels,
  { width, height }: VegaSize
): { placed: readonly Placed[]; left: CssPixels; right: CssPixels; times: boolean } {
  const times = height >= LEAST + AXIS;
  const room = height - (times ? AXIS : 0);
  const count = Math.max(1, Math.min(panels.length, Math.floor(room / LEAST)));
  const each = room / count;
  const values = width >= 160;
  const shown = panels.slice(0, count).map(panel => {
    const area = Math.max(8, each - TITLE - 4);
    return { ...panel, marks: values && panel.absent === '' ? panel.ticks(Math.max(1, Math.floor(area / VALUE_LABEL))) : [] };
  });
  const widest = shown.reduce((most, { marks }) => marks.reduce((w, tick) => Math.max(w, textWidth(tick.label)), most), 0);
  const left = edges?.left ?? 8 + (values ? widest + 6 : 0);
  const right = Math.max(left + 20, width - (edges?.right ?? 14));
  const placed = shown.map((panel, i) => {
    const top = i * each + Math.min(TITLE, each / 2);
    return { ...panel, layout: { left, right, top, bottom: Math.max(top + 6, (i + 1) * each - 4), values, times } };
  });
  return { placed, left, right, times };
}

type Rows = Record<'grid' | 'bands' | 'lines' | 'dots' | 'texts', Row[]>;

function panelRows(panel: Placed, at: LineAxes['at'], height: CssPixels, theme: Theme): Rows {
  const { layout, marks, end, absent, title } = panel;
  const y = (value: number): CssPixels =>
    layout.bottom - (Math.min(Math.max(value, 0), end) / end) * (layout.bottom - layout.top);
  const up = (value: unknown): number => height - y(Number(value));
  const axes = { at, end };
  const lines = panel.lines.filter(line => line.line);
  const fill = theme.textSecondary;
  return {
    grid: marks.map(tick => level(y(tick.value), layout, theme)),
    bands: panel.lines
      .filter(line => line.band)
      .flatMap(line => band({ ...line, id: `${title} ${line.id}` }, at))
      .map(row => ({ ...row, low: up(row.low), high: up(row.high) })),
    lines: lines
      .flatMap(line => stroke({ ...line, id: `${title} ${line.id}` }, axes))
      .map(row => ({ ...row, value: up(row.value) })),
    dots: lines.flatMap(line => lonely(line, axes)).map(row => ({ ...row, value: up(row.value) })),
    texts: [
      ...marks.flatMap(tick => valueText(tick, y(tick.value), layout, theme)),
      text(title, layout.left, layout.top - 9, layout, theme.text),
      ...(absent === '' ? [] : [text(absent, layout.left, (layout.top + layout.bottom) / 2, layout, fill)])
    ]
  };
}

function text(words: string, x: CssPixels, y: CssPixels, { left, right }: TimeLayout, fill: string): Row {
  return { text: words, x, y: Math.max(6, y), align: 'left', limit: Math.min(LONGEST_TITLE, right - left), fill };
}

function moreText(words: string, right: CssPixels, theme: Theme): Row {
  return { text: words, x: right, y: 8, align: 'right', limit: 160, fill: theme.textSecondary };
}
