import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import { count, seconds, share } from '../../figures';
import { selecting, shareOf } from '../../facts';
import type { Rule } from '../../rule';

/** Dask recommends tasks of 100 ms and more, and counts with about 1 ms of overhead each: at 20 ms that is 5 %. */
const TINY = 0.02;
/** Fewer tasks do not cost what a person notices. */
const LEAST_TASKS = 100;

/** Tasks take no longer than what it costs to hand them out. */
export const smallTasks: Rule = {
  cause: 'small-tasks',
  theme: 'scheduling',
  workload: 'tiny_tasks.py',
  recognised:
    'Most tasks take 20 ms or less on average, and threads spend much of the time between two of them although ' +
    'others run at once.',
  needs: ['tasks'],
  thresholds: [
    { value: TINY, unit: 's', of: 'mean duration of the tasks', source: "Dask's best practices: overhead of about 1 ms a task" },
    { value: LEAST_TASKS, unit: 'count', of: 'tasks in the period', source: 'fewer cost less than 0.1 s' }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-very-large-graphs',
  title: trans => trans.__('Tasks are too small'),
  remedy: trans =>
    trans.__('Give each task more to do: larger chunks or partitions, or many items for one call. 100 ms a task is comfortable.'),
  find: facts => {
    const { trans, executions, period } = facts;
    const tiny = executions.functions.filter(each => each.total / each.count <= TINY);
    const tasks = tiny.reduce((sum, each) => sum + each.count, 0);
    const time = tiny.reduce((sum, each) => sum + each.total, 0);
    if (tasks < LEAST_TASKS || tasks < executions.count / 2) {
      return null;
    }
    const { overhead, quiet } = facts.partition.parts;
    const waited = overhead + quiet;
    return {
      // A scheduler that is overrun leaves all threads without news for a while.
      claims: { overhead, quiet },
      confidence: tasks >= 10 * LEAST_TASKS ? 'high' : 'medium',
      evidence: {
        selection: selecting({ period, functions: tiny.map(({ name }) => name) }),
        plot: 'task-stream',
        figures: [
          count(trans.__('Tasks'), tasks),
          seconds(trans.__('Mean duration'), time / tasks),
          share(trans.__('Threads between two tasks'), shareOf(facts, waited))
        ]
      },
      sentence: cost =>
        trans.__(
          'Tasks are too small: %1 took %2 on average, and threads waited %3 of the time for their next one.',
          formatCount(tasks),
          formatDuration(time / tasks),
          formatPercent(cost.share)
        )
    };
  }
};
