import type { Seconds } from '../../../base/units';
import { HEARD } from '../../../run/idle-time';
import { once } from '../../facts';
import { removals } from '../../../selectors/events/removals';
import { momentsOf } from '../../points';
import type { Span } from '../../spans';

/** Workers hear of a task and start it within milliseconds; samples that say what they have come once a second. */
export const LONG: Seconds = 1;

/** A stretch in which workers had tasks, and no record shows what they did. */
interface Unrecorded extends Span {
  readonly threads: number;
  /** Whether tasks were cancelled at its end, which leave no record. */
  readonly cancelled: boolean;
  /** Whether heartbeats reported tasks that ran: a restart of the cluster ends them, and they leave no record, either. */
  readonly ran: boolean;
  /** Whether a worker was lost that had tasks: it may have run them, and Dask does not record when it began them. */
  readonly lost: boolean;
}

/** Stretches without any record of work that have ended, in which a sample says that workers had tasks. */
export const unrecordedIn = once(({ run, partition, period }): readonly Unrecorded[] => {
  const moments = momentsOf(run);
  const { byStep, steps } = partition;
  const { from, width, count: length } = steps;
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, assigned, kept] = [column('time'), column('assigned_sum'), column('cancelled_sum')];
  const computing = column('computing_sum');
  const losses = removals(run).filter(({ how, tasks }) => how !== 'asked' && tasks > 0);
  const spans: Unrecorded[] = [];
  let until = period.from;
  for (let k = 0; k < Math.min(times.length, assigned.length); k++) {
    const at = Math.floor((times[k] - from) / width);
    if (!moments[k] || !(times[k] >= until && at >= 0 && at < length) || !(assigned[k] >= 1) || byStep.quiet[at] === 0) {
      continue;
    }
    let [begin, end] = [at, at + 1];
    while (begin > 0 && byStep.quiet[begin - 1] > 0) {
      begin -= 1;
    }
    while (end < length && byStep.quiet[end] > 0) {
      end += 1;
    }
    until = from + end * width;
    // Before it ends it is not known whether they wait for data. Heartbeats say nothing more of what ended that long ago.
    const hasEnded = end < length || run.clock.latest > until + HEARD;
    if (hasEnded && (end - begin) * width >= LONG) {
      const cancelled = kept.some((threads, i) => threads > 0 && times[i] >= times[k] && times[i] <= until + HEARD);
      const since = from + begin * width;
      const ran = computing.some((threads, i) => threads > 0 && times[i] >= since && times[i] <= until - LONG);
      const lost = losses.some(({ time }) => time > since && time <= until);
      spans.push({ from: since, to: until, threads: assigned[k], cancelled, ran, lost });
    }
  }
  return spans;
});
