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
  readonly mean: Seconds;
  /** Quantiles as `numpy.quantile` computes them. */
  readonly median: Seconds;
  readonly p95: Seconds;
  readonly max: Seconds;
  /** Sum of the sizes of the results. */
  readonly bytes: Bytes;
}

/** Which quantiles are computed; the others are NaN. */
export type Quantiles = 'all' | 'median' | 'none';

/** Place in {@link Durations.sums} of the sum of a function's durations, in seconds. */
export const TOTAL = 0;
/** Place of the sum of the sizes of its results, in bytes. */
export const BYTES = 1;
/** Place of the number of its executions that raised. */
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
  /** By prefix; sparse. They may be those of an earlier computation, with its numbers in them. */
  readonly lists: Lists = takeSpare();
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
      const count = this.counts[prefix] ?? 0;
      if (list === undefined || count === 0) {
        continue;
      }
      const [total, bytes, erred] = this.sums.subarray(prefix * SUMS, prefix * SUMS + SUMS);
      const { min, max, mean } = range(list, count);
      const [median = Number.NaN, p95 = Number.NaN] = yield* quantileSteps(list, count, WANTED[of]);
      found.push({ prefix, name: names[prefix] ?? '', count, erred, total, min, mean, median, p95, max, bytes });
      yield;
    }
    keepSpare(this.lists);
    return found;
  }
}

/** Durations by prefix; sparse. */
type Lists = (Float32Array<ArrayBuffer> | undefined)[];

/** Numbers in lists that wait for the next computation: 8 MB. */
const MOST_SPARE = 2 ** 21;

/**
 * The lists of the last computation. While a selection is dragged, one computation follows the other: with lists of its own,
 * each would leave megabytes to collect, in the middle of a frame.
 */
let spare: Lists = [];

function takeSpare(): Lists {
  const lists = spare;
  spare = [];
  return lists;
}

function keepSpare(lists: Lists): void {
  const length = lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
  spare = length <= MOST_SPARE ? [...lists] : [];
}

const WANTED: Readonly<Record<Quantiles, readonly number[]>> = { all: [0.5, 0.95], median: [0.5], none: [] };

function range(values: Float32Array, length: number): { min: number; max: number; mean: number } {
  let [min, max, sum] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let i = 0; i < length; i++) {
    const value = values[i];
    min = value < min ? value : min;
    max = value > max ? value : max;
    sum += value;
  }
  return { min, max, mean: sum / length };
}
