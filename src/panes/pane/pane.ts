import { Clipboard } from '@jupyterlab/apputils';
import { hiddenAt, keepHidden } from '../../advice/hidden';
import type { IDisposable } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import { type ISignal, Signal } from '@lumino/signaling';
import { SeenWidget } from '../../base/jupyter/seen-widget';
import { setData } from '../../base/element';
import { readTheme } from '../../base/theme';
import { ticker } from '../../base/ticker';
import type { Binding, Clients, LiveClient } from '../../clients/model';
import type { MenuItem } from '../../plot-frame/menu-item';
import { explainPlot } from '../../plot-frame/explain';
import { savedFor, withClient, withSaved } from '../../plot-frame/saved-view';
import type { CellPlace, Plot, Translate } from '../../plot/plot';
import { clearedOf, clearHistory } from '../../run/cleared';
import type { Run } from '../../run/run';
import type { ViewFactory } from '../../views/view';
import type { Actor } from '../actions/actor';
import { showFailure } from '../actions/result';
import { exampleOf } from '../examples';
import { closeMenusOf, openMenu } from './menu';
import { type PaneArgs, paneId, type SavedView } from './pane-args';
import { PaneFrame } from './pane-frame';
import { fileItems } from '../exports/plot-files';
import { clientMenu, type MenuParts, optionMenu, paneMenu } from './pane-menus';
import { PanePicture } from './pane-picture';
import { labelPane } from './tab';

/** Shared by all panes. */
export interface PaneServices {
  readonly clients: Clients;
  readonly actor?: Actor;
  readonly trans: Translate;
  readonly createView: ViewFactory;
  readonly createTable: ViewFactory;
  /** Open another plot next to a pane, with the same binding. */
  open(plot: string, from: PlotPane, args: Readonly<Record<string, string | number>>): void;
  /** Follow the active notebook from now on, as all panes of the same client. */
  follow(from: PlotPane): void;
  /** Show the cell of a notebook; it may have used another client than the one that is shown. */
  lead(shown: LiveClient, place: CellPlace): void;
  /** Save a report of a pane's client, with all or some plots. */
  saveReport(from: PlotPane, ...what: Parameters<MenuParts['saveReport']>): void;
}

/**
 * One plot of one client in a dockable widget: title line, legend, picture, status line, and a text for every state.
 * `node.dataset` has `plot`, `view`, `state` (`PANE_STATES`) and `client` (the key) for tests and style sheets.
 *
 * Guarantees:
 * 1. While hidden it draws nothing and subscribes to nothing.
 * 2. While paused, picture and texts stay; both change only for what the user does in this pane.
 * 3. `argsChanged` follows every change of what a reload must restore.
 */
export class PlotPane extends SeenWidget {
  constructor(
    readonly plot: Plot,
    private args: PaneArgs,
    private readonly services: PaneServices
  ) {
    super();
    this.id = paneId(plot.id, args.number);
    this.addClass('dp-Pane');
    labelPane(this, plot, services.trans);
    this.hiddenItems = new Set(args.hidden);
    this.picture = this.makePicture();
    this.frame = this.makeFrame();
    // The pane is the query container of its style, so the styled elements are one level below.
    this.node.append(this.frame.node);
    const { attachment } = this.picture;
    attachment.binding = args.binding;
    this.node.addEventListener('pointerdown', () => attachment.wake());
    this.node.addEventListener('focusin', () => attachment.wake());
  }

  /** Arguments that restore this pane after a reload. */
  get restoreArgs(): PaneArgs {
    return this.args;
  }

  get binding(): Binding {
    return this.args.binding;
  }

  /** The shown client with its run; `null` while none has been found. */
  get live(): LiveClient | null {
    return this.picture.attachment.live;
  }

  /** {@link restoreArgs} changed. */
  get argsChanged(): ISignal<this, void> {
    return this.argsSignal;
  }

  /** Apply an opener's arguments: options of the plot by id, the rest as state saved by the view. */
  take(saved: SavedView): void {
    const ids = new Set((this.plot.options ?? []).map(option => option.id));
    const given = Object.entries(saved);
    const options = given.filter(([id]) => ids.has(id)).map(([id, value]) => [id, String(value)]);
    const rest = given.filter(([id]) => !ids.has(id));
    this.save({ ...savedFor(this.args.saved, this.live), ...Object.fromEntries(rest) });
    this.change({ options: { ...this.args.options, ...Object.fromEntries(options) } });
    if (rest.length > 0) {
      this.picture.draw();
    }
  }

  /** Freeze the pane, or follow live. */
  setPaused(paused: boolean): void {
    this.picture.setPaused(paused);
    this.frame.pausedChanged();
    if (!paused) {
      this.picture.update();
    }
    this.refresh();
  }

  get isPaused(): boolean {
    return this.picture.isPaused;
  }

  /** Whether the shown history can be cleared. */
  get isClearable(): boolean {
    return this.run !== null && this.picture.isClearable;
  }

  /** Hide everything that has ended by now, in this pane only. */
  clearHistory(): void {
    if (this.run !== null && this.isClearable) {
      this.change({ cleared: clearHistory(this.run, performance.now(), this.plot.sums?.(this.run)) });
    }
  }

  /** Show the cleared part again. */
  showCleared(): void {
    this.change({ cleared: null });
  }

