import { formatCount, formatDuration, formatElapsed } from '../../../base/format';
import type { Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import { asksRunning, countedOf, isBlank, type SearchQuery } from '../../../selectors/search/query';
import type { Hit } from '../../../selectors/search/scan';
import { type CountedState, isAttempt, SEARCH_STATES, searchStateWords, whyCounted } from '../../../selectors/search/states';
import { workerLabel } from '../../../selectors/workers/worker-rows';

/** The task that a search has stepped to: its number from 1, and its description. */
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
    const unknown = oneLine(query.unknown);
    const states = SEARCH_STATES.join(', ');
    if (/^state:$/i.test(unknown)) {
      return trans.__('States: %1', states);
    }
    return /^state:/i.test(unknown)
      ? trans.__('There is no state "%1". States: %2', unknown.slice('state:'.length), states)
      : trans.__('Not understood: %1', unknown);
  }
  const counted = countedOf(query);
  if (counted !== null) {
    return countedWords(counted, found, trans);
  }
  const running = asksRunning(query);
  const tasks = running
    ? trans._n('1 running task', '%2 running tasks', found, formatCount(found))
    : trans._n('1 task', '%2 tasks', found, formatCount(found));
  const count = reached === null ? tasks : trans.__('%1 of %2', formatCount(reached.number), tasks);
  const { incompleteUntil } = run.tasks;
  return [
    found === 0 ? trans.__('No tasks found') : count,
    reached?.words ?? '',
    Number.isFinite(incompleteUntil) && !running
      ? trans.__('Tasks that ended before %1 are kept as sums and not searched.', formatElapsed(incompleteUntil - run.origin, 1))
      : ''
  ]
    .filter(words => words !== '')
    .join(' · ');
}

/** "12 tasks · waiting · not begun, so on no thread yet"; NaN where that is not known. */
function countedWords(state: CountedState, found: number, trans: Translate): string {
  const name = searchStateWords(state, trans);
  if (Number.isNaN(found)) {
    return trans.__('For tasks with the state "%1" only the functions are known, not workers, durations or keys', name);
  }
  const count = isAttempt(state)
    ? trans._n('1 attempt', '%2 attempts', found, formatCount(found))
    : trans._n('1 task', '%2 tasks', found, formatCount(found));
  return found === 0 ? trans.__('No tasks found') : [count, name, whyCounted(state, trans)].join(' · ');
}

/** "load, 1.2 s, worker-1". */
export function hitWords(run: Run, { lane, prefix, duration }: Hit): string {
  const worker = workerLabel(run.workerNames[run.laneNames[lane]?.[0] ?? -1]);
  return `${oneLine(run.prefixNames[prefix] ?? '')}, ${formatDuration(duration)}, ${worker}`;
}
