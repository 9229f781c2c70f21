/** The specific part of a plot over time, and the data of its quantities in the visible time. */
import { catalogueText } from '../../plot/translation';
import { countLeading } from '../../base/arrays';
import type { Colour, Theme } from '../../base/theme';
import type { Seconds } from '../../base/units';
import type { Measure } from '../../feed/schema';
import type { Run } from '../../run/run';
import type { Series } from '../../run/tables/series';
import type { Ticks } from '../axis';
import { calledWorker, chosenWorker } from '../../selectors/workers/one-worker';
import { liveWorkers } from '../../selectors/workers/worker-rows';
import { stepOf, workerSeries } from './one-worker';
import type { PlotContext, VegaPlot } from '../../plot/plot';
import { untilNow, visibleSpan } from './span';
import { type Line, NOTHING, type Slot, type Span, thin, type Thinned } from './thin';

/** A quantity of a plot over time. */
export interface Quantity {
  readonly measure: Measure;
  /** Its name next to others; in English. */
  readonly name: string;
  readonly colour: (theme: Theme) => Colour;
  /** Drawn differently from a solid one. */
  readonly dashed?: boolean;
}

/** The specific part of a plot over time; the rest is shared. */
export type OverTime = Pick<VegaPlot, 'id' | 'icon' | 'title' | 'caption' | 'synonyms' | 'howToRead'> & {
  readonly quantities: readonly Quantity[];
  /**
   * The members of the band. For workers the line is the mean. Values measured per host add up, and the series does not
   * contain the number of hosts: for hosts the line is the sum.
   */
  readonly of: 'workers' | 'hosts';
  readonly format: (value: number) => string;
  /** Upper end of the value axis, for one worker or all (`null`). */
  readonly end: (run: Run, greatest: number, worker: number | null) => number;
  /** Upper end of an axis that fits the data, for a choice, where {@link end} shows what there is room for. */
  readonly fit?: (greatest: number) => number;
  readonly ticks: Ticks;
  /** A limit for one worker, or for any (`null`), of the current workers; default or NaN: none. */
  readonly limit?: (run: Run, worker: number | null) => number;
  readonly limitText?: string;
  /** Whether {@link limit} was the same at all times, as far as is known; default: it was. */
  readonly limitHolds?: (run: Run) => boolean;
};

/** Legend id of all bands. */
export const BAND = 'band';

function lineOf({ of }: OverTime): Line {
  return of === 'workers' ? 'mean' : 'sum';
}

/** A quantity of a plot, downsampled for its picture. */
export interface Course extends Thinned {
  readonly quantity: Quantity;
  /** Whether the newest measurement does not hold any more: see `Measured`. */
  readonly over: boolean;
}

/** All quantities of a plot, within a time: by default the visible one. */
export function courses(
  plot: OverTime,
  run: Run,
  context: PlotContext,
  span: Span | null = visibleSpan(run, context)
): readonly Course[] {
  const until = span === null ? null : untilNow(span, run);
  const worker = chosenWorker(run, context);
  const series = worker === null ? run.series : workerSeries(run, worker);
  const line = worker === null ? lineOf(plot) : 'sum';
  // Samples of a worker may be far apart, those that came before they were so many less far; a longer gap was not measured.
  const gap = worker === null ? 0 : 3 * stepOf(series);
  return plot.quantities.map(quantity => {
    const thinned = until === null ? NOTHING : thin(series, quantity.measure, line, until, gap);
    const end = thinned.newest?.to ?? Number.NaN;
    return { quantity, ...thinned, over: worker === null ? lastTime(series, until) > end : hasLeft(run, worker) };
  });
}

/** When the newest sample of a time was taken, whatever is in it; NaN without any. */
function lastTime(series: Series, until: Span | null): Seconds {
  const times = series.column('time');
  return until === null ? Number.NaN : (times[countLeading(times.length, i => times[i] <= until.to) - 1] ?? Number.NaN);
}

/** Whether a worker has left; one that does not report what is measured may still be there. */
function hasLeft(run: Run, worker: number): boolean {
  return run.has('workers') && !liveWorkers(run).some(({ id }) => id === worker);
}

/** Texts of the line and of the edges of its band; one worker has no band. */
export function words(plot: OverTime, run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const worker = chosenWorker(run, context);
  if (worker !== null) {
    const label = calledWorker(run, worker);
    return [plot.of === 'workers' ? label : trans.__('host of %1', label)];
  }
  return plot.of === 'workers'
    ? [trans.__('mean of workers'), trans.__('minimum of workers'), trans.__('maximum of workers')]
    : [trans.__('all hosts'), trans.__('minimum of hosts'), trans.__('maximum of hosts')];
}

/** The text of a quantity that may be next to others. */
export function named({ quantity }: Course, word: string, { trans }: PlotContext): string {
  return quantity.name === '' ? word : `${catalogueText(trans, quantity.name)}, ${word}`;
}

/** The values for {@link words}, in the same order. */
export function values({ value, low, high }: Slot): readonly number[] {
  return [value, low, high];
}
