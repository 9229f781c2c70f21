import { element, setHidden } from '../../base/element';
import type { Clients } from '../../clients/model';
import { paneStatus, spokenStatus, type StatusInput } from '../../clients/status';
import { Legend } from '../../plot-frame/legend';
import { MessageBox } from '../../plot-frame/message';
import { notesOf } from '../../plot-frame/plot-tools';
import { optionsOf } from '../../plot/options';
import type { EmptyText, Plot, PlotOption, Translate } from '../../plot/plot';
import { catalogueText } from '../../plot/translation';
import { clearedOf } from '../../run/cleared';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { selectionWords } from '../../selectors/selection/condition-words';
import { onContextMenu, openMenu } from './menu';
import type { PaneArgs } from './pane-args';
import { clientChip, followWords } from './pane-menus';
import type { PanePicture } from './pane-picture';
import {
  absentMessage,
  bannerMessage,
  emptyMessage,
  failureMessage,
  feedNotes,
  loadingMessage,
  type MessageActions
} from './pane-words';
import { OfferBar } from '../actions/offers';
import { StatusLine } from './status-line';
import { type TitleActions, TitleLine } from './title-line';

/** The pane that a frame is of. */
export interface FramedPane {
  readonly plot: Plot;
  readonly clients: Clients;
  readonly trans: Translate;
  readonly picture: PanePicture;
  args(): PaneArgs;
}

/** What the buttons of a frame do. */
export interface FrameActions extends TitleActions, MessageActions {
  hide(hidden: readonly string[]): void;
  resume(): void;
  showCleared(): void;
  choose(option: PlotOption, anchor: HTMLElement): void;
}

/**
 * Everything around the picture of a pane, written from the pane's state: title line, legend, message, banner, status
 * line.
 *
 * Guarantees:
 * 1. Exactly one of picture and message is shown, and the status line says why.
 * 2. The plot's texts are made only after {@link dirty} or {@link outdated}; while paused only after the latter.
 * 3. A plot whose texts throw loses its picture and says so.
 */
export class PaneFrame {
  constructor(
    private readonly pane: FramedPane,
    private readonly actions: FrameActions
  ) {
    const { trans, picture } = pane;
    this.titleLine = new TitleLine(trans, actions);
    this.legend = new Legend(trans, hidden => actions.hide(hidden), openMenu);
    const unselect = (): void => {
      if (picture.run !== null) {
        selectionOf(picture.run).clear();
      }
    };
    const statistics = (): void => actions.open(pane.plot.about === 'local' ? 'local-tasks' : 'task-stream', {});
    // Their buttons go: keys then are for the picture, as after a click into it.
    const last = (act: () => void) => (): void => {
      act();
      picture.focus();
    };
    this.statusLine = new StatusLine(trans, {
      ...actions,
      resume: last(() => actions.resume()),
      showCleared: last(() => actions.showCleared()),
      unselect: last(unselect),
      statistics
    });
    const body = element('div', { class: 'dp-Pane-body' }, this.message.node, picture.node);
    this.legend.rankBy(body);
    const lines = [this.titleLine.node, this.offers.node, this.legend.node, body, this.banner.node, this.statusLine.node];
    this.node = element('div', { class: 'dp-Pane-frame' }, ...lines);
    onContextMenu(this.node, place => actions.openMenu(this.node, place));
  }

  readonly node: HTMLElement;

  dispose(): void {
    this.legend.dispose();
  }

  /** The button of the pane's menu. */
  get more(): HTMLElement {
    return this.titleLine.more;
  }

  /** The run has news. */
  dirty(): void {
    this.due = true;
  }

  /** The user changed what the texts are about: they are written again, also while paused. */
  outdated(): void {
    this.due = true;
    this.described = false;
  }

  /** The pane paused, or goes on. */
  pausedChanged(): void {
    const { picture, trans } = this.pane;
    this.titleLine.setPaused(picture.isPaused, followWords(picture.attachment.recorded, trans));
    this.due = true;
  }

  /** The options of the plot with the choices that the run has. */
  options(): readonly PlotOption[] {
    const { plot, picture } = this.pane;
    const { liveRun: run } = picture;
    const options = optionsOf(plot, run, this.pane.args().options);
    return options.filter(option => run === null || (option.offered?.(run) ?? true));
  }

  /** Write all texts. Returns the pane's state, one of `PANE_STATES`. */
  refresh(): string {
    const { clients, trans, picture } = this.pane;
    const { attachment } = picture;
    try {
      this.refreshPicture();
    } catch (error) {
      picture.fail(error);
    }
    this.banner.show(bannerMessage(attachment, clients, trans, this.actions));
    this.offers.show(picture.offers);
    return this.refreshStatus();
  }

