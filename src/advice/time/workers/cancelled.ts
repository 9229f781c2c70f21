/** Threads that go on with tasks that were cancelled, by samples. */
import type { Run } from '../../../run/run';
import { untilsOf } from '../../points';
import type { Steps } from '../grid';

/** Their time in each step. A sample holds until the next one, or as long as it was seen to hold. */
export function cancelledIn(run: Run, { from, width, count }: Steps): Float64Array {
  const [times, untils, threads] = [run.series.column('time'), untilsOf(run), run.series.column('cancelled_sum')];
  const seconds = new Float64Array(count);
  for (let k = 0; k < Math.min(times.length, threads.length); k++) {
    const end = Math.max(untils[k], times[k + 1] ?? run.clock.latest);
    if (threads[k] > 0 && times[k] < end) {
      const last = Math.min(count - 1, Math.floor((end - from) / width));
      for (let i = Math.max(0, Math.floor((times[k] - from) / width)); i <= last; i++) {
        const begin = from + i * width;
        seconds[i] += Math.max(0, Math.min(end, begin + width) - Math.max(times[k], begin)) * threads[k];
      }
    }
  }
  return seconds;
}
