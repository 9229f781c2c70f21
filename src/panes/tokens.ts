import { Token } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import type { Binding, Clients } from '../clients/model';
import type { Plot } from '../plot/plot';
import type { PaneLayout } from './docking/layouts';
import type { SavedView } from './pane/pane-args';

/** How a pane is to be opened. */
export interface OpenArgs {
  /** Which client the pane shows; follow the active notebook unless told otherwise. */
  readonly binding?: Binding;
  /** Where it goes in the dock area, relative to the pane or document that is active; a tab beside it unless told otherwise. */
  readonly mode?: 'split-right' | 'split-left' | 'split-top' | 'split-bottom' | 'tab-after';
  /** Always a new pane, also where one for this plot and binding is open. */
  readonly anew?: boolean;
  /** What the plot is to show: options by id, such as the function of a profile, and parts of what its view saves. */
  readonly saved?: SavedView;
}

/** A pane that is open. */
export interface OpenPane {
  /** Id of its plot. */
  readonly plot: string;
  readonly binding: Binding;
  /** Of the widget in JupyterLab's shell. */
  readonly id: string;
}

/**
 * What other extensions may use: they open panes and layouts, register plots and layouts of their own, and read what clusters
 * do. A plot that is registered is equal to ours: in the sidebar, the palette, restored layouts, as a table and for
 * recordings. Only reports leave it out: they are files that hold our plots.
 */
export interface DaskPanes {
  /** Rises when something that was here goes or means something else. */
  readonly api: 1;
  /** Kernels and clients of this tab. `acquire` gives the run of a client: it is shared by all, so only read it. */
  readonly clients: Clients;
  /**
   * Register a plot.
   *
   * @returns takes it away when disposed, with the panes that show it
   * @throws Error where its id is taken or is not one, or it subscribes to a topic that this version does not have
   */
  registerPlot(plot: Plot): IDisposable;
  /**
   * Register a layout, which may name plots of any extension.
   *
   * @returns takes it away when disposed
   * @throws Error where its id is taken or is not one
   */
  registerLayout(layout: PaneLayout): IDisposable;
  /** Panes that are open, in no order. */
  readonly openPanes: readonly OpenPane[];
  /**
   * Open a plot in a pane, or show the pane that has it.
   *
   * @param plot - id of a plot of the catalogue
   * @throws Error when there is no such plot
   */
  open(plot: string, args?: OpenArgs): Promise<void>;
  /**
   * Place a layout beside the active notebook; panes that are open are used again.
   *
   * @param name - id of a layout (`status`)
   * @throws Error when there is no such layout
   */
  layout(name: string, binding?: Binding): Promise<void>;
  /**
   * Save what the scheduler still has of a client's work as one HTML file beside its notebook; what goes wrong is told
   * to the person.
   *
   * @param binding - the followed client without it
   * @param plots - ids of the plots that the report shows; all without it
   * @returns path of the file in JupyterLab, '' where it was downloaded; `null` where it could not be saved
   */
  saveReport(binding?: Binding, plots?: readonly string[]): Promise<string | null>;
  /** Ids of the plots that can be opened. */
  readonly plots: readonly string[];
  /** Ids of the layouts that can be placed. */
  readonly layouts: readonly string[];
}

/** Opens panes and layouts; see {@link DaskPanes}. */
export const IDaskPanes = new Token<DaskPanes>('dask-panes:IDaskPanes', 'Opens Dask panes and layouts.');
