import type { IDisposable } from '@lumino/disposable';
import { element } from '../../../base/element';
import type { CssPixels, Milliseconds, Seconds } from '../../../base/units';
import { matchedState, Matcher } from '../../../run/selection/matcher';
import { ownedRows } from '../../../run/selection/owned-rows';
import type { Topic } from '../../../feed/schema';
import type { Run } from '../../../run/run';
import { restoreSelection, writeSelection } from '../../../run/selection/saved-selection';
import { isEmpty, type Period, type RunSelection, type Selection, selectionOf } from '../../../run/selection/selection';
import { selectionWords } from '../../../selectors/selection/condition-words';
import type { ExecutionRow } from '../../../selectors/selection/statistics';
import type { Point } from '../../canvas/canvas-stage';
import { SelectionPanel } from '../../selection/panel';
import { selectedAround } from '../../selection/period';
import type { ViewHost } from '../../view';
import { Marking } from '../searching/marking';
import { marginOf, Veil } from './veil';
import type { Picture } from '../picture';
import type { Target } from '../picking';
import { boxesOf, brushed, spanned } from './brush';

/** From this width on, the statistics are at the side. */
const WIDE: CssPixels = 1200;
const SIDE: CssPixels = 460;
/** Statistics of a selection that still changes are computed again after this time. */
const AGAIN_AFTER: Milliseconds = 1000;
/** What veil and colours show of a selection. */
const SHOWN: Partial<Selection> = { period: null, threads: null, workers: null, functions: null };
/** After this time it is known which tasks began in a period, also of those that still run. */
const REPORTED_WITHIN: Seconds = 5;

interface Size {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** Callbacks to the view. */
export interface Selected {
  /** The selection, or the room for the picture, has changed. */
  changed(): void;
  /** Other executions are dimmed. */
  moved(): void;
  /** Show an execution in the picture. */
  reveal(execution: ExecutionRow): void;
}

/**
 * What is selected in a timeline: the veil over the rest, and the statistics.
 *
 * Guarantees: the selection is that of the run, which other views share. Statistics are of the run that the picture shows;
 * while it follows a live run, they are computed again once a second at most, and only when tasks have come.
 */
export class Selecting implements IDisposable {
  /** The picture with the statistics. */
  readonly node = element('div', { class: 'dp-TimelineView' });

  constructor(
    private readonly host: ViewHost,
    private readonly picture: Picture,
    private readonly view: Selected
  ) {
    this.selection = selectionOf(host.run);
    this.panel = new SelectionPanel(host.trans, {
      reveal: execution => view.reveal(execution),
      isolate: name => this.isolate(name),
      open: ({ plot, args }) => host.open(plot, args),
      clear: () => this.selection.clear(),
      computed: () => view.moved(),
      resized: () => view.changed()
    });
    this.node.append(picture.stage.node, this.panel.node);
    picture.stage.addOver(this.veil.node);
    this.marking = new Marking(
      picture,
      () => view.moved(),
      error => this.panel.failed(error),
      'dp-Selection-marks'
    );
    host.run.changed.connect(this.onNews, this);
    this.selection.changed.connect(this.onChanged, this);
    this.selection.settled.connect(this.onSettled, this);
  }

  get isDisposed(): boolean {
    return this.panel.isDisposed;
  }

  get current(): Selection {
    return this.selection.current;
  }

  /** What is selected, in a few words. */
  get words(): string {
    return selectionWords(this.picture.shown.run, this.current, this.host.trans);
  }

  /** Select the time and the lanes between two points. */
  brush(from: Point, to: Point): void {
    this.selection.change(brushed(this.picture, from, to), true);
  }

  /** Select the time and the lanes from one block to another. */
  span(from: Target, to: Target): void {
    this.selection.change(spanned(this.picture, from, to));
  }

  /** Replace some conditions. */
  narrow(conditions: Partial<Selection>): void {
    this.selection.change(conditions);
  }

  /** The drag has ended. */
  settle(): void {
    this.selection.settle();
  }

  /** Select these conditions and no others; `null` selects nothing. */
  select(conditions: Partial<Selection> | null): void {
    this.selection.select(conditions ?? {});
  }

  /** Select nothing. Returns whether something was selected. */
  clear(): boolean {
    const before = !isEmpty(this.current);
    this.selection.clear();
    return before;
  }

  /**
   * The period that a double click at `x` shows: what is selected there, else what was shown before. `null` if there is
   * neither.
   */
  periodToShow(x: CssPixels): Period | null {
    const { viewport } = this.picture.camera;
    const time = viewport.timeOf(x * this.picture.stage.ratio);
    const { earlier } = this;
    const period = selectedAround(this.current.period, time);
    this.earlier = period === null ? null : (earlier ?? { from: viewport.start, to: viewport.end });
    return period ?? earlier;
  }

  /** The period that this view was asked to show since the last call; `null` if there is none. */
  takePeriod(): Period | null {
    const { toShow } = this.selection;
    const asked = toShow !== null && toShow !== this.asked;
    this.asked = toShow;
    return asked ? toShow.period : null;
  }

  /** Select what this pane had selected before, if it is a part of this run; once: a run that starts over has no selection. */
  restore(text: unknown): void {
    if (!this.restored && restoreSelection(this.picture.shown.run, text)) {
      this.onSettled();
    }
    this.restored = true;
  }

