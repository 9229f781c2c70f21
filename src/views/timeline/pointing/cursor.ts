import { bandsWithin, type Layout } from '../lanes/layout';
import type { CssPixels, DevicePixels } from '../../../base/units';
import { eachBetween } from '../../../run/lanes/lane-search';
import type { TaskStore } from '../../../run/lanes/task-store';
import type { RunSelection } from '../../../run/selection/selection';
import type { Point } from '../../canvas/canvas-stage';
import type { Inspector, Pointing } from './inspector';
import type { Picture } from '../picture';
import type { Target } from '../picking';
import { firstTask, taskAcross, taskNextTo } from '../walk';

/**
 * The pointer and the keyboard cursor of a timeline: the block at each, and its tooltip.
 *
 * Guarantees:
 * 1. After {@link refresh}, `hovered` is the block at the pointer in the picture as it is now, although the pointer may
 *    have rested while the picture moved; a running task that has ended, and a block that is still to come after the clock of a
 *    recording has gone back, is no longer `focused`.
 * 2. The time cursor of the run is at the pointer while that is in the plot.
 * 3. It neither moves nor draws the picture: the view does, after each call.
 */
export class Cursor {
  /** @param shared - has the time at the pointer, which other views of the run show */
  constructor(
    private readonly picture: Picture,
    private readonly inspector: Inspector,
    private readonly shared: RunSelection
  ) {}

  /** The pointer's position; `null` outside the plot. */
  get pointer(): Point | null {
    return this.at;
  }

  /** Column of the pointer, here or in another view of the run; NaN if it is nowhere in view. */
  get column(): DevicePixels {
    const { camera, stage } = this.picture;
    const { viewport } = camera;
    const column = this.at === null ? viewport.columnOf(this.shared.cursor) : this.at.x * stage.ratio;
    return column >= 0 && column <= viewport.width ? column : Number.NaN;
  }

  /** The block at the pointer. */
  get hovered(): Target | null {
    return this.under;
  }

  /** The block at the keyboard cursor, or clicked last. */
  get focused(): Target | null {
    return this.chosen;
  }

  hover(x: CssPixels, y: CssPixels): void {
    this.at = { x, y };
  }

  leave(): void {
    if (this.at !== null) {
      this.at = null;
      this.shared.moveCursor(Number.NaN);
    }
    this.under = null;
    this.inspector.point(null);
  }

  /** Focus the block at a point and pin its tooltip; without a block, drop both. */
  click(x: CssPixels, y: CssPixels): void {
    const point = { x, y };
    const target = this.picture.targetAt(point);
    if (target === null) {
      this.escape();
    } else {
      this.chosen = target;
      this.inspector.pin(this.pointingAt(target, point));
    }
  }

  /** Pin the tooltip of the focused block. */
  enter(): void {
    if (this.chosen !== null) {
      this.inspector.pin(this.pointingAt(this.chosen, null));
    }
  }

  /** Focus a block, without a tooltip. */
  focus(target: Target): void {
    this.chosen = target;
    this.inspector.release();
  }

  /** Focus nothing. */
  unfocus(): void {
    this.chosen = null;
  }

  /** Focus nothing, and release the tooltip. */
  escape(): void {
    this.unfocus();
    this.inspector.release();
  }

  /** Focus the next or previous task of the lane (`x`) or of another lane (`y`); `null` if there is none. */
  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): Target | null {
    const next = this.picture.uncleared(this.neighbour(x, y));
    if (next !== null) {
      this.chosen = next;
      this.inspector.release();
    }
    return next;
  }

  /** Find the blocks again in the picture as it is now. */
  refresh(): void {
    if (this.at !== null) {
      const { camera, stage } = this.picture;
      this.shared.moveCursor(camera.viewport.timeOf(this.at.x * stage.ratio));
      this.under = this.picture.targetAt(this.at);
      this.inspector.point(this.under && this.pointingAt(this.under, this.at));
    }
    const { running } = this.chosen ?? {};
    if (running !== undefined && !this.picture.shown.run.running.has(running.task)) {
      this.escape();
    }
    this.dropGone();
    this.follow();
  }

  /** Where the clock of a recording has gone back, the block may not have ended yet. */
  private dropGone(): void {
    const { chosen, picture } = this;
    const { tasks } = picture.shown.run;
    if (tasks === this.tasks) {
      return;
    }
    this.tasks = tasks;
    if (chosen?.kind === 'compute' || chosen?.kind === 'move') {
      const { row, start } = chosen.interval;
      const lane = tasks.lanes[chosen.band.lane];
      const track = chosen.kind === 'compute' ? lane?.compute : lane?.moves;
      let there = false;
      if (track) {
        eachBetween(track, start, start, found => {
          there = found.row === row && found.start === start;
          return !there;
        });
      }
      if (!there) {
        this.escape();
      }
    }
  }

  /** The block at the keyboard cursor is where the lanes are now. */
  private follow(): void {
    const { arrangement, shown } = this.picture;
    const { layout } = arrangement;
    if (layout === this.laidOut) {
      return;
    }
    this.laidOut = layout;
    const { chosen } = this;
    if (chosen === null) {
      return;
    }
    const { band, kind, running, interval } = chosen;
    if (running !== undefined) {
      const block = layout.workers.find(({ workers }) => workers.some(({ worker }) => worker === running.task.worker));
      const height = block?.pendingHeight ?? 0;
      const top = block?.pendingTop ?? 0;
      this.chosen = height > 0 ? { ...chosen, band: { ...band, top, layerHeight: height, movesTop: top + height } } : null;
    } else if (kind === 'group') {
      const now = arrangement.bandOf(band.group?.lanes[0] ?? -1);
      this.chosen = now === undefined ? null : firstTask(shown.run.tasks, [now], interval.start);
    } else {
      const now = arrangement.bandOf(band.lane);
      this.chosen = now === undefined ? null : { ...chosen, band: now };
    }
  }

  private neighbour(x: -1 | 0 | 1, y: -1 | 0 | 1): Target | null {
    const { arrangement, camera, shown, stage } = this.picture;
    const { tasks } = shown.run;
    const { bands } = arrangement.layout;
    if (this.chosen === null) {
      const { start, end } = camera.viewport;
      return firstTask(tasks, bandsWithin(bands, stage.scroll, stage.height), (start + end) / 2);
    }
    if (x !== 0) {
      return taskNextTo(tasks, this.chosen, x);
    }
    return y === 0 ? null : taskAcross(tasks, bands, this.chosen, y);
  }

  private pointingAt(target: Target, pointer: Point | null): Pointing {
    const { palette, stage } = this.picture;
    return { target, palette, place: stage.placeOf(this.picture.boxOf(target), pointer) };
  }

  private at: Point | null = null;
  private under: Target | null = null;
  private chosen: Target | null = null;
  /** The tasks among which the chosen block was found last. */
  private tasks: TaskStore | null = null;
  private laidOut: Layout | null = null;
}
