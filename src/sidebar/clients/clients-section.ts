import { isUnanswered } from '../../feed/feed';
import { messageOf } from '../../base/untrusted';
import type { IDisposable } from '@lumino/disposable';
import { element } from '../../base/element';
import { serverUrl } from '../../base/jupyter/server-url';
import { Press } from '../../base/dom/press';
import type { Theme } from '../../base/theme';
import { type Clients, kindOf, type LiveClient } from '../../clients/model';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import { Attachment } from '../../clients/attachment';
import { FOLLOW, panesStayWith } from '../../clients/binding';
import { endingWords } from '../../clients/ending';
import { type SharedKernel, sharedKernels } from '../../clients/kernels/sharing';
import { gpuWorkers } from '../../selectors/workers/gpu-rows';
import type { OpenArgs } from '../../panes/tokens';
import { AdviceLine } from '../../plot-frame/advice-line';
import type { Translate } from '../../plot/plot';
import { dashboardLink } from './dashboard-link';
import {
  clientWords,
  currentFacts,
  kernelWords,
  liveWords,
  localWords,
  newestFirst,
  noKernelWords,
  openClients,
  type RowWords
} from './kernel-words';
import { LocalBar } from './local-bar';
import { MiniBars } from './mini-bars';
import { OtherKernels } from './other-kernels';
import { replaceRows } from './replace-rows';
import { clientRow, markFollowed, rewriteRows } from './row';
import { moreAction, repairActions, rowAction, saveButton } from './row-actions';
import { runOfSameScheduler, sameSchedulerWords, waitingThere } from './same-scheduler';
import { makeRoving } from '../../base/dom/roving';
import { Section } from '../section';

/** Actions of rows. */
export interface ClientActions {
  /** A row was selected: show this client's work. */
  show(path: string, client: string): void;
  saveReport(path: string, client: string): void;
  /** Open a plot of a client's work. */
  open(path: string, client: string, plot: string, mode?: OpenArgs['mode']): void;
  /** Save the arrangement of panes as a layout. */
  saveLayout(): void;
  /** Open the menu of actions on the cluster of a client. */
  menu(path: string, client: string, anchor: HTMLElement, place?: { readonly x: number; readonly y: number }): void;
  warn(message: string): void;
}

/** The clients of all kernels, with live bars for the followed one, and the other running kernels by name. */
export class ClientsSection implements IDisposable {
  readonly node: HTMLElement;

  constructor(
    private readonly clients: Clients,
    private readonly trans: Translate,
    private readonly actions: ClientActions
  ) {
    this.section = new Section(trans.__('Clients'));
    this.list = element('div', { class: 'dp-Clients', role: 'list', attributes: { 'aria-label': trans.__('Clients') } });
    makeRoving(this.list, '.dp-Row-main');
    this.press = new Press(this.list);
    this.section.content.append(this.list);
    this.node = this.section.node;
    const open = (plot: string, mode?: OpenArgs['mode']): void => {
      const { live } = this;
      live && actions.open(live.path, live.info.key, plot, mode);
    };
    this.bars = new MiniBars(trans, () => open('errors'));
    this.attachment = new Attachment(clients, ['workers', 'prefixes', 'computations']);
    this.attachment.changed.connect(this.draw, this);
    clients.changed.connect(this.follow, this);
    this.advice = new AdviceLine(trans, { open, brief: true });
    this.others = new OtherKernels(trans, () => {
      this.shown = '';
      this.draw();
    });
    this.localBar = new LocalBar(trans);
    this.local = new Attachment(clients, [], 'local');
    this.local.changed.connect(this.draw, this);
    this.follow();
    this.draw();
  }

  get isDisposed(): boolean {
    return this.attachment.isDisposed;
  }

  /** Whether workers of the attached client report a GPU. */
  get gpus(): boolean {
    const { live } = this;
    return live !== null && gpuWorkers(live.run).length > 0;
  }

  /** The sidebar became visible or hidden: bars receive data only while visible. */
  setVisible(visible: boolean): void {
    this.attachment.visible = visible;
    this.local.visible = visible;
    if (!visible) {
      this.advice.rest();
    }
  }

