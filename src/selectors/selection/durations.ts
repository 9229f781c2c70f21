/** Durations of the executions of one function. */
import type { Bytes, Seconds } from '../../base/units';
import type { Period } from '../../run/selection/selection';
import {
  type Chunk,
  DETAIL,
  DURATION,
  ERRED,
  FLAGS_SHIFT,
  INTERVAL_WORDS,
  LABEL_MASK,
  LOOKS,
  ROW,
  START_STRIDE
} from '../../run/lanes/lane-chunk';
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

  /** Add what is known of all executions of a chunk. */
  addAll({ prefixes, ends, durations, sums }: ChunkSums): void {
    for (let k = 0, begin = 0; k < prefixes.length; k++) {
      const [prefix, end] = [prefixes[k], ends[k]];
      const at = this.counts[prefix] ?? 0;
      let list = this.grow(prefix);
      while (at + end - begin > list.length) {
        this.counts[prefix] = list.length;
        list = this.grow(prefix);
      }
      list.set(durations.subarray(begin, end), at);
      this.counts[prefix] = at + end - begin;
      for (let sum = 0; sum < SUMS; sum++) {
        this.sums[prefix * SUMS + sum] += sums[k * SUMS + sum];
      }
      begin = end;
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

/** Executions of a chunk by function. */
export interface ChunkSums {
  readonly count: number;
  /** Functions, in any order. */
  readonly prefixes: readonly number[];
  /** Of each of them, where its durations end in {@link durations}. */
  readonly ends: readonly number[];
  readonly durations: Float32Array;
  /** {@link SUMS} numbers for each of them. */
  readonly sums: Float64Array;
  /** Of all its executions. */
  readonly total: Seconds;
  readonly longest: Seconds;
  readonly last: Seconds;
  /** Rows of its first and last execution. */
  readonly rows: readonly [number, number];
}

const known = new WeakMap<Chunk, ChunkSums>();

/**
 * What is known of all executions of a chunk, if it lies in a period and gets no more executions; else `null`. It is computed once: a view
 * that is renewed each second would otherwise read a million executions again. It takes 4 B for each of them.
 */
export function sumsOf(chunk: Chunk, { from, to }: Period): ChunkSums | null {
  if (!chunk.full || chunk.first < from || chunk.end > to) {
    return null;
  }
  const { u32, length } = chunk;
  const rows = [u32[ROW], u32[(length - 1) * INTERVAL_WORDS + ROW]] as const;
  const before = known.get(chunk);
  if (before !== undefined && before.count === length && before.rows[0] === rows[0] && before.rows[1] === rows[1]) {
    return before;
  }
  const sums = { ...summed(chunk), count: length, rows };
  known.set(chunk, sums);
  return sums;
}

function summed({ f64, f32, u32, length }: Chunk): Omit<ChunkSums, 'count' | 'rows'> {
  const counts = new Map<number, number>();
  for (let i = 0, word = LOOKS; i < length; i++, word += INTERVAL_WORDS) {
    const prefix = u32[word] & LABEL_MASK;
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const prefixes = [...counts.keys()];
  const places = new Map(prefixes.map((prefix, k) => [prefix, k]));
  const ends: number[] = [];
  let all = 0;
  for (const count of counts.values()) {
    ends.push(all);
    all += count;
  }
  const durations = new Float32Array(length);
  const sums = new Float64Array(prefixes.length * SUMS);
  let [total, longest, last] = [0, 0, Number.NEGATIVE_INFINITY];
  for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
    const duration = f32[word + DURATION];
    const looks = u32[word + LOOKS];
    const end = f64[i * START_STRIDE] + duration;
    const k = places.get(looks & LABEL_MASK) ?? 0;
    durations[ends[k]++] = duration;
    sums[k * SUMS + TOTAL] += duration;
    sums[k * SUMS + BYTES] += f32[word + DETAIL];
    sums[k * SUMS + ERRORS] += (looks >>> FLAGS_SHIFT) & ERRED;
    total += duration;
    longest = duration > longest ? duration : longest;
    last = end > last ? end : last;
  }
  return { prefixes, ends, durations, sums, total, longest, last };
}

/** One execution. */
export interface ExecutionRow {
  readonly lane: number;
  readonly prefix: number;
  readonly row: number;
  readonly start: Seconds;
  readonly duration: Seconds;
  readonly erred: boolean;
}

/** Work of one worker. */
export interface WorkerShare {
  readonly worker: number;
  readonly count: number;
  /** Time of its executions inside the period. */
  readonly total: Seconds;
}

export class WorkerShares {
  note(worker: number | undefined, count: number, total: Seconds): void {
    if (worker !== undefined) {
      const before = this.byWorker.get(worker) ?? { worker, count: 0, total: 0 };
      this.byWorker.set(worker, { worker, count: before.count + count, total: before.total + total });
    }
  }

  /** Largest total first. */
  ranked(): readonly WorkerShare[] {
    return [...this.byWorker.values()].sort((a, b) => b.total - a.total || a.worker - b.worker);
  }

  private readonly byWorker = new Map<number, WorkerShare>();
}

const SLOWEST = 10;

/** The ten longest executions, longest first. */
export class Slowest {
  readonly list: ExecutionRow[] = [];
  /** Executions that are not longer are not among them. */
  threshold: Seconds = -1;

  noteAll(lane: number, chunk: Chunk, { longest }: ChunkSums): void {
    for (let i = 0; longest > this.threshold && i < chunk.length; i++) {
      if (chunk.durationOf(i) > this.threshold) {
        this.note(lane, chunk, i);
      }
    }
  }

  /** Add execution `i` of a chunk, which is longer than {@link threshold}. */
  note(lane: number, chunk: Chunk, i: number): void {
    const [duration, row, start] = [chunk.durationOf(i), chunk.rowOf(i), chunk.startOf(i)];
    const erred = (chunk.flagsOf(i) & ERRED) !== 0;
    const at = this.list.findIndex(each => each.duration < duration);
    this.list.splice(at < 0 ? this.list.length : at, 0, { lane, prefix: chunk.labelOf(i), row, start, duration, erred });
    if (this.list.length > SLOWEST) {
      this.list.pop();
    }
    this.threshold = this.list.length < SLOWEST ? -1 : this.list[SLOWEST - 1].duration;
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
