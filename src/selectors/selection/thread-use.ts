/** How the selected threads spent a period, without counting a second twice. */
import type { Seconds, Share } from '../../base/units';
import { busyBetween, type Pause } from '../../run/lanes/busy-periods';
import type { Lane } from '../../run/lanes/task-store';
import type { Run } from '../../run/run';
import { Matcher } from '../../run/selection/matcher';
import { NOTHING_SELECTED, type Period } from '../../run/selection/selection';
import { silentTime } from '../silent-time';
import { Intervals, union } from './intervals';
import { LaneTime, lengthOf, oneByOne, type SomeExecutions } from './lane-time';
import { type SelectedThreads, threadsOf, threadTime } from './threads';

/**
 * How the selected threads spent the period, in thread-seconds; the parts add up to `capacity`. Each moment of a thread
 * counts once: as computing if anything was executed, else as a transfer, else as disk or deserialisation.
 */
export interface ThreadUse {
  /** Time of the selected threads within the period, while their workers were there. */
  readonly capacity: Seconds;
  /** Selected executions. */
  readonly compute: Seconds;
  /** Executions that other conditions of the selection leave out, also of tasks that have not ended. */
  readonly unselected: Seconds;
  readonly transfer: Seconds;
  /** Disk and deserialisation. */
  readonly disk: Seconds;
  /** Time of executions that are no longer kept one by one, as far as their sums do not show how it was spent. */
  readonly earlier: Seconds;
  /** Selected tasks that have not ended; with others at most the time that is left. */
  readonly running: Seconds;
  /** Time without any of these while the scheduler did not answer. */
  readonly unobserved: Seconds;
  readonly idle: Seconds;
}

/** The use of no time. */
export const NO_TIME: ThreadUse = {
  capacity: 0,
  compute: 0,
  unselected: 0,
  transfer: 0,
  disk: 0,
  earlier: 0,
  running: 0,
  unobserved: 0,
  idle: 0
};

/** A part of the capacity. NaN without a capacity. */
export function shareOf(use: ThreadUse, part: Exclude<keyof ThreadUse, 'capacity'>): Share {
  return use.capacity > 0 ? use[part] / use.capacity : Number.NaN;
}

/** Lanes between two yields. */
const STEP = 32;

/**
 * Share of the time of all threads, while their workers were there, that tasks took, also those that run, found in steps of some
 * lanes; NaN if there is no such time.
 *
 * @param pauses - periods in which nothing ran, which do not count
 */
export function* busyShareIn(run: Run, period: Period, pauses: readonly Pause[] = []): Generator<void, Share, void> {
  const { from, to } = period;
  if (!(from < to)) {
    return Number.NaN;
  }
  let busy = 0;
  for (const [number, lane] of run.tasks.lanes.entries()) {
    if (number % STEP === STEP - 1) {
      yield;
    }
    busy += lane ? Math.min(to - from, busyBetween(lane.compute, from, to)) : 0;
  }
  for (const { start, seceded } of run.running.list) {
    busy += seceded ? 0 : Math.max(0, to - Math.max(from, start));
  }
  const time = threadTime(yield* threadsOf(run, new Matcher(run, NOTHING_SELECTED), period, pauses));
  return time > 0 ? Math.min(1, busy / time) : Number.NaN;
}

/** What is known of each lane: places in {@link ThreadTimes.times}. */
const [COMPUTE, UNSELECTED, TRANSFER, DISK, EARLIER, PARTS] = [0, 1, 2, 3, 4, 5];

/**
 * Computes how threads spent a period. Lanes may be read beforehand, where a caller reads their executions anyway: a lane
 * comes from memory once then.
 */
export class ThreadTimes {
  constructor(
    private readonly run: Run,
    private readonly matcher: Matcher,
    private readonly period: Period
  ) {
    const { from, to } = period;
    this.time = new LaneTime(period);
    this.times = new Float64Array(PARTS * run.tasks.lanes.length).fill(Number.NaN);
    this.each = matcher.whole
      ? null
      : oneByOne((start, duration, looks, row) => {
          if (start < to && start + duration > from && matcher.fits(looks, duration, row)) {
            this.selected.add(start, start + duration, from, to);
          }
        });
  }