  /** Update the ageing texts and the bars; called four times per second while visible. */
  tick(theme: Theme): void {
    const { live } = this;
    const local = this.local.live;
    this.draw();
    this.bars.update(live?.run ?? null, live?.info.key ?? '', theme, live !== null && isUnanswered(live.feed.state));
    this.advice.about(live);
    if (this.section.isFolded) {
      this.advice.rest();
    } else {
      this.advice.update(performance.now());
    }
    if (local) {
      this.localBar.update(local.run, theme);
    }
  }

  dispose(): void {
    this.clients.changed.disconnect(this.follow, this);
    this.press.dispose();
    this.advice.dispose();
    this.attachment.dispose();
    this.local.dispose();
  }

  /**
   * The bars are of the client whose row has them. A pane that follows may show what the active notebook did with a
   * client that has ended.
   */
  private follow(): void {
    const { followed } = this.clients;
    this.attachment.binding = followed ? { follow: false, path: followed.path, client: followed.info.key } : FOLLOW;
  }

  /** The followed client, once its run is there. */
  private get live(): LiveClient | null {
    const { followed } = this.clients;
    const { live } = this.attachment;
    return followed !== null && live?.info.key === followed.info.key ? live : null;
  }

  /** What changes without a signal: texts about the present, and the workers of a run, which the kernel counts only now and then. */
  private ageing(): string {
    const texts = this.kernels.flatMap(shared => openClients(shared.kernel).map(info => this.wordsOf(shared, info).text));
    return JSON.stringify(texts);
  }

  /** The current content of the attached client's run; `null` if there is none. */
  private liveWords(live: LiveClient | null): RowWords | null {
    return live && this.attachment.situation === 'attached' ? liveWords(live, performance.now(), this.trans) : null;
  }

  private draw(): void {
    if (this.press.holds(() => this.draw())) {
      return;
    }
    const [kernels, { followed }] = [this.kernels, this.clients];
    const print = JSON.stringify([
      followed && [followed.info.key, panesStayWith(this.clients, followed.info.key)],
      this.local.live?.info.key,
      kernels.length > 0 ? '' : noKernelWords(this.clients, this.trans),
      kernels.map(({ kernel, names }) => [kernel.path, names, kernel.state, kernel.loss, kernel.reason, kernel.clients])
    ]);
    const words = this.ageing();
    const same = print === this.shown;
    if (same && words === this.drawn) {
      return;
    }
    this.shown = print;
    this.drawn = words;
    if (same) {
      rewriteRows(this.list, kernels, (shared, info) => this.wordsOf(shared, info));
      return;
    }
    const rowsOf = (unlooked: boolean): HTMLElement[] =>
      kernels.filter(({ kernel }) => (kernel.state === 'unlooked') === unlooked).flatMap(shared => this.rowsOf(shared));
    const rows = [...rowsOf(false), ...this.others.shown(rowsOf(true))];
    this.section.setFigure(String(kernels.reduce((total, { kernel }) => total + openClients(kernel).length, 0)));
    const none = element('div', { class: 'dp-Hint', text: noKernelWords(this.clients, this.trans) });
    replaceRows(this.list, rows.length > 0 ? rows : [none]);
  }

  /** Kernels that host a cluster are listed with the clusters. */
  private get kernels(): readonly SharedKernel[] {
    const listed = this.clients.kernels.filter(kernel => !kernel.hosting);
    return sharedKernels(listed, this.clients.followed?.path ?? this.clients.active?.path ?? '');
  }

  private rowsOf(shared: SharedKernel): HTMLElement[] {
    const { kernel } = shared;
    if (kernel.state === 'unlooked') {
      const look = rowAction(this.trans.__('Check'), this.trans.__('Check this kernel for Dask clients'), () => kernel.look());
      return [this.row(shared, null, { sign: 'ring', text: this.trans.__('running kernel') }, [look])];
    }
    const clients = openClients(kernel);
    if (clients.length > 0) {
      return clients.map(info => this.clientRow(shared, info));
    }
    const add = (): void => {
      kernel.addBridge().catch((error: unknown) => this.actions.warn(messageOf(error)));
    };
    const actions =
      kernel.state === 'missing'
        ? [rowAction(this.trans.__('Add'), this.trans.__('Send the part of dask_panes that this kernel needs'), add)]
        : repairActions(kernel, this.trans);
    const closed = newestFirst(kernel.clients)[0];
    return [
      closed
        ? this.row(shared, closed, clientWords(closed, kernel, false, this.trans), actions)
        : this.row(shared, null, kernelWords(kernel, this.trans), actions)
    ];
  }

