/** Shared by plots with one bar per function: order, scrolling, colours. */
import { catalogueText } from '../../plot/translation';
import { mix } from '../../base/theme';
import type { CssPixels } from '../../base/units';
import type { Run } from '../../run/run';
import type { Ticks } from '../axis';
import { type BarColumn, type BarRow, type BarSegment, rowPicture } from '.';
import { forgetBySize, keepBySize } from '../../plot/kept';
import type { PlotContext, PlotOption, TooltipContent, VegaPicture, VegaPlot, VegaSize } from '../../plot/plot';
import { repetition } from '../prefix-fill';
import { searchedFor } from '../../selectors/search/row-search';
import { functionSubject } from '../../selectors/tasks/prefix-counts';
import { compareNames, textWidth } from '../../plot/text';

/** Opacity of a segment next to a bar. */
const PALE = 0.3;

/** A function and its values. */
export interface FunctionValue {
  /** Index into the run's dictionary of prefixes: the colour slot. */
  readonly id: number;
  /** The function's name on one line. */
  readonly label: string;
  readonly value: number;
}

/** Axis of a plot of functions. */
export interface FunctionScale {
  readonly end: number;
  readonly ticks: Ticks;
}

/** A column of further figures. */
export interface FunctionColumn<T> extends BarColumn {
  readonly text: (value: T) => string;
}

/** The specific part of a plot of functions; the rest is shared. */
export type FunctionBars<T extends FunctionValue> = Omit<VegaPlot, 'view' | 'picture' | 'options' | 'legend'> & {
  readonly legend?: VegaPlot['legend'];
  readonly sort: PlotOption;
  /** Options before that of the order. */
  readonly choices?: readonly PlotOption[];
  readonly axisTitle: string;
  readonly figureWidth: CssPixels;
  readonly values: (run: Run, context: PlotContext) => readonly T[];
  /** What the values are of: with something else, an order by size begins again. Default: always the same. */
  readonly basis?: (run: Run, context: PlotContext) => unknown;
  /** @param greatest - maximum length of all bars */
  readonly scale: (run: Run, context: PlotContext, greatest: number) => FunctionScale;
  /** A pale segment after the bar that is not part of the value; default: none. */
  readonly beside?: (value: T, context: PlotContext) => number;
  readonly figure: (value: T) => string;
  /** Further figures, to the right; default: none. */
  readonly more?: (context: PlotContext) => readonly FunctionColumn<T>[];
  readonly tooltip: (value: T, context: PlotContext, all: readonly T[]) => TooltipContent['rows'];
};

/** The option for the order of a plot of functions. */
export function functionSort(initial: 'name' | 'size', bySize: string): PlotOption {
  return {
    id: 'sort',
    label: 'Order',
    choices: [
      { value: 'name', label: 'by name' },
      { value: 'size', label: bySize }
    ],
    initial
  };
}

function ordered<T extends FunctionValue>(bars: FunctionBars<T>, run: Run, context: PlotContext): readonly T[] {
  const values = bars.values(run, context);
  if ((context.options.sort ?? bars.sort.initial) === 'size') {
    return keepBySize(run, context, values, each => each.value, bars.basis?.(run, context));
  }
  forgetBySize(run, context);
  return [...values].sort((a, b) => compareNames(a.label, b.label) || a.id - b.id);
}

function row<T extends FunctionValue>(bars: FunctionBars<T>, each: T, all: readonly T[], run: Run, context: PlotContext): BarRow {
  const { theme, trans } = context;
  const { colour, pattern } = theme.prefix(each.id);
  const segment: BarSegment = { size: each.value, fill: colour, least: 1, ...repetition(theme, each.id) };
  const pale = mix(theme.background, colour, PALE);
  const beside = bars.beside?.(each, context) ?? 0;
  const subject = functionSubject(run, each.id);
  const more: BarSegment = { size: beside, fill: pale, outline: colour, apart: true, least: 2 };
  return {
    label: { text: each.label },
    bars: [{ segments: beside > 0 ? [segment, more] : [segment] }],
    figures: [bars.figure, ...(bars.more?.(context) ?? []).map(({ text }) => text)].map((text, i) => ({
      text: text(each),
      ...(i === 0 ? {} : { colour: theme.textSecondary })
    })),
    tooltip: {
      title: each.label,
      ...(subject === null ? {} : { subject }),
      colour,
      pattern,
      rows: bars.tooltip(each, context, all),
      hint: trans.__('Click: pin, select its tasks')
    }
  };
}

function picture<T extends FunctionValue>(bars: FunctionBars<T>, run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const all = ordered(bars, run, context);
  const greatest = all.reduce((most, each) => Math.max(most, (each.value || 0) + (bars.beside?.(each, context) ?? 0)), 0);
  const { end, ticks } = bars.scale(run, context, greatest);
  const more = bars.more?.(context) ?? [];
  return rowPicture(context.theme, size, {
    items: all,
    search: { wanted: searchedFor(context), texts: ({ label }) => [label] },
    row: each => row(bars, each, all, run, context),
    parts: { heads: more.length > 0, axis: true, title: true },
    end,
    ticks,
    axisTitle: catalogueText(context.trans, bars.axisTitle),
    columns: [{ width: bars.figureWidth, from: 200 }, ...more],
    gutter: all.reduce((most, each) => Math.max(most, textWidth(each.label)), 0)
  });
}

/** A plot with one bar for each function, in the function's colour. */
export function functionBars<T extends FunctionValue>(bars: FunctionBars<T>): VegaPlot {
  return {
    ...bars,
    view: 'vega',
    options: [...(bars.choices ?? []), bars.sort],
    acts: (run, id) => functionSubject(run, Number(id)),
    legend: bars.legend ?? (() => []),
    picture: (run, context, size) => picture(bars, run, context, size)
  };
}
