/** What samples cannot show: of older collectors, and where only means of them are left. */
import { formatDuration } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { type Facts, LEAST_SHARE } from '../facts';
import { meansOf, untilsOf } from '../points';

/** Whether samples have no such column: an older collector did not send it. */
export function lacks({ series }: Run, column: string): boolean {
  return series.length > 0 && series.column(column).length === 0;
}

/** That samples do not say how many threads had tasks; `null` if they do. */
export function withoutAssigned({ run, trans }: Facts): string | null {
  return lacks(run, 'assigned_sum') ? trans.__('How many threads had tasks was not recorded.') : null;
}

/** Time between two samples, the last of which is the end of a mean. */
const SAMPLE: Seconds = 1;

/** That what lasts for moments is not seen in means, with their time; `null` if they are of too little time for what is reported. */
export function onlyMeans({ run, period, trans }: Facts): string | null {
  const [times, tasks] = [run.series.column('time'), run.series.column('processing_sum')];
  const [untils, means] = [untilsOf(run), meansOf(run)];
  let sum: Seconds = 0;
  for (let k = 0; k < times.length; k++) {
    // A short point without tasks may be one sample of an idle cluster, where there was nothing to see.
    if (means[k] && tasks[k] > 0) {
      sum += Math.max(0, Math.min(untils[k] + SAMPLE, period.to) - Math.max(times[k], period.from));
    }
  }
  return sum >= LEAST_SHARE * (period.to - period.from)
    ? trans.__('For %1 of this time only means of samples are kept, which may not show it.', formatDuration(sum))
    : null;
}
