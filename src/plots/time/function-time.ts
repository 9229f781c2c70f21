/** Seconds that workers spent on the tasks of each function, as summed by the scheduler, or those of the selected tasks. */
import { formatCount } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Kind } from '../../feed/schema';
import { type Cleared, clearedOf, grownBy, type Sums } from '../../run/cleared';
import type { Run } from '../../run/run';
import type { FunctionValue } from '../../charts/bars/function-bars';
import type { PlotContext, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import { clearedAt } from '../../selectors/since-cleared';
import { earlierTasks } from '../../selectors/tasks/past-words';
import { everyPrefixCounts, knowsAllTasks, type PrefixCounts } from '../../selectors/tasks/prefix-counts';
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

/** Functions that are named beside the time of a kind; the plot of compute time has the others. */
export const NAMED = 5;

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

function spentSince(run: Run, id: number, kind: Kind, cleared: Cleared | null): Seconds {
  // There may be 100,000 functions, for each of which the name of a sum is a text of its own.
  return cleared === null ? spent(run, id, kind) : grownBy(run, cleared, sumOf(kind, id), spent(run, id, kind));
}

const summed = new WeakMap<
  readonly PrefixCounts[],
  { readonly cleared: Cleared | null; readonly times: readonly FunctionTime[] }
>();

function summedTimes(run: Run, since: PlotContext['cleared']): readonly FunctionTime[] {
  const cleared = clearedOf(run, since);
  // Also those whose newest tasks were all cancelled: their time is of all episodes.
  const counts = everyPrefixCounts(run);
  const known = summed.get(counts);
  if (known?.cleared === cleared) {
    return known.times;
  }
  const times = counts
    .map(({ id, label, ever }) => {
      const recent = run.prefixes.get(id, 'duration_average');
      const value = spentSince(run, id, 'compute', cleared);
      const tasks = cleared === null ? ever.done : grownBy(run, cleared, sumOf('done', id), ever.done);
      return { id, label, tasks, value, recent: recent >= 0 ? recent : Number.NaN, selected: null };
    })
    .filter(each => each.value > 0);
  summed.set(counts, { cleared, times });
  return times;
}

function selectedTimes(run: Run): readonly FunctionTime[] {
  return selectedFunctions(run).map(selected => {
    const { prefix, name, count, total } = selected;
    return { id: prefix, label: oneLine(name), tasks: count, value: total, recent: Number.NaN, selected };
  });
}

/** Seconds of one kind. */
export interface KindTime {
  /** Summed over all functions. */
  readonly seconds: Seconds;
  /** The functions on whose tasks most of it was spent, largest first. */
  readonly most: readonly { readonly label: string; readonly seconds: Seconds }[];
}

const byKind = new WeakMap<readonly PrefixCounts[], { readonly cleared: Cleared | null; readonly times: Map<Kind, KindTime> }>();

/** Seconds of one kind, and the functions that took most of it, at most {@link NAMED}. */
export function kindTime(run: Run, kind: Kind, since: PlotContext['cleared']): KindTime {
  const cleared = clearedOf(run, since);
  const counts = everyPrefixCounts(run);
  let known = byKind.get(counts);
  if (known?.cleared !== cleared) {
    known = { cleared, times: new Map() };
    byKind.set(counts, known);
  }
  const time = known.times.get(kind) ?? kindTimeOf(run, counts, kind, cleared);
  known.times.set(kind, time);
  return time;
}

function kindTimeOf(run: Run, counts: readonly PrefixCounts[], kind: Kind, cleared: Cleared | null): KindTime {
  let all: Seconds = 0;
  const most: { label: string; seconds: Seconds }[] = [];
  for (const { id, label } of counts) {
    const seconds = spentSince(run, id, kind, cleared);
    all += seconds;
    if (seconds > 0 && (most.length < NAMED || seconds > most[most.length - 1].seconds)) {
      const at = most.findIndex(each => each.seconds < seconds);
      most.splice(at < 0 ? most.length : at, 0, { label, seconds });
      most.length = Math.min(most.length, NAMED);
    }
  }
  return { seconds: all, most };
}
