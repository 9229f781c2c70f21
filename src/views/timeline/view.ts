import type { Theme } from '../../base/theme';
import type { CssPixels, Milliseconds, Seconds, Share } from '../../base/units';
import type { Plot } from '../../plot/plot';
import type { Run } from '../../run/run';
import { windowOf } from '../../run/time-window';
import type { ExecutionRow } from '../../selectors/selection/statistics';
import type { Point } from '../canvas/canvas-stage';
import { CanvasView } from '../canvas/canvas-view';
import type { ViewHost } from '../view';
import { Blocks } from './blocks';
import { type Controls, Input } from './input';
import { Annotations } from './paint/annotations';
import { Palette } from './paint/palette';
import { Picture } from './picture';
import type { Band } from './lanes/layout';
import { Cursor } from './pointing/cursor';
import { Inspector } from './pointing/inspector';
import { answerLocate } from './pointing/locate';
import { Selecting } from './selecting/selecting';
import { Stage } from './stage';
import type { Moment } from './time/follow';

const views = new WeakMap<Node, TimelineView>();

/** The timeline of a node. */
export function timelineOf(node: Node): TimelineView | undefined {
  return views.get(node);
}

/**
 * The task stream: lanes of worker threads over time, painted from a run's {@link Run.tasks}.
 *
 * Guarantees, in addition to those of {@link CanvasView}:
 * 1. While it follows a cluster that works, it draws every frame; while nothing changes, none.
 * 2. A frame queries the run for about 4 ms; what is left is painted in the next frames, under a scaled copy of the
 *    previous picture.
 * 3. Panning away from now, or walking to a task, pauses the view and reports it; `L` follows again.
 * 4. The visible time of its run ({@link windowOf}) is the timeline's while it is visible.
 */
export class TimelineView extends CanvasView<Plot, Stage> implements Controls {
  constructor(plot: Plot, host: ViewHost) {
    super(plot, host, new Stage());
    const { shown, stage, signal } = this;
    this.picture = new Picture(host, shown, stage, new Palette(this.theme, host.context.hidden));
    this.annotations = new Annotations(this.picture, host.trans);
    this.blocks = new Blocks(this.picture);
    this.inspector = new Inspector(host, shown, this.picture.arrangement);
    this.cursor = new Cursor(this.picture, this.inspector);
    this.selecting = new Selecting(host, this.picture, {
      changed: () => this.onSelected(),
      reveal: execution => this.reveal(execution)
    });
    this.own(this.selecting);
    this.own(new Input(stage.plot, this));
    host.feed?.stateChanged.connect(this.update, this);
    stage.plot.addEventListener('scroll', () => this.onScroll(), { signal, passive: true });
    answerLocate(stage.node, this.picture, this.blocks.painter, signal);
    views.set(this.node, this);
  }

  override get node(): HTMLElement {
    return this.selecting.node;
  }

  override get shownAt(): Seconds {
    return this.picture.camera.shownAt;
  }

  /** Whether every pixel is exact; false while a zoom is being painted. */
  get exact(): boolean {
    return this.blocks.painter.complete;
  }

  override dispose(): void {
    views.delete(this.node);
    super.dispose();
  }

  /** News are drawn in the next frame: the picture moves with time anyway. */
  override update(): void {
    this.drawNow();
  }

  override resize(width: CssPixels, height: CssPixels): void {
    const free = this.selecting.arrange(width, height);
    if (this.stage.resize(free.width, free.height, this.fontScale)) {
      this.blocks.resized();
    }
    this.update();
  }

  override setTheme(theme: Theme): void {
    super.setTheme(theme);
    const { width, height } = this.selecting.room;
    this.resize(width, height);
    this.blocks.setPalette(theme, this.host.context.hidden);
  }

  override setPaused(paused: boolean, moment?: Run): void {
    const { camera } = this.picture;
    if (paused !== !camera.following) {
      if (paused) {
        camera.setPaused(true);
      } else {
        camera.follow();
      }
      this.hold(paused, moment);
      this.update();
    }
  }

  // -- user actions ------------------------------------------------------------------------------------------------

  zoom(factor: number, x: CssPixels): void {
    this.picture.camera.zoom(factor, x * this.stage.ratio);
    this.saveSpan();
    this.update();
  }

  pan(distance: CssPixels): void {
    this.whilePausing(() => this.picture.camera.pan(distance * this.stage.ratio));
  }

  panShare(share: Share): void {
    this.pan((share * this.stage.width) / this.stage.ratio);
  }

  fit(): void {
    this.picture.camera.fit();
    this.saveSpan();
    this.update();
  }

