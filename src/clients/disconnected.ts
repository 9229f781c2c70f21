import { formatWallClock } from '../base/format';
import type { Seconds } from '../base/units';
import type { Translate } from '../plot/plot';

/** The words for the state: with the moment of what is shown, where there is something. */
export function disconnectedText(moment: Seconds, trans: Translate): string {
  return Number.isFinite(moment)
    ? trans('disconnected from the Jupyter server · as of %1', formatWallClock(moment))
    : trans('disconnected from the Jupyter server');
}
