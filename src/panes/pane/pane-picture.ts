import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';
import { element } from '../../base/element';
import { readTheme, type Theme } from '../../base/theme';
import type { Seconds } from '../../base/units';
import { Attachment } from '../../clients/attachment';
import type { Clients, LiveClient } from '../../clients/model';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import type { Topic } from '../../feed/schema';
import { Kept } from '../../plot/kept';
import { chosenOptions, follows, isClearable, mayFollow, topicsOf } from '../../plot/options';
import type { CellPlace, Plot, PlotContext, Translate } from '../../plot/plot';
import { sharesTime } from '../../plot-frame/plot-tools';
import { ViewHolder } from '../../plot-frame/view-holder';
import type { Run } from '../../run/run';
import { NOTHING_SELECTED, type Selection, selectionOf } from '../../run/selection/selection';
import { type TimeWindow, type WindowChange, windowOf } from '../../run/time-window';
import type { ViewAction, ViewActions, ViewFactory, ViewHost } from '../../views/view';
import type { Actor } from '../actions/actor';
import { offeredActions, viewActions } from '../actions/items';
import { Arrival } from './arrival';
import { openMenu } from './menu';
import type { PaneArgs, SavedView } from './pane-args';

/** What a picture needs of its pane. */
export interface PictureOwner {
  readonly node: HTMLElement;
  readonly clients: Clients;
  readonly actor?: Actor;
  readonly trans: Translate;
  readonly createView: ViewFactory;
  readonly createTable: ViewFactory;
  /** The present arguments of the pane. */
  args(): PaneArgs;
  /** The legend items that are switched off: the same object until they change. */
  hidden(): ReadonlySet<string>;
  /** What was saved for the picture and applies to the shown client. */
  saved(): SavedView;
  save(saved: SavedView): void;
  hide(ids: readonly string[]): void;
  /** Another client than before is shown, possibly of another scheduler. */
  replaced(before: ClientInfo): void;
  open(plot: string, args: Readonly<Record<string, string | number>>): void;
  /** Show the cell of a notebook; it may have used another client than the one that is shown. */
  lead(shown: LiveClient, place: CellPlace): void;
  /** The run has news. `selected`: another part of it is selected, so that the texts are written again also while paused. */
  news(selected?: boolean): void;
  /** The texts of the pane should be written: what can be shown has changed. */
  changed(): void;
  /** The view paused or resumed by itself. */
  pausedChanged(): void;
}

/**
 * The picture of a pane: the client of its binding, the run of that client, and the view that draws the plot.
 *
 * Guarantees:
 * 1. The view belongs to the shown client; that of the previous one stays until the new one is ready.
 * 2. A plot or a view that throws loses its picture, not its pane: {@link failure} is the error until another client is
 *    shown, or the user tries again or changes to the table.
 * 3. {@link run} is what the view draws, so texts made from it say what the picture says, also while paused.
 * 4. While hidden or paused, news of the run do not reach the view.
 */
export class PanePicture implements IDisposable {
  constructor(
    private readonly plot: Plot,
    private readonly owner: PictureOwner
  ) {
    this.attachment = new Attachment(owner.clients, plot.topics, plot.about);
    owner.clients.viewers.add(this.attachment);
    this.arrival = new Arrival(plot, this.attachment, run => plot.empty(run, this.context()) !== null);
    this.attachment.replaced.connect(this.onReplaced, this);
    this.attachment.changed.connect(() => owner.changed(), this);
  }

  readonly node = element('div', { class: 'dp-Pane-picture' });
  readonly attachment: Attachment;
  readonly arrival: Arrival;

  /** The run of the shown client; `null` while none has been found. */
  get liveRun(): Run | null {
    return this.held?.run ?? null;
  }

  /** The actions that the plot offers on the shown client. */
  get offers(): readonly ViewAction[] {
    const { held: live, owner, plot } = this;
    return live === null || owner.actor === undefined
      ? []
      : offeredActions(owner.actor, { path: live.path, key: live.info.key }, plot.offers, owner.trans);
  }

  get isPaused(): boolean {
    return this.paused;
  }

  /** The error instead of a picture; `null` if none. */
  get failure(): unknown {
    return this.fault;
  }

  /** Whether the plot shows, dims or changes what a selection selects. */
  follows(selection: Selection): boolean {
    return follows(this.plot, this.owner.args().options, selection);
  }

  /** Whether what it shows can be cleared, with the present values of its options. */
  get isClearable(): boolean {
    return isClearable(this.plot, this.owner.args().options);
  }

  private get topics(): readonly Topic[] {
    return topicsOf(this.plot, this.owner.args().options);
  }

  /** The run that texts are about: the frozen one while paused. `null` while no client is shown. */
  get run(): Run | null {
    return this.held && (this.holder.shownRun ?? this.held.run);
  }

