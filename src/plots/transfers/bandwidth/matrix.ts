/** Transfer rates between workers: a row for each sender, a column for each receiver. */
import { byteUnit, formatByteRate } from '../../../base/format';
import { type Colour, inkOn, type Theme } from '../../../base/theme';
import { drawnAs, pictureSpec, TEXTS } from '../../../charts/picture-spec';
import type { BytesPerSecond, CssPixels } from '../../../base/units';
import type { Json, PlotContext, TooltipContent, VegaFrame } from '../../../plot/plot';
import { textWidth } from '../../../plot/text';
import { plainNumber } from '../../../selectors/plain-number';
import type { WorkerRow } from '../../../selectors/workers/worker-rows';
import type { Pair } from './pairs';

type Row = Readonly<Record<string, Json>>;

/** More cells would exceed the number of marks that a Vega picture should have. */
export const MOST_WORKERS = 31;

const EDGE: CssPixels = 8;
const HEAD: CssPixels = 18;
/** Widest label of a row. */
const GUTTER: CssPixels = 110;
/** Space for a figure. */
const FIGURE = { width: 34, height: 14 } as const;

/** Step of the sequential scale for a fraction of the maximum. */
export function scaleColour(theme: Theme, share: number): Colour {
  const steps = theme.sequential;
  return steps[Math.min(steps.length - 1, Math.max(0, Math.ceil(share * steps.length) - 1))];
}

/** The spec: all positions are in pixels, so it never has to be recompiled. */
export function matrixSpec(theme: Theme): Json {
  const as = (field: string, type: 'nominal' | 'quantitative' = 'quantitative'): Json => drawnAs(field, type);
  const rect = { x: as('x'), x2: { field: 'x2' }, y: as('y'), y2: { field: 'y2' } };
  return pictureSpec(theme, [
    {
      data: { name: 'cells' },
      mark: { type: 'rect', aria: false, strokeWidth: 1 },
      encoding: { ...rect, fill: as('fill', 'nominal'), stroke: as('stroke', 'nominal') }
    },
    TEXTS,
    { data: { name: 'hits' }, mark: { type: 'rect', aria: false, fill: 'transparent' }, encoding: rect }
  ]);
}

/** Data of a matrix. */
export interface Matrix {
  readonly workers: readonly WorkerRow[];
  readonly pairs: readonly Pair[];
  readonly tooltip: (pair: Pair) => TooltipContent;
}

interface Cell {
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly x2: CssPixels;
  readonly y2: CssPixels;
}

/** The datasets of {@link matrixSpec}. */
export function matrixData(
  matrix: Matrix,
  { theme, trans }: PlotContext,
  frame: VegaFrame
): Readonly<Record<string, readonly Row[]>> {
  const { workers, pairs } = matrix;
  const widest = workers.reduce((most, { labelWidth }) => Math.max(most, labelWidth), 0);
  const left = EDGE + Math.min(widest, GUTTER, frame.width * 0.3) + 6;
  const top = HEAD * 2;
  const [width, height] = [(frame.width - left - EDGE) / workers.length, (frame.height - top - HEAD) / workers.length];
  const place = new Map(workers.map(({ id }, i) => [id, i]));
  const cell = (sender: number, receiver: number): Cell => {
    const [column, row] = [place.get(receiver) ?? 0, place.get(sender) ?? 0];
    const [x, y] = [left + column * width, top + row * height];
    return { x: x + 0.5, y: y + 0.5, x2: x + width - 0.5, y2: y + height - 0.5 };
  };
  // One byte per second if there is none, to avoid dividing by zero.
  const greatest = pairs.reduce((most, { rate }) => Math.max(most, rate), 1);
  const head = { fill: theme.textSecondary, limit: 1000 };
  return {
    cells: [
      ...workers.flatMap(a => workers.filter(b => a !== b).map(b => ({ ...cell(a.id, b.id), fill: theme.track, stroke: null }))),
      ...pairs.map(pair => ({
        ...cell(pair.sender, pair.receiver),
        fill: scaleColour(theme, pair.rate / greatest),
        stroke: pair.trusted ? null : theme.text
      }))
    ],
    texts: [
      { ...head, text: `${trans.__('to')} →`, x: frame.width - EDGE, y: HEAD / 2, align: 'right' },
      { ...head, text: `${trans.__('from')} ↓`, x: EDGE, y: HEAD / 2, align: 'left' },
      ...workers.flatMap(({ label }, i) => [
        ...(height >= 11
          ? [{ ...head, text: label, x: left - 6, y: top + (i + 0.5) * height, align: 'right', limit: left - EDGE - 6 }]
          : []),
        ...(width >= Math.min(textWidth(label), 24)
          ? [{ ...head, text: label, x: left + (i + 0.5) * width, y: top - 8, align: 'center', limit: width - 2 }]
          : [])
      ]),
      ...(width >= FIGURE.width && height >= FIGURE.height ? pairs.map(pair => figure(pair, cell, greatest, theme)) : []),
      {
        ...head,
        text: trans.__('figures in %1/s', byteUnit(greatest).name),
        x: frame.width - EDGE,
        y: frame.height - HEAD / 2,
        align: 'right'
      }
    ],
    hits: pairs.map(pair => ({ ...cell(pair.sender, pair.receiver), tooltip: matrix.tooltip(pair) }))
  };
}

function figure(pair: Pair, cell: (sender: number, receiver: number) => Cell, greatest: BytesPerSecond, theme: Theme): Row {
  const { x, x2, y, y2 } = cell(pair.sender, pair.receiver);
  const fill = inkOn(scaleColour(theme, pair.rate / greatest));
  const value = pair.rate / byteUnit(greatest).bytes;
  const text = plainNumber(value >= 99.5 ? Math.round(value) : Number(value.toPrecision(2)));
  return { text, x: (x + x2) / 2, y: (y + y2) / 2, align: 'center', fill, limit: x2 - x };
}

/** The texts at the two ends of the scale. */
export function scaleWords(pairs: readonly Pair[]): readonly [least: string, most: string] {
  const greatest = pairs.reduce((most, { rate }) => Math.max(most, rate), 0);
  return [formatByteRate(0), formatByteRate(greatest)];
}
