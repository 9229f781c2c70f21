import { Clipboard } from '@jupyterlab/apputils';
import type { Message } from '@lumino/messaging';
import { type ISignal, Signal } from '@lumino/signaling';
import type { IDisposable } from '@lumino/disposable';
import { SeenWidget } from '../../base/jupyter/seen-widget';
import { element, setData, setHidden } from '../../base/element';
import { readTheme, type Theme } from '../../base/theme';
import { ticker } from '../../base/ticker';
import type { Milliseconds } from '../../base/units';
import type { Binding, Clients, LiveClient } from '../../clients/model';
import type { Topic } from '../../feed/schema';
import { Kept } from '../../plot/kept';
import { optionsOf } from '../../plot/options';
import type { Plot, PlotContext, PlotOption, Translate } from '../../plot/plot';
import { clearedOf, clearHistory } from '../../run/cleared';
import type { Run } from '../../run/run';
import type { ViewFactory, ViewHost } from '../../views/view';
import { Attachment } from '../../clients/attachment';
import { plotIcon } from '../icons';
import { Legend } from '../../plot-frame/legend';
import { MessageBox } from '../../plot-frame/message';
import type { MenuItem } from '../../plot-frame/menu-item';
import { openMenu } from './menu';
import { type PaneArgs, paneId, type SavedView } from './pane-args';
import { type Change, clientChip, clientMenu, optionMenu, paneMenu } from './pane-menus';
import { absentMessage, bannerMessage, emptyMessage, failureMessage, loadingMessage, type MessageActions } from './pane-words';
import { explainPlot } from '../../plot-frame/plot-tools';
import { paneStatus } from '../../clients/status';
import { StatusLine } from './status-line';
import { TitleLine } from './title-line';
import { ViewHolder } from '../../plot-frame/view-holder';

/** "Loading" is shown only after this long: most loads are over by then. */
const PATIENCE: Milliseconds = 300;
/**
 * Time after which a pane stops waiting for missing topics. A live cluster sends every topic, even if empty, so there
 * it is only slow; a recording, a local scheduler and a limited cluster may lack some.
 */
const SETTLED = { live: 10_000, other: 1000 } as const satisfies Record<string, Milliseconds>;

/** Shared by all panes. */
export interface PaneServices {
  readonly clients: Clients;
  readonly trans: Translate;
  readonly createView: ViewFactory;
  readonly createTable: ViewFactory;
  /** Open another plot next to a pane, with the same binding. */
  open(plot: string, from: PlotPane, args: Readonly<Record<string, string | number>>): void;
  /** Save a report of a pane's client, with all or some plots. */
  saveReport(from: PlotPane, plots?: readonly string[]): void;
}

/**
 * One plot of one client in a dockable widget: title line, legend, picture, status line, and a text for every state.
 * `node.dataset` has `plot`, `state` ({@link PANE_STATES}) and `client` (the key) for tests and style sheets.
 */
export class PlotPane extends SeenWidget {
  constructor(
    readonly plot: Plot,
    private args: PaneArgs,
    private readonly services: PaneServices
  ) {
    super();
    const { trans } = services;
    this.id = paneId(plot.id, args.number);
    this.hiddenItems = new Set(args.hidden);
    this.addClass('dp-Pane');
    this.title.label = trans(plot.title);
    this.title.caption = `${trans(plot.title)}: ${trans(plot.caption)}`;
    this.title.icon = plotIcon(plot);
    this.title.closable = true;
    this.title.className = 'dp-Tab';
    this.node.dataset.plot = plot.id;
    this.node.dataset.state = 'loading';
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', trans(plot.title));
    this.node.tabIndex = -1;
    const change = (changed: Partial<PaneArgs>): void => this.change(changed);
    this.titleLine = new TitleLine(trans, {
      chooseClient: anchor => openMenu(this.clientItems(), anchor),
      togglePause: () => this.setPaused(!this.paused),
      explain: anchor => explainPlot(plot, anchor, trans),
      openMenu: anchor => openMenu(this.menuItems(change), anchor)
    });
    this.legend = new Legend(trans, hidden => this.change({ hidden }), openMenu);
    this.statusLine = new StatusLine(trans, {
      resume: () => this.setPaused(false),
      showCleared: () => this.showCleared(),
      choose: (option, anchor) => openMenu(optionMenu(option, this.args, change, trans), anchor)
    });
    this.body.append(this.message.node, this.picture);
    // The pane is the query container of its style, so the styled elements are one level below.
    const frame = element('div', { class: 'dp-Pane-frame' });
    frame.append(this.titleLine.node, this.legend.node, this.body, this.banner.node, this.statusLine.node);
    this.node.append(frame);
    this.attachment = new Attachment(services.clients, plot.topics, plot.about);
    this.attachment.replaced.connect(this.onReplaced, this);
    this.attachment.changed.connect(this.refresh, this);
    this.attachment.binding = args.binding;
    this.node.addEventListener('pointerdown', () => this.attachment.wake());
    this.node.addEventListener('focusin', () => this.attachment.wake());
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
    return this.attachment.live;
  }

