/** Seconds that workers spent on the tasks of each function, as summed by the scheduler, or those of the selected tasks. */
import type { Seconds } from '../../base/units';
import type { Kind } from '../../feed/schema';
import type { Run } from '../../run/run';
import type { FunctionValue } from '../../charts/bars/function-bars';
import type { PlotContext } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import { everyPrefixCounts } from '../../selectors/tasks/prefix-counts';
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

/** Functions with compute time. */
export function computeTimes(run: Run, context: Pick<PlotContext, 'options'>): readonly FunctionTime[] {
  return isOfSelected(context) ? selectedTimes(run) : summedTimes(run);
}

function summedTimes(run: Run): readonly FunctionTime[] {
  // Also those whose newest tasks were all cancelled: their time is of all episodes.
  return everyPrefixCounts(run)
    .map(({ id, label, ever }) => {
      const recent = run.prefixes.get(id, 'duration_average');
      const value = spent(run, id, 'compute');
      return { id, label, tasks: ever.done, value, recent: recent >= 0 ? recent : Number.NaN, selected: null };
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
export function kindTime(run: Run, kind: Kind): Seconds {
  return run.prefixes.ids.reduce((sum, id) => sum + spent(run, id, kind), 0);
}

/** Functions sorted by the seconds spent on a kind, largest first. */
export function spenders(run: Run, kind: Kind): readonly { readonly label: string; readonly seconds: Seconds }[] {
  return everyPrefixCounts(run)
    .map(({ id, label }) => ({ label, seconds: spent(run, id, kind) }))
    .filter(each => each.seconds > 0)
    .sort((a, b) => b.seconds - a.seconds);
}
