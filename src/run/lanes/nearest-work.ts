/** Where executions are, seen from a period that has none. */
import type { Seconds } from '../../base/units';
import type { Period } from '../selection/selection';
import { eachBetween, type Found, neighbour } from './lane-search';
import type { TaskStore } from './task-store';

/** Whether no execution, transfer or I/O of any lane is in a period. */
export function isIdle(tasks: TaskStore, from: Seconds, to: Seconds): boolean {
  return !tasks.lanes.some(lane =>
    [lane?.compute, lane?.moves].some(track => {
      let any = track?.past?.touches(from, to) ?? false;
      if (track && !any) {
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
 * The execution nearest to an idle period, before or after it, or the cell of sums of executions that are no longer kept;
 * `null` if there is none.
 *
 * @param after - executions that ended by then do not count
 */
export function nearestWork(tasks: TaskStore, from: Seconds, to: Seconds, after: Seconds): Period | null {
  let best: Period | null = null;
  let distance = Number.POSITIVE_INFINITY;
  const consider = (found: Period | null): void => {
    const away = found === null ? Number.POSITIVE_INFINITY : found.from >= to ? found.from - to : from - found.to;
    if (found !== null && found.to > after && away < distance) {
      best = found;
      distance = away;
    }
  };
  const periodOf = (found: Found | null): Period | null =>
    found === null ? null : { from: found.start, to: found.start + found.duration };
  for (const lane of tasks.lanes) {
    if (lane !== undefined) {
      consider(periodOf(neighbour(lane.compute, from, Number.POSITIVE_INFINITY, -1)));
      consider(periodOf(neighbour(lane.compute, to, Number.NEGATIVE_INFINITY, 1)));
      consider(lane.compute.past?.nearest(to, 1) ?? null);
      consider(lane.compute.past?.nearest(from, -1) ?? null);
    }
  }
  return best;
}
