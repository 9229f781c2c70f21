/** What a plot over time is about, and the courses of its quantities within the time shown. */
import type { Colour, Theme } from '../../base/theme';
import type { Seconds } from '../../base/units';
import type { Measure } from '../../feed/schema';
import type { Run } from '../../run/run';
import type { Ticks } from '../axis';
import { calledWorker, chosenWorker } from '../../selectors/workers/one-worker';
import { stepOf, workerSeries } from './one-worker';
import type { PlotContext, PlotOption, VegaPlot } from '../../plot/plot';
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
export type OverTime = Pick<VegaPlot, 'id' | 'icon' | 'title' | 'caption' | 'synonyms' | 'howToRead'> & {
  readonly quantities: readonly Quantity[];
  /**
   * Whose values are in the band. Of workers the line is the mean; what is measured of a whole host adds up, and how
   * many hosts there were is not in the series: of hosts the line is the sum.
   */
  readonly of: 'workers' | 'hosts';
  readonly format: (value: number) => string;
  /** The end of the axis of values that fits, for one worker or all (`null`). */
  readonly end: (run: Run, greatest: number, worker: number | null) => number;
  readonly ticks: Ticks;
  /** A level that one worker, or any (`null`), must not pass, by those that are there now; none where it is missing or NaN. */
  readonly limit?: (run: Run, worker: number | null) => number;
  readonly limitText?: string;
};

/** The choice of the time shown. */
export const SPAN: PlotOption = {
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
export const SHORTEST: Seconds = 10;
/** Legend id of all bands. */
export const BAND = 'band';

function lineOf({ of }: OverTime): Line {
  return of === 'workers' ? 'mean' : 'sum';
}

/** The time shown; `null` while nothing was measured. A paused view ends where it was paused. */
export function spanOf(run: Run, { options }: PlotContext): Span | null {
  const first = run.series.column('time').find(Number.isFinite);
  const now = run.clock.latest;
  if (first === undefined || first > now) {
    return null;
  }
  const from = Math.max(first, now - Number(options.span ?? SPAN.initial) || Number.NEGATIVE_INFINITY);
  return { from, to: Math.max(now, from + SHORTEST) };
}

/** A quantity of a plot, thinned to what its picture needs. */
export interface Course extends Thinned {
  readonly quantity: Quantity;
}

/** All quantities of a plot, within the time shown. */
export function courses(plot: OverTime, run: Run, context: PlotContext): readonly Course[] {
  const span = spanOf(run, context);
  const until = span === null ? null : { from: span.from, to: Math.min(span.to, run.clock.latest) };
  const worker = chosenWorker(run, context);
  const series = worker === null ? run.series : workerSeries(run, worker);
  const line = worker === null ? lineOf(plot) : 'sum';
  // Samples of a worker may be far apart; what is longer than some of them was not measured.
  const gap = worker === null ? 0 : 3 * stepOf(series);
  return plot.quantities.map(quantity => ({
    quantity,
    ...(until === null ? NOTHING : thin(series, quantity.measure, line, until, gap))
  }));
}

/** Words of the line and of the edges of its band; of one worker there is no band. */
export function words(plot: OverTime, run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const worker = chosenWorker(run, context);
  if (worker !== null) {
    const label = calledWorker(run, worker);
    return [plot.of === 'workers' ? label : trans('host of %1', label)];
  }
  return plot.of === 'workers'
    ? [trans('mean of workers'), trans('least worker'), trans('greatest worker')]
    : [trans('all hosts'), trans('least host'), trans('greatest host')];
}

/** A word of a quantity that may stand beside others. */
export function named({ quantity }: Course, word: string, { trans }: PlotContext): string {
  return quantity.name === '' ? word : `${trans(quantity.name)}, ${word}`;
}

/** What {@link words} name, in their order. */
export function values({ value, low, high }: Slot): readonly number[] {
  return [value, low, high];
}
