import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { threadsText } from '../../selectors/workers/running-count';
import { isGoneCode } from '../../selectors/workers/worker-rows';

/** Mean number of threads busy with each function, in equal time intervals. */
export interface BusyThreads {
  readonly from: Seconds;
  readonly to: Seconds;
  /** By prefix id, in order of their colours; one value per interval. */
  readonly byPrefix: ReadonlyMap<number, Float32Array>;
}

/**
 * Which functions kept threads busy between two moments.
 *
 * One pass over the executions in this time, starting from the newest, so that long histories add no cost. Tasks that
 * have not ended count up to the end; those that have seceded hold no thread.
 *
 * @param stretches - number of time intervals, at least 1
 */
export function busyThreads(
  { tasks, running }: Pick<Run, 'tasks' | 'running'>,
  from: Seconds,
  to: Seconds,
  stretches: number
): BusyThreads {
  const byPrefix = new Map<number, Float32Array>();
  const length = (to - from) / stretches;
  for (const lane of tasks.lanes) {
    for (const chunk of lane?.compute.chunks ?? []) {
      if (chunk.length === 0 || chunk.end <= from || chunk.first >= to) {
        continue;
      }
      for (let i = 0; i < chunk.length; i++) {
        const start = Math.max(from, chunk.startOf(i));
        const end = Math.min(to, chunk.startOf(i) + chunk.durationOf(i));
        if (end > start) {
          spread(shareOf(byPrefix, chunk.labelOf(i), stretches), (start - from) / length, (end - from) / length);
        }
      }
    }
  }
  for (const { prefix, start, seceded } of running.list) {
    const begin = Math.max(from, start);
    if (!seceded && to > begin) {
      spread(shareOf(byPrefix, prefix, stretches), (begin - from) / length, (to - from) / length);
    }
  }
  return { from, to, byPrefix: new Map([...byPrefix].sort(([a], [b]) => a - b)) };
}

/**
 * Mean number of threads of the workers that were there, in the same intervals; where none is known, the most of all
 * intervals.
 */
export function presentThreads(
  { workers, workerNames }: Pick<Run, 'workers' | 'workerNames'>,
  { from, to }: BusyThreads,
  stretches: number
): Float32Array {
  const threads = new Float32Array(stretches);
  const length = (to - from) / stretches;
  for (const id of workers.ids) {
    const left = isGoneCode(workers.get(id, 'status')) ? workers.get(id, 'left') : to;
    const start = Math.max(from, workerNames[id]?.joined ?? from);
    const end = Math.min(to, Number.isFinite(left) ? left : workers.get(id, 'last_seen'));
    const count = workers.get(id, 'nthreads');
    if (end > start && count > 0) {
      const present = new Float32Array(stretches);
      spread(present, (start - from) / length, (end - from) / length);
      for (let i = 0; i < stretches; i++) {
        threads[i] += present[i] * count;
      }
    }
  }
  const most = threads.reduce((found, count) => Math.max(found, count), 0);
  return threads.map(count => count || most || 1);
}

/** The functions that kept the most threads busy, with the mean number of them. */
export function busiest({ byPrefix }: BusyThreads, names: readonly string[]): string {
  const means = [...byPrefix].map(([prefix, shares]) => ({
    name: names[prefix] ?? '',
    mean: shares.reduce((sum, share) => sum + share, 0) / shares.length
  }));
  const most = means.sort((a, b) => b.mean - a.mean).slice(0, 3);
  return most.map(({ name, mean }) => `${name} ${threadsText(mean)}`).join(', ');
}

function shareOf(byPrefix: Map<number, Float32Array>, prefix: number, stretches: number): Float32Array {
  let shares = byPrefix.get(prefix);
  if (shares === undefined) {
    shares = new Float32Array(stretches);
    byPrefix.set(prefix, shares);
  }
  return shares;
}

/** Add an execution, in units of intervals, to the intervals that it overlaps. */
function spread(shares: Float32Array, start: number, end: number): void {
  const last = Math.min(shares.length - 1, Math.ceil(end) - 1);
  for (let i = Math.floor(start); i <= last; i++) {
    shares[i] += Math.min(end, i + 1) - Math.max(start, i);
  }
}
