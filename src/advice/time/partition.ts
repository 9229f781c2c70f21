/** Divides wall time × threads of a period among what the threads did and why they did nothing. */
import type { Seconds } from '../../base/units';
import { SHORTEST_PAUSE } from '../../run/lanes/busy-periods';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import { beginOf } from '../../selectors/computations/reading';
import { type Activity, activityOf, type Limits, workOf } from './activity';
import { type Steps, stepsOf } from './grid';
import { untilsOf } from '../points';
import { askedFor, THOUGHT } from './in-progress';
import { noTime, type Part, type Parts, PARTS } from './parts';
import { type SchedulerTime, schedulerTime } from './scheduler-time';
import { threadsOf } from './threads';

/**
 * Without any activity for this long, the threads wait for the same thing. Shorter than a user notices; longer than
 * what lies between two tasks of a busy cluster.
 */
const QUIET: Seconds = 0.05;
/** Tasks of less are not distinguished from the gaps between them. Dask recommends 100 ms; its overhead is about 1 ms. */
const TINY: Seconds = 0.02;
/** What threads did is compared over this time, to find how many of them could work at once. */
const WINDOW: Seconds = 0.25;
/** Share of what runs that must be outliers. */
const MOSTLY = 0.5;

/** The time of the threads of a period by part. */
export interface Partition {
  readonly steps: Steps;
  /** Wall time × threads, without pauses of the user, and without threads that ran nothing while the scheduler did not answer. */
  readonly capacity: Seconds;
  /**
   * Threads in each step: 0 in pauses of the user, and without a worker; while the scheduler did not answer, those that ran
   * something.
   */
  readonly threads: Float64Array;
  /** Length of the period without time in which no thread counts, except for want of a worker. */
  readonly wall: Seconds;
  /** Time in each step in which no thread counts, except for want of a worker. */
  readonly uncounted: Float64Array;
  /** Time of pauses of the user. */
  readonly pauses: Seconds;
  /** Time in which a computation was in progress, but no worker was there. */
  readonly workerless: Seconds;
  /** The same in each step. */
  readonly unattended: Float64Array;
  /** Time in which the scheduler did not answer, in each step: threads may have had something to do then, or not. */
  readonly unanswered: Float64Array;
  /** Add up to `capacity`. */
  readonly parts: Parts;
  /** By step, for the evidence. */
  readonly byStep: Readonly<Record<Part, Float64Array>>;
  readonly activity: Activity;
}

/** Divide the time of a period. */
export function partitionOf(run: Run, period: Period, limits: Limits): Partition {
  const steps = stepsOf(period);
  const activity = activityOf(run, steps, limits);
  const threads = threadsOf(run, steps, activity);
  const open = schedulerTime(run, steps);
  const { unanswered } = open;
  addAttempts(activity, threads, unanswered);
  const byStep = Object.fromEntries(PARTS.map(part => [part, new Float64Array(steps.count)])) as Record<Part, Float64Array>;
  const paused = leaveOutPauses(run, steps, open.tried, activity, threads);
  const uncounted = leaveOutUnanswered(steps, unanswered, activity, threads, paused);
  const unattended = withoutWorkers(steps, open, threads, paused);
  const idle = takeWork(steps, activity, threads, byStep);
  takeIdle(run, steps, activity, threads, idle, byStep, open);
  const parts = noTime();
  let capacity = 0;
  for (const part of PARTS) {
    parts[part] = sumOf(byStep[part]);
    capacity += parts[part];
  }
  const pauses = paused.reduce((sum, each) => sum + each, 0) * steps.width;
  return {
    ...{ steps, capacity, parts, byStep, activity, unattended, unanswered, uncounted, pauses },
    threads: threads.map(seconds => seconds / steps.width),
    wall: period.to - period.from - sumOf(uncounted),
    workerless: sumOf(unattended)
  };
}

