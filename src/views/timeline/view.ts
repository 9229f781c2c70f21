import type { Theme } from '../../base/theme';
import type { CssPixels, Milliseconds, Seconds } from '../../base/units';
import type { Plot } from '../../plot/plot';
import { TIMELINE_ACTION_EVENT, TIMELINE_CLASS } from '../timeline-actions';
import { flows, isRecorded } from '../../feed/feed';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { windowOf } from '../../run/time-window';
import type { ExecutionRow } from '../../selectors/selection/statistics';
import { mergedSaves } from '../merged-saves';
import { TimeMarks } from '../event-marks/above';
import { CanvasView } from '../canvas/canvas-view';
import type { ViewHost } from '../view';
import { element } from '../../base/element';
import { Blocks } from './blocks';
import { Actions } from './controls/actions';
import { ComputationStrip } from './controls/computation-strip';
import { Head } from './controls/head';
import { Minimap } from './controls/minimap';
import { Toolbar } from './controls/toolbar';
import { Vacancy } from './controls/vacancy';
import { WheelHint } from '../canvas/wheel-hint';
import { Heads } from './groups/heads';
import { Input } from './input';
import { Arrows } from './neighbours/arrows';
import { Annotations } from './paint/annotations';
import { Palette } from './paint/palette';
import { Picture } from './picture';
import { Cursor } from './pointing/cursor';
import { Inspector } from './pointing/inspector';
import { answerLocate } from './pointing/locate';
import { Searching } from './searching/searching';
import { Selecting } from './selecting/selecting';
import { Stage } from './stage';
import { calm } from './time/follow';
import { Travel } from './time/travel';

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
 * 2. A frame queries the run for about 3 ms; what is left is painted in the next frames, under a scaled copy of the
 *    previous picture.
 * 3. Panning away from now, or walking to a task, pauses the view and reports it; `L` follows again.
 * 4. The visible time of its run ({@link windowOf}) is the timeline's while it is visible; what charts ask for, it does.
 */
export class TimelineView extends CanvasView<Plot, Stage> {
  constructor(plot: Plot, host: ViewHost) {
    super(plot, mergedSaves(host), new Stage());
    const { shown, stage, signal } = this;
    this.picture = new Picture(this.host, shown, stage, new Palette(this.theme, host.context.hidden));
    const heads = new Heads(host, this.picture.arrangement, () => this.update(), signal, stage);
    const arrows = this.own(new Arrows(host, this.picture, () => this.update()));
    this.annotations = new Annotations(this.picture, host.trans, heads, arrows);
    this.blocks = new Blocks(this.picture);
    this.inspector = new Inspector(host, shown, this.picture.arrangement);
    this.cursor = new Cursor(this.picture, this.inspector, selectionOf(host.run));
    this.selecting = new Selecting(this.host, this.picture, {
      changed: () => this.onSelected(),
      moved: () => this.update(),
      reveal: execution => this.reveal(execution)
    });
    this.travel = new Travel(this.picture, {
      paused: paused => this.onPaused(paused),
      moved: () => this.update(),
      save: span => this.host.save({ span })
    });
    this.searching = this.own(this.makeSearch());
    const { picture, travel, cursor, selecting, inspector, searching } = this;
    const hint = new WheelHint(host.trans, host.saved.hinted === true, () => this.host.save({ hinted: true }));
    this.actions = new Actions(
      { shown, picture, travel, cursor, selecting, searching, say: inspector, hint },
      { changed: () => this.update(), announce: text => this.announce(text) }
    );
    this.vacancy = new Vacancy(picture, selecting.panel, host.trans, period => travel.bring(period));
    stage.node.append(this.vacancy.node, hint.node);
    this.toolbar = new Toolbar(host, action => this.actions.act(action), heads);
    this.computations = new ComputationStrip(host.trans, {
      show: computation => this.actions.showComputation(computation),
      showAll: () => host.open('computations', {})
    });
    this.minimap = this.own(new Minimap(picture, host.trans, time => travel.centre(time)));
    this.head = new Head(this.toolbar, searching.bar, this.computations, this.minimap);
    this.marks = this.own(new TimeMarks(host, () => this.update()));
    this.whole.append(this.head.node, this.marks.node, this.selecting.node);
    this.own(this.selecting);
    this.own(new Input(stage.plot, this.actions));
    host.feed?.stateChanged.connect(this.update, this);
    selectionOf(host.run).cursorMoved.connect(this.update, this);
    windowOf(host.run).requested.connect(this.update, this);
    stage.plot.addEventListener('scroll', () => this.onScroll(), { signal, passive: true });
    this.whole.addEventListener(TIMELINE_ACTION_EVENT, event => this.actions.onEvent(event), { signal });
    // Another view of the run may have selected functions before.
    this.blocks.highlight(this.selecting.current.functions);
    answerLocate(stage.node, this.picture, this.blocks.painter, signal);
    views.set(this.node, this);
  }

  /** What pointer, keyboard, buttons and commands do. */
  readonly actions: Actions;

  override get node(): HTMLElement {
    return this.whole;
  }

  override get shownAt(): Seconds {
    return this.shown.paused ? this.picture.camera.shownAt : Number.NaN;
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
    this.requestDraw();
  }

