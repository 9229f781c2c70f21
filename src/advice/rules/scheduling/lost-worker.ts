import { formatCount } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { eventMarks } from '../../../selectors/events/marks';
import type { Translate } from '../../../plot/plot';
import { within } from '../../spans';
import { fromIdle } from '../compute/retries';

/** A worker ends while it has tasks. */
export const lostWorker: Rule = {
  cause: 'lost-worker',
  theme: 'scheduling',
  workload: 'lost_worker.py',
  recognised:
    'A worker left unexpectedly while it had tasks: Dask counts these attempts as lost or the tasks as suspicious; of a part of ' +
    'a run its log of events tells it.',
  needs: ['attempts', 'prefixes', 'events'],
  thresholds: [{ value: 1, unit: 'count', of: 'tasks of a worker that ended', source: 'they run again' }],
  link: 'https://distributed.dask.org/en/stable/killed.html',
  title: trans => trans.__('A worker was lost'),
  remedy: trans =>
    trans.__(
      'See the log of the worker and of its host: most often memory was short, or native code crashed. Results that it held are computed again.'
    ),
  unknown: ({ run, whole, period, trans }) => {
    const [oldest] = run.events.list;
    return whole || run.events.lost === 0 || oldest.time <= period.from
      ? null
      : trans.__('The scheduler no longer has its events of that time.');
  },
  find: facts => {
    const { trans, period } = facts;
    const removed = eventMarks(facts.run).filter(({ kind, time, tasks }) => kind === 'lost' && tasks > 0 && within(facts, time));
    const { tasks, time } = facts.whole
      ? countedTasks(facts)
      : { tasks: removed.reduce((sum, each) => sum + each.tasks, 0), time: 0 };
    if (tasks === 0) {
      return null;
    }
    const at = removed[0]?.time ?? Number.NaN;
    return {
      claims: fromIdle(facts, time),
      confidence: 'high',
      always: true,
      evidence: {
        selection: selecting({ period: at < period.to ? { from: at, to: period.to } : period }),
        plot: 'events',
        figures: [
          count(trans.__('Workers that ended'), removed.length),
          count(trans.__('Tasks that they had'), tasks),
          ...(facts.whole ? [seconds(trans.__('Estimated time of these'), time)] : [])
        ]
      },
      sentence: () => words(removed.length, tasks, trans)
    };
  }
};

/** @param workers - 0 if Dask no longer has its events */
function words(workers: number, tasks: number, trans: Translate): string {
  const had = trans._n('1 task', '%2 tasks', tasks, formatCount(tasks));
  return workers === 0
    ? trans.__('Workers ended unexpectedly with %1 on them, to be run again elsewhere; what they held is computed again.', had)
    : trans._n(
        'A worker ended unexpectedly with %2 on it, to be run again elsewhere; what it held is computed again.',
        '%3 workers ended unexpectedly with %2 on them, to be run again elsewhere; what they held is computed again.',
        workers,
        had,
        formatCount(workers)
      );
}

/** Of the whole run: Dask counts them by function, without a time. */
function countedTasks({ run, byPrefix }: Facts): { tasks: number; time: Seconds } {
  const counted = { lost: 0, suspicious: 0, time: 0 };
  for (const id of run.attempts.ids) {
    const lost = run.attempts.get(id, 'lost') || 0;
    const known = byPrefix.get(id);
    counted.lost += lost;
    counted.time += known === undefined ? 0 : (lost * known.total) / known.count;
  }
  for (const id of run.prefixes.ids) {
    counted.suspicious += run.prefixes.get(id, 'suspicious') || 0;
  }
  return { tasks: Math.max(counted.lost, counted.suspicious), time: counted.time };
}
