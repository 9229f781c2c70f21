import { formatCount } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { within } from '../../spans';
import { fromIdle } from '../compute/retries';

/** A worker ends while it has tasks or results. */
export const lostWorker: Rule = {
  cause: 'lost-worker',
  theme: 'scheduling',
  workload: 'lost_worker.py',
  recognised: 'A worker left while tasks ran on it: Dask counts these attempts as lost or the tasks as suspicious.',
  needs: ['attempts', 'prefixes', 'events'],
  thresholds: [{ value: 1, unit: 'count', of: 'tasks that ran on a worker that ended', source: 'they run again' }],
  link: 'https://distributed.dask.org/en/stable/killed.html',
  title: trans => trans.__('A worker was lost'),
  remedy: trans =>
    trans.__(
      'See the log of the worker and of its host: most often memory was short, or native code crashed. Results that it held are computed again.'
    ),
  unknown: facts => (facts.whole ? null : facts.trans.__('It is counted for the whole run only.')),
  find: facts => {
    const { trans, period } = facts;
    const removed = facts.run.events.list.filter(each => each.action === 'remove-worker' && within(facts, each.time));
    const { lost, suspicious, time } = lostTasks(facts);
    if (lost + suspicious === 0) {
      return null;
    }
    const tasks = Math.max(lost, suspicious);
    const at = removed[0]?.time ?? Number.NaN;
    return {
      claims: fromIdle(facts, time),
      confidence: 'high',
      always: true,
      evidence: {
        selection: selecting({ period: at < period.to ? { from: at, to: period.to } : period }),
        plot: 'events',
        figures: [
          count(trans.__('Workers removed'), removed.length),
          count(trans.__('Tasks that ran on them'), tasks),
          seconds(trans.__('Estimated time of these'), time)
        ]
      },
      sentence: () =>
        trans._n(
          'A worker ended while 1 task ran on it, which has to run again; what it held is computed again.',
          'Workers ended while %2 tasks ran on them, which have to run again; what they held is computed again.',
          tasks,
          formatCount(tasks)
        )
    };
  }
};

function lostTasks({ run, byPrefix }: Facts): { lost: number; suspicious: number; time: Seconds } {
  const sum = { lost: 0, suspicious: 0, time: 0 };
  for (const id of run.attempts.ids) {
    const lost = run.attempts.get(id, 'lost') || 0;
    const known = byPrefix.get(id);
    sum.lost += lost;
    sum.time += known === undefined ? 0 : (lost * known.total) / known.count;
  }
  for (const id of run.prefixes.ids) {
    sum.suspicious += run.prefixes.get(id, 'suspicious') || 0;
  }
  return sum;
}
