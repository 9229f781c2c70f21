/** What the plots of the cluster's resources over time share: span, thinning, gaps, band, tooltip, table. */
import { formatElapsed } from '../../base/format';
import { type Colour, mix, type Theme } from '../../base/theme';
import type { Seconds } from '../../base/units';
import type { Measure } from '../../feed/schema';
import type { Run } from '../../run/run';
import { steadyEnd, type Ticks } from '../axis';
import type { LegendItem, PlotContext, PlotOption, TableData, TitlePart, Translate, VegaFrame, VegaPlot } from '../plot';
import { timeData, timeParams } from './data';
import { valuesThatFit } from './layout';
import type { TimeChart, TimeLine } from './model';
import { timeSpec } from './spec';
import { type Line, NOTHING, type Slot, type Span, thin, type Thinned } from './thin';

/** A quantity of a plot over time. */
export interface Quantity {
  readonly measure: Measure;
  /** Its name beside others; in English. */
  readonly name: string;
  readonly colour: (theme: Theme) => Colour;
  /** Told apart from another one that is solid. */
  readonly dashed?: boolean;
}

/** What a plot over time says for itself; the rest is the same for all. */
export type OverTime = Pick<VegaPlot, 'id' | 'title' | 'shortTitle' | 'caption' | 'synonyms' | 'howToRead'> & {
  readonly quantities: readonly Quantity[];
  /**
   * Whose values are in the band. Of workers the line is the mean; what is measured of a whole host adds up, and how
   * many hosts there were is not in the series: of hosts the line is the sum.
   */
  readonly of: 'workers' | 'hosts';
  readonly format: (value: number) => string;
  /** The end of the axis of values that fits. */
  readonly end: (run: Run, greatest: number) => number;
  readonly ticks: Ticks;
  /** A level that a worker must not pass, by the workers that are there now; none where it is missing or NaN. */
  readonly limit?: (run: Run) => number;
  readonly limitText?: string;
};

const SPAN: PlotOption = {
  id: 'span',
  label: 'Time',
  choices: [
    { value: 'whole', label: 'whole run' },
    { value: '3600', label: 'last hour' },
    { value: '600', label: 'last 10 minutes' },
    { value: '60', label: 'last minute' }
  ],
  initial: 'whole'
};

/** The least that an axis shows: a second over the whole width would show noise as if it were a course. */
const SHORTEST: Seconds = 10;
/** Legend id of all bands. */
const BAND = 'band';

/** The second of two colours: the first, nearer to the text's. */
export function deeper(colour: Colour, theme: Theme): Colour {
  return mix(colour, theme.text, 0.5);
}

function lineOf({ of }: OverTime): Line {
  return of === 'workers' ? 'mean' : 'sum';
}

/** The time shown; `null` while nothing was measured. A paused view ends where it was paused. */
function spanOf(run: Run, { options }: PlotContext): Span | null {
  const first = run.series.column('time').find(Number.isFinite);
  const now = run.clock.latest;
  if (first === undefined || first > now) {
    return null;
  }
  const from = Math.max(first, now - Number(options.span ?? SPAN.initial) || Number.NEGATIVE_INFINITY);
  return { from, to: Math.max(now, from + SHORTEST) };
}

interface Course extends Thinned {
  readonly quantity: Quantity;
}

function courses(plot: OverTime, run: Run, context: PlotContext): readonly Course[] {
  const span = spanOf(run, context);
  const until = span === null ? null : { from: span.from, to: Math.min(span.to, run.clock.latest) };
  return plot.quantities.map(quantity => ({
    quantity,
    ...(until === null ? NOTHING : thin(run.series, quantity.measure, lineOf(plot), until))
  }));
}

/** Words of the line and of the edges of its band. */
function words(plot: OverTime, trans: Translate): readonly [line: string, least: string, most: string] {
  return plot.of === 'workers'
    ? [trans('mean of workers'), trans('least worker'), trans('greatest worker')]
    : [trans('all hosts'), trans('least host'), trans('greatest host')];
}

function named({ quantity }: Course, word: string, { trans }: PlotContext): string {
  return quantity.name === '' ? word : `${trans(quantity.name)}, ${word}`;
}

function values({ value, low, high }: Slot): readonly number[] {
  return [value, low, high];
}

function hits(plot: OverTime, all: readonly Course[], run: Run, context: PlotContext): TimeChart['hits'] {
  const names = words(plot, context.trans);
  return (all[0]?.slots ?? []).map((slot, i) => ({
    from: slot.from,
    to: slot.to,
    tooltip: {
      title: period(slot, run),
      rows: all.flatMap(course => {
        const here = course.slots[i];
        return here === undefined
          ? []
          : values(here).map((value, at): [string, string] => [named(course, names[at], context), plot.format(value)]);
      }),
      hint: context.trans('Click: pin')
    }
  }));
}

function period({ from, to }: Span, run: Run): string {
  const [begin, end] = [from, to].map(time => formatElapsed(time - run.origin));
  return begin === end ? begin : `${begin} – ${end}`;
}

