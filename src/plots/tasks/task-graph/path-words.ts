import { formatDuration, formatPercent } from '../../../base/format';
import type { Translate } from '../../../plot/plot';
import type { CriticalPath } from '../../../selectors/graph/critical-path';

/** "critical path 12.3 s". */
export function lengthWords({ length }: CriticalPath, trans: Translate): string {
  return trans.__('critical path %1', formatDuration(length));
}

/** "critical path 12.3 s, 81 % of the wall time"; empty if there is none. */
export function pathWords(path: CriticalPath | null, trans: Translate): string {
  if (path === null) {
    return '';
  }
  return Number.isFinite(path.share)
    ? trans.__('critical path %1, %2 of the wall time', formatDuration(path.length), formatPercent(path.share))
    : lengthWords(path, trans);
}
