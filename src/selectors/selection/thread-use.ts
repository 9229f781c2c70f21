/** How the selected threads spent a period, without counting a second twice. */
import type { Seconds, Share } from '../../base/units';
import type { Lane } from '../../run/lanes/task-store';
import type { Run } from '../../run/run';
import type { Matcher } from '../../run/selection/matcher';
import type { Period } from '../../run/selection/selection';
import { Intervals, union } from './intervals';
import { type EachExecution, LaneTime, lengthOf } from './lane-time';
import type { SelectedThreads } from './threads';

/**
 * How the selected threads spent the period, in thread-seconds; the parts add up to `capacity`. Each moment of a thread
 * counts once: as computing if anything was executed, else as a transfer, else as disk or deserialisation.
 */
export interface ThreadUse {
  /** Time of the selected threads within the period, while their workers were there. */
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
 */
export function threadUse(
  run: Run,
  matcher: Matcher,
  threads: SelectedThreads,
  period: Period
): Generator<void, ThreadUse, void> {
  return new Job(run, matcher, threads, period).steps();
}

/** A part of the capacity. NaN without a capacity. */
export function shareOf(use: ThreadUse, part: Exclude<keyof ThreadUse, 'capacity'>): Share {
  return use.capacity > 0 ? use[part] / use.capacity : Number.NaN;
}

type Sums = Record<'compute' | 'unselected' | 'transfer' | 'disk', Seconds>;

function spent({ compute, unselected, transfer, disk }: Sums): Seconds {
  return compute + unselected + transfer + disk;
}

class Job {
  constructor(
    private readonly run: Run,
    matcher: Matcher,
    private readonly threads: SelectedThreads,
    private readonly period: Period
  ) {
    const { from, to } = period;
    this.time = new LaneTime(period);
    this.each = matcher.whole
      ? null
      : (start, duration, looks, row) => {
          if (start < to && start + duration > from && matcher.fits(looks, duration, row)) {
            this.selected.add(start, start + duration, from, to);
          }
        };
  }

  *steps(): Generator<void, ThreadUse, void> {
    const sum: Sums = { compute: 0, unselected: 0, transfer: 0, disk: 0 };
    let [capacity, running, idle] = [0, 0, 0];
    for (const worker of this.threads.workers) {
      const before = spent(sum);
      for (const number of worker.lanes) {
        const lane = this.run.tasks.lanes[number];
        if (lane !== undefined) {
          this.addLane(lane, sum);
          yield;
        }
      }
      const used = spent(sum) - before;
      // A task that has seceded runs in a thread beyond those of its worker.
      const rest = Math.max(0, worker.time - used);
      const now = Math.min(rest, this.running(worker.worker, worker.count));
      capacity += used + rest;
      running += now;
      idle += rest - now;
    }
    return { capacity, ...sum, running, idle };
  }

  private addLane(lane: Lane, sum: Sums): void {
    const { time, selected } = this;
    selected.clear();
    time.read(lane, this.each);
    const busy = lengthOf(time.computed);
    const chosen = this.each === null ? busy : union(selected);
    sum.compute += chosen;
    sum.unselected += busy - chosen;
    sum.transfer += lengthOf(time.transfers);
    sum.disk += lengthOf(time.disks) + lengthOf(time.others);
  }

  /** Time of running tasks of a worker, at most that of its selected threads. */
  private running(worker: number, threads: number): Seconds {
    const { from } = this.period;
    const end = Math.min(this.period.to, this.run.clock.latest);
    let seconds = 0;
    for (const { start, seceded } of this.run.running.of(worker)) {
      seconds += seceded ? 0 : Math.max(0, end - Math.max(from, start));
    }
    return Math.min(seconds, threads * Math.max(0, end - from));
  }

  private readonly time: LaneTime;
  private readonly selected = new Intervals();
  /** Collects selected executions; `null` if all are. */
  private readonly each: EachExecution | null;
}
