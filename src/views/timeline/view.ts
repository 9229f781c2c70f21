import { type ISignal, Signal } from '@lumino/signaling';
import { frameLoop, type Painter as FramePainter } from '../../base/frame-loop';
import type { Theme } from '../../base/theme';
import type { CssPixels, DevicePixels, Milliseconds, Seconds, Share } from '../../base/units';
import type { Plot } from '../../plot/plot';
import type { Run } from '../../run/run';
import { windowOf } from '../../run/time-window';
import { ShownRun } from '../shown-run';
import { Summary } from '../summary';
import type { View, ViewHost } from '../view';
import { Arrangement } from './lanes/arrangement';
import { Axis } from '../canvas/axis';
import { Camera } from './time/camera';
import type { Moment } from './time/follow';
import { Present } from './time/present';
import { Gutter } from './lanes/gutter';
import { type Controls, Input } from './input';
import { Inspector, middleOf, type Pointing } from './inspector';
import { bandsWithin } from './lanes/layout';
import { Overlay } from './overlay';
import { Painter } from './paint/painter';
import { Palette } from './paint/palette';
import { type PendingScene, PendingRows, pickPending } from './paint/pending';
import { boxOf, pick, type Target } from './picking';
import { contextOf } from './paint/snapshot';
import { Stage } from './stage';
import { firstTask, taskAcross, taskBeside } from './walk';

/** Query time per frame; with drawing it is 6 ms. The rest waits for the next frame. */
const BUDGET: Milliseconds = 4;
/** Minimum time between changes of text. */
const TEXT_PERIOD: Milliseconds = 250;
/** Free CSS pixels right of now. */
const NOW_MARGIN: CssPixels = 12;

/** Event that asks a timeline for the position of a moment of a lane: see {@link LocateDetail}. */
export const LOCATE_EVENT = 'dp-locate';

/** A point in the view's node, in CSS pixels from its upper left corner. */
export interface Point {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

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

const views = new WeakMap<Node, TimelineView>();

/** The timeline of a node. */
export function timelineOf(node: Node): TimelineView | undefined {
  return views.get(node);
}

/** The task stream: lanes of worker threads over time, painted from a run's {@link Run.tasks}. */
export class TimelineView implements View, Controls {
  constructor(
    private readonly plot: Plot,
    private readonly host: ViewHost
  ) {
    const { run, trans } = host;
    this.theme = host.context.theme;
    const shown = new ShownRun(run);
    this.shown = shown;
    this.present = new Present(host, shown);
    this.palette = new Palette(this.theme, host.context.hidden);
    this.gutter = new Gutter(shown, trans);
    this.axis = new Axis(trans('now'));
    this.stage = new Stage(this.gutter.node, this.axis, this.overlay.node);
    this.stage.corner.textContent = trans('since start');
    this.summary = new Summary(this.stage.plot);
    this.arrangement = new Arrangement(shown);
    this.painter = new Painter(this.stage.data, shown, this.palette);
    this.pending = new PendingRows(contextOf(this.stage.data), shown);
    this.inspector = new Inspector(host, shown, this.arrangement);
    this.input = new Input(this.stage.plot, this);
    this.savedSpan = typeof host.saved.span === 'number' ? host.saved.span : Number.NaN;
    shown.began.connect(this.restart, this);
    host.feed?.stateChanged.connect(this.update, this);
    const { signal } = this.listening;
    this.stage.plot.addEventListener('scroll', () => this.onScroll(), { signal, passive: true });
    this.node.addEventListener(LOCATE_EVENT, event => this.onLocate(event), { signal });
    views.set(this.node, this);
  }

  get node(): HTMLElement {
    return this.stage.node;
  }

  get isDisposed(): boolean {
    return this.listening.signal.aborted;
  }

  get pausedChanged(): ISignal<View, boolean> {
    return this.pausedSignal;
  }

  get failed(): ISignal<View, unknown> {
    return this.failedSignal;
  }

  get shownAt(): Seconds {
    return this.camera.shownAt;
  }

  get shownRun(): Run | null {
    return this.shown.copy;
  }

  /** Whether every pixel is exact; false while a zoom is being painted. */
  get exact(): boolean {
    return this.painter.complete;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.listening.abort();
    frameLoop.remove(this.frame);
    this.input.dispose();
    this.inspector.release();
    windowOf(this.host.run).release(this);
    this.shown.dispose();
    this.host.feed?.stateChanged.disconnect(this.update, this);
    views.delete(this.node);
    Signal.clearData(this);
    this.node.remove();
  }

