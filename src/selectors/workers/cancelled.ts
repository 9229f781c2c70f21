/** Threads that still run cancelled tasks: Python cannot stop a thread, and Dask counts these tasks nowhere. */
import { formatCount } from '../../base/format';
import type { Translate } from '../../plot/plot';

/** What is asked of a worker. */
interface Threads {
  readonly nthreads: number;
  readonly executing: number;
  /** Those of `executing` that occupy no thread; NaN if that is not known. */
  readonly seceded: number;
  readonly cancelled: number;
}

/** Tasks of a worker that each occupy one of its threads; NaN if that is not known. */
function occupied({ executing, seceded }: Threads): number {
  return Math.max(0, executing - (seceded || 0));
}

/** Threads of a worker that a cancelled task keeps; 0 if that is not known. */
export function keptThreads(row: Threads): number {
  return Math.max(0, Math.min(row.cancelled || 0, row.nthreads - (occupied(row) || 0)) || 0);
}

/** Threads of a worker that run something, wanted or not; NaN if that is not known. */
export function busyThreadsOf(row: Threads): number {
  return Math.min(occupied(row), row.nthreads) + keptThreads(row);
}

/** "2 threads still run cancelled tasks"; nothing if none does. */
export function cancelledWords(rows: readonly Threads[], trans: Translate): readonly string[] {
  const kept = rows.reduce((sum, row) => sum + keptThreads(row), 0);
  return kept > 0
    ? [trans._n('1 thread still runs a cancelled task', '%2 threads still run cancelled tasks', kept, formatCount(kept))]
    : [];
}
