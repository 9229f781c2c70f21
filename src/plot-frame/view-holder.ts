import { Signal } from '@lumino/signaling';
import { onPixelRatio } from '../base/dom/pixel-ratio';
import type { Theme } from '../base/theme';
import type { Seconds } from '../base/units';
import type { Plot } from '../plot/plot';
import { liveOf } from '../run/frozen';
import type { Run } from '../run/run';
import { growSelected } from '../selectors/computations/growing';
import type { View, ViewFactory, ViewHost } from '../views/view';

/** Callbacks of the holder to its pane. */
export interface ViewHolderEvents {
  /** A view could not be created, or threw an error. */
  failed(error: unknown): void;
  /** The view paused or resumed by itself. */
  pausedChanged(paused: boolean): void;
}

/** Manages the one view of a pane in an element: creates, sizes, replaces and disposes it. */
export class ViewHolder {
  /** @param node - the element filled by the view */
  constructor(
    readonly node: HTMLElement,
    private readonly events: ViewHolderEvents
  ) {
    this.observer.observe(node);
    onPixelRatio(() => this.resize(), this.listening.signal);
  }

  /** Whether there is a view. */
  get ready(): boolean {
    return this.view !== null;
  }

  /** Scheduler time of the view while paused, else NaN. */
  get shownAt(): Seconds {
    return this.view?.shownAt ?? Number.NaN;
  }

  /** The copy that a paused view draws; `null` if it draws the run itself. */
  get shownRun(): Run | null {
    return this.view?.shownRun ?? null;
  }

  /** Replace the view; the old one stays until the new one is ready. */
  async show(plot: Plot, host: ViewHost, create: ViewFactory): Promise<void> {
    const turn = ++this.turn;
    try {
      const view = await create(plot, host);
      if (turn !== this.turn || this.disposed) {
        view.dispose();
        return;
      }
      // Another view of a paused plot shows the same moment.
      const { shownRun } = this;
      const moment = shownRun !== null && liveOf(shownRun) === host.run ? shownRun : undefined;
      this.remove();
      growSelected(host.run);
      this.view = view;
      this.node.replaceChildren(view.node);
      view.pausedChanged.connect(this.onPaused, this);
      view.failed?.connect(this.onFailed, this);
      if (this.theme) {
        view.setTheme(this.theme);
      }
      view.setPaused(this.paused, moment);
      view.setVisible(this.visible);
      view.resize(this.node.clientWidth, this.node.clientHeight);
      view.update();
    } catch (error) {
      if (turn === this.turn && !this.disposed) {
        this.drop();
        this.events.failed(error);
      }
    }
  }

  update(): void {
    this.guard(view => view.update());
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.guard(view => view.setTheme(theme));
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    this.guard(view => view.setVisible(visible));
  }

  setPaused(paused: boolean): void {
    if (this.paused !== paused) {
      this.paused = paused;
      this.guard(view => view.setPaused(paused));
    }
  }

  focus(): void {
    this.guard(view => view.focus());
  }

  /** Dispose the view, and the one that is being created; keep the element. */
  drop(): void {
    this.turn++;
    this.remove();
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.observer.disconnect();
      this.listening.abort();
      this.drop();
      Signal.clearData(this);
    }
  }

  private remove(): void {
    if (this.view) {
      this.view.pausedChanged.disconnect(this.onPaused, this);
      this.view.failed?.disconnect(this.onFailed, this);
      this.view.dispose();
      this.view = null;
      this.node.replaceChildren();
    }
  }

  private onPaused(_: View, paused: boolean): void {
    this.paused = paused;
    this.events.pausedChanged(paused);
  }

  private onFailed(_: View, error: unknown): void {
    this.drop();
    this.events.failed(error);
  }

  private resize(): void {
    this.guard(view => view.resize(this.node.clientWidth, this.node.clientHeight));
  }

  private guard(act: (view: View) => void): void {
    if (!this.view) {
      return;
    }
    try {
      act(this.view);
    } catch (error) {
      this.drop();
      this.events.failed(error);
    }
  }

  private disposed = false;
  private turn = 0;
  private view: View | null = null;
  private theme: Theme | null = null;
  private visible = false;
  private paused = false;
  private readonly listening = new AbortController();
  private readonly observer = new ResizeObserver(() => this.resize());
}
