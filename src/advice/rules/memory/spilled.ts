import type { Bytes } from '../../../base/units';
import type { Facts } from '../../facts';

/** Spilled bytes, and what threads did not do while these grew: a worker that writes does nothing else. */
export function spilledIn({ run, partition, period }: Facts): {
  most: Bytes;
  idle: { quiet: number; starved: number; overhead: number };
} {
  const { from, width, count } = partition.steps;
  const { byStep } = partition;
  const times = run.series.column('time');
  const values = run.series.column('spilled_sum');
  const idle = { quiet: 0, starved: 0, overhead: 0 };
  let most = 0;
  for (let k = 0; k < Math.min(values.length, times.length); k++) {
    if (times[k] < period.from || times[k] > period.to) {
      continue;
    }
    most = Math.max(most, values[k] || 0);
    if (k > 0 && values[k] !== values[k - 1]) {
      const first = Math.max(0, Math.floor((times[k - 1] - from) / width));
      const last = Math.min(count, Math.ceil((times[k] - from) / width));
      for (let i = first; i < last; i++) {
        idle.quiet += byStep.quiet[i];
        idle.starved += byStep.starved[i];
        idle.overhead += byStep.overhead[i];
      }
    }
  }
  return { most, idle };
}
