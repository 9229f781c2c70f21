/** Where a moment of a lane is drawn: tests and benchmarks ask for it. */
import type { DevicePixels, Seconds } from '../../../base/units';
import type { Point } from '../../canvas/canvas-stage';
import type { Painter } from '../paint/painter';
import type { Picture } from '../picture';

/** Event that asks a timeline for the position of a moment of a lane: see {@link LocateDetail}. */
export const LOCATE_EVENT = 'dp-locate';

/** Position of a moment of a lane: a point in the view's node, and the same as a pixel of the canvas of blocks. */
export interface Location extends Point {
  readonly pixel: { readonly x: DevicePixels; readonly y: DevicePixels };
}

/** Detail of {@link LOCATE_EVENT}: `reply` is called synchronously, with `null` if it is not visible. */
export interface LocateDetail {
  readonly lane: number;
  readonly time: Seconds;
  /** Sub-lane, for overlapping intervals; default: the first. */
  readonly depth?: number;
  readonly reply: (location: Location | null) => void;
}

/**
 * Answer {@link LOCATE_EVENT} at a node, until the signal is aborted.
 *
 * @param painter - of the canvas of blocks
 */
export function answerLocate(node: HTMLElement, picture: Picture, painter: Pick<Painter, 'left'>, signal: AbortSignal): void {
  const onLocate = (event: Event): void => {
    if (event instanceof CustomEvent) {
      const { lane, time, depth, reply } = event.detail as LocateDetail;
      reply(locate(picture, painter.left, lane, time, depth));
    }
  };
  node.addEventListener(LOCATE_EVENT, onLocate, { signal });
}

/**
 * Position of a moment of a lane and of its sub-lane; `null` if it is not visible.
 *
 * @param offset - canvas column at the left edge of the window
 */
function locate(picture: Picture, offset: DevicePixels, lane: number, time: Seconds, depth = 0): Location | null {
  const { ratio, scroll, left, width, height } = picture.stage;
  const band = picture.arrangement.bandOf(lane);
  const x = picture.camera.viewport.columnOf(time);
  if (band === undefined || !(x >= 0 && x < width)) {
    return null;
  }
  const layer = Math.min(depth, band.layers - 1);
  const y = Math.floor(band.top + layer * band.layerHeight - scroll + band.layerHeight / 2);
  if (y < 0 || y >= height) {
    return null;
  }
  const pixel = { x: offset + Math.floor(x), y };
  return { x: left + (Math.floor(x) + 0.5) / ratio, y: (y + 0.5) / ratio, pixel };
}
