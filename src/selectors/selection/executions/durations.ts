/** Durations of the executions of one function. */
import type { Bytes, Seconds } from '../../../base/units';
import { BYTES, type ChunkSums, COUNT, ERRORS, SUMS, TOTAL } from '../../../run/lanes/chunks/chunk-sums';
import {
  type Chunk,
  DETAIL,
  DURATION,
  ERRED,
  FLAGS_SHIFT,
  INTERVAL_WORDS,
  LABEL_MASK,
  LOOKS,
  START_STRIDE
} from '../../../run/lanes/lane-chunk';
import { quantileSteps } from '../quantile';

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

/** Place of what the durations have more than the time that counts, among the sums of a function. */
const OUTSIDE = COUNT;

/** {@link ERRED} in the looks of an execution. */
const ERRED_LOOKS = ERRED << FLAGS_SHIFT;

/** Durations of executions by function, in typed arrays: a selection has a million of them. */
export class Durations {
  /** By prefix; sparse. They may be those of an earlier computation, with its numbers in them. */
  private readonly lists: Lists = takeSpare();
  /** Number of durations in each list, by prefix. */
  private counts = new Uint32Array(32);
  /** Sums by function: {@link SUMS} numbers for each prefix. */
  private sums = new Float64Array(32 * SUMS);

  /**
   * Add one execution: its duration, of that what counts as its time, and the size of its result.
   *
   * @param looks - label and flags, as in a chunk
   */
  add(looks: number, duration: Seconds, time: Seconds, bytes: Bytes): void {
    const prefix = looks & LABEL_MASK;
    const list = this.reserve(prefix, 1);
    list[this.counts[prefix]++] = duration;
    const own = prefix * SUMS;
    this.sums[own + TOTAL] += time;
    this.sums[own + OUTSIDE] += duration - time;
    this.sums[own + BYTES] += bytes;
    this.sums[own + ERRORS] += (looks >>> FLAGS_SHIFT) & ERRED;
  }

  /** Of those that {@link addRecords} added: their time, the longest one, and the latest end. */
  total: Seconds = 0;
  longest: Seconds = 0;
  last: Seconds = Number.NEGATIVE_INFINITY;

  /** Add executions `begin` to `stop` (exclusive) of a chunk, which count as a whole. */
  addRecords(chunk: Chunk, begin: number, stop: number): void {
    this.total = 0;
    this.longest = 0;
    this.last = Number.NEGATIVE_INFINITY;
    for (let i = begin; i < stop; ) {
      i = this.addUntilFull(chunk, i, stop);
      if (i < stop) {
        this.reserve(chunk.labelOf(i), 1);
      }
    }
  }

  /** Add them up to one for which there is no room; returns its number. There may be a million of them: the loop calls nothing. */
  private addUntilFull({ f64, f32, u32 }: Chunk, begin: number, stop: number): number {
    const { lists, counts, sums } = this;
    let { total, longest, last } = this;
    let i = begin;
    for (let word = begin * INTERVAL_WORDS; i < stop; i++, word += INTERVAL_WORDS) {
      const looks = u32[word + LOOKS];
      const prefix = looks & LABEL_MASK;
      const list = lists[prefix];
      const at = counts[prefix];
      if (list === undefined || prefix >= counts.length || at === list.length) {
        break;
      }
      const duration = f32[word + DURATION];
      list[at] = duration;
      counts[prefix] = at + 1;
      const own = prefix * SUMS;
      sums[own + TOTAL] += duration;
      sums[own + BYTES] += f32[word + DETAIL];
      if ((looks & ERRED_LOOKS) !== 0) {
        sums[own + ERRORS] += 1;
      }
      total += duration;
      const end = f64[i * START_STRIDE] + duration;
      if (duration > longest) {
        longest = duration;
      }
      if (end > last) {
        last = end;
      }
    }
    this.total = total;
    this.longest = longest;
    this.last = last;
    return i;
  }

  /** Make room for more durations of a function: replaces its list, and `counts` and `sums` if they are too short. */
  private reserve(prefix: number, more: number): Float32Array<ArrayBuffer> {
    if (prefix >= this.counts.length) {
      const length = Math.max(2 * this.counts.length, prefix + 1);
      const [counts, sums] = [new Uint32Array(length), new Float64Array(length * SUMS)];
      counts.set(this.counts);
      sums.set(this.sums);
      this.counts = counts;
      this.sums = sums;
    }
    const list = this.lists[prefix];
    const needed = this.counts[prefix] + more;
    if (list !== undefined && needed <= list.length) {
      return list;
    }
    const longer = new Float32Array(Math.max(64, needed, 2 * (list?.length ?? 0)));
    longer.set(list ?? []);
    this.lists[prefix] = longer;
    return longer;
  }

  /** Add all executions of a chunk, of which the sums are known. */
  addAll({ f32, u32, length }: Chunk, { prefixes, sums }: ChunkSums): void {
    for (let k = 0; k < prefixes.length; k++) {
      const own = prefixes[k] * SUMS;
      this.reserve(prefixes[k], sums[k * SUMS + COUNT]);
      this.sums[own + TOTAL] += sums[k * SUMS + TOTAL];
      this.sums[own + BYTES] += sums[k * SUMS + BYTES];
      this.sums[own + ERRORS] += sums[k * SUMS + ERRORS];
    }
    const { lists, counts } = this;
    for (let word = 0; word < length * INTERVAL_WORDS; word += INTERVAL_WORDS) {
      const prefix = u32[word + LOOKS] & LABEL_MASK;
      const list = lists[prefix];
      if (list !== undefined) {
        list[counts[prefix]++] = f32[word + DURATION];
      }
    }
  }

  /** The statistics of each function that has any, in steps of about a millisecond. Reorders the durations. */
  *functions(names: readonly string[], of: Quantiles): Generator<void, FunctionStatistics[], void> {
    const found: FunctionStatistics[] = [];
    for (const [prefix, list] of this.lists.entries()) {
      const count = this.counts[prefix] ?? 0;
      if (list === undefined || count === 0) {
        continue;
      }
      const [total, bytes, erred, outside] = this.sums.subarray(prefix * SUMS, prefix * SUMS + SUMS);
      const [min, max] = range(list, count);
      const mean = (total + outside) / count;
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

/** The least and the greatest of some positive numbers. Their bits are in the same order, and as integers they are compared faster. */
function range(values: Float32Array<ArrayBuffer>, length: number): Float32Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, length);
  let [min, max] = [bits[0], 0];
  for (let i = 0; i < length; i++) {
    const value = bits[i];
    // With ternary operators, the loop takes nearly twice as long.
    if (value < min) {
      min = value;
    }
    if (value > max) {
      max = value;
    }
  }
  return new Float32Array(Uint32Array.of(min, max).buffer);
}
