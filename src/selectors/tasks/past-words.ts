/** Texts about the time before that of which single executions are known. */
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

/** Number of tasks that had ended before the scheduler was observed. */
export function earlierTasks({ meta }: Pick<Run, 'meta'>): number {
  return typeof meta.earlier_tasks === 'number' ? Math.max(0, meta.earlier_tasks) : 0;
}

/** "1,204 earlier tasks not seen"; empty without any. */
export function earlierWords(run: Pick<Run, 'meta'>, trans: Translate): string {
  const earlier = earlierTasks(run);
  return earlier > 0 ? trans._n('1 earlier task not seen', '%2 earlier tasks not seen', earlier, formatCount(earlier)) : '';
}
