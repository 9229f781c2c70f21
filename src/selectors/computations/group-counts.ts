/** Progress of task groups: the states of their tasks. */
import { oneLine } from '../../plot/text';
import type { GroupsColumn } from '../../feed/schema';
import type { Run } from '../../run/run';
import type { PrefixCounts } from '../tasks/prefix-counts';

/** Counts of what has a row in progress. */
export interface RowCounts extends PrefixCounts {
  readonly kind: 'function' | 'group' | 'span';
  /** Index of its function into the run's dictionary; -1 for a span, which has several. */
  readonly prefix: number;
}

const cache = new WeakMap<Run, { version: string; counts: readonly RowCounts[] }>();

/** Counts of every task group with tasks, in order of arrival. */
export function groupCounts(run: Run): readonly RowCounts[] {
  const version = `${run.version('groups')} ${run.clock.latest}`;
  const last = cache.get(run);
  if (last?.version === version) {
    return last.counts;
  }
  const ids = [...run.groups.rows.ids].sort((a, b) => a - b);
  const counts = ids.map(id => read(run, id)).filter(each => each.all > 0);
  cache.set(run, { version, counts });
  return counts;
}

function read(run: Run, id: number): RowCounts {
  const value = (column: GroupsColumn): number => run.groups.rows.get(id, column) || 0;
  const [processing, queued, noWorker, waiting] = [value('processing'), value('queued'), value('no_worker'), value('waiting')];
  const active = processing + queued + noWorker + waiting;
  const [memory, failed, cancelled] = [value('memory'), value('forgotten_erred'), value('cancelled')];
  // Dask counts a task as forgotten whatever its last state was.
  const released = value('released') + Math.max(0, value('forgotten') - failed - cancelled);
  const [done, erred] = [released + memory, value('erred') + failed];
  const all = done + erred + active;
  const [start, stop] = [value('start'), value('stop')];
  return {
    ...{ id, kind: 'group', prefix: value('prefix'), label: oneLine(String(run.groupNames[id] ?? '')) || '?' },
    ...{ released, memory, memoryKnown: true, erred, processing, queued, noWorker, waiting, done, active, all },
    statesKnown: true,
    ever: { done, memory, erred, cancelled, all },
    since: start > 0 ? start : run.clock.latest,
    until: active > 0 ? 0 : stop > 0 ? stop : Number.NaN,
    order: id
  };
}
