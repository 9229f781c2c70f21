import { formatCount, formatDuration } from '../../../base/format';
import { oneLine } from '../../../plot/text';
import { count, seconds } from '../../figures';
import { selecting } from '../../facts';
import type { Rule } from '../../rule';

/** Tasks end with an error. */
export const failures: Rule = {
  cause: 'failures',
  theme: 'compute',
  workload: 'failures.py',
  recognised: 'Tasks ended with an error. Their time counts as computed in vain.',
  needs: ['tasks'],
  thresholds: [{ value: 1, unit: 'count', of: 'tasks that ended with an error', source: 'a task that fails has worked in vain' }],
  link: 'https://distributed.dask.org/en/stable/task-launch.html',
  title: trans => trans.__('Tasks end with an error'),
  remedy: trans =>
    trans.__(
      'Select the failed tasks to see their exception. What needs them does not run; retries= helps where the cause passes.'
    ),
  find: facts => {
    const { trans, executions, period } = facts;
    const failed = executions.functions.filter(each => each.erred > 0);
    const tasks = executions.erred;
    if (tasks === 0) {
      return null;
    }
    // The share of its executions that failed: durations are not kept by outcome.
    const time = failed.reduce((sum, each) => sum + (each.total * each.erred) / each.count, 0);
    const [most] = [...failed].sort((a, b) => b.erred - a.erred);
    return {
      claims: { compute: time },
      confidence: 'high',
      always: true,
      evidence: {
        selection: selecting({ period, erred: true }),
        plot: 'task-stream',
        figures: [
          count(trans.__('Failed tasks'), tasks),
          count(trans.__('Of'), executions.count),
          seconds(trans.__('Computed in vain'), time)
        ]
      },
      sentence: () =>
        trans._n(
          '1 task of %2 ended with an error, mostly of %3: %4 were computed in vain.',
          '%5 tasks of %2 ended with an error, mostly of %3: %4 were computed in vain.',
          tasks,
          formatCount(executions.count),
          oneLine(most.name, 60),
          formatDuration(time),
          formatCount(tasks)
        )
    };
  }
};