  /** {@link restoreArgs} changed. */
  get argsChanged(): ISignal<this, void> {
    return this.argsSignal;
  }

  /** Show another client. */
  bind(binding: Binding): void {
    this.change({ binding });
  }

  /** Apply an opener's arguments: options of the plot by id, the rest as state saved by the view. */
  take(saved: SavedView): void {
    const ids = new Set((this.plot.options ?? []).map(option => option.id));
    const given = Object.entries(saved);
    const options = given.filter(([id]) => ids.has(id)).map(([id, value]) => [id, String(value)]);
    const rest = given.filter(([id]) => !ids.has(id));
    this.save({ ...this.args.saved, ...Object.fromEntries(rest) });
    this.change({ options: { ...this.args.options, ...Object.fromEntries(options) } });
    if (rest.length > 0) {
      this.draw();
    }
  }

  /** Freeze the pane, or follow live. */
  setPaused(paused: boolean): void {
    this.paused = paused;
    this.holder.setPaused(paused);
    this.titleLine.setPaused(paused);
    this.dirty = true;
    if (!paused) {
      this.holder.update();
    }
    this.refresh();
  }

  get isPaused(): boolean {
    return this.paused;
  }

  /** Whether the shown history can be cleared. */
  get isClearable(): boolean {
    return this.run !== null && this.plot.clearable === true;
  }

  /** Hide everything that has ended by now, in this pane only. */
  clearHistory(): void {
    if (this.run !== null && this.isClearable) {
      this.change({ cleared: clearHistory(this.run, performance.now()) });
    }
  }

  /** Show the cleared part again. */
  showCleared(): void {
    this.change({ cleared: null });
  }

  /** Reload the colours: JupyterLab's theme changed. */
  retheme(): void {
    if (this.isAttached) {
      this.theme = readTheme(this.node);
      this.node.dataset.scheme = this.theme.scheme;
      this.holder.setTheme(this.theme);
      this.dirty = true;
      this.described = false;
      this.refresh();
    }
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.ticking?.dispose();
    this.run?.changed.disconnect(this.onRun, this);
    this.holder.dispose();
    this.legend.dispose();
    this.attachment.dispose();
    // It clears the signals after emitting `disposed`, on which JupyterLab drops the widget.
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
    this.holder.focus();
  }

  protected override seen(): void {
    if (!this.isVisible || this.ticking) {
      return;
    }
    this.asked = performance.now();
    this.ticking = ticker.listen(() => this.refresh());
    this.retheme();
    this.attachment.visible = true;
    this.holder.setVisible(true);
    this.holder.update();
    this.refresh();
  }

  protected override unseen(): void {
    this.ticking?.dispose();
    this.ticking = null;
    this.attachment.visible = false;
    this.holder.setVisible(false);
  }

  private onReplaced(_: Attachment, live: LiveClient): void {
    this.run?.changed.disconnect(this.onRun, this);
    this.run = live.run;
    this.asked = performance.now();
    this.arrived = false;
    this.firstFrame = Number.NaN;
    this.failure = null;
    live.run.changed.connect(this.onRun, this);
    this.node.dataset.client = live.info.key;
    // A picture of another client has another time axis and other rows.
    if (this.shownClient !== '' && this.shownClient !== live.info.key) {
      this.change({ saved: {} });
    }
    this.shownClient = live.info.key;
    this.dirty = true;
    this.draw();
  }

  private onRun(run: Run, topics: ReadonlySet<Topic>): void {
    if (!this.plot.topics.some(topic => topics.has(topic)) && !topics.has('meta')) {
      return;
    }
    this.dirty = true;
    if (!this.paused && this.ticking) {
      this.holder.update();
    }
    if (!this.arrived && this.complete(run)) {
      this.refresh();
    }
  }

  /** Whether enough data has arrived to decide what to show. */
  private complete(run: Run): boolean {
    if (run.clock.known && Number.isNaN(this.firstFrame)) {
      this.firstFrame = performance.now();
    }
    const live = this.attachment.kind === 'cluster' && this.attachment.live?.feed.state.status === 'live';
    const settled = performance.now() - this.firstFrame > (live ? SETTLED.live : SETTLED.other);
    this.arrived = run.clock.known && (settled || this.plot.topics.every(topic => run.has(topic)));
    return this.arrived;
  }

