/** How many threads there were in each step of a period. */
import type { Run } from '../../run/run';
import { removals } from '../../selectors/events/removals';
import { liveWorkers, total } from '../../selectors/workers/worker-rows';
import { type Activity, workOf } from './activity';
import type { Steps } from './grid';

/** Thread-seconds of each step. While there is no worker, as before the first of an adaptive cluster, there are none. */
export function threadsOf(run: Run, { from, count, width }: Steps, activity: Activity): Float64Array {
  const values = run.series.column('threads_sum');
  const times = run.series.column('time');
  const now = Math.max(activity.lanes, total(liveWorkers(run), row => row.nthreads) || 0);
  const threads = new Float64Array(count);
  const left = removals(run);
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
      threads[i] = (known > 0 ? known : now) * width;
    }
  }
  return threads;
}
