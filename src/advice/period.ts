import type { Seconds } from '../base/units';
import { SHORTEST_PAUSE } from '../run/lanes/busy-periods';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import { beginOf } from '../selectors/computations/reading';
import { unreadGraphs } from '../selectors/events/message';
import { eventMarks } from '../selectors/events/marks';
import { prefixCounts, taskTotals } from '../selectors/tasks/prefix-counts';
import { untilsOf, withTasks } from './points';
import type { Computation } from '../run/tables/computations';
import { endOf, isInProgress, isOpen, lastOf } from './time/in-progress';
import { takingsOf } from './time/taking';

/** A period that is asked about. */
export interface AskedPeriod extends Period {
  /** Number of the computation whose time it is: then what threads did for others held it up. Default: none. */
  readonly computation?: number;
}

/**
 * All that a run knows: from its first graph or task to its last, or to when a client took the last of many results, or to now while
 * a task is left, or a thread goes on with one that was cancelled; of time of which it has only sums of executions it does not know
 * enough. `null` if there is none.
 */
export function wholePeriod(run: Run): Period | null {
  const { list } = run.computations;
  const graphs = list.map(beginOf);
  const active = Number.isFinite(run.running.earliest) || list.some(each => isInProgress(run, each)) || waiting(run);
  const begins = [run.tasks.firstStart, run.running.earliest, ...graphs, ...(active ? [firstActive(run)] : [])];
  const from = Math.max(least(begins), run.tasks.incompleteUntil);
  // Workers that were paused to the end had tasks that never ran.
  const last = [...withTasks(run).slice(-1), ...takingsOf(run).slice(-1)].map(each => each.to);
  const ends = [...list.map(({ values: { stop } }) => stop), ...last, lastFailure(run)];
  const ended = Math.max(...[run.tasks.lastEnd, ...ends].filter(Number.isFinite));
  const cancelled = lastCancelled(run);
  const to = active ? run.clock.latest : cancelled > ended + LATE ? cancelled : ended;
  return from < to ? { from, to } : unreadPeriod(run);
}

/** A graph that cannot be read leaves nothing but its event, which has no duration. */
const MOMENT: Seconds = 0.001;

/** From the first graph that could not be read to the last, where nothing has run; `null` if there is none. */
function unreadPeriod(run: Run): Period | null {
  const times = unreadGraphs(run).map(({ time }) => time);
  return times.length > 0 ? { from: Math.min(...times) - MOMENT, to: Math.max(...times) } : null;
}

/** When a task or its worker last failed, which may leave no execution; -Infinity if none did. */
function lastFailure(run: Run): Seconds {
  const failed = run.errors.list.filter(({ kind }) => kind === 'erred').map(({ last }) => last);
  const lost = eventMarks(run).filter(({ kind, tasks }) => kind === 'lost' && tasks > 0);
  return Math.max(...failed, ...lost.map(({ time }) => time));
}

/** After a shorter time a sample may still have tasks that ended at once when they were cancelled. */
const LATE: Seconds = 1;

/** Until when samples say that threads went on with tasks that were cancelled, which leave no execution; -Infinity if none did. */
function lastCancelled(run: Run): Seconds {
  const [untils, threads] = [untilsOf(run), run.series.column('cancelled_sum')];
  return untils.reduce((last, until, k) => (threads[k] > 0 ? until : last), Number.NEGATIVE_INFINITY);
}

/** Executions of the newest work that are looked at: more would hold the page up for too long. */
const MOST_EXECUTIONS = 1_000_000;

/** A time from which on there are at most `most` executions, by whole chunks of them; -Infinity if there are no more at all. */
function beginOfNewest({ tasks }: Run, most: number): Seconds {
  if (tasks.kept <= most) {
    return Number.NEGATIVE_INFINITY;
  }
  const chunks = tasks.lanes.flatMap(lane => lane?.compute.chunks ?? []).sort((a, b) => b.end - a.end);
  let left = most;
  for (const { length, end } of chunks) {
    left -= length;
    if (left < 0) {
      return end;
    }
  }
  return Number.NEGATIVE_INFINITY;
}

/**
 * The newest part of a run without a pause of more than 10 s: what a user who looks at a live cluster means by it.
 *
 * @param most - number of executions in it
 */