  /** Create the view for the shown run. */
  private draw(): void {
    const live = this.attachment.live;
    if (live === null || this.theme === null) {
      return;
    }
    const { services } = this;
    const context = (): PlotContext => this.context();
    const host: ViewHost = {
      run: live.run,
      feed: live.feed,
      trans: services.trans,
      get context() {
        return context();
      },
      saved: this.args.saved,
      save: saved => this.save(saved),
      open: (plot, args) => services.open(plot, this, args)
    };
    void this.holder
      .show(this.plot, host, this.args.table ? services.createTable : services.createView)
      .then(() => this.refresh());
  }

  private options(): readonly PlotOption[] {
    return optionsOf(this.plot, this.run, this.args.options);
  }

  private context(): PlotContext {
    const initial = (this.plot.options ?? []).map(option => [option.id, option.initial]);
    return {
      theme: this.theme ?? readTheme(this.node),
      trans: this.services.trans,
      options: { ...Object.fromEntries(initial), ...this.args.options },
      hidden: this.hiddenItems,
      saved: this.args.saved,
      kept: this.kept,
      cleared: this.args.cleared ?? null
    };
  }

  /** Update all texts; called four times per second while visible, and on every change of state. */
  private readonly refresh = (): void => {
    if (!this.ticking || this.isDisposed) {
      return;
    }
    try {
      this.refreshPicture();
    } catch (error) {
      this.fail(error);
    }
    this.refreshStatus();
    this.titleLine.setChip(clientChip(this.attachment, this.services.clients, this.args.binding, this.services.trans));
    this.banner.show(bannerMessage(this.attachment, this.services.clients, this.services.trans, this.actions));
  };

  private refreshPicture(): void {
    const { plot } = this;
    // Texts created while paused describe the frozen picture.
    const run = this.run && (this.holder.shownRun ?? this.run);
    if (this.failure !== null) {
      this.reveal(failureMessage(this.services.trans(plot.title), this.failure, this.services.trans, this.actions));
      return;
    }
    if (run === null) {
      const waiting = this.attachment.situation === 'waiting' && performance.now() - this.asked < PATIENCE;
      this.reveal(waiting ? null : absentMessage(this.attachment, this.services.clients, this.services.trans, this.actions));
      return;
    }
    if (!this.arrived && !this.complete(run)) {
      const patient = performance.now() - this.asked < PATIENCE;
      this.reveal(patient ? null : loadingMessage(this.attachment, this.services.trans));
      return;
    }
    if (!this.dirty || (this.paused && this.described)) {
      return;
    }
    this.dirty = false;
    this.described = true;
    const context = this.context();
    const empty = plot.empty(run, context);
    this.empty = empty !== null;
    this.reveal(empty && emptyMessage(empty, this.untold(run), this.services.trans));
    this.titleLine.setParts(plot.titleLine(run, context));
    this.legend.update(this.args.legend && !empty && !this.args.table ? plot.legend(run, context) : [], context.hidden);
    this.notes = plot.notes(run, context);
    const cleared = clearedOf(run, context.cleared);
    this.statusLine.setCleared(cleared && (plot.clearedTasks?.(run, cleared) ?? cleared.tasks));
    this.statusLine.setOptions(this.options().map(option => ({ option, value: context.options[option.id] })));
  }

  /** Whether the plot's topics have not arrived although all available ones have: then waiting is pointless. */
  private untold(run: Run): 'cluster' | 'recording' | null {
    const status = this.attachment.live?.feed.state.status;
    const all = this.attachment.kind !== 'cluster' || this.plot.topics.every(topic => run.has(topic));
    return all ? null : status === 'recorded' ? 'recording' : status === 'live' ? 'cluster' : null;
  }

  private refreshStatus(): void {
    const { attachment, run } = this;
    const feed = attachment.live?.feed.state ?? null;
    const status = paneStatus(
      {
        situation: attachment.situation,
        kind: attachment.kind,
        recorded: attachment.recorded,
        resting: attachment.resting,
        disconnected: attachment.kernel?.state === 'disconnected',
        now: performance.now(),
        run,
        feed,
        arrived: this.arrived,
        empty: this.empty,
        failed: this.failure !== null,
        pausedAt: this.paused ? this.holder.shownAt : null,
        closedAt: attachment.named?.info.closedAt ?? feed?.closedAt ?? null
      },
      this.services.trans
    );
    setData(this.node, 'state', status.state);
    this.statusLine.setStatus(status);
    const limited = feed?.status === 'limited' ? [this.services.trans('limited: %1', feed.reason)] : [];
    const silent = feed?.silent === 'scheduler' ? [this.services.trans('the scheduler does not answer its client')] : [];
    const problems = [...(run?.problems ?? []), attachment.live?.info.notice ?? ''].filter(text => text !== '');
    this.statusLine.setNotes([...limited, ...silent, ...problems, ...this.notes]);
  }

