/** How many threads there were in each step of a period. */
import type { Run } from '../../run/run';
import { removals } from '../../selectors/events/removals';
import { liveWorkers, total } from '../../selectors/workers/worker-rows';
import { type Activity, workOf } from './activity';
import { Grid, type Steps } from './grid';
import { retiringOf } from './retiring';

/**
 * Thread-seconds of each step. While there is no worker, as before the first of an adaptive cluster, there are none; of one that
 * retires, those that still work.
 */
export function threadsOf(run: Run, steps: Steps, activity: Activity): Float64Array {
  const { from, count, width } = steps;
  const values = run.series.column('threads_sum');
  const times = run.series.column('time');
  const now = Math.max(activity.lanes, total(liveWorkers(run), row => row.nthreads) || 0);
  const threads = new Float64Array(count);
  const left = removals(run);
  const retiring = retiringIn(run, steps);
  let next = 0;
  let gone = 0;
  let current = Number.NaN;
  let arrived = false;
  for (let i = 0; i < count; i++) {
    const time = from + i * width;
    while (next < Math.min(values.length, times.length) && times[next] <= time) {
      current = values[next];
      next += 1;
      arrived = false;
    }
    // A worker that leaves takes its threads with it, before the next sample.
    for (; gone < left.length && left[gone].time <= time; gone++) {
      if (left[gone].time > times[next - 1]) {
        current = Math.min(current, next < values.length ? values[next] || 0 : now);
      }
    }
    // The first sample may come after the first task.
    const known = Number.isFinite(current) ? current : values[0];
    if (known === 0) {
      // The first worker came between two samples if something runs.
      const work = workOf(activity, i);
      arrived ||= work > 0;
      threads[i] = arrived ? Math.max(work, (next < values.length ? values[next] || 0 : now) * width) : 0;
    } else {
      const all = (known > 0 ? known : now) * width;
      threads[i] = Math.max(all - retiring[i], Math.min(all, workOf(activity, i)));
    }
  }
  return threads;
}

/** Time of the threads of workers that retire, in each step. */
function retiringIn(run: Run, steps: Steps): Float64Array {
  // Most have as many threads: of an adaptive cluster, thousands may have retired.
  const grids = new Map<number, Grid>();
  for (const { from, to, threads } of retiringOf(run)) {
    const grid = grids.get(threads) ?? new Grid(steps);
    grids.set(threads, grid);
    grid.add(from, to);
  }
  const all = new Float64Array(steps.count);
  for (const [threads, grid] of grids) {
    grid.seconds().forEach((seconds, i) => {
      all[i] += threads * seconds;
    });
  }
  return all;
}
