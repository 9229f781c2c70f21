/** Executions that take much longer than others of their function, and what threads waited for each of them. */
import type { Seconds } from '../../../base/units';
import { DURATION, INTERVAL_WORDS, LABEL_MASK, LOOKS, ROW, START_STRIDE } from '../../../run/lanes/lane-chunk';
import { firstReaching } from '../../../run/lanes/lane-search';
import type { Facts } from '../../facts';
import { limitsOf } from '../../facts';

/** An execution that has ended. */
export interface Outlier {
  readonly prefix: number;
  readonly row: number;
  readonly start: Seconds;
  readonly duration: Seconds;
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
export function outliersIn({ run, period, executions }: Facts, waited: Waited): readonly Outlier[] {
  const limits = limitsOf(executions.functions);
  const found: Outlier[] = [];
  for (const lane of run.tasks.lanes) {
    for (const chunk of lane?.compute.chunks ?? []) {
      if (chunk.end <= period.from || chunk.first >= period.to) {
        continue;
      }
      const { f64, f32, u32 } = chunk;
      const stop = chunk.upperBound(period.to);
      for (let i = firstReaching(chunk, period.from), word = i * INTERVAL_WORDS; i < stop; i++, word += INTERVAL_WORDS) {
        const duration = f32[word + DURATION];
        const prefix = u32[word + LOOKS] & LABEL_MASK;
        if (duration >= limits[prefix]) {
          const start = f64[i * START_STRIDE];
          const seconds = waited(start, start + duration);
          if (seconds > 0) {
            found.push({ prefix, row: u32[word + ROW], start, duration, waited: seconds });
          }
        }
      }
    }
  }
  return found.sort((a, b) => b.waited - a.waited || b.duration - a.duration);
}
