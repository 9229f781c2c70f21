import { countLeading } from '../base/arrays';
import type { Seconds } from '../base/units';
import type { Run } from '../run/run';

/** The last of some times in order that is not after a moment: the sample that holds then; 0 before the first. */
export function sampleAt(times: ArrayLike<number>, moment: Seconds): number {
  return Math.max(0, countLeading(times.length, i => times[i] <= moment) - 1);
}

/**
 * Time integral of a measure of the cluster, in its unit times seconds; NaN if nothing was measured. Each sample holds until the
 * next one.
 */
export function integral(
  run: Run,
  measure: 'threads' | 'assigned' | 'computing' | 'cancelled',
  { from, to }: { readonly from: Seconds; readonly to: Seconds }
): number {
  const values = run.series.column(`${measure}_sum`);
  const times = run.series.column('time');
  const length = Math.min(values.length, times.length);
  let sum = Number.NaN;
  for (let i = sampleAt(times, from); i < length && (i === 0 || times[i] < to); i++) {
    // The first sample may arrive just after the first task.
    const begin = i === 0 ? from : Math.max(from, times[i]);
    const end = i + 1 < times.length ? Math.min(to, times[i + 1]) : to;
    if (end > begin && Number.isFinite(values[i])) {
      sum = (Number.isNaN(sum) ? 0 : sum) + values[i] * (end - begin);
    }
  }
  return sum;
}
