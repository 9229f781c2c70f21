import { Token } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import type { Binding, Clients } from '../clients/model';
import type { Plot } from '../plot/plot';
import type { Run } from '../run/run';
import type { SharedSelection } from '../run/selection/shared-selection';
import type { PaneLayout } from './docking/layouts';
import type { SavedView } from './pane/pane-args';

/** How to open a pane. */
export interface OpenArgs {
  /** The client to show; default: follow the active notebook. */
  readonly binding?: Binding;
  /**
   * Position in the dock area, relative to the active pane or document; default: a tab next to it. Without room for two: below
   * it, or a tab.
   */
  readonly mode?: 'split-right' | 'split-left' | 'split-top' | 'split-bottom' | 'tab-after';
  /** Always open a new pane, even if there is one for this plot and binding. */
  readonly anew?: boolean;
  /** Arguments for the plot: options by id, such as the function of a profile, and parts of its view's saved state. */
  readonly saved?: SavedView;
}

/** An open pane. */
export interface OpenPane {
  /** Id of its plot. */
  readonly plot: string;
  readonly binding: Binding;
  /** Widget id in JupyterLab's shell. */
  readonly id: string;
}

/**
 * The interface for other extensions: open panes and layouts, register plots and layouts, and read what clusters do. A
 * registered plot is equal to ours: it appears in the sidebar, the palette, restored layouts, as a table and for
 * recordings. Only reports omit it: they are files that contain only our plots.
 */
export interface DaskPanes {
  /** Incremented when something here is removed or changes its meaning. */
  readonly api: 1;
  /** Kernels and clients of this tab. `acquire` returns the run of a client, which is shared: treat it as read-only. */
  readonly clients: Clients;
  /**
   * Register a plot.
   *
   * @returns removes it when disposed, with its panes
   * @throws Error if its id is invalid or taken, or it subscribes to a topic that this version does not have
   */
  registerPlot(plot: Plot): IDisposable;
  /**
   * Register a layout, which may refer to plots of any extension.
   *
   * @returns removes it when disposed
   * @throws Error if its id is invalid or taken
   */
  registerLayout(layout: PaneLayout): IDisposable;
  /** Open panes, in no order. */
  readonly openPanes: readonly OpenPane[];
  /**
   * Open a plot in a pane, or show its existing pane.
   *
   * @param plot - id of a plot in the catalogue
   * @throws Error if there is no such plot
   */
  open(plot: string, args?: OpenArgs): Promise<void>;
  /**
   * Place a layout next to the active notebook; open panes are reused.
   *
   * @param name - id of a layout (`status`)
   * @throws Error if there is no such layout
   */
  layout(name: string, binding?: Binding): Promise<void>;
  /**
   * Save everything that the scheduler still has of a client's work as one HTML file next to its notebook; errors are
   * shown to the user.
   *
   * @param binding - default: the followed client
   * @param plots - ids of the plots in the report; default: all
   * @returns path of the file in JupyterLab, '' if it was downloaded; `null` if it could not be saved
   */
  saveReport(binding?: Binding, plots?: readonly string[]): Promise<string | null>;
  /**
   * The selection of a run, which all its views share: read it, set it, and notice its changes. Names in it are untrusted.
   *
   * @param run - from `clients.acquire`, or that of a plot
   */
  selection(run: Run): Promise<SharedSelection>;
  /** Ids of the available plots. */
  readonly plots: readonly string[];
  /** Ids of the available layouts. */
  readonly layouts: readonly string[];
}

/** Opens panes and layouts; see {@link DaskPanes}. */
export const IDaskPanes = new Token<DaskPanes>('dask-panes:IDaskPanes', 'Opens Dask panes and layouts.');
