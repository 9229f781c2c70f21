/** Durations of the executions of one function. */
import type { Bytes, Seconds } from '../../base/units';
import { BYTES, type ChunkSums, ERRORS, SUMS, TOTAL } from '../../run/lanes/chunk-sums';
import { type Chunk, DETAIL, DURATION, ERRED, FLAGS_SHIFT, INTERVAL_WORDS, LABEL_MASK, LOOKS } from '../../run/lanes/lane-chunk';
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
    const list = this.grow(prefix);
    list[this.counts[prefix]++] = duration;
    const own = prefix * SUMS;
    this.sums[own + TOTAL] += time;
    this.sums[own + BYTES] += bytes;
    this.sums[own + ERRORS] += (looks >>> FLAGS_SHIFT) & ERRED;
  }

  /** Add executions `begin` to `stop` (exclusive) of a chunk, which count as a whole. */
  addRecords(chunk: Chunk, begin: number, stop: number): void {
    for (let i = begin; i < stop; ) {
      i = this.addUntilFull(chunk, i, stop);
      if (i < stop) {
        this.grow(chunk.labelOf(i));
      }
    }
  }

  /** Add them up to one for which there is no room; returns its number. There may be a million of them: the loop calls nothing. */
  private addUntilFull({ f32, u32 }: Chunk, begin: number, stop: number): number {
    const { lists, counts, sums } = this;
    for (let i = begin, word = begin * INTERVAL_WORDS; i < stop; i++, word += INTERVAL_WORDS) {
      const looks = u32[word + LOOKS];
      const prefix = looks & LABEL_MASK;
      const list = lists[prefix];
      const at = counts[prefix];
      if (list === undefined || prefix >= counts.length || at === list.length) {
        return i;
      }
      list[at] = f32[word + DURATION];
      counts[prefix] = at + 1;
      const own = prefix * SUMS;
      sums[own + TOTAL] += f32[word + DURATION];
      sums[own + BYTES] += f32[word + DETAIL];
      if ((looks & ERRED_LOOKS) !== 0) {
        sums[own + ERRORS] += 1;
      }
    }
    return stop;
  }

  /** Make room for one more duration of a function: replaces its list, and `counts` and `sums` if they are too short. */
  private grow(prefix: number): Float32Array<ArrayBuffer> {
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

  /** Add executions `begin` to `stop` (exclusive) of a chunk, of which none is longer than `longest`. */
  noteSome(lane: number, chunk: Chunk, begin: number, stop: number, longest: Seconds): void {
    for (let i = begin; longest > this.threshold && i < stop; i++) {
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
    // With ternary operators, the loop takes nearly twice as long.
    if (value < min) {
      min = value;
    }
    if (value > max) {
      max = value;
    }
    sum += value;
  }
  return { min, max, mean: sum / length };
}
