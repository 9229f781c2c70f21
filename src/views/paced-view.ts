import { type ISignal, Signal } from '@lumino/signaling';
import type { Painter } from '../base/frame-loop';
import type { Theme } from '../base/theme';
import type { CssPixels, Milliseconds, Seconds } from '../base/units';
import type { PlotContext } from '../plot/plot';
import type { Run } from '../run/run';
import { Pacer } from './pacer';
import { ShownRun } from './shown-run';
import type { View, ViewHost } from './view';

/** A view that redraws completely at a {@link Pacer}'s rate: tables and Vega-Lite pictures. */
export abstract class PacedView implements View, Painter {
  constructor(protected readonly host: ViewHost) {
    this.shown = new ShownRun(host.run);
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

  get isDisposed(): boolean {
    return this.pacer.isDisposed;
  }

  /** @throws the error of the last drawing: the holder shows it instead of the picture and asks for the next one */
  update(): void {
    if (this.fault !== null) {
      const { fault } = this;
      this.fault = null;
      throw fault;
    }
    if (this.visible) {
      this.pacer.soon();
    }
  }

  abstract resize(width: CssPixels, height: CssPixels): void;

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.drawNow();
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible) {
      this.drawNow();
    } else {
      this.pacer.stop();
    }
  }

  setPaused(paused: boolean, moment?: Run): void {
    if (this.shown.setPaused(paused, moment)) {
      this.drawNow();
    }
  }

  abstract focus(): void;

  dispose(): void {
    if (!this.isDisposed) {
      this.pacer.dispose();
      this.shown.dispose();
      Signal.clearData(this);
    }
  }

  paint(now: Milliseconds): void {
    if (!this.visible || this.isDisposed || !this.hasRoom) {
      return;
    }
    try {
      this.draw(now);
    } catch (error) {
      this.fault = error;
    }
  }

  /** Whether the view can draw. */
  protected get hasRoom(): boolean {
    return true;
  }

  protected abstract draw(now: Milliseconds): void;

  /** See {@link Theme.fontScale}. */
  protected get fontScale(): number {
    return this.theme?.fontScale ?? 1;
  }

  protected context(): PlotContext {
    const { context } = this.host;
    return this.theme === null ? context : { ...context, theme: this.theme };
  }

  /** Draw in the next frame, in response to a user action. */
  protected drawNow(): void {
    if (this.visible) {
      this.pacer.now();
    }
  }

  protected readonly shown: ShownRun;
  /** The error of a frame or of an unawaited operation; `null` if none. */
  protected fault: unknown = null;
  private readonly pacer = new Pacer(this);
  private readonly pausedSignal = new Signal<View, boolean>(this);
  private visible = false;
  private theme: Theme | null = null;
}
