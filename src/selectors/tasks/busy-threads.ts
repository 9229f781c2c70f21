/** How many threads computed each function over time. */
import type { Seconds, Share } from '../../base/units';
import { type Chunk, DURATION, FAN_OUT, INTERVAL_WORDS, LABEL_MASK, LOOKS, ROW, START_STRIDE } from '../../run/lanes/lane-chunk';
import type { Run } from '../../run/run';
import { type Matcher, matcherOf } from '../../run/selection/matcher';
import type { TimeSpan } from '../../run/time-window';

/** Thread-seconds of one function. */
export interface FunctionThreads {
  readonly prefix: number;
  /** In each period. */
  readonly seconds: Float64Array;
  readonly total: Seconds;
  /** How long its executions took in all periods: more than {@link total} where some overlap in one thread, as coroutines do. */
  readonly time: Seconds;
}

/** Thread-seconds by function in periods of one length. */
export interface BusyThreads {
  /** Start of the first period. */
  readonly from: Seconds;
  readonly width: Seconds;
  readonly count: number;
  /** How much of each period has passed since the first task; 0 where not all executions are kept. */
  readonly passed: Float64Array;
  /** In order of first appearance; those without time in the periods are left out. */
  readonly functions: readonly FunctionThreads[];
}

/** A period is shown from this part of it on. */
const LEAST_PASSED: Share = 0.05;

/** Level of the summaries that say which executions ended before the visible time: 64 at once. */
const SKIPPED_AT_ONCE = 2;

/** Sums of one chunk, kept while it, the periods and the selection stay the same. */
interface Folded {
  readonly matcher: Matcher;
  readonly width: Seconds;
  readonly length: number;
  readonly rows: readonly [first: number, last: number];
  /** End of the executions before it, where that is later than the first of the chunk. */
  readonly covered: Seconds;
  /** Number of the first period, counted from time 0. */
  readonly first: number;
  readonly sums: PrefixSums;
  readonly overlaps: PrefixSums;
}

/** Seconds in each period, by prefix. */
type PrefixSums = Map<number, Float64Array>;

const folded = new WeakMap<Chunk, Folded>();
const results = new WeakMap<Run, { readonly key: string; readonly matcher: Matcher; readonly result: BusyThreads }>();

/** Sums by function over consecutive periods, counted from period `first`. */
class Sums {
  readonly byPrefix: PrefixSums = new Map();
  /** What is not in {@link byPrefix}, as the thread computed something else already. */
  readonly overlaps: PrefixSums = new Map();

  constructor(
    readonly first: number,
    readonly count: number,
    private readonly width: Seconds
  ) {}

  /** Add an interval, as far as it lies in the periods. */
  add(prefix: number, start: Seconds, end: Seconds, all = this.byPrefix): void {
    const { first, count, width } = this;
    const last = Math.min(count - 1, Math.floor(end / width) - first);
    let sums: Float64Array | undefined;
    for (let i = Math.max(0, Math.floor(start / width) - first); i <= last; i++) {
      const seconds = Math.min(end, (first + i + 1) * width) - Math.max(start, (first + i) * width);
      if (seconds > 0) {
        sums ??= this.of(prefix, all);
        sums[i] += seconds;
      }
    }
  }

  /** Add the sums of a chunk whose periods are among these. */
  addFolded({ first, sums, overlaps }: Folded): void {
    for (const [from, all] of [
      [sums, this.byPrefix],
      [overlaps, this.overlaps]
    ] as const) {
      for (const [prefix, seconds] of from) {
        const into = this.of(prefix, all);
        for (let i = 0; i < seconds.length; i++) {
          into[i + first - this.first] += seconds[i];
        }
      }
    }
  }

  /** The first periods are not known. */
  forget(count: number): void {
    for (const seconds of [...this.byPrefix.values(), ...this.overlaps.values()]) {
      seconds.fill(0, 0, count);
    }
  }

