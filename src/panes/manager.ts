import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Widget } from '@lumino/widgets';
import { messageOf } from '../base/untrusted';
import type { Settings } from '../base/jupyter/settings';
import type { Binding, Clients } from '../clients/model';
import type { ShowRequest } from '../feed/kernel/kernel-channel';
import type { Topic } from '../feed/schema';
import type { Plot } from '../plot/plot';
import { FOLLOW, sameBinding } from '../clients/binding';
import type { Run } from '../run/run';
import type { SharedSelection } from '../run/selection/shared-selection';
import type { PaneDock } from './docking/docks';
import { Bindings } from './bindings';
import { type Catalogue, checkedPlot } from './catalogue';
import { layoutNamed, type PaneLayout, plotOf } from './docking/layouts';
import type { LayoutPlacer, PlacerOptions } from './docking/placer';
import { SavedLayouts } from './docking/saved/shelf';
import { LoadFailure } from './lazy-widget';
import { type MakerOptions, type PaneCode, PaneMaker } from './pane-maker';
import type { PlotPane } from './pane/pane';
import type { PaneArgs } from './pane/pane-args';
import type { SavedReport, SaveRequest } from './reports/save-report';
import type { DaskPanes, OpenArgs, OpenPane } from './tokens';

/** Dependencies of the manager. */
export interface ManagerOptions extends MakerOptions {
  readonly layouts: Catalogue<PaneLayout>;
  readonly dock: PaneDock;
  readonly settings: Settings;
  /** Save a report and notify the user; `null` on failure. */
  saveReport(request: SaveRequest): Promise<SavedReport | null>;
}

/** Creates, finds and arranges panes; see {@link DaskPanes}. */
export class PaneManager implements DaskPanes {
  constructor(private readonly options: ManagerOptions) {
    this.bindings = new Bindings(options.services.clients, options.settings);
    this.maker = new PaneMaker(options, {
      binding: kind => this.bindings.byDefault(kind),
      open: (plot, args) => this.reveal(plot, args),
      saveReport: (...what) => void this.saveReport(...what),
      closed: () => this.announce()
    });
    this.savedLayouts = new SavedLayouts(options.settings, options.layouts, options.services.trans, options.warn);
    this.clients.shown.connect(this.onShown, this);
    options.tracker.widgetAdded.connect(this.announce, this);
    options.plots.changed.connect(this.onPlots, this);
    options.layouts.changed.connect(this.announce, this);
  }

  get plots(): readonly string[] {
    return this.options.plots.all.map(plot => plot.id);
  }

  get layouts(): readonly string[] {
    return this.options.layouts.all.map(layout => layout.id);
  }

  readonly api = 1;
  readonly savedLayouts: SavedLayouts;

  get openPanes(): readonly OpenPane[] {
    return this.panes().map(({ plot, binding, id }) => ({ plot: plot.id, binding, id }));
  }

  get clients(): Clients {
    return this.options.services.clients;
  }

  registerPlot(plot: Plot): IDisposable {
    return this.maker.register(checkedPlot(plot));
  }

  registerLayout(layout: PaneLayout): IDisposable {
    return this.options.layouts.add(layout);
  }

  async selection(run: Run): Promise<SharedSelection> {
    const { sharedSelection } = await import('../run/selection/shared-selection');
    return sharedSelection(run);
  }

  /** All plots and layouts, the settings, and the code of panes, which is loaded with the first one. */
  get parts(): Pick<ManagerOptions, 'plots' | 'layouts' | 'settings' | 'code'> {
    return this.options;
  }

  /** Panes were opened or closed, or the list of plots and layouts changed. */
  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  /** A plot was opened by its id. */
  get opened(): ISignal<this, string> {
    return this.openedSignal;
  }

  /** Whether any pane shows the plot. */
  isOpen(plot: string): boolean {
    return this.panes().some(pane => pane.plot.id === plot);
  }

