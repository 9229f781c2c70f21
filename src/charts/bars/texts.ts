/** The texts of a chart of bars, placed in pixels. */
import type { Colour, Theme } from '../../base/theme';
import type { CssPixels } from '../../base/units';
import type { Json } from '../../plot/plot';
import { textWidth } from '../../plot/text';
import { AXIS, AXIS_TITLE, type BarLayout, EDGE, HEAD, hasAxis, takenBy } from './layout';
import type { BarRow, BarText } from './model';

const SIZE: CssPixels = 11;
/** A symbol in a row too low for text. */
const SMALL: CssPixels = 8;
/** Space between two labels of an axis. */
const LABEL_GAP: CssPixels = 4;

type Placed = Readonly<Record<string, Json>>;

interface Spot {
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly align: 'left' | 'center' | 'right';
  /** The view cuts wider texts. */
  readonly limit: CssPixels;
  readonly colour: Colour;
  readonly size?: CssPixels;
}

function write(content: BarText, { x, y, align, limit, colour, size = SIZE }: Spot): Placed {
  return {
    ...{ text: content.text, x, y, align, limit, size },
    fill: content.colour ?? colour,
    weight: content.strong ? 600 : 400,
    // Vega cuts the start of right-to-left texts.
    dir: content.keepEnd ? 'rtl' : 'ltr'
  };
}

/** All texts of a chart. */
export function barTexts(layout: BarLayout, theme: Theme): Placed[] {
  return [
    ...layout.chart.rows.flatMap((row, i) => rowTexts(layout, row, i, theme)),
    ...headTexts(layout, theme),
    ...(hasAxis(layout) ? axisTexts(layout, theme) : [])
  ];
}

function rowTexts(layout: BarLayout, row: BarRow, i: number, theme: Theme): Placed[] {
  const { place } = layout.chart;
  const { above } = place;
  const y = place.top + (above === undefined ? (i + 0.5) * place.pitch : i * place.pitch + above / 2) + 0.5;
  const shown = layout.columns.filter(({ index }) => (row.figures[index]?.text ?? '') !== '');
  const taken = shown.reduce((sum, { column, index }) => sum + Math.max(column.width, longFigure(row.figures[index])), 0);
  const room = above === undefined ? layout.left - EDGE - 4 : layout.width - 2 * EDGE - taken - 4;
  const colour = theme.text;
  const label = room > 0 && layout.readable ? [write(row.label, { x: EDGE, y, align: 'left', limit: room, colour })] : [];
  const figures = layout.columns.flatMap(({ column, index, right }) => {
    const figure = row.figures[index];
    const align = column.align ?? 'right';
    const x = align === 'left' ? right - column.width + 4 : right;
    const size = layout.readable ? SIZE : SMALL;
    const limit = figure?.limit === undefined ? column.width - 2 : Math.min(figure.limit, right - layout.left);
    return figure ? [write(figure, { x, y, align, limit, colour, size })] : [];
  });
  return [...label, ...figures];
}

/** Width of a figure that may be wider than its column. */
function longFigure(figure: BarText | null | undefined): CssPixels {
  return figure?.limit === undefined ? 0 : Math.min(figure.limit, textWidth(figure.text));
}

/** Column headers and mark labels, from the right: each as near to its mark as the next one allows. */
function headTexts(layout: BarLayout, theme: Theme): Placed[] {
  const { chart, columns, width } = layout;
  const { top, band = 0 } = chart.place;
  if (top - band < HEAD) {
    return [];
  }
  const y = band + HEAD / 2;
  const colour = theme.textSecondary;
  const heads = columns.flatMap(({ column, right }) =>
    column.head ? [write({ text: column.head }, { x: right, y, align: 'right', limit: column.width - 2, colour })] : []
  );
  let room = heads.length > 0 ? Math.min(layout.right, width - EDGE - takenBy(columns) - 4) : width - 4;
  const marks: Placed[] = [];
  for (const mark of [...(chart.marks ?? [])].sort((a, b) => b.value - a.value)) {
    const size = textWidth(mark.text);
    const x = Math.min(layout.left + mark.value * layout.unit + size / 2, room);
    if (x - size >= 0 && mark.value <= chart.end) {
      marks.push(write({ text: mark.text }, { x, y, align: 'right', limit: size + 20, colour }));
      room = x - size - 6;
    }
  }
  return [...heads, ...marks];
}

interface AxisLabel {
  readonly label: string;
  readonly x: CssPixels;
  readonly half: CssPixels;
}

/** Labels that do not overlap: the last has the unit and always stays; an earlier one stays if it fits. */
function apart(labels: readonly AxisLabel[]): readonly AxisLabel[] {
  const kept: AxisLabel[] = [];
  let room = Number.POSITIVE_INFINITY;
  for (const label of [...labels].reverse()) {
    if (label.x + label.half + LABEL_GAP <= room) {
      kept.unshift(label);
      room = label.x - label.half;
    }
  }
  return kept;
}

function axisTexts(layout: BarLayout, theme: Theme): Placed[] {
  const { chart, width, height, bottom } = layout;
  const y = bottom + AXIS / 2 + 1;
  const colour = theme.textSecondary;
  // A low pane shows only the ends.
  const shown = height < 60 ? chart.ticks.filter((_, i) => i === 0 || i === chart.ticks.length - 1) : chart.ticks;
  const labels = apart(
    shown.map(({ value, label }) => {
      const half = textWidth(label) / 2;
      return { label, half, x: Math.max(half + 2, Math.min(layout.left + value * layout.unit, width - half - 2)) };
    })
  ).map(({ label, x }) => write({ text: label }, { x, y, align: 'center', limit: 100, colour }));
  const room = height - y >= AXIS / 2 + AXIS_TITLE - 2;
  if (chart.axisTitle === undefined || !room) {
    return labels;
  }
  // Centred on the bars, as far as the edges allow.
  const half = Math.min(textWidth(chart.axisTitle), width - 8) / 2;
  const x = Math.max(half + 4, Math.min(width - half - 4, (layout.left + layout.right) / 2));
  return [...labels, write({ text: chart.axisTitle }, { x, y: y + AXIS_TITLE, align: 'center', limit: width - 8, colour })];
}