  override resize(width: CssPixels, height: CssPixels): void {
    this.size = { width, height };
    const above = this.head.arrange(width, height, this.fontScale) + this.marks.height;
    const free = this.selecting.arrange(width, height - above, this.fontScale);
    if (width === 0) {
      windowOf(this.host.run).release(this);
    }
    if (this.stage.resize(free.width, free.height, this.fontScale)) {
      this.blocks.resized();
    }
    this.update();
  }

  override setTheme(theme: Theme): void {
    super.setTheme(theme);
    this.resize(this.size.width, this.size.height);
    this.blocks.setPalette(theme, this.host.context.hidden);
  }

  override setPaused(paused: boolean, moment?: Run): void {
    const { camera } = this.picture;
    if (paused !== !camera.following || paused !== this.shown.paused) {
      if (paused) {
        camera.setPaused(true);
      } else {
        camera.follow();
      }
      this.hold(paused, moment);
      this.update();
    }
  }

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
    this.picture.arrangement.order = this.host.context.options.order ?? 'name';
    if (this.blocks.prepare(this.host.context.hidden, present.clearedUntil)) {
      this.annotations.lanesMoved();
    }
    this.picture.foldPauses(this.host.context.options.pauses !== 'even');
    if (this.picture.begin(moment)) {
      this.selecting.restore(this.host.saved.selection);
    }
    this.travel.open(run, isRecorded(this.host.feed));
    camera.advance(moment, this.reducedMotion.matches ? calm(moment.now) : moment.now);
    this.travel.bring(this.selecting.takePeriod());
    this.travel.join(windowOf(run));
    // Where the camera is now: of a still picture there may be no further frame.
    this.selecting.draw(now, !this.searching.dims);
    this.searching.draw(now);
    this.travel.share(windowOf(run), this);
    this.minimap.update(now);
    const exact = this.blocks.paint();
    this.cursor.refresh();
    this.annotations.draw(this.cursor, this.host.context.options.arrows !== 'off');
    const written = this.annotations.write(now, moment);
    if (written) {
      this.summarise(now);
      this.vacancy.update();
      this.showComputations(run);
      this.showMarks(run);
    }
    this.toolbar.update({ following: camera.following, computation: this.computations.filled, flowing: flows(this.host.feed) });
    if (!exact || !written || (camera.following && moment.active && present.answering)) {
      this.requestDraw();
    }
  }

  private showComputations(run: Run): void {
    const before = this.computations.filled;
    this.computations.update(run, this.picture.camera.viewport.start, this.picture.camera.viewport.end);
    if (before !== this.computations.filled) {
      this.resize(this.size.width, this.size.height);
    }
  }

  private showMarks(run: Run): void {
    const { left, width, ratio } = this.stage;
    const at = (time: Seconds): number => left + this.picture.camera.viewport.columnOf(time) / ratio;
    if (this.marks.update(run, { left, right: left + width / ratio, at }, this.size.height, this.fontScale)) {
      this.resize(this.size.width, this.size.height);
    }
  }

  protected override restart(): void {
    this.picture.restart();
    this.cursor.escape();
    this.update();
  }

  protected override release(): void {
    this.cursor.leave();
    this.minimap.rest();
    this.annotations.rest();
    this.inspector.release();
    windowOf(this.host.run).release(this);
  }

  /** The user left now, or returned to it. */
  private onPaused(paused: boolean): void {
    if (this.hold(paused)) {
      this.reportPaused(paused);
    }
  }

  /** Draw a copy of the run from now on, or the run itself again. */
  private hold(paused: boolean, moment?: Run): boolean {
    const changed = this.shown.setPaused(paused, moment);
    this.picture.present.takePause();
    return changed;
  }

  /** The statistics need room, or leave it to the picture. */
  private onSelected(): void {
    this.blocks.highlight(this.searching.functions ?? this.selecting.current.functions);
    this.resize(this.size.width, this.size.height);
  }

  private makeSearch(): Searching {
    return new Searching(this.picture, this.host.trans, this.host.feed, {
      changed: () => this.onSelected(),
      moved: () => this.update(),
      reveal: target => {
        const { start, duration } = target.interval;
        this.travel.reveal(target.band, start, start + duration);
        this.cursor.focus(target);
      },
      revealWorker: (worker, from, to) => this.travel.reveal(this.picture.arrangement.bandOfWorker(worker), from, to),
      select: conditions => this.selecting.narrow(conditions),
      focus: () => this.focus()
    });
  }

  private reveal({ lane, start, duration }: ExecutionRow): void {
    this.travel.reveal(this.picture.arrangement.bandOf(lane), start, start + duration);
  }

  private onScroll(): void {
    this.stage.readScroll();
    this.update();
  }

  private readonly picture: Picture;
  private readonly annotations: Annotations;
  private readonly blocks: Blocks;
  private readonly inspector: Inspector;
  private readonly cursor: Cursor;
  private readonly reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
  private readonly selecting: Selecting;
  private readonly searching: Searching;
  private readonly travel: Travel;
  private readonly toolbar: Toolbar;
  private readonly vacancy: Vacancy;
  private readonly computations: ComputationStrip;
  private readonly minimap: Minimap;
  private readonly head: Head;
  private readonly marks: TimeMarks;
  private readonly whole = element('div', { class: TIMELINE_CLASS });
  private size = { width: 0, height: 0 };
}
