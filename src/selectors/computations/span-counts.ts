/**
 * Progress of the parts of work that users named with `distributed.span`. The tasks of a computation belong to the span
 * of its graphs; how many of them wait and how many run is not known by span.
 */
import type { Seconds } from '../../base/units';
import { oneLine } from '../../plot/text';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { everyPrefixCounts } from '../tasks/prefix-counts';
import { isSettled } from './counts';
import type { RowCounts } from './group-counts';

/** Tasks of one computation. */
interface Share {
  readonly all: number;
  readonly active: number;
  readonly erred: number;
}

/** Whether any work has a name. */
export function usesSpans(run: Run): boolean {
  return run.computations.list.some(({ span }) => span !== '');
}

/** Tasks whose executions are not counted by computation. */
export function unfollowedTasks(run: Run): number {
  return run.computations.list.reduce((sum, { values }) => sum + (values.unfollowed || 0), 0);
}

/** Counts of each span, and of work without one, in order of first appearance. */
export function spanCounts(run: Run, trans: Translate): readonly RowCounts[] {
  const bySpan = new Map<string, Computation[]>();
  for (const computation of [...run.computations.list].reverse()) {
    const before = bySpan.get(computation.span);
    if (before === undefined) {
      bySpan.set(computation.span, [computation]);
    } else {
      before.push(computation);
    }
  }
  // Once for all of them: there may be 1,000 computations and 5,000 functions.
  const now = new Map(everyPrefixCounts(run).map(each => [each.id, each.ever.erred]));
  return [...bySpan]
    .map(([name, computations]) => {
      const label = name === '' ? trans.__('without a span') : oneLine(name) || '?';
      return counts(run, computations[0].id, label, computations, now);
    })
    .filter(each => each.all > 0);
}

/** Number of errors of finished computations that no longer count because a retry succeeded. */
function mended(run: Run, computations: readonly Computation[], now: ReadonlyMap<number, number>): number {
  const byFunction = new Map<number, number>();
  for (const { id } of computations.filter(each => isSettled(run, each))) {
    for (const { prefix, failed } of run.computations.functionsOf(id)) {
      byFunction.set(prefix, (byFunction.get(prefix) ?? 0) + failed);
    }
  }
  return [...byFunction].reduce((sum, [prefix, failed]) => sum + Math.max(0, failed - (now.get(prefix) ?? failed)), 0);
}

function shareOf(run: Run, { id, values }: Computation): Share {
  const functions = run.computations.functionsOf(id);
  const sum = (name: 'tasks' | 'dropped' | 'left' | 'failed'): number => functions.reduce((all, each) => all + each[name], 0);
  const followed = values.tasks - (values.unfollowed || 0);
  if (sum('tasks') === followed) {
    return { all: followed - sum('dropped'), active: sum('left'), erred: sum('failed') };
  }
  // It has more functions than are kept.
  const all = Math.max(0, followed - (values.dropped || 0));
  return { all, active: values.left || 0, erred: Math.min(values.erred || 0, all - (values.left || 0)) };
}

function counts(
  run: Run,
  id: number,
  label: string,
  computations: readonly Computation[],
  now: ReadonlyMap<number, number>
): RowCounts {
  const shares = computations.map(each => shareOf(run, each));
  const sum = (name: keyof Share): number => shares.reduce((total, each) => total + Math.max(0, each[name] || 0), 0);
  const [all, active] = [sum('all'), sum('active')];
  const erred = Math.max(0, sum('erred') - mended(run, computations, now));
  const done = Math.max(0, all - active - erred);
  const time = (name: 'since' | 'last' | 'stop'): readonly Seconds[] =>
    computations.map(({ values }) => values[name]).filter(Number.isFinite);
  const unknown = Number.NaN;
  return {
    ...{ id, kind: 'span', prefix: -1, label, done, active, erred, all, released: done },
    ...{ memory: unknown, memoryKnown: true, processing: unknown, queued: unknown, noWorker: unknown, waiting: unknown },
    statesKnown: true,
    ever: { done, memory: unknown, erred, cancelled: 0, all },
    since: Math.min(...time('since')),
    until: active > 0 ? 0 : Math.max(...time('last'), ...time('stop')),
    order: id
  };
}
