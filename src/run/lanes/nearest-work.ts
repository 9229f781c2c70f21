/** Where executions are, seen from a period that has none. */
import type { Seconds } from '../../base/units';
import type { Period } from '../selection/selection';
import { eachBetween, type Found, neighbour } from './lane-search';
import type { TaskStore } from './task-store';

/** Whether no execution, transfer or I/O of any lane is in a period. */
export function isIdle(tasks: TaskStore, from: Seconds, to: Seconds): boolean {
  return !tasks.lanes.some(lane =>
    [lane?.compute, lane?.moves].some(track => {
      let any = false;
      if (track) {
        eachBetween(track, from, to, () => {
          any = true;
          return false;
        });
      }
      return any;
    })
  );
}

/**
 * The execution nearest to an idle period, before or after it; `null` if there is none.
 *
 * @param after - executions that ended by then do not count
 */
export function nearestWork(tasks: TaskStore, from: Seconds, to: Seconds, after: Seconds): Period | null {
  let best: Period | null = null;
  let distance = Number.POSITIVE_INFINITY;
  const consider = (found: Found | null): void => {
    const end = found === null ? Number.NaN : found.start + found.duration;
    const away = found === null ? Number.POSITIVE_INFINITY : found.start >= to ? found.start - to : from - end;
    if (found !== null && end > after && away < distance) {
      best = { from: found.start, to: end };
      distance = away;
    }
  };
  for (const lane of tasks.lanes) {
    if (lane !== undefined) {
      consider(neighbour(lane.compute, from, Number.POSITIVE_INFINITY, -1));
      consider(neighbour(lane.compute, to, Number.NEGATIVE_INFINITY, 1));
    }
  }
  return best;
}
