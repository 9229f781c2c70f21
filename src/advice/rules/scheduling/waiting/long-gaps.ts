/** Times for which threads did nothing between two tasks, of those that are much longer than others. */
import type { Seconds } from '../../../../base/units';
import { DURATION, INTERVAL_WORDS, START_STRIDE } from '../../../../run/lanes/lane-chunk';
import type { Run } from '../../../../run/run';
import type { Span } from '../../../spans';

/** How many there are, and how long they take in all. */
export interface LongGaps {
  readonly count: number;
  readonly time: Seconds;
}

/** Gaps of threads in a span that take as long as `least` or longer. */
export function longGapsIn({ tasks }: Run, { from, to }: Span, least: Seconds): LongGaps {
  let [count, time] = [0, 0];
  for (const lane of tasks.lanes) {
    let end = Number.POSITIVE_INFINITY;
    for (const { f64, f32, length } of lane?.compute.chunks ?? []) {
      for (let i = 0; i < length; i++) {
        const start = f64[i * START_STRIDE];
        const gap = Math.min(start, to) - Math.max(end, from);
        if (gap >= least) {
          count += 1;
          time += gap;
        }
        const until = start + f32[i * INTERVAL_WORDS + DURATION];
        end = Number.isFinite(end) ? Math.max(end, until) : until;
      }
    }
  }
  return { count, time };
}
