import { formatCount, formatDuration } from '../../../base/format';
import { oneLine } from '../../../plot/text';
import type { Translate } from '../../../plot/plot';
import { unreadGraphs } from '../../../selectors/events/message';
import { stateOf } from '../../../selectors/tasks/computation-words';
import { executionStatistics, type FunctionStatistics } from '../../../selectors/selection/statistics';
import { atLeast, count, seconds } from '../../figures';
import { clippedTo, type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { within } from '../../spans';

/** Tasks end with an error, or never run because of one. */
export const failures: Rule = {
  cause: 'failures',
  theme: 'compute',
  workload: 'failures.py',
  recognised:
    'Executions ended with an error, tasks erred because workers that had them ended (KilledWorker), or the scheduler could ' +
    'not read a graph, so that none of its tasks ran. Tasks of the same computations that were never run are counted, too. The time of executions counts as wasted.',
  needs: ['tasks'],
  thresholds: [{ value: 1, unit: 'count', of: 'such failures', source: 'the work of a task that fails is wasted' }],
  link: 'https://distributed.dask.org/en/stable/task-launch.html',
  isHarm: true,
  title: trans => trans.__('Tasks end with an error'),
  remedy: trans =>
    trans.__(
      'Select the erred tasks to see their exception. Tasks that need them do not run; retries= helps if the cause is temporary.'
    ),
  find: facts => {
    const { run, trans, executions, period } = facts;
    const { erred } = executions;
    const { count: killed, atLeast: more } = killedIn(facts);
    const graphs = unreadIn(facts);
    if (erred + killed + graphs === 0) {
      return null;
    }
    const unrun = unrunIn(facts);
    const recovered = haveSucceeded(facts, erred + killed) && graphs === 0;
    const failed = executionStatistics(run, selecting({ period, erred: true }));
    const time = failed.functions.reduce((sum, each) => sum + each.total, 0);
    return {
      claims: [{ time: { compute: time }, spans: failed.span === null ? [] : [failed.span] }],
      confidence: 'high',
      always: true,
      ...(recovered ? { title: trans.__('Tasks erred at first') } : {}),
      remedy: remedyOf({ erred, killed, recovered }, trans),
      evidence: {
        selection: selecting(erred > 0 ? { period: clippedTo(period, failed.span), erred: true } : { period }),
        plot: erred > 0 ? 'task-stream' : killed > 0 ? 'errors' : 'events',
        figures: [
          count(trans.__('Erred executions'), erred),
          count(trans.__('Of'), executions.count),
          seconds(trans.__('Wasted computing time'), time),
          ...(killed > 0 ? [atLeast(count(trans.__('Tasks whose workers ended'), killed), more)] : []),
          ...(unrun > 0 ? [count(trans.__('Tasks that were never run'), unrun)] : []),
          ...(graphs > 0 ? [count(trans.__('Graphs that could not be read'), graphs)] : [])
        ]
      },
      sentence: () =>
        [
          ...(erred > 0
            ? [
                trans._n(
                  '1 of %2 executions ended with an error (%3). That wasted %4 of computing.',
                  '%5 of %2 executions ended with an error (%3). That wasted %4 of computing.',
                  erred,
                  formatCount(executions.count),
                  whose(failed.functions, erred, trans),
                  formatDuration(time),
                  formatCount(erred)
                )
              ]
            : []),
          ...(killed > 0 ? [killedWords(killed, more, trans)] : []),
          ...(recovered ? [trans.__('All of these tasks were tried again and have succeeded.')] : []),
          ...(unrun > 0
            ? [
                trans._n(
                  '1 task of the same computations was never run.',
                  '%2 tasks of the same computations were never run.',
                  unrun,
                  formatCount(unrun)
                )
              ]
            : []),
          ...(graphs > 0
            ? [
                trans._n(
                  'The scheduler could not read 1 graph: its tasks erred without running.',
                  'The scheduler could not read %2 graphs: their tasks erred without running.',
                  graphs,
                  formatCount(graphs)
                )
              ]
            : [])
        ].join(' ')
    };
  }
};

/** Where no execution has an exception to look at, it says what else there is. */
function remedyOf(
  { erred, killed, recovered }: { readonly erred: number; readonly killed: number; readonly recovered: boolean },
  trans: Translate
): string | undefined {
  if (erred > 0) {
    return recovered
      ? trans.__(
          'Select the erred executions to see their exception. If the cause is temporary, retries= repeats such tasks by itself.'
        )
      : undefined;
  }
  return killed > 0
    ? trans.__(
        'Find out why their workers ended: most often memory was short, or native code crashed; retries= does not help. The setting distributed.scheduler.allowed-failures says how many workers may end before Dask gives up.'
      )
    : trans.__(
        'The event says why. Most often the scheduler has another environment than the client: a module that the graph needs is missing, or Python or a package has another version.'
      );
}

function killedWords(killed: number, more: boolean, trans: Translate): string {
  return more
    ? trans._n(
        'At least 1 task erred because workers that had it ended (KilledWorker).',
        'At least %2 tasks erred because workers that had them ended (KilledWorker).',
        killed,
        formatCount(killed)
      )
    : trans._n(
        '1 task erred because workers that had it ended (KilledWorker).',
        '%2 tasks erred because workers that had them ended (KilledWorker).',
        killed,
        formatCount(killed)
      );
}

/** "load", "mostly load", "load and store", "load, store and others". */
function whose(functions: readonly FunctionStatistics[], erred: number, trans: Translate): string {
  const failed = functions.filter(each => each.erred > 0).sort((a, b) => b.erred - a.erred);
  const [first, second] = failed.map(({ name }) => oneLine(name, 60));
  if (failed.length < 2) {
    return first ?? '?';
  }
  if (failed[0].erred > erred / 2) {
    return trans.__('mostly %1', first);
  }
  return failed.length === 2 ? trans.__('%1 and %2', first, second) : trans.__('%1, %2 and others', first, second);
}

/** Tasks of a period that failed since workers that had them ended. */
export interface Killed {
  readonly count: number;
  /** Whether there may be more: of failures of the same kind, only the times of the first and the last are known. */
  readonly atLeast: boolean;
  /** How many workers that had it had died when each of them failed; NaN where that differs. */
  readonly deaths: number;
}

/** Tasks that failed since workers that had them ended; such an attempt is no execution. */
export function killedIn(facts: Facts): Killed {
  let [killed, more] = [0, false];
  const died = new Set<number>();
  for (const { deaths, kind, first, last, count: all } of facts.run.errors.list) {
    if (deaths > 0 && kind === 'erred') {
      const inside = Number(within(facts, first)) + Number(within(facts, last));
      const known = inside === 2 ? all : Math.min(all, inside);
      killed += known;
      if (known > 0) {
        died.add(deaths);
      }
      more ||= inside === 1 && all > 2;
    }
  }
  return { count: killed, atLeast: more, deaths: died.size === 1 ? Math.max(...died) : Number.NaN };
}

/** Whether all tasks that failed were tried again, and none is erred or left; false if that is not known of all. */
function haveSucceeded({ computations }: Facts, failures: number): boolean {
  const failed = computations.filter(({ values }) => values.erred > 0);
  const known = failed.reduce((sum, { values }) => sum + values.erred, 0);
  return known >= failures && failed.every(each => each.values.failed === 0 && stateOf(each) === 'finished');
}

/** Tasks that were never run, of the computations of the period in which others failed. */
function unrunIn({ computations }: Facts): number {
  return computations.reduce((sum, { values: { erred, dropped } }) => sum + (erred > 0 ? dropped || 0 : 0), 0);
}

/** Graphs of the period that the scheduler could not read. */
function unreadIn(facts: Facts): number {
  return unreadGraphs(facts.run).filter(({ time }) => within(facts, time)).length;
}
