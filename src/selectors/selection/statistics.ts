/**
 * Statistics of the executions of a selection, computed in steps: a selection of a million executions takes tens of milliseconds,
 * and a caller that must not block the page does a step at a time.
 */
import type { Bytes, Seconds } from '../../base/units';
import { type ChunkSums, sumsOf } from '../../run/lanes/chunks/chunk-sums';
import { type Chunk, DETAIL, DURATION, INTERVAL_WORDS, LOOKS, ROW, START_STRIDE } from '../../run/lanes/lane-chunk';
import { firstReaching } from '../../run/lanes/lane-search';
import type { Past } from '../../run/lanes/past/past';
import type { Run } from '../../run/run';
import { Matcher } from '../../run/selection/matcher';
import type { Period, Selection } from '../../run/selection/selection';
import { Durations, type FunctionStatistics, type Quantiles } from './executions/durations';
import { type ExecutionRow, Slowest } from './executions/slowest';
import { type WorkerShare, WorkerShares } from './executions/worker-shares';
import { isWithin } from './intervals';
import { NO_TIME, ThreadTimes, type ThreadUse } from './thread-use';
import { NO_THREADS, type SelectedThreads, threadsOf } from './threads';

export type { ExecutionRow, FunctionStatistics, WorkerShare };

/** What is known of executions that are no longer kept one by one: estimates where a period cuts a cell of their sums. */
export interface EarlierExecutions {
  readonly count: number;
  readonly erred: number;
  /** Inside the period. */
  readonly total: Seconds;
}

/** What was executed. Figures are of executions that are kept, unless they say otherwise. */
export interface ExecutionStatistics {
  /**
   * The selected period as far as the run has come; without one, from the first selected execution to the last. `null` if
   * there is neither.
   */
  readonly period: Period | null;
  /** From the first selected execution to the last, also where a period cuts them; `null` without one. */
  readonly span: Period | null;
  readonly count: number;
  readonly erred: number;
  /** Sum of the sizes of the results. */
  readonly bytes: Bytes;
  /** Largest total first. */
  readonly functions: readonly FunctionStatistics[];
  /** The ten longest executions, longest first. */
  readonly slowest: readonly ExecutionRow[];
  /** Workers of the selected lanes with earlier executions, largest total first. */
  readonly workers: readonly WorkerShare[];
  /**
   * Earlier executions, which no other figure but those of workers has; `null` if there are none in the period, or if the
   * selection has conditions that only single executions could satisfy.
   */
  readonly earlier: EarlierExecutions | null;
  /** Time up to which executions are missing because they are no longer kept; -Infinity if none are missing. */
  readonly incompleteUntil: Seconds;
}

/** What was executed, and what the threads did besides. */
export interface SelectionStatistics extends ExecutionStatistics {
  /** Threads whose time this is, also those that executed nothing. */
  readonly threads: SelectedThreads;
  readonly use: ThreadUse;
}

/** Compute the statistics of a selection at once. */
export function selectionStatistics(run: Run, selection: Selection): SelectionStatistics {
  return atOnce(selectionSteps(run, selection));
}

/**
 * Compute only what was executed, at once: half as long.
 *
 * @param quantiles - those that are needed; the others are NaN
 */
export function executionStatistics(run: Run, selection: Selection, quantiles: Quantiles = 'all'): ExecutionStatistics {
  const job = new Job(run, new Matcher(run, selection), quantiles);
  atOnce(job.gather(null));
  return atOnce(job.executions());
}

function atOnce<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      return value;
    }
  }
}

/**
 * Compute the statistics of a selection in steps of at most 2,000 executions, or of a quarter of a million durations. The run
 * must not change between the steps: a live view takes `frozen(run)`, or starts again after a change.
 */
export function* selectionSteps(run: Run, selection: Selection): Generator<void, SelectionStatistics, void> {
  const job = new Job(run, new Matcher(run, selection));
  yield* job.gather(job.closedTimes());
  return yield* job.finish();
}

class Job {
  constructor(
    private readonly run: Run,
    private readonly matcher: Matcher,
    private readonly quantiles: Quantiles = 'all'
  ) {
    const { from, to } = matcher;
    // Without a period, that of the selected executions.
    this.open = !Number.isFinite(from) || !Number.isFinite(to);
  }

  /** What reads how threads spent the period, where it is known beforehand. */
  closedTimes(): ThreadTimes | null {
    const period = this.open ? null : this.past();
    this.times = period === null ? null : new ThreadTimes(this.run, this.matcher, period);
    return this.times;
  }

  /** @param times - reads each lane, too: `null` if that is not needed */
  *gather(times: ThreadTimes | null): Generator<void, void, void> {
    for (const [number, lane] of this.run.tasks.lanes.entries()) {
      if (lane === undefined || !this.matcher.lane(number)) {
        continue;
      }
      for (const chunk of lane.compute.chunks) {
        if (chunk.end >= this.matcher.from && chunk.first <= this.matcher.to) {
          this.gatherChunk(number, chunk);
          yield;
        }
      }
      if (lane.compute.past !== null && this.matcher.whole) {
        this.gatherPast(number, lane.compute.past);
        yield;
      }
      times?.read(number, lane);
    }
  }

  *finish(): Generator<void, SelectionStatistics, void> {
    const { run, matcher } = this;
    const executions = yield* this.executions();
    const { period } = executions;
    if (period === null) {
      return { ...executions, threads: NO_THREADS, use: NO_TIME };
    }
    const threads = yield* threadsOf(run, matcher, period);
    const use = yield* (this.times ?? new ThreadTimes(run, matcher, period)).use(threads);
    return { ...executions, threads, use };
  }