  follow(): void {
    this.whilePausing(() => this.picture.camera.follow());
    this.cursor.unfocus();
  }

  hover(x: CssPixels, y: CssPixels): void {
    this.cursor.hover(x, y);
    this.update();
  }

  leave(): void {
    this.cursor.leave();
    this.update();
  }

  click(x: CssPixels, y: CssPixels): void {
    this.cursor.click(x, y);
    this.update();
  }

  enter(): void {
    this.cursor.enter();
  }

  /** Release the tooltip; if there was none, the selection. */
  escape(): void {
    if (this.cursor.focused === null) {
      this.selecting.clear();
    }
    this.cursor.escape();
    this.update();
  }

  brush(from: Point, to: Point): void {
    this.whilePausing(() => this.picture.camera.setPaused(true));
    this.selecting.brush(from, to);
  }

  doubleClick(x: CssPixels): void {
    const period = this.selecting.periodToShow(x);
    if (period !== null) {
      this.whilePausing(() => this.picture.camera.show(period.from, period.to));
    }
  }

  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void {
    const next = this.cursor.walk(x, y);
    if (next !== null) {
      this.whilePausing(() => {
        this.scrollTo(next.band);
        const { start, duration } = next.interval;
        this.picture.camera.reveal(start, start + duration);
      });
      this.announce(this.inspector.say(next, this.picture.palette));
    }
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  protected override get hasRoom(): boolean {
    return this.stage.size.width > 0;
  }

  protected override draw(now: Milliseconds): void {
    const { run } = this.shown;
    const { present, camera } = this.picture;
    if (Number.isNaN(run.origin)) {
      return;
    }
    const moment = present.moment(now);
    if (this.blocks.prepare(this.host.context.hidden, present.clearedUntil)) {
      this.annotations.lanesMoved();
    }
    if (this.picture.begin(moment)) {
      this.selecting.restore(this.host.saved.selection);
    }
    this.selecting.draw(now);
    camera.advance(this.calm(moment));
    const { start, end } = camera.viewport;
    windowOf(run).show(this, { from: start, to: end }, camera.following ? 'time' : 'person');
    const exact = this.blocks.paint();
    this.cursor.refresh();
    this.annotations.draw(this.cursor);
    const written = this.annotations.write(now, moment);
    if (written) {
      this.summarise(now);
    }
    if (!exact || !written || (camera.following && moment.active && present.answering)) {
      this.drawNow();
    }
  }

  /** With reduced motion, the picture moves once per second. */
  private calm(moment: Moment): Moment {
    return this.reducedMotion.matches ? { ...moment, now: Math.ceil(moment.now) } : moment;
  }

  protected override restart(): void {
    this.picture.restart();
    this.cursor.escape();
    this.update();
  }

  protected override release(): void {
    this.inspector.release();
    windowOf(this.host.run).release(this);
  }

  private scrollTo(band: Band | undefined): void {
    const { plot, ratio, scroll, height } = this.stage;
    if (band !== undefined && (band.top < scroll || band.top + band.layerHeight > scroll + height)) {
      plot.scrollTop = Math.max(0, (band.top - height / 2) / ratio);
    }
  }

  /** Run an action that may pause or resume the picture, and notify the holder if it did. */
  private whilePausing(act: () => void): void {
    const { camera } = this.picture;
    const before = camera.following;
    act();
    if (before !== camera.following) {
      this.hold(before);
      this.reportPaused(before);
    }
    this.update();
  }

  /** Draw a copy of the run from now on, or the run itself again. */
  private hold(paused: boolean, moment?: Run): void {
    this.shown.setPaused(paused, moment);
    this.picture.present.takePause();
  }

  /** The statistics need room, or leave it to the picture. */
  private onSelected(): void {
    this.blocks.highlight(this.selecting.current.functions);
    const { width, height } = this.selecting.room;
    this.resize(width, height);
  }

  private reveal({ lane, start, duration }: ExecutionRow): void {
    this.whilePausing(() => {
      this.scrollTo(this.picture.arrangement.layout.bands.find(band => band.lane === lane));
      this.picture.camera.reveal(start, start + duration);
    });
  }

  private onScroll(): void {
    this.stage.readScroll();
    this.update();
  }

  private saveSpan(): void {
    const span = this.picture.camera.chosenSpan;
    this.host.save(Number.isNaN(span) ? {} : { span });
  }

  private readonly picture: Picture;
  private readonly annotations: Annotations;
  private readonly blocks: Blocks;
  private readonly inspector: Inspector;
  private readonly cursor: Cursor;
  private readonly reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
  private readonly selecting: Selecting;
}
