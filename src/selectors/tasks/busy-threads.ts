/** How many threads computed each function over time. */
import type { Seconds, Share } from '../../base/units';
import type { Run } from '../../run/run';
import { type Matcher, matcherOf } from '../../run/selection/matcher';
import type { TimeSpan } from '../../run/time-window';
import { addChunk, addFolded, type ThreadSums } from './busy/chunk-periods';
import { PeriodSums } from './busy/period-sums';

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

const results = new WeakMap<Run, { readonly key: string; readonly matcher: Matcher; readonly result: BusyThreads }>();

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
  const sums: ThreadSums = {
    busy: new PeriodSums().begin(first, count, width),
    overlaps: new PeriodSums().begin(first, count, width)
  };
  addExecutions(run, matcher, sums, width);
  for (const task of run.running.list) {
    const { prefix, worker, start, seceded } = task;
    // Heartbeats do not report the thread of a running task: it counts where all threads of its worker are selected.
    if (!seceded && matcher.unused(worker) === Number.POSITIVE_INFINITY && matcher.fitsRunning(task, now)) {
      sums.busy.add(prefix, start, now);
    }
  }
  const passed = passedOf(run, first, count, width);
  const incomplete = Math.min(count, Math.max(0, Math.ceil(run.tasks.incompleteUntil / width) - first));
  passed.fill(0, 0, incomplete);
  sums.busy.forget(incomplete);
  sums.overlaps.forget(incomplete);
  const result = { from: first * width, width, count, passed, functions: listed(sums) };
  results.set(run, { key, matcher, result });
  return result;
}

function addExecutions(run: Run, matcher: Matcher, sums: ThreadSums, width: Seconds): void {
  const [from, to] = [sums.busy.first * width, (sums.busy.first + sums.busy.count) * width];
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
        addChunk(sums, chunk, matcher, width, covered);
        continue;
      }
      addFolded(sums, chunk, matcher, width, covered);
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

function listed({ busy, overlaps }: ThreadSums): readonly FunctionThreads[] {
  return busy.prefixes
    .map((prefix, row) => {
      const seconds = busy.of(row);
      const total = sum(seconds);
      const overlapping = overlaps.find(prefix);
      return { prefix, seconds, total, time: overlapping < 0 ? total : total + sum(overlaps.of(overlapping)) };
    })
    .filter(each => each.total > 0)
    .sort((a, b) => a.prefix - b.prefix);
}

function sum(seconds: Float64Array): Seconds {
  return seconds.reduce((all, each) => all + each, 0);
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

/**
 * The functions with the most time, in order of first appearance, and the sum of the others.
 *
 * @param apart - others that do not belong to that sum
 */
export function foremost(
  busy: BusyThreads,
  most: number,
  apart: (each: FunctionThreads) => boolean = () => false
): { readonly named: readonly FunctionThreads[]; readonly others: FunctionThreads | null; readonly left: number } {
  const sorted = [...busy.functions].sort((a, b) => b.total - a.total);
  const named = new Set(sorted.filter((each, rank) => rank < most || apart(each)));
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
