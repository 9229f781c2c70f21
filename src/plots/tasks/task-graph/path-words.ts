import { formatDuration, formatPercent } from '../../../base/format';
import type { Translate } from '../../../plot/plot';
import type { CriticalPath } from '../../../selectors/graph/critical-path';

/** "critical path 12.3 s, 81 % of the wall time"; empty if there is none. */
export function pathWords(path: CriticalPath | null, trans: Translate): string {
  if (path === null) {
    return '';
  }
  const length = formatDuration(path.length);
  return Number.isFinite(path.share)
    ? trans.__('critical path %1, %2 of the wall time', length, formatPercent(path.share))
    : trans.__('critical path %1', length);
}
