import { formatCount, formatDuration } from '../../../base/format';
import { executionStatistics } from '../../../selectors/selection/statistics';
import { prefixCounts } from '../../../selectors/tasks/prefix-counts';
import { oneLine } from '../../../plot/text';
import { count, seconds } from '../../figures';
import { selecting } from '../../facts';
import type { Rule } from '../../rule';
import { lostIn } from '../../spans';

/** Tasks ask for a worker or a resource that the cluster does not have. */
export const noWorkerFits: Rule = {
  cause: 'no-worker-fits',
  theme: 'scheduling',
  workload: 'no_worker.py',
  recognised: 'Tasks are in the state no-worker at the end of the period.',
  needs: ['prefixes'],
  thresholds: [{ value: 1, unit: 'count', of: 'tasks without a worker', source: 'they never run as it is' }],
  link: 'https://distributed.dask.org/en/stable/resources.html',
  title: trans => trans.__('No worker may run some tasks'),
  remedy: trans =>
    trans.__(
      'Start workers that have what the tasks ask for (workers=, resources=), or ask for less. Without any worker, start one.'
    ),
  find: facts => {
    const { run, trans, period } = facts;
    const waiting = prefixCounts(run)
      .filter(each => each.noWorker > 0)
      .sort((a, b) => b.noWorker - a.noWorker);
    const tasks = waiting.reduce((sum, each) => sum + each.noWorker, 0);
    // Counts are those of now.
    if (tasks === 0 || period.to < run.clock.latest - 1) {
      return null;
    }
    const functions = waiting.map(each => run.prefixNames[each.id] ?? '');
    const arrived = waiting.reduce((least, each) => (each.since > 0 ? Math.min(least, each.since) : least), period.to);
    // Tasks of the same function that ran had a worker until then; whether the others might have run there is not known.
    const ended = executionStatistics(run, selecting({ period, functions }), 'none').span?.to ?? Number.NEGATIVE_INFINITY;
    const certain = ended <= arrived && arrived < period.to;
    const idle = { from: Math.max(arrived, ended, period.from), to: period.to };
    const label = oneLine(waiting[0]?.label ?? '', 60);
    return {
      claims: lostIn(facts, [idle], ['quiet', 'starved', 'overhead']),
      confidence: 'high',
      always: true,
      evidence: {
        selection: selecting({
          period: idle.from < idle.to ? idle : period,
          functions
        }),
        plot: 'progress',
        figures: [
          count(trans.__('Tasks without a worker'), tasks),
          ...(certain ? [seconds(trans.__('For'), idle.to - idle.from)] : [])
        ]
      },
      sentence: () => {
        const name = waiting.length > 1 ? trans.__('%1 and others', label) : label;
        return certain
          ? trans._n(
              '1 task of %2 waits for a worker that it may run on; there has been none for %3.',
              '%4 tasks of %2 wait for a worker that they may run on; there has been none for %3.',
              tasks,
              name,
              formatDuration(idle.to - idle.from),
              formatCount(tasks)
            )
          : trans._n(
              '1 task of %2 waits for a worker that it may run on.',
              '%3 tasks of %2 wait for a worker that they may run on.',
              tasks,
              name,
              formatCount(tasks)
            );
      }
    };
  }
};
