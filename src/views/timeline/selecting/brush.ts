import type { DevicePixels, Seconds } from '../../../base/units';
import type { Run } from '../../../run/run';
import type { Matcher } from '../../../run/selection/matcher';
import type { Period, Selection, ThreadName } from '../../../run/selection/selection';
import type { Point } from '../../canvas/canvas-stage';
import { type Band, bandBottom } from '../lanes/layout';
import type { Box } from '../paint/overlay';
import type { Picture } from '../picture';

/** An edge that is not in view is drawn this far outside of it. */
const OUTSIDE: DevicePixels = 2;

/** The period and the threads between two points of the plot; all threads if the brush touches every lane or none. */
export function brushed(picture: Picture, from: Point, to: Point): Pick<Selection, 'period' | 'threads' | 'workers'> {
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
  const all = touched.length === bands.length || touched.length === 0;
  return { period, threads: all ? null : touched.flatMap(band => threadsOf(shown.run, band)), workers: null };
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
