import type { Seconds } from '../base/units';
import type { FeedState } from '../feed/feed';
import type { Run } from './run';

/**
 * The moment that a picture is of, scheduler clock: the newest frame, or when whoever fills the feed last answered if
 * that is later, since no frame then means that nothing happened.
 */
export function asOf(run: Run, { answered }: FeedState): Seconds {
  return Math.max(run.clock.latest, run.clock.at(answered));
}