  update(): void {
    if (this.visible && !this.isDisposed) {
      frameLoop.request(this.frame);
    }
  }

  resize(width: CssPixels, height: CssPixels): void {
    this.size = { width, height };
    this.sceneDue = this.stage.resize(width, height, this.theme.fontScale) || this.sceneDue;
    this.update();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.resize(this.size.width, this.size.height);
    this.setPalette();
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible) {
      this.update();
    } else {
      frameLoop.remove(this.frame);
      this.inspector.release();
      windowOf(this.host.run).release(this);
    }
  }

  setPaused(paused: boolean, moment?: Run): void {
    if (paused !== !this.camera.following) {
      if (paused) {
        this.camera.setPaused(true);
      } else {
        this.camera.follow();
      }
      this.hold(paused, moment);
      this.update();
    }
  }

  focus(): void {
    this.stage.plot.focus({ preventScroll: true });
  }

  /** Position of a moment of a lane (and of its sub-lane), or `null` if it is not visible. */
  locate(lane: number, time: Seconds, depth = 0): Location | null {
    const { ratio, scroll, left, width, height } = this.stage;
    const band = this.arrangement.layout.bands.find(candidate => candidate.lane === lane);
    const x = this.camera.viewport.columnOf(time);
    if (band === undefined || !(x >= 0 && x < width)) {
      return null;
    }
    const layer = Math.min(depth, band.layers - 1);
    const y = Math.floor(band.top + layer * band.layerHeight - scroll + band.layerHeight / 2);
    if (y < 0 || y >= height) {
      return null;
    }
    const pixel = { x: this.painter.left + Math.floor(x), y };
    return { x: left + (Math.floor(x) + 0.5) / ratio, y: (y + 0.5) / ratio, pixel };
  }

  private paint(now: Milliseconds): void {
    const { run } = this.shown;
    if (!this.visible || Number.isNaN(run.origin) || this.size.width === 0) {
      return;
    }
    const moment = this.present.moment(now);
    this.painter.setAfter(this.present.clearedUntil);
    this.takePalette();
    this.takeScene();
    this.begin(moment);
    this.camera.advance(this.calm(moment));
    const { start, end } = this.camera.viewport;
    windowOf(run).show(this, { from: start, to: end }, this.camera.following ? 'time' : 'person');
    const exact = this.painter.paint(this.camera.viewport.grid(), BUDGET);
    this.drawPending();
    this.drawFrame();
    const textDue = this.writeText(now, moment);
    if (!exact || textDue || (this.camera.following && moment.active && this.present.answering)) {
      frameLoop.request(this.frame);
    }
  }

  zoom(factor: number, x: CssPixels): void {
    this.camera.zoom(factor, x * this.stage.ratio);
    this.saveSpan();
    this.update();
  }

  pan(distance: CssPixels): void {
    this.whilePausing(() => this.camera.pan(distance * this.stage.ratio));
  }

  panShare(share: Share): void {
    this.pan((share * this.stage.width) / this.stage.ratio);
  }

  fit(): void {
    this.camera.fit();
    this.saveSpan();
    this.update();
  }

  follow(): void {
    this.whilePausing(() => this.camera.follow());
    this.focused = null;
  }

  hover(x: CssPixels, y: CssPixels): void {
    this.pointer = { x, y };
    this.update();
  }

  leave(): void {
    this.pointer = null;
    this.hovered = null;
    this.inspector.point(null);
    this.update();
  }

  click(x: CssPixels, y: CssPixels): void {
    const target = this.targetAt({ x, y });
    if (target === null) {
      this.escape();
    } else {
      this.focused = target;
      this.inspector.pin(this.pointingAt(target, { x, y }));
      this.update();
    }
  }

  enter(): void {
    if (this.focused !== null) {
      this.inspector.pin(this.pointingAt(this.focused, null));
    }
  }

  escape(): void {
    this.focused = null;
    this.inspector.release();
    this.update();
  }

  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void {
    const next = this.seen(this.nextTask(x, y));
    if (next === null) {
      return;
    }
    this.focused = next;
    this.inspector.release();
    this.whilePausing(() => {
      this.scrollTo(next);
      this.camera.reveal(next.interval.start, next.interval.start + next.interval.duration);
    });
    this.stage.live.textContent = this.inspector.say(next, this.palette);
  }

  /** A target that is not cleared. */
  private seen(target: Target | null): Target | null {
    const gone =
      target?.running === undefined &&
      target !== null &&
      target.interval.start + target.interval.duration <= this.present.clearedUntil;
    return gone ? null : target;
  }

