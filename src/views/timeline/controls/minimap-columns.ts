/** What a minimap shows in each column besides the executions. */
import type { Seconds } from '../../../base/units';
import type { FoldedTime } from '../../../run/folded-time';
import type { Run } from '../../../run/run';
import { addThreads } from '../groups/group-threads';
import { leftAtOrNever } from '../lanes/lane-words';
/** How many threads there were in each column, of which only a part of the time counts by this part. */
export function threadsBy(run: Run, map: FoldedTime, columns: number, from: Seconds, to: Seconds): Float64Array {
  const threads = new Float64Array(columns);
  run.workerNames.forEach(({ nthreads, joined = from }, worker) => {
    const begin = map.columnOf(Math.max(from, joined));
    const end = Math.min(columns, map.columnOf(Math.min(to, leftAtOrNever(run, worker))));
    addThreads(threads, nthreads, begin, end);
  });
  return threads;
}

/** How many tasks run in each column, to the end of the map; those that began within a column count by a part. */
export function runningBy({ running }: Run, map: FoldedTime, columns: number, from: Seconds): Float32Array {
  const counts = new Float32Array(columns + 1);
  for (const { start, seceded } of running.list) {
    const begin = map.columnOf(Math.max(from, start));
    const column = Math.floor(begin);
    // A task that has left the threads of its worker keeps none busy.
    if (!seceded && column >= 0 && column < columns) {
      counts[column] += column + 1 - begin;
      counts[column + 1] += begin - column;
    }
  }
  // So far each has what begins there; what began before goes on.
  for (let column = 1; column < columns; column++) {
    counts[column] += counts[column - 1];
  }
  return counts.slice(0, columns);
}
