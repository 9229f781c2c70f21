/** What threads did in each second of a period, beside what the samples of these seconds say. */
import type { Seconds } from '../../../../base/units';
import { type Facts, once } from '../../../facts';
import { momentsOf } from '../../../points';
import type { Span } from '../../../spans';

const SECOND: Seconds = 1;

/** One second, or less at the end. */
export interface Second extends Span {
  /** Time of all threads. */
  readonly capacity: Seconds;
  /** Time in which threads ran tasks. */
  readonly busy: Seconds;
  /** Time between two tasks. */
  readonly overhead: Seconds;
  /** Time in which threads waited for disk, by Dask's records. */
  readonly disk: Seconds;
  /** Time in which no thread did anything. */
  readonly quiet: Seconds;
  /** Tasks that began. */
  readonly starts: number;
  /** Number of its sample in the series; -1 if it has none that is of a moment. */
  readonly sample: number;
}

/** The seconds of the period, in their order. */
export const secondsIn = once((facts): readonly Second[] => {
  const { steps, activity, byStep, threads } = facts.partition;
  const { from, width, count } = steps;
  const span = Math.max(1, Math.round(SECOND / width));
  const samples = samplesBy(facts, span * width);
  return Array.from({ length: Math.ceil(count / span) }, (_, i) => {
    const [begin, end] = [i * span, Math.min(count, (i + 1) * span)];
    let [capacity, busy, overhead, disk, quiet, starts] = [0, 0, 0, 0, 0, 0];
    for (let k = begin; k < end; k++) {
      capacity += threads[k] * width;
      busy += activity.compute[k] + activity.running[k];
      overhead += byStep.overhead[k];
      disk += byStep.disk[k];
      quiet += byStep.quiet[k];
      starts += activity.starts[k];
    }
    return {
      ...{ from: from + begin * width, to: from + end * width },
      ...{ capacity, busy, overhead, disk, quiet, starts, sample: samples.get(i) ?? -1 }
    };
  });
});

/**
 * Numbers of the samples by the second in which they were taken: one before the first task or after the last says nothing of
 * its second.
 */
function samplesBy(facts: Facts, length: Seconds): ReadonlyMap<number, number> {
  const { run, period } = facts;
  const moments = momentsOf(run);
  const tasks = run.series.column('processing_sum');
  const work = workOf(facts);
  const found = new Map<number, number>();
  for (const [k, time] of run.series.column('time').entries()) {
    if (moments[k] && time >= period.from && time <= period.to && (tasks[k] !== 0 || (time >= work.from && time <= work.to))) {
      found.set(Math.floor((time - period.from) / length), k);
    }
  }
  return found;
}

/** From the first task of the period to the end of the last one. */
function workOf({ partition: { steps, activity } }: Facts): Span {
  const ran = activity.compute.map((seconds, k) => seconds + activity.running[k]);
  const first = ran.findIndex(seconds => seconds > 0);
  const last = ran.reduce((found, seconds, k) => (seconds > 0 ? k : found), -1);
  return { from: steps.from + Math.max(0, first) * steps.width, to: steps.from + (last + 1) * steps.width };
}

/** Mean of a column of the series over samples that have it; NaN if none has. */
export function meanOf({ run }: Facts, column: string, seconds: readonly Second[]): number {
  const values = run.series.column(column);
  const known = seconds.flatMap(({ sample }) => (values[sample] >= 0 ? [values[sample]] : []));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The sum of a number of each second. */
export function sumOf(seconds: readonly Second[], of: (second: Second) => number): number {
  return seconds.reduce((sum, each) => sum + of(each), 0);
}