  private nextTask(x: -1 | 0 | 1, y: -1 | 0 | 1): Target | null {
    const { tasks } = this.shown.run;
    const { bands } = this.arrangement.layout;
    if (this.focused === null) {
      const { viewport } = this.camera;
      return firstTask(tasks, bandsWithin(bands, this.stage.scroll, this.stage.height), (viewport.start + viewport.end) / 2);
    }
    if (x !== 0) {
      return taskBeside(tasks, this.focused, x);
    }
    return y === 0 ? null : taskAcross(tasks, bands, this.focused, y);
  }

  private scrollTo(target: Target): void {
    const { plot, ratio, scroll, height } = this.stage;
    const { top } = target.band;
    if (top < scroll || top + target.band.layerHeight > scroll + height) {
      plot.scrollTop = Math.max(0, (top - height / 2) / ratio);
    }
  }

  /** Run an action that may pause or resume the picture, and notify the holder if it did. */
  private whilePausing(act: () => void): void {
    const before = this.camera.following;
    act();
    if (before !== this.camera.following) {
      this.hold(before);
      this.pausedSignal.emit(before);
    }
    this.update();
  }

  private onScroll(): void {
    this.stage.readScroll();
    this.update();
  }

  private restart(): void {
    this.anchored = false;
    this.focused = null;
    this.inspector.release();
    this.update();
  }

  /** Draw a copy of the run from now on, or the run itself again. */
  private hold(paused: boolean, moment?: Run): void {
    this.shown.setPaused(paused, moment);
    this.present.takePause();
  }

  private onLocate(event: Event): void {
    if (event instanceof CustomEvent) {
      const { lane, time, depth, reply } = event.detail as LocateDetail;
      reply(this.locate(lane, time, depth));
    }
  }

  private begin(moment: Moment): void {
    if (!this.anchored) {
      this.anchored = true;
      this.camera.reset(moment.origin);
      this.camera.restore(this.savedSpan);
      this.savedSpan = Number.NaN;
    }
  }

  /** With reduced motion, the picture moves once per second. */
  private calm(moment: Moment): Moment {
    return this.reducedMotion.matches ? { ...moment, now: Math.ceil(moment.now) } : moment;
  }

  private takePalette(): void {
    const { hidden } = this.host.context;
    if (hidden !== this.palette.hidden && !sameSet(hidden, this.palette.hidden)) {
      this.setPalette();
    }
  }

  private setPalette(): void {
    this.palette = new Palette(this.theme, new Set(this.host.context.hidden));
    this.painter.setPalette(this.palette);
    this.update();
  }

  /** Lay out lanes again if they, the size or the scroll position changed. */
  private takeScene(): void {
    const { stage, arrangement } = this;
    const { fontScale } = this.theme;
    if (arrangement.update(stage.height, stage.ratio, fontScale)) {
      this.sceneDue = true;
      if (stage.setContent(arrangement.layout.height)) {
        arrangement.update(stage.height, stage.ratio, fontScale);
      }
    }
    const { width, height, ratio, scroll } = stage;
    if (this.sceneDue || scroll !== this.scroll) {
      this.sceneDue = false;
      this.scroll = scroll;
      this.camera.viewport.width = width;
      this.camera.margin = Math.round(NOW_MARGIN * ratio);
      const bands = bandsWithin(arrangement.layout.bands, scroll, height);
      this.painter.setScene({ layout: arrangement.layout, bands, width, height, scroll, ratio });
      this.writtenAt = Number.NEGATIVE_INFINITY;
    }
  }

  /** Content of the pending rows; `null` if the feed is over, since running tasks are then unknown. */
  private pendingScene(): PendingScene | null {
    const { present } = this;
    if (present.over) {
      return null;
    }
    const { scroll, height, ratio } = this.stage;
    const { viewport } = this.camera;
    const { workers } = this.arrangement.layout;
    const until = present.answering ? present.time : this.shown.run.clock.latest;
    return { workers, viewport, scroll, height, ratio, until };
  }

  /** They are redrawn with every frame because they grow. */
  private drawPending(): void {
    const scene = this.pendingScene();
    if (scene !== null) {
      this.pending.draw(scene, this.palette, this.painter.left);
    }
  }