/**
 * Threads without other work ran the attempts that their workers had, of which it is not known when they began, and tasks that
 * were cancelled. A scheduler that did not answer heard of their end when it did again: how long they ran is not known.
 */
function addAttempts(activity: Activity, threads: Float64Array, unanswered: Float64Array): void {
  const { retried, ended, cancelled, running } = activity;
  for (let i = 0; i < threads.length; i++) {
    for (const attempts of [retried, ended, cancelled]) {
      if (attempts[i] > 0) {
        const free = unanswered[i] > 0 ? 0 : threads[i] - workOf(activity, i);
        attempts[i] = Math.max(0, Math.min(attempts[i], free));
        running[i] += attempts[i];
      }
    }
  }
}

/** In each step: time in which no worker was there for a computation, where it is known when one was in progress. */
function withoutWorkers(
  { count, width }: Steps,
  { tried, unanswered }: SchedulerTime,
  threads: Float64Array,
  paused: Uint8Array
): Float64Array {
  const seconds = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    seconds[i] = threads[i] === 0 && paused[i] === 0 && unanswered[i] === 0 ? (tried === null ? width : tried[i]) : 0;
  }
  return seconds;
}

/** What threads did; the rest of each step is returned. Coroutines share a thread, so the sum may be more than there is. */
function takeWork({ count }: Steps, activity: Activity, threads: Float64Array, byStep: Record<Part, Float64Array>): Float64Array {
  const idle = threads.slice();
  for (const part of ['compute', 'transfer', 'disk', 'serialise', 'running'] as const) {
    const seconds = activity[part];
    for (let i = 0; i < count; i++) {
      const taken = Math.min(idle[i], seconds[i]);
      byStep[part][i] = taken;
      idle[i] -= taken;
    }
  }
  return idle;
}

/**
 * No thread counts while nothing was in progress for longer than {@link SHORTEST_PAUSE}, or before what a user asks for.
 * Returns 1 for these steps.
 */
function leaveOutPauses(
  run: Run,
  steps: Steps,
  open: Float64Array | null,
  activity: Activity,
  threads: Float64Array
): Uint8Array {
  const { count, width, from } = steps;
  const asked = askedFor(run).map(beginOf);
  const least = (first: number, end: number): Seconds =>
    asked.some(since => since >= from + first * width && since <= from + (end + 1) * width) ? THOUGHT : SHORTEST_PAUSE;
  const paused = new Uint8Array(count);
  let begin = 0;
  for (let i = 0; i <= count; i++) {
    const pause = i < count && (open === null || open[i] === 0) && !busyIn(activity, i, 0);
    if (!pause) {
      if ((i - begin) * width > THOUGHT && (i - begin) * width > least(begin, i)) {
        threads.fill(0, begin, i);
        paused.fill(1, begin, i);
      }
      begin = i + 1;
    }
  }
  return paused;
}

/**
 * Threads that ran nothing do not count while the scheduler did not answer: whether they had anything to do is not known.
 * Returns the time of each step in which none counts, also for a pause.
 */
function leaveOutUnanswered(
  { count, width }: Steps,
  unanswered: Float64Array,
  activity: Activity,
  threads: Float64Array,
  paused: Uint8Array
): Float64Array {
  const uncounted = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    uncounted[i] = paused[i] * width;
    if (unanswered[i] > 0) {
      const work = Math.min(threads[i], workOf(activity, i));
      uncounted[i] = paused[i] === 1 ? width : work > 0 ? 0 : unanswered[i];
      paused[i] = 0;
      threads[i] = Math.max(work, threads[i] * (1 - unanswered[i] / width));
    }
  }
  return uncounted;
}

function busyIn(activity: Activity, i: number, least: Seconds): boolean {
  return workOf(activity, i) > least;
}

