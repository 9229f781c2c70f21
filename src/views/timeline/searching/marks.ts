import { element, setHidden } from '../../../base/element';
import type { DevicePixels, Seconds } from '../../../base/units';
import { eachBetween } from '../../../run/lanes/lane-search';
import { ERRED, FLAGS_SHIFT } from '../../../run/lanes/lane-chunk';
import type { Matcher } from '../../../run/selection/matcher';
import { contextOf } from '../../canvas/canvas-stage';
import { type Band, bandsWithin, lanesOf } from '../lanes/layout';
import type { Picture } from '../picture';

/** Marked rectangles: more would cost too much in each frame. */
const MOST = 5000;

/** What is marked: a time on a sub-lane. */
interface Mark {
  readonly band: Band;
  readonly depth: number;
  readonly from: Seconds;
  to: Seconds;
}

/** The marks of a period, at the scale at which they were merged. */
export interface Marked {
  readonly marks: readonly Mark[];
  readonly from: Seconds;
  readonly to: Seconds;
  readonly perColumn: Seconds;
  /** Whether there are more than are marked. */
  readonly cut: boolean;
}

/** Find what to mark in the visible lanes and around the visible period, in steps of one lane. */
export function* marksOf(
  { camera, stage, arrangement, shown, present }: Picture,
  matcher: Matcher
): Generator<void, Marked, void> {
  const { start, end, perColumn } = camera.viewport;
  const [from, to] = [start - (end - start) / 2, end + (end - start) / 2];
  const marks: Mark[] = [];
  for (const band of bandsWithin(arrangement.layout.bands, stage.scroll, stage.height)) {
    for (const number of lanesOf(band)) {
      const lane = shown.run.tasks.lanes[number];
      if (lane === undefined || !matcher.lane(number) || marks.length >= MOST) {
        continue;
      }
      const last: (Mark | undefined)[] = [];
      eachBetween(
        lane.compute,
        Math.max(from, present.clearedUntil),
        to,
        ({ label, erred, start: begin, duration, row, depth }) => {
          if (matcher.fits(label | ((erred ? ERRED : 0) << FLAGS_SHIFT), duration, row)) {
            const before = last[depth];
            if (before !== undefined && begin - before.to < perColumn) {
              before.to = Math.max(before.to, begin + duration);
            } else {
              const mark = { band, depth, from: begin, to: begin + duration };
              last[depth] = mark;
              marks.push(mark);
            }
          }
          return marks.length < MOST;
        }
      );
      yield;
    }
    if (marks.length >= MOST) {
      break;
    }
  }
  return { marks, from, to, perColumn, cut: marks.length >= MOST };
}

/** Dims a timeline except for the marks. */
export class Marks {
  readonly node: HTMLCanvasElement;

  /** @param name - class of the element */
  constructor(name = 'dp-Search-marks') {
    this.node = element('canvas', { class: name, attributes: { 'aria-hidden': 'true' } });
  }

  /**
   * Draw in the picture as it is now.
   *
   * @param marked - `null` to dim nothing
   */
  draw({ camera, stage, palette }: Picture, marked: Marked | null): void {
    setHidden(this.node, marked === null);
    if (marked === null) {
      return;
    }
    const { width, height, scroll } = stage;
    if (this.node.width !== width || this.node.height !== height) {
      this.node.width = width;
      this.node.height = height;
    }
    const context = contextOf(this.node);
    const { viewport } = camera;
    const column = (time: Seconds): DevicePixels => Math.min(width + 1, Math.max(-1, viewport.columnOf(time)));
    context.clearRect(0, 0, width, height);
    context.fillStyle = palette.theme.background;
    context.fillRect(0, 0, width, height);
    for (const { band, depth, from, to } of marked.marks) {
      const x = Math.floor(column(from));
      const layer = band.group === undefined ? Math.min(depth, band.layers - 1) : 0;
      context.clearRect(
        x,
        band.top + layer * band.layerHeight - scroll,
        Math.max(1, Math.ceil(column(to)) - x),
        band.layerHeight * (band.group === undefined ? 1 : band.layers)
      );
    }
    const last = marked.cut ? marked.marks.at(-1) : undefined;
    if (last !== undefined) {
      // From here on it is not known what is found.
      context.clearRect(0, last.band.top - scroll, width, height);
    }
  }
}
