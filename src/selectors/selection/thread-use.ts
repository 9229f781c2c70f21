/** How the selected threads spent a period, without counting a second twice. */
import type { Seconds, Share } from '../../base/units';
import { KIND } from '../../feed/schema';
import {
  type Chunk,
  DURATION,
  ERRED,
  FLAGS_SHIFT,
  INTERVAL_WORDS,
  LABEL_MASK,
  LOOKS,
  ROW,
  START_STRIDE
} from '../../run/lanes/lane-chunk';
import type { Lane } from '../../run/lanes/task-store';
import type { Run } from '../../run/run';
import type { Matcher } from '../../run/selection/matcher';
import type { Period } from '../../run/selection/selection';
import { Intervals, subtract, union } from './intervals';

/**
 * How the selected threads spent the period, in thread-seconds; the parts add up to `capacity`. Each moment of a thread
 * counts once: as computing if anything was executed, else as a transfer, else as disk or deserialisation.
 */
export interface ThreadUse {
  /** Length of the period × number of threads. */
  readonly capacity: Seconds;
  /** Selected executions. */
  readonly compute: Seconds;
  /** Executions that other conditions of the selection leave out. */
  readonly unselected: Seconds;
  readonly transfer: Seconds;
  /** Disk and deserialisation. */
  readonly disk: Seconds;
  /** Tasks that have not ended, at most the time that is left. */
  readonly running: Seconds;
  readonly idle: Seconds;
}

/** The use of no time. */
export const NO_TIME: ThreadUse = { capacity: 0, compute: 0, unselected: 0, transfer: 0, disk: 0, running: 0, idle: 0 };

/**
 * How threads spent a period, computed in steps of one thread.
 *
 * @param lanes - numbers of the selected lanes
 */
export function threadUse(
  run: Run,
  matcher: Matcher,
  lanes: readonly number[],
  period: Period
): Generator<void, ThreadUse, void> {
  return new Job(run, matcher, lanes, period).steps();
}

/** A part of the capacity. NaN without a capacity. */
export function shareOf(use: ThreadUse, part: Exclude<keyof ThreadUse, 'capacity'>): Share {
  return use.capacity > 0 ? use[part] / use.capacity : Number.NaN;
}

const TRANSFER = KIND.indexOf('transfer');

type Sums = Record<'compute' | 'unselected' | 'transfer' | 'disk', Seconds>;

class Job {
  constructor(
    private readonly run: Run,
    private readonly matcher: Matcher,
    private readonly lanes: readonly number[],
    private readonly period: Period
  ) {}

  *steps(): Generator<void, ThreadUse, void> {
    const sum: Sums = { compute: 0, unselected: 0, transfer: 0, disk: 0 };
    for (const number of this.lanes) {
      const lane = this.run.tasks.lanes[number];
      if (lane !== undefined) {
        this.addLane(lane, sum);
        yield;
      }
    }
    const capacity = this.lanes.length * (this.period.to - this.period.from);
    const rest = Math.max(0, capacity - sum.compute - sum.unselected - sum.transfer - sum.disk);
    const running = Math.min(rest, this.running());
    return { capacity, ...sum, running, idle: rest - running };
  }

  private addLane({ compute, moves }: Lane, sum: Sums): void {
    const { all, selected, transfers, others, waited, left } = this;
    for (const list of [all, selected, transfers, others]) {
      list.clear();
    }
    this.addIntervals(compute.chunks, true);
    const busy = union(all);
    const chosen = this.matcher.whole ? busy : union(selected);
    sum.compute += chosen;
    sum.unselected += busy - chosen;
    if (moves !== null) {
      this.addIntervals(moves.chunks, false);
      union(transfers);
      union(others);
      sum.transfer += subtract(transfers, all, waited);
      subtract(others, all, left);
      sum.disk += subtract(left, transfers, waited);
    }
  }

  /** @param computed - whether these are executions, else transfers and I/O */
  private addIntervals(chunks: readonly Chunk[], computed: boolean): void {
    const { all, selected, transfers, others, matcher } = this;
    const { from, to } = this.period;
    const { prefixes, rows, erred, whole } = matcher;
    for (const chunk of chunks) {
      if (chunk.end <= from || chunk.first >= to) {
        continue;
      }
      const { f64, f32, u32, length } = chunk;
      for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
        const start = f64[i * START_STRIDE];
        const end = start + f32[word + DURATION];
        const looks = u32[word + LOOKS];
        const label = looks & LABEL_MASK;
        if (!computed) {
          (label === TRANSFER ? transfers : others).add(start, end, from, to);
          continue;
        }
        all.add(start, end, from, to);
        const fits = (prefixes === null || prefixes[label] === 1) && (!erred || ((looks >>> FLAGS_SHIFT) & ERRED) !== 0);
        if (!whole && fits && (rows === null || rows.has(u32[word + ROW]))) {
          selected.add(start, end, from, to);
        }
      }
    }
  }

  /** Thread time of running tasks on the workers of the selected lanes, at most all selected threads of a worker. */
  private running(): Seconds {
    const { from, to } = this.period;
    const threads = new Map<number, number>();
    for (const lane of this.lanes) {
      const worker = this.run.laneNames[lane]?.[0];
      if (worker !== undefined) {
        threads.set(worker, (threads.get(worker) ?? 0) + 1);
      }
    }
    const end = Math.min(to, this.run.clock.latest);
    let sum = 0;
    for (const [worker, count] of threads) {
      let seconds = 0;
      for (const { start, seceded } of this.run.running.of(worker)) {
        seconds += seceded ? 0 : Math.max(0, end - Math.max(from, start));
      }
      sum += Math.min(seconds, count * Math.max(0, end - from));
    }
    return sum;
  }

  private readonly all = new Intervals();
  private readonly selected = new Intervals();
  private readonly transfers = new Intervals();
  private readonly others = new Intervals();
  private readonly waited = new Intervals();
  private readonly left = new Intervals();
}
