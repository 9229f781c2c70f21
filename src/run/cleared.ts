import type { Milliseconds, Seconds } from '../base/units';
import type { Run } from './run';

/** A history that a person cleared: what had ended by then is hidden in one pane, not forgotten. Plain data. */
export interface Cleared {
  /** Identity of the run. */
  readonly run: string;
  /** What ended up to here is hidden, scheduler clock. */
  readonly before: Seconds;
  /** First row that is shown. */
  readonly row: number;
  /** What had come by then. */
  readonly tasks: number;
  readonly erred: number;
  readonly moves: number;
}

/** Task times may lie so far in the scheduler's future and still be of now: clocks of workers are estimates. */
const CLOCK_ERROR: Seconds = 1;

/** Clear what has ended by `now` (`performance.now()`). */
export function clearHistory(run: Run, now: Milliseconds): Cleared {
  const time = run.clock.known ? run.clock.at(now) : run.origin;
  const { lastEnd, nextRow, count, erred, moveCount } = run.tasks;
  return {
    run: run.identity,
    before: Math.max(time, Math.min(lastEnd, time + CLOCK_ERROR)),
    row: nextRow,
    tasks: count,
    erred,
    moves: moveCount
  };
}

/** What is cleared of a run; `null` where it was another run that was cleared. */
export function clearedOf(run: Run, cleared: Cleared | null | undefined): Cleared | null {
  return cleared?.run === run.identity ? cleared : null;
}
