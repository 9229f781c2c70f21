import { formatCount, formatDuration, formatElapsed } from '../../../base/format';
import type { Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import { isBlank, type SearchQuery } from '../../../selectors/search/query';
import type { Hit } from '../../../selectors/search/scan';
import { workerLabel } from '../../../selectors/workers/worker-rows';

/** The task that a search has stepped to: its number from 1, and what is said of it. */
export interface Reached {
  readonly number: number;
  readonly words: string;
}

/** The result of a search: "12 tasks", "3 of 12 tasks · load, 1.2 s, worker-1". */
export function searchWords(run: Run, query: SearchQuery, found: number, reached: Reached | null, trans: Translate): string {
  if (isBlank(query)) {
    return '';
  }
  if (query.unknown !== '') {
    return trans.__('Not understood: %1', oneLine(query.unknown));
  }
  const tasks = query.running
    ? trans._n('1 running task', '%2 running tasks', found, formatCount(found))
    : trans._n('1 task', '%2 tasks', found, formatCount(found));
  const count = reached === null ? tasks : trans.__('%1 of %2', formatCount(reached.number), tasks);
  const { incompleteUntil } = run.tasks;
  return [
    found === 0 ? trans.__('No tasks found') : count,
    reached?.words ?? '',
    Number.isFinite(incompleteUntil) && !query.running
      ? trans.__('Tasks that ended before %1 are kept as sums and not searched.', formatElapsed(incompleteUntil - run.origin, 1))
      : ''
  ]
    .filter(words => words !== '')
    .join(' · ');
}

/** "load, 1.2 s, worker-1". */
export function hitWords(run: Run, { lane, prefix, duration }: Hit): string {
  const worker = workerLabel(run.workerNames[run.laneNames[lane]?.[0] ?? -1]);
  return `${oneLine(run.prefixNames[prefix] ?? '')}, ${formatDuration(duration)}, ${worker}`;
}
