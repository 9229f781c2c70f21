/** How fast tasks finish, computed from the feed's counts only: every viewer sees the same at any time. */
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { knowsAllTasks, type PrefixCounts } from '../tasks/prefix-counts';

/** Averaging time of a rate. */
export const WINDOW: Seconds = 10;
/** A rate over less time than this would be a guess. */
export const SHORTEST: Seconds = 2;
/** Tasks that must have finished in the window before a remaining time is estimated. */
export const ENOUGH = 5;

/** Speed of one function. */
export interface Rate {
  /**
   * Tasks finished per second over the last 10 s, or since the first of them started; NaN if it cannot be known yet.
   */
  readonly perSecond: number;
  /** Estimated seconds until all its tasks are done; NaN if no reliable estimate is possible. */
  readonly left: Seconds;
}

const UNKNOWN: Rate = { perSecond: Number.NaN, left: Number.NaN };

/** Current speed of a function; without active tasks, the speed when it last had one. */
export function rateOf(run: Run, { id, active, until, processing, statesKnown }: PrefixCounts): Rate {
  if (!statesKnown) {
    return UNKNOWN;
  }
  const finished = run.prefixes.get(id, 'recent');
  const now = active > 0 ? run.clock.latest : until;
  const first = run.prefixes.get(id, 'recent_since');
  if (finished === 0 && active > 0) {
    return { perSecond: 0, left: Number.NaN };
  }
  const span = Math.min(WINDOW, now - first);
  if (!(span >= SHORTEST)) {
    return UNKNOWN;
  }
  const perSecond = finished / span;
  // While none runs on a worker, the rate says nothing about the rest.
  const honest = finished >= ENOUGH && processing > 0 && knowsAllTasks(run);
  return { perSecond, left: honest ? active / perSecond : Number.NaN };
}
