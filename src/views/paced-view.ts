import { type ISignal, Signal } from '@lumino/signaling';
import type { Painter } from '../base/frame-loop';
import type { Theme } from '../base/theme';
import type { CssPixels, Milliseconds, Seconds } from '../base/units';
import type { PlotContext } from '../plot/plot';
import type { Run } from '../run/run';
import { Pacer } from './pacer';
import { ShownRun } from './shown-run';
import type { View, ViewHost } from './view';

/** A view that draws the whole of what it shows at a {@link Pacer}'s pace: tables and Vega-Lite pictures. */
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

  /** @throws what the last drawing threw: the holder asks for the next one, and says so in place of the picture */
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

  /** Whether there is anything to draw on. */
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

  /** Draw in the next frame, as what a person does has to be seen. */
  protected drawNow(): void {
    if (this.visible) {
      this.pacer.now();
    }
  }

  protected readonly shown: ShownRun;
  /** What went wrong in a frame, or in what nobody waits for; `null` where nothing did. */
  protected fault: unknown = null;
  private readonly pacer = new Pacer(this);
  private readonly pausedSignal = new Signal<View, boolean>(this);
  private visible = false;
  private theme: Theme | null = null;
}
