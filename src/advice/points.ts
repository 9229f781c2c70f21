/** The cluster's series in a period: a point holds from its time to its `until`, and on an idle cluster that may be minutes. */
import type { Bytes, Seconds } from '../base/units';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import { liveWorkers, total } from '../selectors/workers/worker-rows';

/** When each point of the series was last seen to hold; its own time if that is not known. */
export function untilsOf({ series }: Run): Float64Array {
  const untils = series.column('until');
  return series.column('time').map((time, i) => Math.max(time, untils[i] || 0));
}

/** A point that holds for longer is not of a moment: one of an idle cluster, or, older than an hour, the mean of ten seconds. */
const MOMENT: Seconds = 2;

/** Which points of the series say what was at their time, and not on average of some time. */
export function momentsOf(run: Run): readonly boolean[] {
  const times = run.series.column('time');
  return Array.from(untilsOf(run), (until, k) => until - times[k] < MOMENT);
}

/** Points of the collector that are means of more than one sample are no longer than this. */
const MEAN: Seconds = 10;

/**
 * Which points are, or may be, means of several samples, though with the least and the greatest of any of them. A longer point is one
 * sample of an idle cluster, unless it has been merged here.
 */
export function meansOf(run: Run): readonly boolean[] {
  const times = run.series.column('time');
  return Array.from(untilsOf(run), (until, k) => {
    const length: Seconds = until - times[k];
    return length >= MOMENT && (length < MEAN || until <= run.series.meansUntil);
  });
}

/** Stretches in which, by the samples, workers had tasks to do, whether or not these ran: paused workers keep theirs. */
export function withTasks(run: Run): readonly Period[] {
  const [times, untils, tasks] = [run.series.column('time'), untilsOf(run), run.series.column('processing_sum')];
  const found: Period[] = [];
  for (let k = 0; k < times.length; k++) {
    if (tasks[k] >= 1) {
      found.push({ from: k > 0 && tasks[k - 1] >= 1 ? untils[k - 1] : times[k], to: untils[k] });
    }
  }
  return found;
}

/**
 * Sum of the workers' memory limits in a period; NaN if there are none.
 *
 * In a period of the past there may have been more workers than now. Their number is that of the series, and their
 * limits are taken to be the mean of all that are known.
 */
export function memoryLimitIn(run: Run, { from, to }: Period): Bytes {
  const [times, untils, workers] = [run.series.column('time'), untilsOf(run), run.series.column('workers')];
  const live = liveWorkers(run);
  let most = Number.NaN;
  for (let k = 0; k < times.length; k++) {
    if (untils[k] >= from && times[k] <= to && workers[k] >= 0) {
      most = Math.max(most || 0, workers[k]);
    }
  }
  const limits = run.workerNames.map(name => name?.memory_limit ?? 0).filter(limit => limit > 0);
  const mean = limits.reduce((sum, limit) => sum + limit, 0) / limits.length;
  const limit = Number.isNaN(most) || most === live.length ? total(live, row => row.limit) : most * mean;
  return limit > 0 ? limit : Number.NaN;
}
