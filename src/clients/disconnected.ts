import type { Seconds } from '../base/units';
import type { Translate } from '../plot/plot';
import { clockSeenAt } from '../selectors/moments';

/** The text for this state, with the time of the shown data if there is any. */
export function disconnectedText(moment: Seconds, trans: Translate): string {
  return Number.isFinite(moment)
    ? trans.__('disconnected from the Jupyter server · as of %1', clockSeenAt(Date.now() / 1000, moment))
    : trans.__('disconnected from the Jupyter server');
}
