import type { Seconds } from '../base/units';
import type { FeedState } from '../feed/feed';
import type { Run } from './run';

/**
 * The time of a picture, in scheduler time: that of the newest frame, or the time of the feed's last answer if that is
 * later, since no frame then means that nothing happened.
 */
export function asOf(run: Run, { answered }: FeedState): Seconds {
  return Math.max(run.clock.latest, run.clock.at(answered));
}
