/** Seconds that workers spent on the tasks of each function, as summed by the scheduler, or those of the selected tasks. */
import { formatCount } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Kind } from '../../feed/schema';
import { grownBy, type Sums } from '../../run/cleared';
import type { Run } from '../../run/run';
import type { FunctionValue } from '../../charts/bars/function-bars';
import type { PlotContext, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import { clearedAt } from '../../selectors/since-cleared';
import { earlierTasks } from '../../selectors/tasks/past-words';
import { everyPrefixCounts, knowsAllTasks } from '../../selectors/tasks/prefix-counts';
import type { FunctionStatistics } from '../../selectors/selection/statistics';
import { isOfSelected, selectedFunctions } from './selected-time';

/** Columns of topic `prefixes` by kind: Dask's `TaskPrefix.all_durations`. */
const COLUMNS = {
  compute: 'compute',
  transfer: 'transfer',
  'disk-read': 'disk_read',
  'disk-write': 'disk_write',
  deserialize: 'deserialize'
} as const satisfies Readonly<Record<Kind, string>>;

/** A function and the compute time of its tasks, summed over all threads. */
export interface FunctionTime extends FunctionValue {
  readonly value: Seconds;
  /** Tasks of the whole run with a result, of which {@link value} is, or the selected ones. */
  readonly tasks: number;
  /** Dask's moving average for one task; NaN if there is none. */
  readonly recent: Seconds;
  /** The selected ones; `null` for the whole run. */
  readonly selected: FunctionStatistics | null;
}

function spent(run: Run, id: number, kind: Kind): Seconds {
  const seconds = run.prefixes.get(id, COLUMNS[kind]);
  return Number.isFinite(seconds) ? seconds : 0;
}

/** A sum of one function, in what a cleared history begins from. */
function sumOf(what: Kind | 'done', id: number): string {
  return `${what} ${id}`;
}

/** What a cleared history of the time of some kinds begins from. */
export function timeSums(run: Run, kinds: readonly Kind[]): Sums {
  const times = run.prefixes.ids.flatMap(id => kinds.map(kind => [sumOf(kind, id), spent(run, id, kind)] as const));
  return Object.fromEntries(times.filter(([, seconds]) => seconds > 0));
}

/** What a cleared history of compute times begins from. */
export function computeSums(run: Run): Sums {
  const done = everyPrefixCounts(run).map(({ id, ever }) => [sumOf('done', id), ever.done] as const);
  return { ...timeSums(run, ['compute']), ...Object.fromEntries(done.filter(([, count]) => count > 0)) };
}

/**
 * Since when the times count. Of a scheduler that takes no collector, executions are known from the first request on, and a
 * recording begins later.
 */
export function sinceStart(run: Run, trans: Translate): string {
  return knowsAllTasks(run)
    ? trans.__('since the scheduler or the recording started, or the last restart')
    : trans.__(
        'since Dask Panes first asked or the recording started: this scheduler does not report the times of earlier tasks'
      );
}

/**
 * That the numbers of tasks beside the times are of other tasks. Dask keeps the times of those that it had forgotten before it was
 * observed, but not whether they had ended with a result.
 */
export function uncountedNotes(run: Run, context: PlotContext): readonly string[] {
  const { trans } = context;
  const earlier = earlierTasks(run);
  if (earlier === 0 || clearedAt(run, context) !== null) {
    return [];
  }
  const count = formatCount(earlier);
  return [
    knowsAllTasks(run)
      ? trans._n(
          'the time of 1 task that ended before the observation began is counted if it had a result, but perhaps not the task',
          'the times of up to %2 tasks that ended before the observation began are counted, but perhaps not all of these tasks',
          earlier,
          count
        )
      : trans._n(
          '1 task that ended before may be among the tasks done, without its time',
          '%2 tasks that ended before may be among the tasks done, without their times',
          earlier,
          count
        )
  ];
}

/** Functions with compute time. */
export function computeTimes(run: Run, context: Pick<PlotContext, 'options' | 'cleared'>): readonly FunctionTime[] {
  return isOfSelected(context) ? selectedTimes(run) : summedTimes(run, context.cleared);
}

function spentSince(run: Run, id: number, kind: Kind, cleared: PlotContext['cleared']): Seconds {
  return grownBy(run, cleared, sumOf(kind, id), spent(run, id, kind));
}

function summedTimes(run: Run, cleared: PlotContext['cleared']): readonly FunctionTime[] {
  // Also those whose newest tasks were all cancelled: their time is of all episodes.
  return everyPrefixCounts(run)
    .map(({ id, label, ever }) => {
      const recent = run.prefixes.get(id, 'duration_average');
      const value = spentSince(run, id, 'compute', cleared);
      const tasks = grownBy(run, cleared, sumOf('done', id), ever.done);
      return { id, label, tasks, value, recent: recent >= 0 ? recent : Number.NaN, selected: null };
    })
    .filter(each => each.value > 0);
}

function selectedTimes(run: Run): readonly FunctionTime[] {
  return selectedFunctions(run).map(selected => {
    const { prefix, name, count, total } = selected;
    return { id: prefix, label: oneLine(name), tasks: count, value: total, recent: Number.NaN, selected };
  });
}

/** Seconds of one kind, summed over all functions. */
export function kindTime(run: Run, kind: Kind, cleared: PlotContext['cleared']): Seconds {
  return run.prefixes.ids.reduce((sum, id) => sum + spentSince(run, id, kind, cleared), 0);
}

/** Functions sorted by the seconds spent on a kind, largest first. */
export function spenders(
  run: Run,
  kind: Kind,
  cleared: PlotContext['cleared']
): readonly { readonly label: string; readonly seconds: Seconds }[] {
  return everyPrefixCounts(run)
    .map(({ id, label }) => ({ label, seconds: spentSince(run, id, kind, cleared) }))
    .filter(each => each.seconds > 0)
    .sort((a, b) => b.seconds - a.seconds);
}