  async open(plot: string, args: OpenArgs = {}): Promise<void> {
    const code = await this.maker.load();
    const found = args.anew ? undefined : this.find(plot, args.binding);
    const pane = found ?? this.maker.create({ plot, binding: args.binding });
    this.openedSignal.emit(plot);
    if (args.saved) {
      pane.take(args.saved);
    }
    if (!found) {
      this.dockIn(pane, args.mode, code.placeBeside);
    }
    this.options.dock.activate(pane);
  }

  async layout(name: string, binding?: Binding): Promise<void> {
    this.notePlaced(await (await this.placer()).place(name, binding));
  }

  /** The open panes are now those of a layout, which was placed or saved. */
  notePlaced(id: string | undefined): void {
    this.placedLast = id;
    this.announce();
  }

  /** Whether a layout is the one placed last, and all its panes are still open. */
  isPlaced({ id, plots }: PaneLayout): boolean {
    const last = this.placedLast ?? this.panes().find(pane => pane.restoreArgs.layout !== undefined)?.restoreArgs.layout;
    return last === id && plots.every(plot => this.isOpen(plotOf(plot)));
  }

  /** Places and saves layouts; rejects with a LoadFailure, which the user has been shown. */
  async placer(): Promise<LayoutPlacer> {
    const { LayoutPlacer } = await this.maker.load();
    const { trans } = this.options.services;
    const create: PlacerOptions['create'] = args => this.maker.create(args);
    const binding: PlacerOptions['binding'] = kind => this.bindings.byDefault(kind);
    return new LayoutPlacer({ ...this.options, saved: this.savedLayouts, create, binding, trans, panes: () => this.panes() });
  }

  async saveReport(binding: Binding = FOLLOW, plots: readonly string[] = [], more?: readonly Topic[]): Promise<string | null> {
    const wanted = this.options.plots.all.filter(plot => plots.includes(plot.id));
    // A report of some plots needs only their data, and the workers.
    const topics = new Set<Topic>(['meta', 'workers', ...wanted.flatMap(plot => plot.topics), ...(more ?? [])]);
    const part = wanted.length > 0 ? { plots: wanted.map(plot => plot.id), topics: [...topics] } : {};
    return (await this.options.saveReport({ binding, ...part }))?.path ?? null;
  }

  /** Open a plot on a click; errors are shown to the user. */
  reveal(plot: string, args: OpenArgs = {}): void {
    this.open(plot, args).catch(this.warn);
  }

  /** Place a layout on a click; errors are shown to the user. */
  revealLayout(name: string, binding?: Binding): void {
    this.layout(name, binding).catch(this.warn);
  }

  /** Show the work of one client: the layout for its kind, pinned to it unless it is the followed one. */
  showClient(path: string, client: string): void {
    const kind = this.bindings.kindAt(path, client);
    const layout = kind === 'local' ? 'local' : this.options.settings.values.defaultLayout;
    this.revealLayout(layout, this.bindings.of(path, client, kind));
  }

  /**
   * Restore a pane; the layout restorer then moves it to its position. `null` if its code cannot be loaded: JupyterLab would
   * forget a pane whose command fails, and this one comes back with the next reload.
   */
  async restore(args: Partial<PaneArgs> & { readonly plot: string }): Promise<PlotPane | null> {
    try {
      await this.maker.load();
    } catch (error) {
      return this.warn(error);
    }
    let pane = this.panes().find(other => other.plot.id === args.plot && other.restoreArgs.number === args.number);
    if (!pane) {
      // A binding that follows is not written.
      pane = this.maker.create({ binding: FOLLOW, ...args });
      this.options.dock.add(pane, 'tab-after', null);
    }
    return pane;
  }

  /**
   * Create a pane for a drop. It is added to the dock first, since JupyterLab's tab menu knows only widgets added there.
   *
   * @throws Error if the code of panes has not been loaded
   */
  createForDrop(plot: string): PlotPane {
    const pane = this.maker.create({ plot });
    this.openedSignal.emit(plot);
    this.options.dock.add(pane, 'tab-after', null);
    return pane;
  }

