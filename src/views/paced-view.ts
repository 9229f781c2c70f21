import { DisposableDelegate, DisposableSet, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Theme } from '../base/theme';
import type { CssPixels, Milliseconds, Seconds } from '../base/units';
import type { PlotContext } from '../plot/plot';
import type { Run } from '../run/run';
import { Pacer, PERIOD } from './pacer';
import { ShownRun } from './shown-run';
import type { View, ViewHost } from './view';

/**
 * A view that draws a run through the page's frame loop: the part that all kinds of pictures and tables share.
 *
 * Guarantees:
 * 1. While hidden or disposed, nothing is drawn and no frame is requested.
 * 2. What the user does is drawn in the next frame, news of the run at most four times per second ({@link Pacer}),
 *    unless a kind of view redraws for news at once.
 * 3. While paused, `shown.run` is the copy of the run at the time of the pause.
 * 4. An error of a drawing is emitted by {@link failed}; it does not affect other views.
 * 5. After `dispose` the view has no timer, requested frame or signal connection, and no listener that was given
 *    {@link signal}.
 */
export abstract class PacedView implements View {
  constructor(protected readonly host: ViewHost) {
    this.theme = host.context.theme;
    this.shown = this.own(new ShownRun(host.run));
    this.own(new DisposableDelegate(() => this.listening.abort()));
  }

  abstract readonly node: HTMLElement;

  get shownAt(): Seconds {
    return this.shown.at;
  }

  get shownRun(): Run | null {
    return this.shown.copy;
  }

  get pausedChanged(): ISignal<View, boolean> {
    return this.pausedSignal;
  }

  get failed(): ISignal<View, unknown> {
    return this.failedSignal;
  }

  get isDisposed(): boolean {
    return this.owned.isDisposed;
  }

  update(): void {
    if (this.visible) {
      this.pacer.soon();
    }
  }

  abstract resize(width: CssPixels, height: CssPixels): void;

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.renew();
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible) {
      this.renew();
    } else {
      this.pacer.stop();
    }
  }

  setPaused(paused: boolean, moment?: Run): void {
    if (this.shown.setPaused(paused, moment)) {
      this.renew();
    }
  }

  abstract focus(): void;

  dispose(): void {
    if (!this.isDisposed) {
      this.owned.dispose();
      Signal.clearData(this);
    }
  }

  /** Whether the view has the size to draw. */
  protected get hasRoom(): boolean {
    return true;
  }

  /** Minimum time between two drawings for news of the run. */
  protected get pace(): Milliseconds {
    return PERIOD;
  }

  /** Draw; called by the frame loop while the view is visible. */
  protected abstract draw(now: Milliseconds): void;

  /** The theme, the shown run or the visibility is another: draw everything in the next frame. */
  protected renew(): void {
    this.requestDraw();
  }

  /** Draw in the next frame. */
  protected requestDraw(): void {
    if (this.visible) {
      this.pacer.now();
    }
  }

  /** Draw without waiting for a frame, because the caller reads what was drawn. */
  protected drawAtOnce(): void {
    try {
      this.paint(performance.now());
    } catch (error) {
      this.failedSignal.emit(error);
    }
  }

  /** Report a pause or a resumption by the view itself. */
  protected reportPaused(paused: boolean): void {
    this.pausedSignal.emit(paused);
  }

  /** Dispose a part together with the view. Parts are disposed in the order in which they were given. */
  protected own<T extends IDisposable>(part: T): T {
    this.owned.add(part);
    return part;
  }

  /** For DOM listeners: aborted when the view is disposed. */
  protected get signal(): AbortSignal {
    return this.listening.signal;
  }

  /** See {@link Theme.fontScale}. */
  protected get fontScale(): number {
    return this.theme.fontScale;
  }

  /** The host's context with the view's theme. */
  protected context(): PlotContext {
    return { ...this.host.context, theme: this.theme };
  }

  private paint(now: Milliseconds): void {
    if (this.visible && !this.isDisposed && this.hasRoom) {
      this.draw(now);
    }
  }

  protected theme: Theme;
  protected readonly shown: ShownRun;
  private visible = false;
  private readonly owned = new DisposableSet();
  private readonly listening = new AbortController();
  private readonly pausedSignal = new Signal<View, boolean>(this);
  private readonly failedSignal = new Signal<View, unknown>(this);
  private readonly pacer = this.own(
    new Pacer({ paint: now => this.paint(now), failed: error => this.failedSignal.emit(error) }, () => this.pace)
  );
}