  /** Show a text in place of the picture, or the picture. */
  private reveal(message: Parameters<MessageBox['show']>[0]): void {
    this.message.show(message);
    setHidden(this.picture, message !== null);
  }

  private fail(error: unknown): void {
    this.failure = error ?? new Error('unknown');
    this.holder.drop();
    this.refresh();
  }

  private change(change: Partial<PaneArgs>): void {
    const before = this.args;
    this.args = { ...before, ...change };
    this.hiddenItems = new Set(this.args.hidden);
    this.dirty = true;
    this.described = false;
    if (change.binding) {
      this.attachment.binding = change.binding;
    }
    if (this.args.table !== before.table) {
      this.draw();
    } else {
      this.holder.update();
    }
    this.refresh();
    this.argsSignal.emit();
  }

  private save(saved: SavedView): void {
    const before = this.args.saved;
    this.args = { ...this.args, saved };
    // The texts describe the period selected in the view.
    if (before.from !== saved.from || before.to !== saved.to) {
      this.dirty = true;
      this.described = false;
    }
    this.argsSignal.emit();
  }

  private clientItems(): (MenuItem | null)[] {
    const { clients, trans } = this.services;
    return clientMenu(clients, this.args.binding, binding => this.bind(binding), trans);
  }

  /** "…" */
  private menuItems(change: Change): (MenuItem | null)[] {
    return paneMenu(this.plot, this.options(), this.args, change, this.services.trans, this.historyItems(), this.moreItems());
  }

  private historyItems(): MenuItem[] {
    const { trans } = this.services;
    const cleared = this.run && clearedOf(this.run, this.args.cleared);
    return [
      ...(this.isClearable ? [{ label: trans('Clear history'), run: () => this.clearHistory() }] : []),
      ...(cleared ? [{ label: trans('Show cleared history again'), run: () => this.showCleared() }] : [])
    ];
  }

  private moreItems(): (MenuItem | null)[] {
    const label = this.paused ? this.services.trans('Follow live') : this.services.trans('Pause');
    const save: MenuItem = {
      label: this.services.trans('Save report'),
      enabled: this.live !== null,
      run: () => this.services.saveReport(this)
    };
    const saveThis: MenuItem = {
      ...save,
      label: this.services.trans('Save this plot as HTML'),
      run: () => this.services.saveReport(this, [this.plot.id])
    };
    return [{ label, run: () => this.setPaused(!this.paused) }, save, saveThis, null, ...this.clientItems()];
  }

  private readonly actions: MessageActions = {
    addBridge: () => {
      this.attachment.kernel?.addBridge().catch((error: unknown) => this.fail(error));
    },
    follow: () => this.bind({ follow: true }),
    retry: () => {
      this.failure = null;
      this.dirty = true;
      this.draw();
      this.refresh();
    },
    copy: text => {
      // Not the browser's own `randomUUID`, which is missing on plain http.
      Clipboard.copyToSystem(text);
    }
  };

  private paused = false;
  private arrived = false;
  private empty = false;
  /** The texts must be rebuilt. */
  private dirty = true;
  /** The texts have been rebuilt since the user's last change: a paused pane keeps them. */
  private described = false;
  private failure: unknown = null;
  private notes: readonly string[] = [];
  private asked: Milliseconds = 0;
  /** When the first frame of the run arrived; NaN before. */
  private firstFrame: Milliseconds = Number.NaN;
  private shownClient = '';
  private run: Run | null = null;
  private theme: Theme | null = null;
  private ticking: IDisposable | null = null;
  private hiddenItems: ReadonlySet<string> = new Set();
  private readonly kept = new Kept();
  private readonly titleLine: TitleLine;
  private readonly legend: Legend;
  private readonly statusLine: StatusLine;
  private readonly attachment: Attachment;
  private readonly body = element('div', { class: 'dp-Pane-body' });
  private readonly picture = element('div', { class: 'dp-Pane-picture' });
  private readonly message = new MessageBox('dp-Message');
  private readonly banner = new MessageBox('dp-Banner');
  private readonly holder = new ViewHolder(this.picture, {
    failed: error => this.fail(error),
    pausedChanged: paused => {
      this.paused = paused;
      this.titleLine.setPaused(paused);
      this.dirty = true;
      this.refresh();
    }
  });
  private readonly argsSignal = new Signal<this, void>(this);
}
