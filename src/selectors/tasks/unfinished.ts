/** How many tasks have not ended, where executions arrive more often than the counts of functions. */
import type { TaskState } from '../../feed/schema';
import type { Run } from '../../run/run';

/** States of tasks that have not ended. */
export const UNFINISHED_STATES: readonly TaskState[] = ['waiting', 'queued', 'no-worker', 'processing'];
/** The columns of the feed that count them. */
export const UNFINISHED_COLUMNS = ['waiting', 'queued', 'no_worker', 'processing'] as const;

/** The executions of a lane are nearly in the order in which they ended: so many older ones in a row end the search for new ones. */
const OLDER = 8;

/**
 * How many tasks of all functions have not ended: Dask's counts, less those that have ended since they were read. Where more tasks
 * of a function have ended since than were unfinished then, others have come meanwhile: as many are taken to be there as then.
 */
export function unfinishedCount(run: Run): number {
  const since = endedSince(run);
  return run.prefixes.ids.reduce((all, id) => {
    const open = UNFINISHED_COLUMNS.reduce((sum, column) => sum + (run.prefixes.get(id, column) || 0), 0);
    const ended = since.get(id) ?? 0;
    return all + (ended > open ? open : open - ended);
  }, 0);
}

/** Executions that the counts of functions do not know of yet, by function. */
function endedSince({ tasks, prefixes }: Run): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  if (tasks.nextRow <= prefixes.counted) {
    return found;
  }
  for (const lane of tasks.lanes) {
    let older = 0;
    for (const chunk of [...(lane?.compute.chunks ?? [])].reverse()) {
      for (let i = chunk.length - 1; i >= 0 && older < OLDER; i--) {
        const [row, prefix] = [chunk.rowOf(i), chunk.labelOf(i)];
        older = row < prefixes.counted ? older + 1 : 0;
        // Functions are counted, and arrive, one after the other where there are many.
        if (row >= (prefixes.get(prefix, 'counted') || prefixes.counted)) {
          found.set(prefix, (found.get(prefix) ?? 0) + 1);
        }
      }
    }
  }
  return found;
}
