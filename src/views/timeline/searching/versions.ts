/** Texts that change when a search may find something else. */
import type { Run } from '../../../run/run';
import { asksRunning, countedOf, type SearchQuery } from '../../../selectors/search/query';
import type { Picture } from '../picture';

/** Identifies what a query may find of what the picture shows. */
export function shownVersion({ shown, present }: Picture, query: SearchQuery): string {
  const { run, paused } = shown;
  const counts = countedOf(query) === null ? '' : `${run.version('prefixes')} ${run.version('attempts')}`;
  return `${tasksVersion(run, query)} ${run.version('running')} ${counts} ${run.laneNames.length} ${paused} ${present.clearedUntil}`;
}

/** Identifies the tasks that the number of a found one counts. */
export function tasksVersion(run: Run, query: SearchQuery): string {
  return `${run.identity} ${run.version('tasks')} ${asksRunning(query) ? run.version('running') : ''}`;
}