function takeIdle(
  run: Run,
  steps: Steps,
  activity: Activity,
  threads: Float64Array,
  idle: Float64Array,
  byStep: Record<Part, Float64Array>,
  { reading, open }: SchedulerTime
): void {
  const { count, width } = steps;
  const quiet = quietSteps(steps, activity);
  const usable = usableThreads(steps, activity, threads);
  atLeastAssigned(run, steps, usable);
  const { compute, running, outlying } = activity;
  // Without a function for each step: there are tens of thousands.
  for (let i = 0; i < count; i++) {
    const all = threads[i] / width;
    const read = taken(idle[i], reading[i] * all);
    let rest = idle[i] - read;
    const outside = open === null ? 0 : taken(rest, Math.max(0, width - open[i] - reading[i]) * all);
    rest -= outside;
    byStep.reading[i] += read;
    byStep.outside[i] += outside;
    if (quiet[i] === 1) {
      byStep.quiet[i] += Math.max(0, rest);
      continue;
    }
    const busy = compute[i] + running[i];
    const without = taken(rest, threads[i] - usable[i] * width);
    byStep[outlying[i] >= MOSTLY * busy && busy > 0 ? 'straggler' : 'starved'][i] += without;
    byStep.overhead[i] += Math.max(0, rest - without);
  }
}

/** As much of some time as there is. */
function taken(rest: Seconds, wanted: Seconds): Seconds {
  return Math.max(0, Math.min(rest, wanted));
}

/** Of all steps. An iterator would take as long as all executions. */
function sumOf(seconds: Float64Array): Seconds {
  let sum = 0;
  for (let i = 0; i < seconds.length; i++) {
    sum += seconds[i];
  }
  return sum;
}

/** 1 for steps in which, for longer than {@link QUIET}, no thread did anything. */
function quietSteps({ count, width }: Steps, activity: Activity): Uint8Array {
  const flags = new Uint8Array(count);
  const least = Math.max(1, Math.ceil(QUIET / width));
  let begin = 0;
  for (let i = 0; i <= count; i++) {
    if (i === count || busyIn(activity, i, width / 1000)) {
      if (i - begin >= least) {
        flags.fill(1, begin, i);
      }
      begin = i + 1;
    }
  }
  return flags;
}

/**
 * How many threads could have worked at each step: the most that did so at once nearby, and all of them where only tiny
 * tasks ran, since the gaps between these hide how many were ready.
 */
function usableThreads({ count, width }: Steps, activity: Activity, threads: Float64Array): Float64Array {
  const usable = new Float64Array(count);
  const span = Math.max(8, Math.round(WINDOW / width));
  for (let begin = 0; begin < count; begin += span) {
    const end = Math.min(count, begin + span);
    let [most, seconds, starts, all] = [0, 0, 0, 0];
    for (let i = begin; i < end; i++) {
      const busy = activity.compute[i] + activity.running[i];
      // Half of a step may be between two tasks.
      most = Math.max(most, Math.ceil(busy / width - 0.5));
      seconds += busy;
      starts += activity.starts[i];
      all = Math.max(all, threads[i] / width);
    }
    // Of tasks that are shorter than half a step it is not known whether they came one at a time.
    const tiny = starts >= 2 * all && seconds / starts <= TINY && (most !== 1 || all < 2);
    usable.fill(tiny ? all : most, begin, end);
  }
  return usable;
}

/** A sample says how many threads had a task, running or not, for this long before and after it. */
const SAMPLED: Seconds = 0.5;

/** Threads for which their worker had tasks could have worked, whatever kept them. */
function atLeastAssigned(run: Run, { from, width, count }: Steps, usable: Float64Array): void {
  const [times, assigned] = [run.series.column('time'), run.series.column('assigned_sum')];
  const untils = untilsOf(run);
  for (let k = 0; k < Math.min(times.length, assigned.length); k++) {
    const first = Math.max(0, Math.floor((times[k] - SAMPLED - from) / width));
    const last = Math.min(count, Math.floor((untils[k] + SAMPLED - from) / width));
    for (let i = first; i < last; i++) {
      usable[i] = assigned[k] > usable[i] ? assigned[k] : usable[i];
    }
  }
}
