import { formatCount, formatDuration } from '../../../base/format';
import { oneLine } from '../../../plot/text';
import type { Translate } from '../../../plot/plot';
import { unreadGraphs } from '../../../selectors/events/message';
import { executionStatistics, type FunctionStatistics } from '../../../selectors/selection/statistics';
import { count, seconds } from '../../figures';
import { clippedTo, type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { within } from '../../spans';

/** Tasks end with an error, or never run because of one. */
export const failures: Rule = {
  cause: 'failures',
  theme: 'compute',
  workload: 'failures.py',
  recognised:
    'Executions ended with an error, tasks erred because the workers that ran them ended (KilledWorker), or the scheduler could ' +
    'not read a graph, so that none of its tasks ran. The time of executions counts as wasted.',
  needs: ['tasks'],
  thresholds: [{ value: 1, unit: 'count', of: 'such failures', source: 'the work of a task that fails is wasted' }],
  link: 'https://distributed.dask.org/en/stable/task-launch.html',
  title: trans => trans.__('Tasks end with an error'),
  remedy: trans =>
    trans.__(
      'Select the erred tasks to see their exception. Tasks that need them do not run; retries= helps if the cause is temporary.'
    ),
  find: facts => {
    const { run, trans, executions, period } = facts;
    const { erred } = executions;
    const killed = killedIn(facts);
    const graphs = unreadIn(facts);
    if (erred + killed + graphs === 0) {
      return null;
    }
    const failed = executionStatistics(run, selecting({ period, erred: true }));
    const time = failed.functions.reduce((sum, each) => sum + each.total, 0);
    return {
      claims: { compute: time },
      confidence: 'high',
      always: true,
      evidence: {
        selection: selecting(erred > 0 ? { period: clippedTo(period, failed.span), erred: true } : { period }),
        plot: erred > 0 ? 'task-stream' : killed > 0 ? 'errors' : 'events',
        figures: [
          count(trans.__('Erred executions'), erred),
          count(trans.__('Of'), executions.count),
          seconds(trans.__('Wasted computing time'), time),
          ...(killed > 0 ? [count(trans.__('Tasks whose workers ended'), killed)] : []),
          ...(graphs > 0 ? [count(trans.__('Graphs that could not be read'), graphs)] : [])
        ]
      },
      sentence: () =>
        [
          ...(erred > 0
            ? [
                trans._n(
                  '1 execution of %2 ended with an error, %3: %4 of computing were wasted.',
                  '%5 executions of %2 ended with an error, %3: %4 of computing were wasted.',
                  erred,
                  formatCount(executions.count),
                  whose(failed.functions, erred, trans),
                  formatDuration(time),
                  formatCount(erred)
                )
              ]
            : []),
          ...(killed > 0
            ? [
                trans._n(
                  '1 task erred because the workers that ran it ended (KilledWorker).',
                  '%1 tasks erred because the workers that ran them ended (KilledWorker).',
                  killed,
                  formatCount(killed)
                )
              ]
            : []),
          ...(graphs > 0
            ? [
                trans._n(
                  'The scheduler could not read 1 graph: its tasks erred without running.',
                  'The scheduler could not read %1 graphs: their tasks erred without running.',
                  graphs,
                  formatCount(graphs)
                )
              ]
            : [])
        ].join(' ')
    };
  }
};

/** "all of load", "mostly of load", "of load, store and others". */
function whose(functions: readonly FunctionStatistics[], erred: number, trans: Translate): string {
  const failed = functions.filter(each => each.erred > 0).sort((a, b) => b.erred - a.erred);
  const [first, second] = failed.map(({ name }) => oneLine(name, 60));
  if (failed.length < 2) {
    return trans.__('of %1', first ?? '?');
  }
  if (failed[0].erred > erred / 2) {
    return trans.__('mostly of %1', first);
  }
  return failed.length === 2 ? trans.__('of %1 and %2', first, second) : trans.__('of %1, %2 and others', first, second);
}

/** Tasks that failed since the workers that ran them ended; such an attempt is no execution. */
export function killedIn(facts: Facts): number {
  return facts.run.errors.list
    .filter(({ deaths, kind, first, last }) => deaths > 0 && kind === 'erred' && (within(facts, first) || within(facts, last)))
    .reduce((sum, each) => sum + each.count, 0);
}

/** Graphs of the period that the scheduler could not read. */
function unreadIn(facts: Facts): number {
  return unreadGraphs(facts.run).filter(({ time }) => within(facts, time)).length;
}
