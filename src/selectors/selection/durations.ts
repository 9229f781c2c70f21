/** Durations of the executions of one function. */
import type { Bytes, Seconds } from '../../base/units';
import { quantileSteps } from './quantile';

/** Executions of one function. Durations are those of whole executions, also where the period cuts them. */
export interface FunctionStatistics {
  readonly prefix: number;
  readonly name: string;
  readonly count: number;
  readonly erred: number;
  /** Time inside the period. */
  readonly total: Seconds;
  readonly min: Seconds;
  /** Quantiles as `numpy.quantile` computes them. */
  readonly median: Seconds;
  readonly p95: Seconds;
  readonly max: Seconds;
  /** Sum of the sizes of the results. */
  readonly bytes: Bytes;
}

/** Which quantiles are computed; the others are NaN. */
export type Quantiles = 'all' | 'median' | 'none';

/** Places of the sums of one function in {@link Durations.sums}. */
export const TOTAL = 0;
export const BYTES = 1;
export const ERRORS = 2;
/** Numbers that each function has in {@link Durations.sums}. */
export const SUMS = 4;

/**
 * Durations of executions by function, in typed arrays: a selection has a million of them.
 *
 * A loop over executions calls `grow(prefix)` where the list of a function is full or missing, and then stores the duration
 * and adds to the sums by itself.
 */
export class Durations {
  /** By prefix; sparse. */
  readonly lists: (Float32Array<ArrayBuffer> | undefined)[] = [];
  /** Number of durations in each list, by prefix. */
  counts = new Uint32Array(32);
  /** Sums by function: {@link SUMS} numbers for each prefix. */
  sums = new Float64Array(32 * SUMS);

  /** Make room for one more duration of a function: replaces its list, and `counts` and `sums` if they are too short. */
  grow(prefix: number): Float32Array<ArrayBuffer> {
    if (prefix >= this.counts.length) {
      const length = Math.max(2 * this.counts.length, prefix + 1);
      const [counts, sums] = [new Uint32Array(length), new Float64Array(length * SUMS)];
      counts.set(this.counts);
      sums.set(this.sums);
      this.counts = counts;
      this.sums = sums;
    }
    const list = this.lists[prefix];
    if (list !== undefined && this.counts[prefix] < list.length) {
      return list;
    }
    const more = new Float32Array(list === undefined ? 64 : 2 * list.length);
    more.set(list ?? []);
    this.lists[prefix] = more;
    return more;
  }

  /** The statistics of each function that has any, in steps of about a millisecond. Reorders the durations. */
  *functions(names: readonly string[], of: Quantiles): Generator<void, FunctionStatistics[], void> {
    const found: FunctionStatistics[] = [];
    for (const [prefix, list] of this.lists.entries()) {
      if (list === undefined) {
        continue;
      }
      const count = this.counts[prefix];
      const [total, bytes, erred] = this.sums.subarray(prefix * SUMS, prefix * SUMS + SUMS);
      const [min, max] = range(list, count);
      const [median = Number.NaN, p95 = Number.NaN] = yield* quantileSteps(list, count, WANTED[of]);
      found.push({ prefix, name: names[prefix] ?? '', count, erred, total, min, median, p95, max, bytes });
      yield;
    }
    return found;
  }
}

const WANTED: Readonly<Record<Quantiles, readonly number[]>> = { all: [0.5, 0.95], median: [0.5], none: [] };

function range(values: Float32Array, length: number): [number, number] {
  let [min, max] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < length; i++) {
    const value = values[i];
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  return [min, max];
}