  /** The second line of a client that is open. */
  private wordsOf(shared: SharedKernel, info: ClientInfo): RowWords {
    const [{ kernel }, { trans }] = [shared, this];
    const live = this.liveOf(shared, info);
    if (kindOf(info) === 'local') {
      return localWords(info, live?.run ?? null, kernel, trans);
    }
    const other = live === null ? runOfSameScheduler(this.live, info) : null;
    const words = this.liveWords(live) ?? waitingThere(other, info, kernel, trans);
    return words ?? clientWords(currentFacts(info, live?.run ?? other), kernel, this.isFollowed(shared, info), trans);
  }

  private localRow(shared: SharedKernel, info: ClientInfo): HTMLElement {
    const row = this.row(shared, info, this.wordsOf(shared, info), []);
    row.dataset.kind = 'local';
    if (this.liveOf(shared, info) !== null) {
      row.append(this.localBar.node);
    }
    return row;
  }

  private clientRow(shared: SharedKernel, info: ClientInfo): HTMLElement {
    if (kindOf(info) === 'local') {
      return this.localRow(shared, info);
    }
    const { kernel } = shared;
    const followed = this.isFollowed(shared, info);
    const row = this.row(shared, info, this.wordsOf(shared, info), [
      ...repairActions(kernel, this.trans),
      moreAction(this.trans, more => this.actions.menu(kernel.path, info.key, more))
    ]);
    if (followed) {
      markFollowed(row, this.clients, info.key, this.trans);
      row.append(this.bars.node, this.advice.node);
    }
    const plain = [sameSchedulerWords(this.kernels, info, this.trans), endingWords(info, this.trans)];
    for (const text of [info.limited, info.notice ?? '', ...plain].filter(each => each !== '')) {
      row.append(element('p', { class: 'dp-Row-notice', text, data: { tone: plain.includes(text) ? 'plain' : 'warn' } }));
    }
    const link = dashboardLink(info.dashboard, serverUrl(), this.trans);
    const save = followed ? saveButton(this.trans, () => this.actions.saveReport(kernel.path, info.key)) : null;
    const buttons = [save, link].filter(button => button !== null);
    if (buttons.length > 0) {
      row.append(element('div', { class: 'dp-Row-buttons' }, ...buttons));
    }
    return row;
  }

  private isFollowed({ paths }: SharedKernel, info: ClientInfo): boolean {
    const { followed } = this.clients;
    return followed !== null && paths.includes(followed.path) && followed.info.key === info.key;
  }

  private liveOf({ paths }: SharedKernel, info: ClientInfo): LiveClient | null {
    const { live } = kindOf(info) === 'local' ? this.local : this.attachment;
    return live !== null && paths.includes(live.path) && live.info.key === info.key ? live : null;
  }

  private row(shared: SharedKernel, info: ClientInfo | null, words: RowWords, actions: readonly HTMLElement[]): HTMLElement {
    const { path } = shared.kernel;
    const acts = info !== null && info.status !== 'closed' && kindOf(info) === 'cluster';
    return clientRow(shared, info, words, actions, {
      show: () => info && this.actions.show(path, info.key),
      ...(acts ? { menu: (anchor, place) => this.actions.menu(path, info.key, anchor, place) } : {})
    });
  }

  private drawn: string | null = null;
  private shown = '';
  private readonly section: Section;
  private readonly list: HTMLElement;
  private readonly press: Press;
  private readonly bars: MiniBars;
  private readonly attachment: Attachment;
  private readonly advice: AdviceLine;
  private readonly localBar: LocalBar;
  private readonly others: OtherKernels;
  private readonly local: Attachment;
}
