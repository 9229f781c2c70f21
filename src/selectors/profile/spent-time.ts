/** What tasks spent, as Dask's fine metrics have it over time, and how much of it was sampled. */
import { formatDuration, formatPercent } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { PlotContext } from '../../plot/plot';
import type { ProfileStore } from '../../run/logs/profile';
import type { Run } from '../../run/run';
import { readSelection } from '../../run/selection/saved-selection';
import type { Period } from '../../run/selection/selection';
import { foldOf } from './profile-folds';
import { filterOf, sampledTime, selected } from './profile-rows';

/** Points farther apart were not measured one after the other. */
const GAP: Seconds = 15;

/** Samples are read this much later than what tasks spent. */
const LATE: Seconds = 5;

/** Less time without samples, or a smaller part of all, says nothing: both are measured by heartbeats. */
const LEAST_MISSING: Seconds = 10;
const LEAST_PART = 0.25;

/**
 * Visit the times for which the series has rates of what was spent, as far as they lie in a period.
 *
 * @param visit - takes begin, end and the number of the point whose rates hold in between
 */
export function eachSpent(run: Run, { from, to }: Period, visit: (begin: Seconds, end: Seconds, point: number) => void): void {
  const known = run.series.column('spent_cpu');
  const [times, untils] = [run.series.column('time'), run.series.column('until')];
  for (let i = 0; i < Math.min(times.length, known.length); i++) {
    // A rate is that of the time since the point before.
    const since = i > 0 && times[i] - untils[i - 1] <= GAP ? untils[i - 1] : times[i] - 1;
    const [begin, end] = [Math.max(since, from), Math.min(Math.max(untils[i], times[i]), to)];
    if (begin < end && !Number.isNaN(known[i])) {
      visit(begin, end, i);
    }
  }
}

/** Time that tasks computed in their threads. */
function computedIn(run: Run, period: Period): Seconds {
  const columns = [run.series.column('spent_cpu'), run.series.column('spent_noncpu')];
  let sum = 0;
  eachSpent(run, period, (begin, end, point) => {
    sum += (end - begin) * columns.reduce((rate, column) => rate + Math.max(0, column[point] || 0), 0);
  });
  return sum;
}

/** A note if much of the time that tasks computed was not sampled; none where that is unknown. */
export function unsampledNotes(store: ProfileStore, run: Run, { options, saved, trans }: PlotContext): readonly string[] {
  const { known, history, off, silent, dropped, lost } = store.status;
  const selection = readSelection(saved?.selection);
  const { period, functions, workers, tasks } = selected(store, run, selection);
  const isPart = Boolean(options.prefix) || Boolean(options.worker) || functions !== null || workers !== null || tasks;
  if (isPart || history !== true || !(known > 0) || off + silent + dropped + lost + store.dropped > 0) {
    return [];
  }
  const from = Math.max(known, period?.from ?? known);
  const to = Math.min(run.clock.latest - LATE, period?.to ?? Number.POSITIVE_INFINITY);
  const computed = computedIn(run, { from, to });
  const sampled = sampledTime(store, foldOf(store, filterOf(store, run, options, selection)).total[0]);
  const missing = computed - sampled;
  return missing >= LEAST_MISSING && missing >= LEAST_PART * computed
    ? [
        trans.__(
          'samples make up %1 of the %2 that tasks computed: code that holds the GIL, and coroutines, are sampled less or not at all',
          formatPercent(sampled / computed),
          formatDuration(computed)
        )
      ]
    : [];
}