  /** The sums of a function. */
  private of(prefix: number, all: PrefixSums): Float64Array {
    let sums = all.get(prefix);
    if (sums === undefined) {
      sums = new Float64Array(this.count);
      all.set(prefix, sums);
    }
    return sums;
  }

  /**
   * Add the selected executions of a chunk; summaries leave out what ended before the periods.
   *
   * @param covered - end of the executions before it: a thread computes one task at a time, and where two of them overlap, the
   *   clock of its worker was corrected between them
   */
  addChunk(chunk: Chunk, matcher: Matcher, covered: Seconds): void {
    const { first, count, width } = this;
    const last = chunk.upperBound((first + count) * width);
    const level = Math.min(SKIPPED_AT_ONCE, chunk.top);
    const size = FAN_OUT ** level;
    let busyUntil = covered;
    for (let node = 0; node * size < last; node++) {
      if (node >= chunk.complete(level) || chunk.endOf(level, node) > first * width) {
        busyUntil = this.addIntervals(chunk, node * size, Math.min(last, (node + 1) * size), matcher, busyUntil);
      }
    }
  }

  /** Returns the end of these executions and of those before them. */
  private addIntervals({ f64, f32, u32 }: Chunk, begin: number, end: number, matcher: Matcher, covered: Seconds): Seconds {
    let busyUntil = covered;
    for (let i = begin, word = begin * INTERVAL_WORDS; i < end; i++, word += INTERVAL_WORDS) {
      const looks = u32[word + LOOKS];
      const duration = f32[word + DURATION];
      const start = f64[i * START_STRIDE];
      if (matcher.whole || matcher.fits(looks, duration, u32[word + ROW])) {
        this.add(looks & LABEL_MASK, Math.max(start, busyUntil), start + duration);
        if (start < busyUntil) {
          this.add(looks & LABEL_MASK, start, Math.min(busyUntil, start + duration), this.overlaps);
        }
      }
      busyUntil = Math.max(busyUntil, start + duration);
    }
    return busyUntil;
  }
}

function foldedOf(chunk: Chunk, matcher: Matcher, width: Seconds, covered: Seconds): Folded {
  const { length } = chunk;
  const rows = [chunk.rowOf(0), chunk.rowOf(length - 1)] as const;
  const known = folded.get(chunk);
  if (
    known?.matcher === matcher &&
    known.width === width &&
    known.covered === covered &&
    known.length === length &&
    known.rows[0] === rows[0] &&
    known.rows[1] === rows[1]
  ) {
    return known;
  }
  const first = Math.floor(chunk.first / width);
  const sums = new Sums(first, Math.floor(chunk.end / width) - first + 1, width);
  sums.addChunk(chunk, matcher, covered);
  const made = { matcher, width, length, rows, covered, first, sums: sums.byPrefix, overlaps: sums.overlaps };
  folded.set(chunk, made);
  return made;
}

/**
 * Thread-seconds of each function in periods of `width` that begin at whole multiples of it, so that they do not move with
 * time. Counts what the run's selection selects, whatever its period; running tasks count until now,
 * except those that have left the threads of their worker.
 */
export function busyThreads(run: Run, span: TimeSpan, width: Seconds): BusyThreads {
  const matcher = matcherOf(run);
  const now = run.clock.latest;
  const key = [run.version('tasks'), run.tasks.count, run.version('running'), span.from, span.to, width, now].join(' ');
  const known = results.get(run);
  if (known?.key === key && known.matcher === matcher) {
    return known.result;
  }
  const first = Math.floor(span.from / width);
  const count = Math.max(1, Math.ceil(span.to / width) - first);
  const sums = new Sums(first, count, width);
  addExecutions(run, matcher, sums, width);
  for (const task of run.running.list) {
    const { prefix, worker, start, seceded } = task;
    // Heartbeats do not report the thread of a running task: it counts where all threads of its worker are selected.
    if (!seceded && matcher.unused(worker) === Number.POSITIVE_INFINITY && matcher.fitsRunning(task, now)) {
      sums.add(prefix, start, now);
    }
  }
  const passed = passedOf(run, first, count, width);
  const incomplete = Math.min(count, Math.max(0, Math.ceil(run.tasks.incompleteUntil / width) - first));
  passed.fill(0, 0, incomplete);
  sums.forget(incomplete);
  const result = { from: first * width, width, count, passed, functions: listed(sums) };
  results.set(run, { key, matcher, result });
  return result;
}

