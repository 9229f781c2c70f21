/** How many threads a group had, of workers that came and left: a worker that was restarted is another one on the same host. */
import type { Seconds } from '../../../base/units';
import type { Run } from '../../../run/run';
import { threadsOf, type WorkerLanes } from '../lanes/lanes';
import type { Group } from '../lanes/layout';
import { leftAtOrNever } from '../lanes/lane-words';

function stayOf(run: Run, { worker }: WorkerLanes): readonly [from: Seconds, to: Seconds] {
  return [run.workerNames[worker]?.joined ?? Number.NEGATIVE_INFINITY, leftAtOrNever(run, worker)];
}

/** Add threads that were there from one place to another, in columns; a part of a column counts by this part. */
export function addThreads(columns: Float64Array, threads: number, begin: number, end: number): void {
  for (let column = Math.floor(begin); column < end; column++) {
    columns[column] += threads * (Math.min(end, column + 1) - Math.max(begin, column));
  }
}

/** Threads in the columns `from` to `to` (exclusive); those that were there for a part of a column count by this part. */
export function threadsBy(
  run: Run,
  { workers }: Group,
  columnOf: (time: Seconds) => number,
  from: number,
  to: number
): Float64Array {
  const threads = new Float64Array(to - from);
  for (const worker of workers) {
    const [begin, end] = stayOf(run, worker).map(time => Math.min(to, Math.max(from, columnOf(time))));
    addThreads(threads, threadsOf([worker]), begin - from, end - from);
  }
  return threads;
}

/** Threads at a moment. */
export function threadsAt(run: Run, { workers }: Group, time: Seconds): number {
  return threadsOf(
    workers.filter(worker => {
      const [from, to] = stayOf(run, worker);
      return from <= time && time <= to;
    })
  );
}
