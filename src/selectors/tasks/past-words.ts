/** Texts about the time for which summaries are kept instead of single executions. */
import { formatCount, formatElapsed } from '../../base/format';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';

/** "older than 12:34: summaries of 1,204 tasks"; empty while every execution is kept. */
export function pastWords({ tasks, origin }: Pick<Run, 'tasks' | 'origin'>, trans: Translate): string {
  const { dropped, incompleteUntil } = tasks;
  return dropped > 0
    ? trans._n(
        'older than %3: summary of 1 task',
        'older than %3: summaries of %2 tasks',
        dropped,
        formatCount(dropped),
        formatElapsed(incompleteUntil - origin)
      )
    : '';
}