function addExecutions(run: Run, matcher: Matcher, sums: Sums, width: Seconds): void {
  const [from, to] = [sums.first * width, (sums.first + sums.count) * width];
  for (const [number, lane] of run.tasks.lanes.entries()) {
    if (lane === undefined || !matcher.lane(number)) {
      continue;
    }
    let before = Number.NEGATIVE_INFINITY;
    for (const chunk of lane.compute.chunks) {
      const covered = before > chunk.first ? before : Number.NEGATIVE_INFINITY;
      before = Math.max(before, chunk.length === 0 ? before : chunk.end);
      if (chunk.length === 0 || chunk.end <= from || chunk.first >= to) {
        continue;
      }
      if (chunk.first < from || chunk.end > to) {
        sums.addChunk(chunk, matcher, covered);
        continue;
      }
      sums.addFolded(foldedOf(chunk, matcher, width, covered));
    }
  }
}

function passedOf(run: Run, first: number, count: number, width: Seconds): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => {
    const [begin, end] = [(first + i) * width, (first + i + 1) * width];
    const passed = Math.min(end, run.clock.latest) - Math.max(begin, Math.min(run.origin, run.tasks.firstStart));
    // The first moments of a period would show the errors of clocks as threads.
    return passed >= LEAST_PASSED * width ? passed : 0;
  });
}

function listed({ byPrefix, overlaps }: Sums): readonly FunctionThreads[] {
  const sumOf = (seconds: Float64Array | undefined): Seconds => seconds?.reduce((sum, each) => sum + each, 0) ?? 0;
  return [...byPrefix]
    .map(([prefix, seconds]) => ({ prefix, seconds, total: sumOf(seconds) }))
    .map(each => ({ ...each, time: each.total + sumOf(overlaps.get(each.prefix)) }))
    .filter(each => each.total > 0)
    .sort((a, b) => a.prefix - b.prefix);
}

/** Mean number of threads in period `i`; NaN where none of it has passed. */
export function threadsIn({ passed }: BusyThreads, seconds: Float64Array, i: number): number {
  return passed[i] > 0 ? seconds[i] / passed[i] : Number.NaN;
}

/** Most threads that were busy at once, as the mean of a period. */
export function mostThreads(busy: BusyThreads, seconds: Float64Array): number {
  let most = 0;
  for (let i = 0; i < busy.count; i++) {
    most = Math.max(most, threadsIn(busy, seconds, i) || 0);
  }
  return most;
}

/** The functions with the most time, in order of first appearance, and the sum of the others. */
export function foremost(
  busy: BusyThreads,
  most: number
): { readonly named: readonly FunctionThreads[]; readonly others: FunctionThreads | null; readonly left: number } {
  const named = new Set([...busy.functions].sort((a, b) => b.total - a.total).slice(0, most));
  const left = busy.functions.filter(each => !named.has(each));
  return {
    named: [...named].sort((a, b) => a.prefix - b.prefix),
    others: left.length > 0 ? sumOf(busy, left) : null,
    left: left.length
  };
}

/** All functions together. */
export function sumOf(busy: BusyThreads, functions: readonly FunctionThreads[] = busy.functions): FunctionThreads {
  const seconds = new Float64Array(busy.count);
  for (const each of functions) {
    each.seconds.forEach((value, i) => {
      seconds[i] += value;
    });
  }
  const all = (part: 'total' | 'time'): Seconds => functions.reduce((sum, each) => sum + each[part], 0);
  return { prefix: -1, seconds, total: all('total'), time: all('time') };
}
