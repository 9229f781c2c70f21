import type { Seconds } from '../base/units';
import type { Run } from '../run/run';

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
  let sum = Number.NaN;
  for (let i = 0; i < Math.min(values.length, times.length); i++) {
    // The first sample may arrive just after the first task.
    const begin = i === 0 ? from : Math.max(from, times[i]);
    const end = i + 1 < times.length ? Math.min(to, times[i + 1]) : to;
    if (end > begin && Number.isFinite(values[i])) {
      sum = (Number.isNaN(sum) ? 0 : sum) + values[i] * (end - begin);
    }
  }
  return sum;
}
