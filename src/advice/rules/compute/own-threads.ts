/** Tasks that compute in more threads than they hold, such as those of XGBoost, of BLAS, or of a library in C. */
import type { Seconds, Share } from '../../../base/units';
import { shareProcess } from '../../../selectors/shared-process';
import { once } from '../../facts';
import { untilsOf } from '../../points';
import type { Span } from '../../spans';

/** Of the threads without a task: the cores that workers take besides; with less, it may be what their processes do besides tasks. */
export const IN_USE: Share = 0.5;
/** A sample is of so long before it. */
const SAMPLE: Seconds = 1;

/** A stretch in which the cores of most threads without a task were in use. */
interface Used extends Span {
  readonly cores: number;
  /** Threads that had a task. */
  readonly working: number;
}

/** Such stretches, by samples of the CPU of all workers. */
export const ownThreadsIn = once(({ run, partition }): readonly Used[] => {
  const { steps, activity, threads } = partition;
  const { from, width, count } = steps;
  const [times, untils] = [run.series.column('time'), untilsOf(run)];
  // Of workers in one process, each reports that of all.
  const cpu = run.series.column(shareProcess(run) ? 'cpu_max' : 'cpu_sum');
  const found: Used[] = [];
  for (let k = 0; k < Math.min(times.length, cpu.length); k++) {
    const since = Math.max(times[k] - SAMPLE, untils[k - 1] ?? Number.NEGATIVE_INFINITY);
    const first = Math.max(0, Math.floor((since - from) / width));
    const end = Math.min(count, Math.ceil((untils[k] - from) / width));
    let [busy, all] = [0, 0];
    for (let i = first; i < end; i++) {
      busy += activity.compute[i] + activity.running[i];
      all += threads[i] * width;
    }
    const length = (end - first) * width;
    const [cores, working, idle] = [cpu[k] / 100, busy / length, (all - busy) / length];
    if (first < end && working > 0 && idle > 0 && cores - working >= IN_USE * idle) {
      found.push({ from: since, to: untils[k], cores, working });
    }
  }
  return found;
});