  *executions(): Generator<void, ExecutionStatistics, void> {
    const { run, matcher } = this;
    const functions = yield* this.durations.functions(run.prefixNames, this.quantiles);
    functions.sort((a, b) => b.total - a.total || a.prefix - b.prefix);
    const sum = (value: (each: FunctionStatistics) => number): number => functions.reduce((all, each) => all + value(each), 0);
    const { incompleteUntil } = run.tasks;
    return {
      period: this.open ? spanOf(Math.max(this.first, matcher.from), Math.min(this.last, matcher.to)) : this.past(),
      span: spanOf(this.first, this.last),
      count: sum(each => each.count),
      erred: sum(each => each.erred),
      bytes: sum(each => each.bytes),
      functions,
      slowest: this.slowest.list,
      earlier: this.earlier.count > 0 ? this.earlier : null,
      workers: this.workers.ranked(),
      incompleteUntil: incompleteUntil > matcher.from ? incompleteUntil : Number.NEGATIVE_INFINITY
    };
  }

  /** The selected period as far as the run has come. */
  private past(): Period | null {
    const { from, to } = this.matcher;
    const { clock, tasks } = this.run;
    return spanOf(from, Math.min(to, Math.max(clock.latest || from, tasks.lastEnd)));
  }

  private gatherAll(lane: number, chunk: Chunk, sums: ChunkSums): void {
    this.durations.addAll(chunk, sums);
    this.slowest.noteSome(lane, chunk, 0, chunk.length, sums.longest);
    this.first = Math.min(this.first, chunk.first);
    this.last = Math.max(this.last, sums.last);
    this.workers.note(this.run.laneNames[lane]?.[0], sums.count, sums.total);
  }

  private gatherChunk(lane: number, chunk: Chunk): void {
    const { from, to, whole } = this.matcher;
    const all = whole ? sumsOf(chunk, this.matcher) : null;
    if (all !== null) {
      this.gatherAll(lane, chunk, all);
      return;
    }
    const begin = chunk.first >= from ? 0 : firstReaching(chunk, from);
    const stop = chunk.end <= to ? chunk.length : chunk.upperBound(to);
    // All of these lie in the period.
    const inside = chunk.first >= from ? 0 : chunk.upperBound(from);
    const across = chunk.end <= to ? chunk.length : firstReaching(chunk, to);
    if (whole && inside < across) {
      this.gatherSome(lane, chunk, begin, inside);
      this.gatherInside(lane, chunk, inside, across);
      this.gatherSome(lane, chunk, across, stop);
    } else {
      this.gatherSome(lane, chunk, begin, stop);
    }
  }

  /** Executions `begin` to `stop` (exclusive) of a chunk, as far as they are selected. */
  private gatherSome(lane: number, chunk: Chunk, begin: number, stop: number): void {
    const { f64, f32, u32 } = chunk;
    const { matcher, durations } = this;
    const { from, to, whole } = matcher;
    let [count, total] = [0, 0];
    for (let i = begin; i < stop; i++) {
      const word = i * INTERVAL_WORDS;
      const start = f64[i * START_STRIDE];
      const duration = f32[word + DURATION];
      const end = start + duration;
      const looks = u32[word + LOOKS];
      if (!isWithin(start, end, from, to) || (!whole && !matcher.fits(looks, duration, u32[word + ROW]))) {
        continue;
      }
      const time = start >= from && end <= to ? duration : Math.min(end, to) - Math.max(start, from);
      durations.add(looks, duration, time, f32[word + DETAIL]);
      this.first = Math.min(this.first, start);
      this.last = Math.max(this.last, end);
      if (duration > this.slowest.threshold) {
        this.slowest.note(lane, chunk, i);
      }
      count += 1;
      total += time;
    }
    this.workers.note(this.run.laneNames[lane]?.[0], count, total);
  }

  /** The same where all of them are selected and lie in the period as a whole. */
  private gatherInside(lane: number, chunk: Chunk, begin: number, stop: number): void {
    const { durations } = this;
    durations.addRecords(chunk, begin, stop);
    this.first = Math.min(this.first, chunk.startOf(begin));
    this.last = Math.max(this.last, durations.last);
    this.slowest.noteSome(lane, chunk, begin, stop, durations.longest);
    this.workers.note(this.run.laneNames[lane]?.[0], stop - begin, durations.total);
  }

  private gatherPast(lane: number, past: Past): void {
    const { from, to } = this.matcher;
    const { count, erred, busy } = past.between(from, to);
    if (count > 0) {
      const { earlier } = this;
      this.earlier = { count: earlier.count + count, erred: earlier.erred + erred, total: earlier.total + busy };
      this.first = Math.min(this.first, past.first);
      this.last = Math.max(this.last, past.end);
      this.workers.note(this.run.laneNames[lane]?.[0], Math.round(count), busy);
    }
  }

  private readonly open: boolean;
  private earlier: EarlierExecutions = { count: 0, erred: 0, total: 0 };
  private times: ThreadTimes | null = null;
  private readonly durations = new Durations();
  private readonly workers = new WorkerShares();
  private readonly slowest = new Slowest();
  private first: Seconds = Number.POSITIVE_INFINITY;
  private last: Seconds = Number.NEGATIVE_INFINITY;
}

function spanOf(first: Seconds, last: Seconds): Period | null {
  return first < last ? { from: first, to: last } : null;
}
