/** How fast tasks finish, from what the feed counts: whoever looks, and whenever, sees the same. */
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import type { PrefixCounts } from './prefix-counts';

/** A rate is the mean of so long. */
const WINDOW: Seconds = 10;
/** A rate of less than that would be a guess. */
const SHORTEST: Seconds = 2;
/** Tasks that must have finished in the window before anybody says how long the rest takes. */
const ENOUGH = 5;

/** Speed of one function. */
export interface Rate {
  /** Tasks finished per second over the last 10 s, or since the first of them started; NaN while nobody can know it. */
  readonly perSecond: number;
  /** Estimated seconds until all its tasks are done; NaN where no estimate would be honest. */
  readonly left: Seconds;
}

const UNKNOWN: Rate = { perSecond: Number.NaN, left: Number.NaN };

/** Speed of a function now; of one that has no active task, when it had its last. */
export function rateOf(run: Run, { id, active, until, processing }: PrefixCounts): Rate {
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
  // While none has a worker, the rate says nothing about the rest.
  const honest = finished >= ENOUGH && processing > 0;
  return { perSecond, left: honest ? active / perSecond : Number.NaN };
}
