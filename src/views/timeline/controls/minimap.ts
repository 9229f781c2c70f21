import type { IDisposable } from '@lumino/disposable';
import { element, setHidden } from '../../../base/element';
import { messageOf } from '../../../base/untrusted';
import { frameLoop } from '../../../base/frame-loop';
import { mix, type Theme } from '../../../base/theme';
import type { CssPixels, Milliseconds, Seconds, Share } from '../../../base/units';
import { type FoldedTime, Folding } from '../../../run/folded-time';
import { Columns, foldBusy } from '../../../run/lanes/lane-fold';
import type { Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { Sheet } from '../../canvas/drawn/drawn';
import type { Picture } from '../picture';
import { moveX } from '../time/moving';
import { runningBy, threadsBy } from './minimap-columns';

/** Width of a column: coarser than the picture, so that the whole run is summarised with little work. */
const COLUMN: CssPixels = 3;
/** Height of the bars. */
export const MINIMAP_HEIGHT: CssPixels = 18;
/** Work in one frame. */
const SLICE: Milliseconds = 1;
/** The same while the picture moves and there is an overview already. */
const MOVING_SLICE: Milliseconds = 0.3;
/** A run that grows is summarised again after this time … */
const AGAIN_AFTER: Milliseconds = 3000;
/** … or later, so that summarising takes at most this share of the time. */
const MOST: Share = 0.01;
/** Columns of a folded pause. */
const FOLD_COLUMNS = [4, 1] as const;
/** How far the colour of tasks that run is blended with the background. */
const PALER: Share = 0.5;
/** The handle is at least as wide. */
const LEAST_HANDLE: CssPixels = 6;

/**
 * The whole run in one row, without what was cleared, and while tasks run to now, as far as that is known: how busy the threads
 * were that were there, with the tasks that run in a paler colour, and which part is visible. A drag moves the visible period.
 *
 * Guarantees: it is summarised in slices, in frames of its own, at most every {@link AGAIN_AFTER} and within {@link MOST} of
 * the time, and where only time passes once it fills a column, unless the width changes or a pause begins or ends; the handle
 * is always where the period is.
 */
export class Minimap implements IDisposable {
  /** @param centre - shows the period around a time */
  constructor(
    private readonly picture: Picture,
    private readonly trans: Translate,
    private readonly centre: (time: Seconds) => void
  ) {
    this.node.title = trans.__('The whole run: a drag moves the visible time');
    this.node.append(this.sheet.canvas, this.handle);
    this.node.addEventListener('pointerdown', event => this.onPress(event));
    this.node.addEventListener('pointermove', event => this.onMove(event));
  }

  readonly node = element('div', { class: 'dp-Timeline-minimap', attributes: { 'aria-hidden': 'true' } });

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.rest();
  }

  /** Do nothing until the next {@link update}, which goes on with a summary under way: the timeline is hidden. */
  rest(): void {
    frameLoop.remove(this);
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Set the width. */
  arrange(width: CssPixels): void {
    const columns = Math.max(1, Math.floor(width / COLUMN));
    if (columns !== this.columns) {
      this.columns = columns;
      this.state = '';
      // The last picture stays until the next one, which begins at once.
      this.begunAt = Number.NEGATIVE_INFINITY;
    }
  }

  /** Draw the period; begin a new summary if the run has changed. */
  update(now: Milliseconds): void {
    const { shown, camera, present, until } = this.picture;
    const { run } = shown;
    const { tasks } = run;
    this.moving = true;
    if (this.begun) {
      frameLoop.request(this);
    }
    if (shown.paused !== this.paused || present.clearedUntil !== this.after) {
      // A still picture has no later frame in which to begin.
      this.paused = shown.paused;
      this.after = present.clearedUntil;
      this.begunAt = Number.NEGATIVE_INFINITY;
      this.left.length = 0;
    }
    const state = `${run.identity} ${shown.paused} ${run.version('tasks')} ${camera.viewport.folding.pauses.length} ${this.after}`;
    const due = this.begunAt + this.wait(run.identity);
    const runs = run.running.count > 0;
    const passed = runs && this.map !== null && until > this.end + this.map.perColumn;
    const old = (state !== this.state || passed) && this.left.length === 0 && (tasks.kept > 0 || runs);
    if (old && now > due) {
      this.state = state;
      this.begunAt = now;
      this.begin(run, until);
    } else {
      if (old) {
        // The picture of a recording whose clock was moved has no later frame, either.
        this.timer ??= setTimeout(() => this.onDue(due + 1), due + 1 - now);
      }
      if (this.drawn !== null && this.left.length === 0 && this.theme !== this.picture.palette.theme) {
        this.draw();
      }
    }
    this.place(Math.max(run.origin, camera.viewport.start), camera.viewport.end);
  }

  private onDue(now: Milliseconds): void {
    this.timer = undefined;
    this.update(now);
  }

  /** Time between two summaries of a run. */
  private wait(identity: string): Milliseconds {
    return identity === this.identity ? Math.max(AGAIN_AFTER, this.spent / MOST) : AGAIN_AFTER;
  }

  /** Called by the frame loop. */
  paint(): void {
    const begin = performance.now();
    this.summarise(begin + (this.moving && this.drawn !== null ? MOVING_SLICE : SLICE));
    this.moving = false;
    this.spent += performance.now() - begin;
  }

  private summarise(until: Milliseconds): void {
    const { map, work } = this;
    const { tasks } = this.picture.shown.run;
    while (map !== null && this.left.length > 0) {
      const lane = tasks.lanes[this.left.pop() ?? 0];
      if (lane !== undefined) {
        for (const { from, to, removed } of map.stretches(0, work.length)) {
          const grid = { anchor: map.anchor, first: removed, perColumn: map.perColumn };
          foldBusy(lane.compute, grid, from, to, this.after, this.buffer);
          for (let column = from; column < to; column++) {
            work[column] += Math.min(1, this.buffer.busy[column]);
          }
        }
      }
      if (performance.now() > until) {
        frameLoop.request(this);
        return;
      }
    }
    this.begun = false;
    this.draw();
  }

  /** Called by the frame loop when {@link paint} threw: the rest of the timeline goes on without it. */
  failed(error: unknown): void {
    this.left.length = 0;
    this.begun = false;
    this.node.replaceChildren(this.trans.__('The overview could not be drawn: %1', messageOf(error)));
  }

  /** @param time - up to when tasks run, which the summary reaches while some do */
  private begin(run: Run, time: Seconds): void {
    const { tasks, running } = run;
    this.identity = run.identity;
    this.spent = 0;
    const from = Math.max(run.origin, this.after);
    const reached = running.count > 0 && time > tasks.lastEnd ? time : tasks.lastEnd;
    const to = Math.max(reached, from + 1e-3);
    this.end = to;
    const { pauses } = this.picture.camera.viewport.folding;
    const later = pauses.filter(pause => pause.to > from).map(pause => ({ ...pause, from: Math.max(from, pause.from) }));
    const folding = new Folding(later, this.columns, FOLD_COLUMNS);
    this.map = folding.at(from, folding.perColumnFor(from, to, this.columns));
    this.work = new Float32Array(this.columns);
    this.buffer = new Columns(this.columns);
    this.left = tasks.lanes.flatMap((lane, number) => (lane === undefined ? [] : [number]));
    this.threads = threadsBy(run, this.map, this.columns, from, to);
    this.running = runningBy(run, this.map, this.columns, from);
    this.begun = true;
    frameLoop.request(this);
  }

  private draw(): void {
    const { sheet, picture, work, threads, running } = this;
    const { theme } = picture.palette;
    sheet.canvas.width = work.length;
    sheet.canvas.height = MINIMAP_HEIGHT;
    sheet.paint(pen => {
      pen.fillStyle = theme.worker.busy;
      // Clocks differ a little: a task may have begun before its worker was there.
      const share = (column: number, busy: number): Share => (threads[column] > 0 ? Math.min(1, busy / threads[column]) : 0);
      // However little it was, it is visible that there was something.
      const height = (column: number, busy: number): CssPixels =>
        busy > 0 ? Math.max(1, share(column, busy) * MINIMAP_HEIGHT) : 0;
      for (let column = 0; column < work.length; column++) {
        const visible = height(column, work[column]);
        pen.fillRect(column, MINIMAP_HEIGHT - visible, 1, visible);
      }
      pen.fillStyle = mix(theme.worker.busy, theme.background, PALER);
      for (let column = 0; column < work.length; column++) {
        const [below, top] = [height(column, work[column]), height(column, work[column] + running[column])];
        if (top > below) {
          pen.fillRect(column, MINIMAP_HEIGHT - top, 1, top - below);
        }
      }
    });
    this.drawn = this.map;
    this.theme = theme;
  }

  private place(from: Seconds, to: Seconds): void {
    const { drawn } = this;
    setHidden(this.handle, drawn === null);
    if (drawn !== null) {
      const end = this.sheet.canvas.width * COLUMN;
      const at = (time: Seconds): CssPixels => Math.min(end, Math.max(0, drawn.columnOf(time) * COLUMN));
      const left = Math.min(at(from), end - LEAST_HANDLE);
      const width = Math.max(LEAST_HANDLE, at(to) - left);
      const [begin, length] = [rounded(left), rounded(width)];
      moveX(this.handle, begin + length);
      moveX(this.period, -length);
    }
  }

  private onPress(event: PointerEvent): void {
    if (event.button === 0) {
      this.node.setPointerCapture(event.pointerId);
      this.held = event.pointerId;
      this.goTo(event);
    }
  }

  private onMove(event: PointerEvent): void {
    if (this.held === event.pointerId && event.buttons === 1) {
      this.goTo(event);
    }
  }

  private goTo(event: PointerEvent): void {
    if (this.drawn !== null) {
      this.centre(this.drawn.timeOf((event.clientX - this.sheet.canvas.getBoundingClientRect().left) / COLUMN));
    }
  }

  private readonly sheet = new Sheet(element('canvas'));
  /**
   * It is moved and cut off by the element around it, which ends where the period does: another width would be a layout in each
   * frame.
   */
  private readonly period = element('div');
  private readonly handle = element('div', { class: 'dp-Timeline-handle' }, this.period);
  private columns = 0;
  private state = '';
  private paused = false;
  /** Whether the picture was drawn since the last slice. */
  private moving = false;
  /** What had ended by then was cleared. */
  private after: Seconds = Number.NEGATIVE_INFINITY;
  private begunAt: Milliseconds = Number.NEGATIVE_INFINITY;
  /** The run of the last summary, and the time that the summary took. */
  private identity = '';
  private spent: Milliseconds = 0;
  /** Whether a summary is under way. */
  private begun = false;
  /** Lanes that are still to be summarised, and the summary so far. */
  private left: number[] = [];
  private threads: Float64Array = new Float64Array(0);
  private work = new Float32Array(0);
  private running: Float32Array = new Float32Array(0);
  private buffer = new Columns(0);
  private map: FoldedTime | null = null;
  /** Where it ends. */
  private end: Seconds = Number.NEGATIVE_INFINITY;
  /** The map and the theme of what is drawn. */
  private drawn: FoldedTime | null = null;
  private theme: Theme | null = null;
  private held = -1;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  private disposed = false;
}

/** To half a pixel: the browser does work for each change, and the handle moves by less from one frame to the next. */
function rounded(length: CssPixels): CssPixels {
  return Math.round(2 * length) / 2;
}
