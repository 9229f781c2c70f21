import type { Milliseconds, Seconds } from '../base/units';
import type { Run } from './run';

/** A cleared history: tasks that had ended by then are hidden in one pane, not deleted. Plain data. */
export interface Cleared {
  /** Identity of the run. */
  readonly run: string;
  /** Everything that ended up to here is hidden, scheduler time. */
  readonly before: Seconds;
  /** First visible row. */
  readonly row: number;
  /** Number of tasks that had arrived by then. */
  readonly tasks: number;
  readonly erred: number;
  readonly moves: number;
  /** Of a plot that shows sums: what they were then, by ids of its own. */
  readonly sums: Sums;
}

/** Sums that only grow, by an id. */
export type Sums = Readonly<Record<string, number>>;

/** Task times may be this far in the scheduler's future and still count as now: workers' clocks are estimates. */
const CLOCK_ERROR: Seconds = 1;

/**
 * Clear everything that has ended by `now` (`performance.now()`).
 *
 * @param sums - of a plot that shows sums
 */
export function clearHistory(run: Run, now: Milliseconds, sums: Sums = {}): Cleared {
  const time = run.clock.known ? run.clock.at(now) : run.origin;
  const { lastEnd, nextRow, count, erred, moveCount } = run.tasks;
  return {
    run: run.identity,
    before: Math.max(time, Math.min(lastEnd, time + CLOCK_ERROR)),
    row: nextRow,
    tasks: count,
    erred,
    moves: moveCount,
    sums
  };
}

/** The cleared part of a run; `null` if another run was cleared. */
export function clearedOf(run: Run, cleared: Cleared | null | undefined): Cleared | null {
  return cleared?.run === run.identity ? cleared : null;
}

/** What a sum has grown by since it was cleared: nothing at an earlier moment of a recording. */
export function grownBy(run: Run, cleared: Cleared | null | undefined, id: string, sum: number): number {
  return Math.max(0, sum - (clearedOf(run, cleared)?.sums[id] ?? 0));
}