  private refreshPicture(): void {
    const { plot, clients, trans, picture } = this.pane;
    const { actions } = this;
    const { run, failure, attachment, arrival } = picture;
    if (failure !== null) {
      this.reveal(failureMessage(catalogueText(trans, plot.title), failure, trans, actions));
    } else if (run === null) {
      const waiting = attachment.situation === 'waiting' && arrival.brief;
      this.reveal(waiting ? null : absentMessage(attachment, clients, trans, actions));
    } else if (!arrival.look(run)) {
      if (arrival.brief) {
        this.reveal(null);
      } else {
        this.reveal(loadingMessage(attachment, arrival.workersAsked(run), trans));
        this.forget();
      }
    } else {
      if (this.due && !(picture.isPaused && this.described)) {
        this.describe(run);
      }
      // The end of a client is not news of its run; a paused pane shows an earlier moment.
      const ended = attachment.situation === 'closed' || attachment.live?.feed.state.status === 'closed';
      const status = ended ? (picture.isPaused ? 'live' : 'closed') : attachment.live?.feed.state.status;
      const reason = attachment.live?.info.limited ?? '';
      this.reveal(this.empty && emptyMessage(this.empty, arrival.lacking(run), { status, reason }, trans));
    }
  }

  /** Say nothing of the client before: its picture is not shown any more. */
  private forget(): void {
    this.titleLine.setParts([]);
    this.legend.update([], new Set());
    this.notes = [];
    this.statusLine.setCleared(null);
    this.statusLine.setSelected('');
    this.outdated();
  }

  /** Write the plot's texts. */
  private describe(run: Run): void {
    const { plot, trans, picture } = this.pane;
    this.due = false;
    this.described = true;
    const context = picture.context();
    const { legend, table } = this.pane.args();
    const empty = plot.empty(run, context);
    this.empty = empty;
    // A 0 would deny what is not known.
    const denies = empty !== null && picture.arrival.lacking(run) !== null;
    this.titleLine.setParts(denies ? [] : plot.titleLine(run, context));
    this.legend.update(legend && !empty && !table ? plot.legend(run, context) : [], context.hidden);
    this.notes = notesOf(plot, run, context);
    const cleared = clearedOf(run, context.cleared);
    // The title says since when sums are.
    this.statusLine.setCleared(
      cleared && (plot.clearedTasks === null ? 'sums' : (plot.clearedTasks?.(run, cleared) ?? cleared.tasks))
    );
    const { current } = selectionOf(run);
    this.statusLine.setSelected(picture.follows(current) ? selectionWords(run, current, trans) : '');
    this.statusLine.setOptions(this.options().map(option => ({ option, value: context.options[option.id] })));
  }

  private refreshStatus(): string {
    const { clients, trans, picture } = this.pane;
    const { attachment, arrival, liveRun: run } = picture;
    const { situation, kind, recorded, resting } = attachment;
    const feed = attachment.live?.feed.state ?? null;
    const connection: StatusInput = {
      ...{ situation, kind, recorded, resting, run, feed },
      disconnected: attachment.kernel?.state === 'disconnected',
      now: performance.now(),
      arrived: arrival.complete,
      empty: this.empty !== null,
      failed: false,
      pausedAt: null,
      closedAt: attachment.named?.info.closedAt ?? feed?.closedAt ?? null
    };
    const chip = paneStatus(connection, trans);
    const failed = picture.failure !== null;
    const pausedAt = picture.isPaused ? picture.shownAt : null;
    const status = failed || pausedAt !== null ? paneStatus({ ...connection, failed, pausedAt }, trans) : chip;
    this.titleLine.setChip(clientChip(attachment, clients, this.pane.args().binding, chip, trans));
    this.statusLine.setStatus(status, recorded, spokenStatus(status, attachment, clients, trans));
    this.statusLine.setNotes([...feedNotes(attachment, run, trans), ...this.notes]);
    return status.state;
  }

  /** Show a text in place of the picture, or the picture. */
  private reveal(message: Parameters<MessageBox['show']>[0]): void {
    this.message.show(message);
    setHidden(this.pane.picture.node, message !== null);
  }

  /** The texts must be written again. */
  private due = true;
  /** They have been written since the user's last change: a paused pane keeps them. */
  private described = false;
  private empty: EmptyText | null = null;
  private notes: readonly string[] = [];
  private readonly titleLine: TitleLine;
  private readonly offers = new OfferBar();
  private readonly legend: Legend;
  private readonly statusLine: StatusLine;
  private readonly message = new MessageBox('dp-Message');
  private readonly banner = new MessageBox('dp-Banner');
}
