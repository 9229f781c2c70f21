import type { DevicePixels, Seconds } from '../../../base/units';
import type { Run } from '../../../run/run';
import type { Matcher } from '../../../run/selection/matcher';
import type { Period, Selection, ThreadName } from '../../../run/selection/selection';
import type { Point } from '../../canvas/canvas-stage';
import { type Band, bandBottom } from '../lanes/layout';
import type { Box } from '../paint/overlay';
import type { Target } from '../picking';
import type { Picture } from '../picture';

/** An edge that is not in view is drawn this far outside of it. */
const OUTSIDE: DevicePixels = 2;

/** What a brush selects. */
export type Brushed = Pick<Selection, 'period' | 'threads' | 'workers'>;

/** The period and the threads between two points of the plot; all threads if the brush touches every lane or none. */
export function brushed(picture: Picture, from: Point, to: Point): Brushed {
  const { camera, stage, arrangement, shown } = picture;
  const { ratio, scroll } = stage;
  const [left, right] = ordered(from.x * ratio, to.x * ratio);
  const [top, bottom] = ordered(from.y * ratio + scroll, to.y * ratio + scroll);
  const { viewport } = camera;
  const period: Period = {
    from: viewport.timeOf(Math.max(0, left)),
    to: viewport.timeOf(Math.max(Math.min(right, viewport.width), Math.max(0, left) + 1))
  };
  const { bands } = arrangement.layout;
  const touched = bands.filter(band => band.top < bottom && bandBottom(band) > top);
  return { period, ...rowsOf(shown.run, bands, touched) };
}

/** The time from the first to the last moment of two blocks, and the threads of their rows and of the rows between. */
export function spanned(picture: Picture, a: Target, b: Target): Brushed {
  const { camera, arrangement, shown } = picture;
  const { bands } = arrangement.layout;
  const from = Math.min(a.interval.start, b.interval.start);
  const to = Math.max(a.interval.start + a.interval.duration, b.interval.start + b.interval.duration);
  // Lanes that are drawn as one are reached at a moment, which has no length.
  const period: Period = { from, to: Math.max(to, from + camera.viewport.perColumn) };
  const [first, last] = ordered(rowNumber(bands, a.band), rowNumber(bands, b.band));
  return { period, ...rowsOf(shown.run, bands, bands.slice(Math.max(0, first), last + 1)) };
}

/**
 * The selected parts of the plot as rectangles; `null` if neither a period nor lanes are selected.
 *
 * @param margin - columns on each side of the window that count as in view
 */
export function boxesOf(picture: Picture, matcher: Matcher, margin: DevicePixels): readonly Box[] | null {
  const { camera, stage, arrangement } = picture;
  const { viewport } = camera;
  const { from, to, allLanes } = matcher;
  if (allLanes && from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) {
    return null;
  }
  const outside = margin + OUTSIDE;
  const column = (time: Seconds): number => Math.min(viewport.width + outside, Math.max(-outside, viewport.columnOf(time)));
  const x = column(from);
  const width = column(to) - x;
  if (allLanes) {
    return [{ x, y: -OUTSIDE, width, height: stage.height + 2 * OUTSIDE }];
  }
  return runsOf(arrangement.layout.bands, band => isSelected(matcher, band)).map(([top, bottom]) => ({
    x,
    y: top - stage.scroll,
    width,
    height: bottom - top
  }));
}

function isSelected(matcher: Matcher, { lane, worker, group }: Band): boolean {
  if (group !== undefined) {
    return group.lanes.some(each => matcher.lane(each)) || group.workers.some(each => matcher.unused(each.worker) > 0);
  }
  return lane >= 0 ? matcher.lane(lane) : matcher.unused(worker) > 0;
}

/** Neighbouring bands that fit, as spans from top to bottom. */
function runsOf(bands: readonly Band[], fits: (band: Band) => boolean): [top: DevicePixels, bottom: DevicePixels][] {
  const spans: [DevicePixels, DevicePixels][] = [];
  let open = false;
  for (const band of bands) {
    const now = fits(band);
    if (now && open) {
      spans[spans.length - 1][1] = bandBottom(band);
    } else if (now) {
      spans.push([band.top, bandBottom(band)]);
    }
    open = now;
  }
  return spans;
}

/** The threads of rows; all if these are all rows or none. */
function rowsOf(run: Run, bands: readonly Band[], rows: readonly Band[]): Pick<Selection, 'threads' | 'workers'> {
  const all = rows.length === bands.length || rows.length === 0;
  return { threads: all ? null : rows.flatMap(band => threadsOf(run, band)), workers: null };
}

/** Whether the row of a block is shown: that of a worker that has left is not, where nothing of it is in view. */
export function hasRow({ arrangement }: Picture, { band }: Target): boolean {
  return rowNumber(arrangement.layout.bands, band) >= 0;
}

/** Number of the row that shows the lane of a block now, also if rows have moved since; -1 if there is none. */
function rowNumber(bands: readonly Band[], { lane, worker, group }: Band): number {
  const [own = lane] = group?.lanes ?? [];
  if (own >= 0) {
    return bands.findIndex(band => band.lane === own || band.group?.lanes.includes(own) === true);
  }
  const id = group?.workers[0]?.worker ?? worker;
  return bands.findIndex(band => band.worker === id || band.group?.workers.some(each => each.worker === id) === true);
}

function threadsOf(run: Run, { worker, lane, group }: Band): ThreadName[] {
  const rows = group?.workers.flatMap(each => each.lanes.map(own => [each.worker, own] as const)) ?? [[worker, lane] as const];
  return rows.flatMap(([id, own]) => {
    const address = run.workerNames[id]?.address;
    const thread = own < 0 ? null : run.laneNames[own]?.[1];
    return address === undefined || thread === undefined ? [] : [{ worker: address, thread }];
  });
}

function ordered(a: number, b: number): [number, number] {
  return a < b ? [a, b] : [b, a];
}
