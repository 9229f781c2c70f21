/** Seconds that workers spent on the tasks of each function, as summed by the scheduler. */
import type { Seconds } from '../../base/units';
import type { Kind } from '../../feed/schema';
import type { Run } from '../../run/run';
import type { FunctionValue } from '../../charts/bars/function-bars';
import { prefixCounts } from '../../selectors/tasks/prefix-counts';

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
  /** Tasks with a result: {@link value} has no others. */
  readonly done: number;
  /** Dask's moving average for one task; NaN if there is none. */
  readonly recent: Seconds;
}

function spent(run: Run, id: number, kind: Kind): Seconds {
  const seconds = run.prefixes.get(id, COLUMNS[kind]);
  return Number.isFinite(seconds) ? seconds : 0;
}

/** Functions with compute time. */
export function computeTimes(run: Run): readonly FunctionTime[] {
  return prefixCounts(run)
    .map(({ id, label, ever }) => {
      const recent = run.prefixes.get(id, 'duration_average');
      return { id, label, done: ever.done, value: spent(run, id, 'compute'), recent: recent >= 0 ? recent : Number.NaN };
    })
    .filter(each => each.value > 0);
}

/** Seconds of one kind, summed over all functions. */
export function kindTime(run: Run, kind: Kind): Seconds {
  return run.prefixes.ids.reduce((sum, id) => sum + spent(run, id, kind), 0);
}

/** Functions sorted by the seconds spent on a kind, largest first. */
export function spenders(run: Run, kind: Kind): readonly { readonly label: string; readonly seconds: Seconds }[] {
  return prefixCounts(run)
    .map(({ id, label }) => ({ label, seconds: spent(run, id, kind) }))
    .filter(each => each.seconds > 0)
    .sort((a, b) => b.seconds - a.seconds);
}
