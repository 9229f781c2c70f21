import { formatCount, formatDuration } from '../../../base/format';
import { oneLine } from '../../../plot/text';
import { executionStatistics } from '../../../selectors/selection/statistics';
import { count, seconds } from '../../figures';
import { clippedTo, selecting } from '../../facts';
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
    const { run, trans, executions, period } = facts;
    const tasks = executions.erred;
    if (tasks === 0) {
      return null;
    }
    const failed = executionStatistics(run, selecting({ period, erred: true }));
    const time = failed.functions.reduce((sum, each) => sum + each.total, 0);
    const [most] = [...failed.functions].sort((a, b) => b.erred - a.erred);
    return {
      claims: { compute: time },
      confidence: 'high',
      always: true,
      evidence: {
        selection: selecting({ period: clippedTo(period, failed.span), erred: true }),
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
