/** Executions that take much longer than others of their function, and what threads waited for each of them. */
import type { Seconds } from '../../../base/units';
import type { Facts } from '../../facts';
import type { Outlier } from '../../time/activity';

/** An execution that has ended. */
export interface LongTask extends Outlier {
  /** Time of threads that had no task meanwhile. */
  readonly waited: Seconds;
}

/** The time of threads that waited for long tasks, between two times. */
export type Waited = (from: Seconds, to: Seconds) => Seconds;

/** Sums it up once, to be asked for each of very many tasks. */
export function waitedOf({ partition }: Facts): Waited {
  const { steps, byStep } = partition;
  const { from, width, count } = steps;
  const sums = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) {
    sums[i + 1] = sums[i] + byStep.straggler[i];
  }
  const at = (time: Seconds): Seconds => {
    const step = Math.min(count, Math.max(0, (time - from) / width));
    const whole = Math.floor(step);
    return sums[whole] + (step - whole) * ((sums[whole + 1] ?? sums[whole]) - sums[whole]);
  };
  return (begin, end) => (begin < end ? at(end) - at(begin) : 0);
}

/** Those for which threads waited, the one that most was waited for first. */
export function longTasksIn({ partition }: Facts, waited: Waited): readonly LongTask[] {
  return partition.activity.outliers
    .map(each => ({ ...each, waited: waited(each.start, each.start + each.duration) }))
    .filter(each => each.waited > 0)
    .sort((a, b) => b.waited - a.waited || b.duration - a.duration);
}
