import { numberOf } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import { p95Words } from '../../selectors/stragglers/stragglers';
import { usualDurations } from '../../selectors/stragglers/usual-durations';
import type { Point, PlotBox } from '../canvas/canvas-stage';
import type { ShownRun } from '../shown-run';
import type { ViewHost } from '../view';
import { LaneGroups } from './groups/groups';
import { Arrangement } from './lanes/arrangement';
import type { Palette } from './paint/palette';
import { type PendingScene, pickPending } from './paint/pending';
import { boxOf, pick, type Target } from './picking';
import type { Stage } from './stage';
import { Camera } from './time/camera';
import type { Moment } from './time/follow';
import { Pauses } from './time/pauses';
import { Present } from './time/present';

/**
 * What a timeline shows: the run, the visible times and lanes, the colours, and the state of the feed.
 *
 * Guarantees: what draws and what finds blocks both read it, so a target found at a point is the block drawn there. A task
 * that ended in the part cleared by the user is never a target.
 */
export class Picture {
  constructor(
    private readonly host: ViewHost,
    readonly shown: ShownRun,
    readonly stage: Stage,
    public palette: Palette
  ) {
    this.present = new Present(host, shown);
    this.arrangement = new Arrangement(shown, new LaneGroups(host.saved.lanes, lanes => host.save({ lanes })));
    this.savedSpan = numberOf(host.saved.span, Number.NaN);
  }

  readonly camera = new Camera();
  readonly present: Present;
  readonly arrangement: Arrangement;

  /**
   * Show another run from its start, or with the period that was chosen in this pane before. Returns whether it is another
   * one.
   */
  begin({ origin }: Moment): boolean {
    if (this.anchored) {
      return false;
    }
    this.anchored = true;
    this.camera.reset(origin);
    this.camera.restore(this.savedSpan);
    this.savedSpan = Number.NaN;
    return true;
  }

  /** Fold the pauses of the run, or show all time evenly. */
  foldPauses(on: boolean): void {
    const { camera, shown, stage, palette } = this;
    camera.viewport.folding = this.pauses.of(shown.run, on, stage.width, stage.ratio * palette.theme.fontScale);
  }

  /** The next run is another one. */
  restart(): void {
    this.anchored = false;
  }

  /** Content of the pending rows; `null` if the feed is over, since running tasks are then unknown. */
  pendingScene(): PendingScene | null {
    const { present } = this;
    if (present.over) {
      return null;
    }
    const { scroll, height, ratio } = this.stage;
    const { workers } = this.arrangement.layout;
    const usual = {
      p95: (prefix: number): Seconds => usualDurations(this.shown.run).p95(prefix),
      words: (p95: Seconds): string => p95Words(p95, this.host.trans)
    };
    return { workers, viewport: this.camera.viewport, scroll, height, ratio, until: this.until, usual };
  }

  /** Up to when running tasks go on, as far as is known. */
  get until(): Seconds {
    const { present } = this;
    return present.answering ? present.time : this.shown.run.clock.latest;
  }

  /** The target at a point of the plot. */
  targetAt(point: Point): Target | null {
    const { ratio, scroll, height } = this.stage;
    const y = point.y * ratio;
    if (y < 0 || y >= height) {
      return null;
    }
    const { run } = this.shown;
    const [x, down] = [point.x * ratio, y + scroll];
    const found = this.uncleared(pick(run.tasks, this.arrangement.layout.bands, this.camera.viewport, x, down, ratio));
    const scene = found === null ? this.pendingScene() : null;
    return found ?? (scene && pickPending(run, scene, this.palette, x, down));
  }

  /** The target, unless it is in the cleared part, or of a time that is still to come. */
  uncleared(target: Target | null): Target | null {
    if (target === null || target.running !== undefined) {
      return target;
    }
    if (target.kind === 'group') {
      return target.interval.start > this.until ? null : target;
    }
    const { start, duration } = target.interval;
    return start + duration <= this.present.clearedUntil ? null : target;
  }

  /** Position of a target in the plot. */
  boxOf(target: Target): PlotBox {
    const { ratio, scroll } = this.stage;
    const { x, y, width, height } = boxOf(target, this.camera.viewport, scroll);
    return { x: x / ratio, y: y / ratio, width: width / ratio, height: height / ratio };
  }

  private anchored = false;
  /** Initial period of a restored pane; NaN once used. */
  private readonly pauses = new Pauses();
  private savedSpan: Seconds;
}