  /** Axis, grid and overlay. */
  private drawFrame(): void {
    const { stage, camera, theme } = this;
    const { run } = this.shown;
    const { answering, over } = this.present;
    const now = over ? Number.NaN : camera.nowColumn(answering);
    this.hoverAt();
    if (this.focused?.running !== undefined && !run.running.has(this.focused.running.task)) {
      this.escape();
    }
    const labelled = camera.following && answering ? now : Number.NaN;
    const { incompleteUntil } = run.tasks;
    const { fontScale } = theme;
    this.axis.update(camera.viewport, run.origin, stage.ratio, fontScale, labelled, this.size.height < 110 * fontScale);
    const { scroll } = stage;
    this.overlay.update({
      now,
      answering,
      pointer: this.pointer === null ? Number.NaN : this.pointer.x * stage.ratio,
      hovered: this.hovered && boxOf(this.hovered, camera.viewport, scroll),
      focused: this.focused && boxOf(this.focused, camera.viewport, scroll),
      gone: Number.isFinite(incompleteUntil) ? camera.viewport.columnOf(incompleteUntil) : Number.NaN,
      ratio: stage.ratio
    });
  }

  /** Find the target at the pointer, which may rest while the picture moves. */
  private hoverAt(): void {
    if (this.pointer !== null) {
      this.hovered = this.targetAt(this.pointer);
      this.inspector.point(this.hovered && this.pointingAt(this.hovered, this.pointer));
    }
  }

  private targetAt(point: Point): Target | null {
    const { ratio, scroll, height } = this.stage;
    const y = point.y * ratio;
    if (y < 0 || y >= height) {
      return null;
    }
    const { bands } = this.arrangement.layout;
    const found = pick(this.shown.run.tasks, bands, this.camera.viewport, point.x * ratio, y + scroll, ratio);
    const scene = this.pendingScene();
    return this.seen(found) ?? (scene && pickPending(this.shown.run, scene, this.palette, point.x * ratio, y + scroll));
  }

  /** Input of the tooltip; without a pointer it is placed at the middle of the block. */
  private pointingAt(target: Target, pointer: Point | null): Pointing {
    const { ratio, scroll, plot } = this.stage;
    const box = boxOf(target, this.camera.viewport, scroll);
    const { left, top } = plot.getBoundingClientRect();
    const place = middleOf(left + box.x / ratio, top + box.y / ratio, box.width / ratio, box.height / ratio);
    const at = pointer === null ? place : { ...place, x: left + pointer.x, y: top + pointer.y };
    return { target, palette: this.palette, place: at };
  }

  /** Names and busy shares next to the lanes, and the summary. Returns whether an update of text is due later. */
  private writeText(now: Milliseconds, moment: Moment): boolean {
    if (now - this.writtenAt < TEXT_PERIOD) {
      return true;
    }
    this.writtenAt = now;
    const { viewport } = this.camera;
    this.gutter.update({
      layout: this.arrangement.layout,
      scroll: this.stage.scroll,
      height: this.stage.height,
      ratio: this.stage.ratio,
      font: this.theme.fontScale,
      narrow: this.stage.narrow,
      from: Math.max(viewport.start, moment.origin, this.shown.run.tasks.incompleteUntil),
      to: Math.min(viewport.end, moment.active ? moment.now : moment.lastEnd)
    });
    this.summary.renew(() => this.plot.summary(this.shown.run, this.host.context), now);
    return false;
  }

  private saveSpan(): void {
    const span = this.camera.chosenSpan;
    this.host.save(Number.isNaN(span) ? {} : { span });
  }

  private readonly shown: ShownRun;
  private readonly present: Present;
  private readonly stage: Stage;
  private readonly axis: Axis;
  private readonly overlay = new Overlay();
  private readonly gutter: Gutter;
  private readonly summary: Summary;
  private readonly arrangement: Arrangement;
  private readonly painter: Painter;
  private readonly pending: PendingRows;
  private readonly inspector: Inspector;
  private readonly input: Input;
  private readonly camera = new Camera();
  private readonly listening = new AbortController();
  private readonly pausedSignal = new Signal<View, boolean>(this);
  private readonly failedSignal = new Signal<View, unknown>(this);
  private readonly frame: FramePainter = {
    paint: now => this.paint(now),
    failed: error => this.failedSignal.emit(error)
  };
  private readonly reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
  private theme: Theme;
  private palette: Palette;
  private size: { readonly width: CssPixels; readonly height: CssPixels } = { width: 0, height: 0 };
  private visible = false;
  private anchored = false;
  /** Initial period of a restored pane; NaN once used. */
  private savedSpan: Seconds;
  private sceneDue = true;
  private scroll = -1;
  private writtenAt: Milliseconds = Number.NEGATIVE_INFINITY;
  private pointer: Point | null = null;
  private hovered: Target | null = null;
  private focused: Target | null = null;
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every(item => b.has(item));
}
