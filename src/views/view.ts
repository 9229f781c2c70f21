import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Theme } from '../base/theme';
import type { CssPixels, Seconds } from '../base/units';
import type { Feed } from '../feed/feed';
import type { Plot, PlotContext, Translate } from '../plot/plot';
import type { Run } from '../run/run';

/** What the holder of a view (a pane, a cell, a report) offers to it. */
export interface ViewHost {
  readonly run: Run;
  /** For requests such as the key of a row; `null` in a report. */
  readonly feed: Feed | null;
  readonly trans: Translate;
  /** Options and hidden legend items of this pane. */
  readonly context: PlotContext;
  /** What the view wants to have back after a reload (zoom, scroll, selection); small, JSON. */
  readonly saved: Readonly<Record<string, string | number | boolean>>;
  save(state: Readonly<Record<string, string | number | boolean>>): void;
  /** Open another plot (task details …) beside this one; `args` are its options, or as if its view had saved them. */
  open(plot: string, args: Readonly<Record<string, string | number>>): void;
}

/**
 * A picture in an element. The holder calls, the view never runs by itself but through the shared frame loop.
 *
 * Life: constructed → `update()` whenever the run changed → `dispose()`. A view draws nothing while hidden or paused.
 */
export interface View extends IDisposable {
  /** The element that the holder puts into its layout; the view owns what is inside. */
  readonly node: HTMLElement;
  /** The run, its topics, options or hidden items changed: draw in the next frame, if visible and not paused. */
  update(): void;
  /** Size of the node in CSS pixels. */
  resize(width: CssPixels, height: CssPixels): void;
  setTheme(theme: Theme): void;
  setVisible(visible: boolean): void;
  /**
   * Freeze the picture (`true`) or follow live (`false`).
   *
   * @param moment - the copy of the run that the view before this one drew while paused: what is shown stays of one moment
   */
  setPaused(paused: boolean, moment?: Run): void;
  /** Scheduler time of what is shown when paused, else NaN. */
  readonly shownAt: Seconds;
  /** The copy of the run that the view draws while paused, `null` or nothing where it draws the run itself. */
  readonly shownRun?: Run | null;
  /** The view paused or resumed by itself (a person panned away from now, or pressed `L`). */
  readonly pausedChanged: ISignal<View, boolean>;
  /** Drawing threw, in a frame or in anything that nobody waits for: the holder says so in place of the picture. */
  readonly failed?: ISignal<View, unknown>;
  focus(): void;
}

/** Make the view for a plot. Vega is loaded on first use, so this may take a moment. */
export type ViewFactory = (plot: Plot, host: ViewHost) => Promise<View>;