function timeLine({ quantity, moments }: Course, { theme, hidden }: PlotContext): TimeLine {
  const line = !hidden.has(quantity.measure);
  return {
    id: quantity.measure,
    colour: quantity.colour(theme),
    dashed: quantity.dashed ?? false,
    line,
    band: line && !hidden.has(BAND),
    moments
  };
}

function chart(plot: OverTime, run: Run, context: PlotContext, frame: VegaFrame): TimeChart {
  const all = courses(plot, run, context);
  const limit = plot.limit?.(run) ?? Number.NaN;
  const lines = all.map(course => timeLine(course, context));
  const greatest = Math.max(0, ...all.filter((_, i) => lines[i].line).map(course => course.greatest));
  const end = steadyEnd(run, `${plot.id} ${context.options.span ?? SPAN.initial}`, plot.end(run, greatest));
  return {
    span: spanOf(run, context) ?? { from: run.origin || 0, to: (run.origin || 0) + SHORTEST },
    origin: run.origin || 0,
    end,
    ticks: plot.ticks(end, valuesThatFit(frame.height)),
    lines,
    limit,
    limitText: context.trans(plot.limitText ?? ''),
    hits: hits(plot, all, run, context)
  };
}

function title(plot: OverTime, run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  return courses(plot, run, context).flatMap(course => {
    const { newest } = course;
    if (newest === null) {
      return [];
    }
    const [value, low, high] = values(newest).map(plot.format);
    const { name } = course.quantity;
    const head: TitlePart = { text: name === '' ? trans('%1 mean', value) : `${trans(name)} ${value}`, tone: 'strong' };
    return plot.of === 'workers' ? [head, { text: trans('%1 to %2', low, high) }] : [head];
  });
}

function legend(plot: OverTime, { theme, trans }: PlotContext): readonly LegendItem[] {
  const [line] = words(plot, trans);
  const several = plot.quantities.length > 1;
  const label = ({ name, dashed }: Quantity): string =>
    several ? trans(dashed ? '%1, %2 (dashed)' : '%1, %2 (solid)', trans(name), line) : line;
  const lines = plot.quantities.map(
    (quantity): LegendItem => ({
      id: quantity.measure,
      label: label(quantity),
      colour: quantity.colour(theme),
      pattern: 'none'
    })
  );
  const edges = plot.of === 'workers' ? trans('least to greatest worker') : trans('least to greatest host');
  const colour = mix(theme.background, plot.quantities[0].colour(theme), 0.3);
  return [...lines, { id: BAND, label: edges, colour, pattern: 'none' }];
}

function table(plot: OverTime, run: Run, context: PlotContext): TableData {
  const all = courses(plot, run, context);
  const names = words(plot, context.trans);
  return {
    columns: [
      { id: 'time', label: context.trans('Time'), tooltip: context.trans('after the start'), align: 'right' },
      ...all.flatMap(course =>
        names.map((name, i) => ({
          id: `${course.quantity.measure} ${i}`,
          label: named(course, name, context),
          align: 'right' as const
        }))
      )
    ],
    rows: (all[0]?.slots ?? []).map((slot, i) => ({
      id: String(slot.from),
      cells: [
        { text: formatElapsed(slot.from - run.origin), value: slot.from },
        ...all.flatMap(({ slots }) =>
          (slots[i] === undefined ? [] : values(slots[i])).map(value => ({ text: plot.format(value), value }))
        )
      ]
    }))
  };
}

function summary(plot: OverTime, run: Run, context: PlotContext): string {
  const { trans } = context;
  const names = words(plot, trans);
  const parts = courses(plot, run, context).flatMap(course => {
    const { newest, greatest } = course;
    return newest === null
      ? []
      : [
          ...values(newest).map((value, i) => `${named(course, names[i], context)} ${plot.format(value)}`),
          trans('at most %1 so far', plot.format(greatest))
        ];
  });
  return `${[trans(plot.title), ...parts].join(', ')}.`;
}

/** A plot of one or two quantities over the time of the run. */
export function overTime(plot: OverTime): VegaPlot {
  return {
    ...plot,
    group: 'time',
    view: 'vega',
    topics: ['meta', 'workers', 'series'],
    options: [SPAN],
    empty: (run, context) =>
      courses(plot, run, context).some(course => course.moments.length > 0)
        ? null
        : {
            head: context.trans('No measurements yet.'),
            body: context.trans('The scheduler notes once a second what its workers report; their course appears here.')
          },
    rowCount: () => 0,
    spec: (_run, context) => timeSpec(context.theme),
    specKey: () => 'over-time',
    params: (run, context, frame) => timeParams(chart(plot, run, context, frame), frame),
    data: (run, context, frame) => timeData(chart(plot, run, context, frame), frame, context.theme),
    titleLine: (run, context) => title(plot, run, context),
    legend: (_run, context) => legend(plot, context),
    notes: (run, { trans }) => (run.series.lost > 0 ? [trans('%1 earlier measurements not kept', run.series.lost)] : []),
    table: (run, context) => table(plot, run, context),
    summary: (run, context) => summary(plot, run, context)
  };
}