  /** Read what a lane did. */
  read(number: number, lane: Lane): void {
    const { time, times, selected, each } = this;
    selected.clear();
    const busy = each === null ? time.readUse(lane) : time.read(lane, each);
    const chosen = each === null ? busy : union(selected);
    const at = PARTS * number;
    times[at + COMPUTE] = chosen;
    times[at + UNSELECTED] = busy - chosen;
    times[at + TRANSFER] = lengthOf(time.transfers);
    times[at + DISK] = lengthOf(time.disks) + lengthOf(time.others);
    const sums = this.summarised(lane);
    times[at + COMPUTE] += sums.compute;
    times[at + EARLIER] = sums.rest;
  }

  /**
   * Time in which executions of a lane are known as sums only. What it did besides them is not known, nor which of them are
   * selected.
   */
  private summarised({ compute: { past } }: Lane): { readonly compute: Seconds; readonly rest: Seconds } {
    const from = Math.max(this.period.from, past?.first ?? Number.POSITIVE_INFINITY);
    const to = Math.min(this.period.to, past?.end ?? Number.NEGATIVE_INFINITY);
    if (past === null || !(from < to)) {
      return { compute: 0, rest: 0 };
    }
    const left = Math.max(0, to - from - this.time.knownIn(from, to));
    const compute = this.each === null ? Math.min(left, past.between(from, to).covered) : 0;
    return { compute, rest: left - compute };
  }

  /** How the selected threads spent the period, computed in steps of one thread. */
  *use(threads: SelectedThreads): Generator<void, ThreadUse, void> {
    const sums = [0, 0, 0, 0, 0];
    let [capacity, running, unobserved, idle] = [0, 0, 0, 0];
    for (const worker of threads.workers) {
      let used = 0;
      for (const number of worker.lanes) {
        const lane = this.run.tasks.lanes[number];
        if (lane === undefined) {
          continue;
        }
        if (Number.isNaN(this.times[PARTS * number])) {
          this.read(number, lane);
          yield;
        }
        for (let part = 0; part < PARTS; part++) {
          sums[part] += this.times[PARTS * number + part];
          used += this.times[PARTS * number + part];
        }
      }
      // A task that has seceded runs in a thread beyond those of its worker.
      const rest = Math.max(0, worker.time - used);
      const runs = this.running(worker.worker, worker.count);
      const now = Math.min(rest, runs.selected + runs.others);
      const part = now / (runs.selected + runs.others) || 0;
      capacity += used + rest;
      running += part * runs.selected;
      sums[UNSELECTED] += part * runs.others;
      const unseen = Math.min(rest - now, silentTime(this.run, worker).unknown);
      unobserved += unseen;
      idle += rest - now - unseen;
    }
    const [compute, unselected, transfer, disk, earlier] = sums;
    return { capacity, compute, unselected, transfer, disk, earlier, running, unobserved, idle };
  }

  /** Time of running tasks of a worker, selected or not, together at most that of its selected threads. */
  private running(worker: number, threads: number): { readonly selected: Seconds; readonly others: Seconds } {
    const { from } = this.period;
    const { latest } = this.run.clock;
    const end = Math.min(this.period.to, latest);
    let [selected, others] = [0, 0];
    for (const task of this.run.running.of(worker)) {
      const seconds = task.seceded ? 0 : Math.max(0, end - Math.max(from, task.start));
      if (this.matcher.fitsRunning(task, latest)) {
        selected += seconds;
      } else {
        others += seconds;
      }
    }
    const most = Math.min(1, (threads * Math.max(0, end - from)) / (selected + others)) || 0;
    return { selected: most * selected, others: most * others };
  }

  private readonly time: LaneTime;
  /** Seconds of each part by lane; NaN of a lane that has not been read. */
  private readonly times: Float64Array;
  private readonly selected = new Intervals();
  /** Collects selected executions; `null` if all are. */
  private readonly each: SomeExecutions | null;
}
