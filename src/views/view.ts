import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Theme } from '../base/theme';
import type { CssPixels, Seconds } from '../base/units';
import type { Feed } from '../feed/feed';
import type { CellPlace, LegendItem, Plot, PlotContext, Translate } from '../plot/plot';
import type { Subject } from '../plot/tooltip';
import type { Run } from '../run/run';

/** An action on something in a picture; it asks for confirmation. */
export interface ViewAction {
  readonly label: string;
  /** Why it is not possible now, as a message; else ''. */
  readonly refusal: string;
  run(): void;
}

/** The actions on what pictures show: none while they show a run that has ended, of which the present cluster knows nothing. */
export interface ViewActions {
  of(subject: Subject): readonly ViewAction[];
  /**
   * Open a menu of them under an element, or at a place in the browser's window.
   *
   * @returns whether there are any
   */
  open(subject: Subject, anchor: HTMLElement, place?: { readonly x: CssPixels; readonly y: CssPixels }): boolean;
}

/** A menu item created when the menu opens. */
export interface ViewMenuItem {
  /** Text; may come from a cluster. */
  readonly label: string;
  readonly checked?: boolean;
  /** Its colour in the picture, drawn before the text. */
  readonly swatch?: Pick<LegendItem, 'colour' | 'pattern' | 'outlined'>;
  readonly enabled?: boolean;
  run(): void;
}

/** Services that the holder of a view (a pane, a cell, a report) provides. */
export interface ViewHost {
  readonly run: Run;
  /** For requests such as the key of a row; `null` in a report. */
  readonly feed: Feed | null;
  readonly trans: Translate;
  /** Options and hidden legend items of this pane. */
  readonly context: PlotContext;
  /** State that the view restores after a reload (zoom, scroll, selection); small, JSON. */
  readonly saved: Readonly<Record<string, string | number | boolean>>;
  save(state: Readonly<Record<string, string | number | boolean>>): void;
  /** Switch off these items and no others: {@link PlotContext.hidden} from then on. Missing where nothing can be. */
  hide?(ids: readonly string[]): void;
  /** Open another plot (task details …) next to this one; `args` are its options, or treated as saved by its view. */
  open(plot: string, args: Readonly<Record<string, string | number>>): void;
  /** What can be done with what is shown; missing in a report. */
  readonly actions?: ViewActions;
  /** Open a menu under an element, or at a place in the browser's window; `null` is a separator. Missing in a report. */
  menu?(
    items: readonly (ViewMenuItem | null)[],
    anchor: HTMLElement,
    place?: { readonly x: CssPixels; readonly y: CssPixels }
  ): void;
  /** Show the cell of a notebook that something is from; missing in a report. */
  lead?(place: CellPlace): void;
}

/**
 * A picture in an element. The holder calls it; the view runs only through the shared frame loop.
 *
 * Life cycle: constructed → `update()` whenever the run changed → `dispose()`. A view draws nothing while hidden or
 * paused.
 */
export interface View extends IDisposable {
  /** The element that the holder adds to its layout; the view owns its content. */
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
   * @param moment - the copy of the run that the previous view drew while paused, so that the picture stays at one
   *   moment
   */
  setPaused(paused: boolean, moment?: Run): void;
  /** Scheduler time of the picture when paused, else NaN. */
  readonly shownAt: Seconds;
  /** The copy of the run drawn while paused; `null` or undefined if the view draws the run itself. */
  readonly shownRun?: Run | null;
  /** The view paused or resumed by itself (the user panned away from now, or pressed `L`). */
  readonly pausedChanged: ISignal<View, boolean>;
  /** An error while drawing, in a frame or in an unawaited operation: the holder shows it instead of the picture. */
  readonly failed?: ISignal<View, unknown>;
  focus(): void;
}

/** Create the view of a plot. Vega is loaded on first use, so this may take a moment. */
export type ViewFactory = (plot: Plot, host: ViewHost) => Promise<View>;
