/** Finds the target at a point of the picture, and the position of a target. */
import { countLeading } from '../../base/arrays';
import type { CssPixels, DevicePixels, Seconds } from '../../base/units';
import { type Found, intervalAt } from '../../run/lanes/lane-search';
import type { RunningTask } from '../../run/tables/running';
import type { PastCell } from '../../run/lanes/past/past';
import type { Lane, TaskStore } from '../../run/lanes/task-store';
import { type Band, bandBottom } from './lanes/layout';
import type { Box } from './paint/overlay';
import type { Viewport } from './time/viewport';

/** An interval on the screen. */
export interface Target {
  readonly band: Band;
  readonly kind: 'compute' | 'move' | 'running' | 'group' | 'past';
  readonly interval: Found;
  /** Present if single intervals are no longer kept here: sums over this time, of transfers and I/O or of computations. */
  readonly past?: { readonly cell: PastCell; readonly moves: boolean };
  /** Running task at the point, and how many others ran on its worker at that time. */
  readonly running?: { readonly task: RunningTask; readonly others: number };
}

/** A moment of lanes that are drawn as one. */
export function groupTarget(band: Band, time: Seconds): Target {
  const interval = { row: -1, start: time, duration: 0, label: 0, erred: false, depth: 0, detail: 0 };
  return { band, kind: 'group', interval };
}

/** Maximum distance of the pointer from a block: blocks may be narrower than a pixel. */
export const REACH: CssPixels = 1.5;

/** The band at a height of the content; bands are sorted. `null` between bands. */
export function bandAt(bands: readonly Band[], y: DevicePixels): Band | null {
  const band = bands[countLeading(bands.length, i => bandBottom(bands[i]) <= y)];
  return band !== undefined && band.top <= y ? band : null;
}

/**
 * The interval at a point.
 *
 * @param y - from the top of the content
 */
export function pick(
  tasks: TaskStore,
  bands: readonly Band[],
  viewport: Viewport,
  x: DevicePixels,
  y: DevicePixels,
  ratio: number
): Target | null {
  const band = bandAt(bands, y);
  if (band?.group !== undefined) {
    return groupTarget(band, viewport.timeOf(x));
  }
  const lane = band === null ? undefined : tasks.lanes[band.lane];
  if (band === null || lane === undefined) {
    return null;
  }
  const time: Seconds = viewport.timeOf(x);
  const reach: Seconds = REACH * ratio * viewport.perColumn;
  const onMoves = band.movesHeight === 0 || (y >= band.movesTop && y < band.movesTop + band.movesHeight);
  const move = onMoves && lane.moves !== null ? intervalAt(lane.moves, time, reach, 0) : null;
  if (move !== null) {
    return { band, kind: 'move', interval: move };
  }
  const layer = band.layers > 1 ? Math.floor((y - band.top) / band.layerHeight) : 0;
  const task = intervalAt(lane.compute, time, reach, layer);
  return task === null
    ? pastTarget(band, lane, time, reach, onMoves && band.movesHeight > 0)
    : { band, kind: 'compute', interval: task };
}

/** @param moves - whether the point is in the row of transfers and I/O */
function pastTarget(band: Band, { compute, moves: moved }: Lane, time: Seconds, reach: Seconds, moves: boolean): Target | null {
  const cell = (moves ? moved : compute)?.past?.at(time, reach) ?? null;
  if (cell === null) {
    return null;
  }
  const { from, to, label, erred } = cell;
  const interval = { row: -1, start: from, duration: to - from, label, erred: erred > 0, depth: 0, detail: 0 };
  return { band, kind: 'past', interval, past: { cell, moves } };
}

/** Position of a target, from the top of the window. */
export function boxOf(target: Target, viewport: Viewport, scroll: DevicePixels): Box {
  const { band, interval } = target;
  const from = Math.max(-8, viewport.columnOf(interval.start));
  const to = Math.min(viewport.width + 8, viewport.columnOf(interval.start + interval.duration));
  const layer = band.group === undefined ? Math.min(interval.depth, band.layers - 1) : 0;
  const move = (target.kind === 'move' || target.past?.moves === true) && band.movesHeight > 0;
  const all = band.group !== undefined || target.kind === 'past';
  return {
    x: Math.round(from),
    y: (move ? band.movesTop : band.top + layer * band.layerHeight) - scroll,
    width: Math.max(1, Math.round(to) - Math.round(from)),
    height: move ? band.movesHeight : band.layerHeight * (all ? band.layers : 1)
  };
}
