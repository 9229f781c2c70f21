/** Keyboard navigation between tasks. */
import type { Seconds } from '../../base/units';
import { type Found, neighbour } from '../../run/lanes/lane-search';
import type { TaskStore } from '../../run/lanes/task-store';
import type { Band } from './lanes/layout';
import { groupTarget, type Target } from './picking';

/** The task nearest to a time, in the first of the given bands that has one; a group is reached as a whole. */
export function firstTask(tasks: TaskStore, bands: readonly Band[], time: Seconds): Target | null {
  for (const band of bands) {
    if (band.group !== undefined) {
      return groupTarget(band, time);
    }
    const found = nearest(tasks, band.lane, time);
    if (found !== null) {
      return { band, kind: 'compute', interval: found };
    }
  }
  return null;
}

/** The next (`step` 1) or previous (-1) task of the same lane. */
export function taskNextTo(tasks: TaskStore, target: Target, step: -1 | 1): Target | null {
  const track = tasks.lanes[target.band.lane]?.compute;
  const found = track === undefined ? null : neighbour(track, target.interval.start, target.interval.row, step);
  return found === null ? null : { band: target.band, kind: 'compute', interval: found };
}

/**
 * The task at about the same time in the next lane below (`step` 1) or above (-1) that has one. The row of running tasks is
 * between lanes, and none itself.
 */
export function taskAcross(tasks: TaskStore, bands: readonly Band[], target: Target, step: -1 | 1): Target | null {
  const { top } = target.band;
  const ahead = step === 1 ? bands.filter(band => band.top > top) : bands.filter(band => band.top < top).reverse();
  return firstTask(tasks, ahead, target.interval.start + target.interval.duration / 2);
}

function nearest(tasks: TaskStore, lane: number, time: Seconds): Found | null {
  const track = tasks.lanes[lane]?.compute;
  if (track === undefined) {
    return null;
  }
  const last = neighbour(track, time, Number.POSITIVE_INFINITY, -1);
  const next = neighbour(track, time, Number.POSITIVE_INFINITY, 1);
  const away = last === null ? Number.POSITIVE_INFINITY : time - last.start - last.duration;
  return next !== null && next.start - time < away ? next : last;
}