  /** Freeze all panes, or resume all if all are frozen. */
  togglePauseAll(): void {
    const panes = this.panes();
    const paused = panes.some(pane => !pane.isPaused);
    for (const pane of panes) {
      pane.setPaused(paused);
    }
  }

  /** The pane whose history can be cleared. */
  get clearable(): PlotPane | null {
    return this.usedLast(pane => pane.isClearable);
  }

  /** The pane with a timeline that commands change. */
  get timeline(): PlotPane | null {
    return this.usedLast(({ node }) => node.dataset.view === 'timeline');
  }

  /** Of the panes that fit, the one used last, else the only open one. */
  private usedLast(fits: (pane: PlotPane) => boolean): PlotPane | null {
    const panes = this.panes().filter(fits);
    return panes.find(pane => pane === this.options.tracker.currentWidget) ?? (panes.length === 1 ? panes[0] : null);
  }

  /** JupyterLab's theme changed. */
  retheme(): void {
    for (const pane of this.panes()) {
      pane.retheme();
    }
  }

  /** Listen to nothing any more. */
  dispose(): void {
    Signal.clearData(this);
    this.savedLayouts.dispose();
  }

  private panes(): PlotPane[] {
    return this.options.tracker.filter(pane => !pane.isDisposed);
  }

  private find(plot: string, binding: Binding | undefined): PlotPane | undefined {
    return this.panes().find(pane => pane.plot.id === plot && (binding === undefined || sameBinding(pane.binding, binding)));
  }

  /** A first pane opens next to the document; further ones are tabs next to the pane used last. */
  private dockIn(pane: PlotPane, mode: OpenArgs['mode'], placeBeside: PaneCode['placeBeside']): void {
    const { dock, tracker } = this.options;
    const last = tracker.currentWidget;
    const beside: Widget | null = last && last !== pane && last.isAttached ? last : null;
    const ref = beside ?? dock.document(widget => this.panes().some(pane => pane === widget));
    dock.add(pane, placeBeside(mode ?? (beside ? 'tab-after' : 'split-right'), ref), ref?.id ?? null);
  }

  private onShown(_: Clients, { what, client, path }: ShowRequest & { readonly path: string }): void {
    const { layouts, plots, warn, services } = this.options;
    const layout = layouts.find(what) ?? (plots.find(what) ? undefined : layoutNamed(layouts, what));
    const plot = plots.find(plotOf(layout?.plots[0] ?? what));
    const kind = plot?.about ?? 'cluster';
    const binding = client ? this.bindings.of(path, client, kind) : this.bindings.newest(path, kind);
    if (layout) {
      this.revealLayout(layout.id, binding);
    } else if (plot) {
      this.reveal(what, { binding });
    } else {
      this.maker.load().then(code => warn(code.unknownName(what, layouts.all, plots.all, services.trans)), this.warn);
    }
  }

  /** Panes of an unregistered plot cannot continue. */
  private onPlots(): void {
    const { plots } = this.options;
    for (const pane of this.panes().filter(({ plot }) => plots.find(plot.id) === undefined)) {
      pane.dispose();
    }
    this.announce();
  }

  private announce(): void {
    this.changedSignal.emit();
  }

  private readonly warn = (error: unknown): null => {
    // A failure to load has been shown.
    if (!(error instanceof LoadFailure)) {
      this.options.warn(messageOf(error));
    }
    return null;
  };

  /** Id of the layout placed or saved last; `undefined` after a reload, when the panes that it opened know it. */
  private placedLast: string | undefined;
  private readonly bindings: Bindings;
  private readonly maker: PaneMaker;
  private readonly openedSignal = new Signal<this, string>(this);
  private readonly changedSignal = new Signal<this, void>(this);
}
