import { formatCount } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { type EventMark, eventMarks } from '../../../selectors/events/marks';
import type { Translate } from '../../../plot/plot';
import { within } from '../../spans';
import { killedIn } from '../compute/failures';
import { fromIdle } from '../compute/retries';

/** A worker ends while it has tasks or results. */
export const lostWorker: Rule = {
  cause: 'lost-worker',
  theme: 'scheduling',
  workload: 'lost_worker.py',
  recognised:
    "A worker left unexpectedly while it had tasks, or results that were only there: Dask's log of events tells it. Workers " +
    'that say before that they close, as those of a cluster that is scaled down, were stopped. Where events of a whole run ' +
    'are missing, attempts that Dask counts as lost, or tasks as suspicious.',
  needs: ['attempts', 'prefixes', 'events'],
  thresholds: [{ value: 1, unit: 'count', of: 'tasks or results of a worker that ended', source: 'they run again, or fail' }],
  link: 'https://distributed.dask.org/en/stable/killed.html',
  title: trans => trans.__('A worker was lost'),
  remedy: trans =>
    trans.__(
      'See the log of the worker and of its host: most often memory was short, or native code crashed. Results that it held are computed again.'
    ),
  unknown: facts =>
    facts.whole || knowsEvents(facts) ? null : facts.trans.__('The scheduler no longer has its events of that time.'),
  find: facts => {
    const { trans, period } = facts;
    const removed = eventMarks(facts.run).filter(
      ({ kind, time, tasks, results }) => kind === 'lost' && tasks + results > 0 && within(facts, time)
    );
    const told = sumOf(removed, 'tasks');
    const results = sumOf(removed, 'results');
    const counted = facts.whole ? countedTasks(facts) : { tasks: 0, time: 0 };
    const known = knowsEvents(facts);
    const tasks = known ? told : Math.max(told, counted.tasks);
    if (tasks + results === 0) {
      return null;
    }
    // Those of workers that were stopped are counted with the others.
    const time = counted.time * Math.min(1, tasks / Math.max(1, counted.tasks));
    const at = removed[0]?.time ?? Number.NaN;
    const failed = killedIn(facts);
    return {
      claims: fromIdle(facts, time),
      confidence: known ? 'high' : 'low',
      doubt: known ? '' : trans.__('The scheduler no longer has all its events: these workers may have been stopped.'),
      always: true,
      evidence: {
        selection: selecting({ period: at < period.to ? { from: at, to: period.to } : period }),
        plot: 'events',
        figures: [
          ...(known ? [count(trans.__('Workers that ended'), removed.length)] : []),
          count(trans.__('Tasks that they had'), tasks),
          ...(known ? [count(trans.__('Results that were nowhere else'), results)] : []),
          ...(facts.whole ? [seconds(trans.__('Estimated time of these'), time)] : [])
        ]
      },
      sentence: () =>
        [
          known
            ? toldWords(removed.length, tasks, results, trans)
            : trans._n('1 task was on a worker that ended.', '%1 tasks were on workers that ended.', tasks, formatCount(tasks)),
          ...(failed > 0
            ? [
                trans._n(
                  '1 task erred, since it may not be tried again (KilledWorker).',
                  '%1 tasks erred, since they may not be tried again (KilledWorker).',
                  failed,
                  formatCount(failed)
                )
              ]
            : [])
        ].join(' ')
    };
  }
};

function toldWords(workers: number, tasks: number, results: number, trans: Translate): string {
  const had = trans._n('1 task', '%2 tasks', tasks, formatCount(tasks));
  const held = trans._n('1 result that was nowhere else', '%2 results that were nowhere else', results, formatCount(results));
  return trans._n(
    'A worker ended unexpectedly with %2: what is needed of that runs again.',
    '%3 workers ended unexpectedly with %2: what is needed of that runs again.',
    workers,
    tasks > 0 && results > 0 ? trans.__('%1 and %2', had, held) : tasks > 0 ? had : held,
    formatCount(workers)
  );
}

function sumOf(marks: readonly EventMark[], name: 'tasks' | 'results'): number {
  return marks.reduce((sum, each) => sum + each[name], 0);
}

/** Whether the log of events has the whole period. */
function knowsEvents({ run, period }: Facts): boolean {
  const [oldest] = run.events.list;
  return run.events.lost === 0 || (oldest !== undefined && oldest.time <= period.from);
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