  /** Reload the colours: JupyterLab's theme changed. */
  retheme(): void {
    if (this.isAttached) {
      const theme = readTheme(this.node);
      this.node.dataset.scheme = theme.scheme;
      this.picture.setTheme(theme);
      this.frame.outdated();
      this.refresh();
    }
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.ticking?.dispose();
    this.picture.dispose();
    this.frame.dispose();
    // It emits `disposed`, on which JupyterLab drops the widget, and clears the signals then.
    super.dispose();
  }

  /** A closed pane is disposed: nothing stays subscribed, and its plot can be opened again. */
  protected override onCloseRequest(msg: Message): void {
    super.onCloseRequest(msg);
    this.dispose();
  }

  protected override onActivateRequest(msg: Message): void {
    super.onActivateRequest(msg);
    this.node.focus({ preventScroll: true });
    this.picture.focus();
  }

  protected override seen(): void {
    if (!this.isVisible || this.ticking) {
      return;
    }
    this.picture.arrival.wait();
    this.ticking = ticker.listen(() => this.refresh());
    this.retheme();
    this.picture.setVisible(true);
    this.picture.update();
    this.refresh();
  }

  protected override unseen(): void {
    this.ticking?.dispose();
    this.ticking = null;
    closeMenusOf(this.node);
    this.picture.setVisible(false);
  }

  private makePicture(): PanePicture {
    const keeper = (): string | null => (this.plot.view === 'advice' ? (this.live?.path ?? null) : null);
    return new PanePicture(this.plot, {
      ...this.services,
      node: this.node,
      args: () => this.args,
      hidden: () => hiddenAt(keeper()) ?? this.hiddenItems,
      hide: hidden => this.change(keepHidden(keeper(), hidden) ? {} : { hidden }),
      saved: () => savedFor(this.args.saved, this.live),
      save: saved => this.save(saved),
      open: (plot, args) => this.services.open(plot, this, args),
      replaced: before => this.change({ saved: withClient(this.args.saved, before, this.live) }),
      news: selected => (selected ? this.frame.outdated() : this.frame.dirty()),
      changed: () => this.refresh(),
      pausedChanged: () => {
        this.frame.pausedChanged();
        this.refresh();
      }
    });
  }

  private makeFrame(): PaneFrame {
    const { plot, picture } = this;
    const { clients, trans } = this.services;
    const pane = { plot, clients, trans, picture, args: () => this.args };
    const change = (changed: Partial<PaneArgs>): void => this.change(changed);
    return new PaneFrame(pane, {
      chooseClient: anchor => openMenu(this.clientItems(), anchor),
      togglePause: () => this.setPaused(!this.isPaused),
      explain: anchor => explainPlot(plot, anchor, trans, exampleOf),
      openMenu: (anchor, place) => openMenu(this.menuItems(), anchor, place),
      open: (id, args) => this.services.open(id, this, args),
      hide: hidden => this.change({ hidden }),
      resume: () => this.setPaused(false),
      showCleared: () => this.showCleared(),
      choose: (option, anchor) => openMenu(optionMenu(option, this.args, change, trans), anchor),
      addBridge: () => void picture.attachment.kernel?.addBridge().catch(showFailure),
      follow: () => this.services.follow(this),
      retry: () => {
        this.frame.dirty();
        picture.retry();
      },
      // Not the browser's own clipboard, which is missing on plain http.
      copy: text => Clipboard.copyToSystem(text)
    });
  }

  private get run(): Run | null {
    return this.picture.liveRun;
  }

  /** Update all texts; called four times per second while visible, and on every change of state. */
  private readonly refresh = (): void => {
    if (this.ticking && !this.isDisposed) {
      setData(this.node, 'state', this.frame.refresh());
    }
  };

  /** Change what the pane shows. */
  change(change: Partial<Omit<PaneArgs, 'plot' | 'number'>>): void {
    const before = this.args;
    this.args = { ...before, ...change };
    this.hiddenItems = new Set(this.args.hidden);
    this.frame.outdated();
    if (change.binding) {
      // What is paused stays with its client.
      this.setPaused(false);
      this.picture.attachment.binding = change.binding;
    }
    this.args.table === before.table ? this.picture.update() : this.picture.draw();
    this.refresh();
    this.argsSignal.emit();
  }

  private save(saved: SavedView): void {
    const before = this.args.saved.selection;
    this.args = { ...this.args, saved: withSaved(this.args.saved, saved, this.live) };
    // The texts describe what is selected.
    if (before !== saved.selection) {
      this.frame.outdated();
    }
    this.argsSignal.emit();
  }

  private clientItems(): (MenuItem | null)[] {
    return clientMenu(this.services.clients, this.args.binding, changed => this.change(changed), this.services.trans);
  }

  /** What the pane's menu has: all its actions, `null` for a line. */
  menuItems(): readonly (MenuItem | null)[] {
    const { services, run } = this;
    const parts: MenuParts = {
      options: this.frame.options(),
      isCleared: run !== null && clearedOf(run, this.picture.context().cleared) !== null,
      clients: this.clientItems(),
      files: fileItems(this.plot, this.picture, this.node),
      change: changed => this.change(changed),
      explain: () => explainPlot(this.plot, this.frame.more, services.trans, exampleOf),
      saveReport: (...what) => services.saveReport(this, ...what)
    };
    return paneMenu(this, parts, services.trans);
  }

  private ticking: IDisposable | null = null;
  private hiddenItems: ReadonlySet<string> = new Set();
  private readonly picture: PanePicture;
  private readonly frame: PaneFrame;
  private readonly argsSignal = new Signal<this, void>(this);
}