  /** Arrange picture and statistics, with a font size relative to the default. Returns the room for the picture. */
  arrange(width: CssPixels, height: CssPixels, font: number): Size {
    const shown = !isEmpty(this.current);
    const side = width >= WIDE;
    const below = this.panel.fold.heightIn(side ? Number.POSITIVE_INFINITY : height, font);
    const { style } = this.panel.node;
    this.node.dataset.side = String(side);
    style.width = side ? `${SIDE}px` : '';
    style.height = side ? '' : `${below}px`;
    if (!shown) {
      return { width, height };
    }
    return side ? { width: width - SIDE, height } : { width, height: height - below };
  }

  /**
   * Draw what moves with the picture, and compute statistics that are out of date.
   *
   * @param dims - whether single executions that are not selected are dimmed
   */
  draw(now: Milliseconds, dims: boolean): void {
    const { stage, camera, arrangement } = this.picture;
    const { first, folded } = camera.viewport;
    const matcher = isEmpty(this.current) ? null : this.lanes;
    const { width, height, scroll, ratio } = stage;
    this.veil.update([matcher, folded, arrangement.layout, width, height, scroll, ratio], first, stage, ratio, () =>
      matcher === null ? null : boxesOf(this.picture, matcher, marginOf(stage))
    );
    this.mark(now, dims);
    if (!isEmpty(this.current) && (this.due || (!this.panel.busy && this.isOutdated(now)))) {
      this.compute(now);
    }
  }

  /** Dim executions that no lane, period or colour tells apart: other tasks, other computations, durations or outcomes. */
  private mark(now: Milliseconds, dims: boolean): void {
    const { shown, present } = this.picture;
    const { run } = shown;
    const owned = ownedRows(run, this.current);
    if (now - this.markedAt > AGAIN_AFTER) {
      this.markedAt = now;
      const rows = owned === null ? '' : run.version('computations');
      this.marked = `${run.identity} ${run.version('tasks')} ${run.laneNames.length} ${shown.paused} ${present.clearedUntil} ${rows}`;
    }
    const without = owned === null ? { computation: null } : {};
    this.marking.draw(dims ? this.current : null, { ...SHOWN, ...without }, this.marked);
  }

  dispose(): void {
    this.host.run.changed.disconnect(this.onNews, this);
    this.selection.changed.disconnect(this.onChanged, this);
    this.selection.settled.disconnect(this.onSettled, this);
    this.selection.settle();
    this.marking.dispose();
    this.panel.dispose();
  }

  private isOutdated(now: Milliseconds): boolean {
    return this.computed !== this.version && now - this.computedAt > AGAIN_AFTER;
  }

  /** Identifies what the statistics are of. Tasks that began after the selected period do not belong to it. */
  private get version(): string {
    const { run, paused } = this.picture.shown;
    const { clearedUntil } = this.picture.present;
    const complete = !(run.tasks.incompleteUntil >= (this.current.period?.from ?? Number.NEGATIVE_INFINITY));
    const changes = this.passed && complete ? this.changes : run.version('tasks');
    return `${matchedState(run, this.current)} ${this.passed && complete} ${changes} ${paused} ${clearedUntil}`;
  }

  private compute(now: Milliseconds): void {
    const { clock } = this.picture.shown.run;
    this.passed = clock.latest >= (this.current.period?.to ?? Number.POSITIVE_INFINITY) + REPORTED_WITHIN;
    this.due = false;
    this.computed = this.version;
    this.computedAt = now;
    this.panel.show(this.picture.shown.run, this.current, this.picture.present.clearedUntil);
  }

  /** The selection in the numbers of the run. */
  private get lanes(): Matcher {
    const { run } = this.picture.shown;
    const state = matchedState(run, this.current);
    if (this.matcher === null || this.matched !== state) {
      this.matched = state;
      this.matcher = new Matcher(run, this.current);
    }
    return this.matcher;
  }

  private isolate(name: string): void {
    const { functions } = this.current;
    const alone = functions?.length === 1 && functions[0] === name;
    this.selection.change({ functions: alone ? null : [name] });
  }

  private onNews(run: Run, topics: ReadonlySet<Topic>): void {
    const { period } = this.current;
    if (topics.has('tasks') && !this.picture.shown.paused && (period === null || run.tasks.changedFrom <= period.to)) {
      this.changes += 1;
    }
  }

  private onSettled(): void {
    this.host.save({ selection: writeSelection(this.current) });
  }

  private onChanged(): void {
    this.matcher = null;
    this.markedAt = Number.NEGATIVE_INFINITY;
    this.marking.renew();
    // With the next drawing: there is none of a hidden view.
    this.due = !isEmpty(this.current);
    if (!this.due) {
      this.panel.hide();
    }
    this.view.changed();
  }

  private readonly selection: RunSelection;
  private restored = false;
  readonly panel: SelectionPanel;
  private readonly veil = new Veil();
  private readonly marking: Marking;
  /** Identifies the executions among which others are dimmed, and when that was found out. */
  private marked = '';
  private markedAt: Milliseconds = Number.NEGATIVE_INFINITY;
  /** Period shown before a double click; `null` if there was none. */
  private earlier: Period | null = null;
  /** The last selection that this view was asked to show. */
  private asked: Selection | null = null;
  private matcher: Matcher | null = null;
  private matched = '';
  /** Whether something else is selected than the statistics are of. */
  private due = false;
  private computed = '';
  /** Whether all of the selected period had passed when its statistics were computed. */
  private passed = false;
  /** News of tasks in or before the selected period. */
  private changes = 0;
  private computedAt: Milliseconds = Number.NEGATIVE_INFINITY;
}