export function newestPeriod(run: Run, most: number = MOST_EXECUTIONS): Period | null {
  const whole = wholePeriod(run);
  if (whole === null) {
    return null;
  }
  let { from } = whole;
  let until = from;
  const known = run.computations.list
    // What came after everything else, and never ran, is no work.
    .filter(each => Number.isFinite(each.values.since) && beginOf(each) < whole.to)
    .sort((a, b) => a.values.since - b.values.since);
  for (const computation of known) {
    const begin = beginOf(computation);
    from = begin - until > SHORTEST_PAUSE ? begin : from;
    until = Math.max(until, isOpen(run, computation) ? run.clock.latest : lastOf(run, computation));
  }
  const begin = Math.max(from, whole.from, beginOfNewest(run, most));
  return begin < whole.to ? { from: begin, to: whole.to } : whole;
}

/**
 * All work of a run, however long the pauses in it; `null` if that is its {@link newestPeriod}.
 *
 * @param most - number of executions in it
 */
export function allWork(run: Run, most: number = MOST_EXECUTIONS): Period | null {
  const [whole, newest] = [wholePeriod(run), newestPeriod(run, most)];
  if (whole === null || newest === null) {
    return null;
  }
  const from = Math.max(whole.from, beginOfNewest(run, most));
  return from < newest.from ? { from, to: whole.to } : null;
}

/**
 * The time of some work, for all who ask about it: from when it was submitted to its end. What comes after the last computation
 * of a run belongs to it, such as results that a client still takes, or cancelled tasks that still run. `null` if nothing is
 * known of it.
 */
export function timeOfWork(run: Run, computations: readonly Computation[]): AskedPeriod | null {
  // By the clock of its worker, which is estimated, a task may have begun before it was submitted.
  const from = least(computations.flatMap(each => [beginOf(each), each.values.start]));
  const end = Math.max(...computations.map(each => endOf(run, each)));
  const isLast = run.computations.list.every(each => computations.includes(each) || endOf(run, each) <= end);
  const to = isLast ? Math.max(end, wholePeriod(run)?.to ?? end) : end;
  const [only, ...more] = computations;
  return from < to ? { from, to, ...(more.length === 0 ? { computation: only.id } : {}) } : null;
}

/** The time of what one client computed last, without a pause of more than 10 s in it; `null` if it has computed nothing. */
export function newestWorkOf(run: Run, client: string): Period | null {
  const own = run.computations.list.filter(each => each.client === client && Number.isFinite(each.values.since));
  let newest: Computation[] = [];
  let until: Seconds = Number.NEGATIVE_INFINITY;
  for (const computation of own.sort((a, b) => beginOf(a) - beginOf(b))) {
    newest = beginOf(computation) - until > SHORTEST_PAUSE ? [computation] : [...newest, computation];
    until = Math.max(until, endOf(run, computation));
  }
  return timeOfWork(run, newest);
}

/** Whether the work of a period goes on: what is said of it changes until it has ended. */
export function goesOn(run: Run, period: Period | null): boolean {
  const isOfNow = period !== null && !run.hasEnded && period.to >= run.clock.latest;
  return isOfNow && run.computations.list.some(each => isOpen(run, each));
}

/** The part of a period that lies in the run. */
export function clipped(run: Run, period: Period | null): Period | null {
  const whole = wholePeriod(run);
  if (whole === null || period === null) {
    return whole;
  }
  const { from, to } = period;
  const now = run.clock.latest;
  const inside = {
    from: Number.isFinite(from) ? Math.max(from, whole.from) : whole.from,
    to: Math.min(to, Math.max(whole.to, now))
  };
  return inside.from < inside.to ? inside : null;
}

function waiting(run: Run): boolean {
  return taskTotals(prefixCounts(run)).active > 0;
}

/** When the oldest function that has tasks to do got them. */
function firstActive(run: Run): Seconds {
  return least(
    prefixCounts(run)
      .filter(({ active }) => active > 0)
      .map(({ since }) => since)
  );
}

function least(times: readonly Seconds[]): Seconds {
  return times.reduce((first, time) => (time > 0 && time < first ? time : first), Number.POSITIVE_INFINITY);
}