  /** Scheduler time of the picture while paused, else NaN. */
  get shownAt(): Seconds {
    return this.holder.shownAt;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      Signal.clearData(this);
      this.holder.dispose();
      this.owner.clients.viewers.delete(this.attachment);
      this.attachment.dispose();
    }
  }

  /** Create the view for the client, the saved state and the kind (picture or table) that are wanted now. */
  draw(): void {
    this.fault = null;
    const { held: live, owner, plot } = this;
    if (live === null || this.theme === null) {
      return;
    }
    const context = (): PlotContext => this.context(live.run);
    const host: ViewHost = {
      run: live.run,
      feed: live.feed,
      trans: owner.trans,
      get context() {
        return context();
      },
      saved: owner.saved(),
      save: saved => owner.save(saved),
      hide: ids => owner.hide(ids),
      ...(owner.actor ? { actions: this.actions(owner.actor, live) } : {}),
      open: (other, args) => owner.open(other, args),
      menu: (items, anchor, place) => openMenu(items, anchor, place),
      lead: place => owner.lead(live, place)
    };
    void this.holder.show(plot, host, owner.args().table ? owner.createTable : owner.createView).then(() => owner.changed());
  }

  private actions(actor: Actor, live: LiveClient): ViewActions {
    const shown = (): Run => this.holder.shownRun ?? live.run;
    return viewActions(actor, () => ({ path: live.path, key: live.info.key }), live.run, shown, this.owner.trans);
  }

  /** Draw again after an error. */
  retry(): void {
    this.draw();
    this.owner.changed();
  }

  /** Show an error instead of the picture. */
  fail(error: unknown): void {
    this.fault = error ?? new Error('unknown');
    this.holder.drop();
    this.owner.changed();
  }

  /** The run, or an argument of the pane, has changed. */
  update(): void {
    this.attachment.topics = this.topics;
    this.holder.update();
  }

  setPaused(paused: boolean): void {
    this.holder.setPaused(paused);
    this.stand(paused);
  }

  /** What is paused is not exchanged for the client of another notebook, or the next one of its own. */
  private stand(paused: boolean): void {
    this.paused = paused;
    this.attachment.still = paused;
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    this.attachment.topics = this.topics;
    this.attachment.visible = visible;
    this.holder.setVisible(visible);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.holder.setTheme(theme);
  }

  focus(): void {
    this.holder.focus();
  }

  /** What the plot's functions get besides the run, which may be that of the client before: its view stays for a moment. */
  context(run: Run | null = this.liveRun): PlotContext {
    const { owner, plot } = this;
    const { options, cleared = null } = owner.args();
    return {
      theme: this.theme ?? readTheme(owner.node),
      trans: owner.trans,
      options: chosenOptions(plot, options),
      hidden: owner.hidden(),
      selection: run === null ? NOTHING_SELECTED : selectionOf(run).current,
      saved: owner.saved(),
      kept: this.kept,
      cleared: this.isClearable ? cleared : null
    };
  }

  private onReplaced(_: Attachment, live: LiveClient): void {
    const { owner, held: before } = this;
    const { key } = live.info;
    if (before !== null) {
      before.run.changed.disconnect(this.onRun, this);
      selectionOf(before.run).settled.disconnect(this.onSelection, this);
      windowOf(before.run).changed.disconnect(this.onWindow, this);
    }
    this.held = live;
    this.arrival.begin();
    live.run.changed.connect(this.onRun, this);
    if (mayFollow(this.plot)) {
      selectionOf(live.run).settled.connect(this.onSelection, this);
    }
    if (sharesTime(this.plot)) {
      windowOf(live.run).changed.connect(this.onWindow, this);
    }
    owner.node.dataset.client = key;
    if (before !== null && before.info.key !== key) {
      owner.replaced(before.info);
    }
    owner.news();
    this.draw();
  }

  /** The texts describe what is selected, and so does the table that may be in place of the picture. */
  private onSelection(): void {
    this.owner.news(true);
    this.update();
  }

  /** The user goes through time: the texts, and a table, are of the visible time. */
  private onWindow(_: TimeWindow, why: WindowChange): void {
    if (why === 'person') {
      this.onSelection();
    }
  }

  private onRun(run: Run, topics: ReadonlySet<Topic>): void {
    if (!this.topics.some(topic => topics.has(topic)) && !topics.has('meta')) {
      return;
    }
    this.owner.news();
    if (!this.paused && this.visible) {
      this.update();
    }
    if (!this.arrival.complete && this.arrival.look(run)) {
      this.owner.changed();
    }
  }

  private disposed = false;
  private visible = false;
  private paused = false;
  private held: LiveClient | null = null;
  private theme: Theme | null = null;
  private fault: unknown = null;
  private readonly kept = new Kept();
  private readonly holder = new ViewHolder(this.node, {
    failed: error => this.fail(error),
    pausedChanged: paused => {
      this.stand(paused);
      this.owner.pausedChanged();
    }
  });
}
