import { messageOf } from '../base/untrusted';
import type { IDisposable } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import type { ISignal } from '@lumino/signaling';
import { SeenWidget } from '../base/jupyter/seen-widget';
import { element } from '../base/element';
import { LIGHT_FRAME, makeTheme, readTheme, type Theme } from '../base/theme';
import { ticker } from '../base/ticker';
import type { Settings } from '../base/jupyter/settings';
import type { Milliseconds } from '../base/units';
import type { Clients, LiveClient } from '../clients/model';
import { Attachment } from '../clients/attachment';
import { spokenStatus } from '../clients/status';
import type { Actor } from '../panes/actions/actor';
import { lossActions } from '../panes/pane/lost-words';
import type { OpenArgs } from '../panes/tokens';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';
import { Card, type CardButton } from './card';
import type { ClientFacts } from './cell/facts';
import { findClient } from './cell/find';
import type { OwnView } from './cell/own';
import { CardCluster } from './cluster';
import { clusterActions } from './cluster-actions';
import { History } from './history/history';
import { openedBinding, openers, openPlot, type ShownPanes } from './openers';
import { type Late, scaleButton } from './scaling';
import { type CardWords, liveWords, savedWords } from './words';

/**
 * Services of the front end for a displayed client. Those that are `null` are not available; the static facts are always
 * shown.
 */
export interface ClientViewServices {
  readonly trans: Translate;
  /** Absolute URL of the Jupyter server. */
  readonly baseUrl: string;
  readonly clients: Clients | null;
  readonly panes: ShownPanes | null;
  readonly actor: Actor | null;
  readonly themeChanged: ISignal<unknown, unknown> | null;
  readonly settings: Pick<Settings, 'values' | 'changed'>;
}

/** Container of a view; unknown for a widget in a layout. */
export interface ClientViewPlace {
  /** Dask's own representation in the same output. */
  readonly own: OwnView;
  /** Path of the Jupyter session of its document. */
  path(): string;
}

/** Update interval of a live card without news: its figures may be outdated. */
const AGEING: Milliseconds = 1_000;

/**
 * A displayed client or cluster: its static facts, live as soon and as long as a kernel of this tab knows it.
 *
 * Guarantees:
 * 1. While attached and visible it has one subscription to `meta`, `workers` and `prefixes`; hidden or detached it has none.
 * 2. It never shows another client than its own, also if that is unknown here or gone.
 * 3. What fails is said on the card.
 *
 * `node.dataset.state` is `saved` or a state of `paneStatus`.
 */
export class ClientView extends SeenWidget {
  /** @param facts - `null` if the output cannot be read: the view shows an error */
  constructor(
    facts: ClientFacts | null,
    private readonly services: ClientViewServices,
    private readonly place: ClientViewPlace | null = null
  ) {
    super();
    this.addClass('dp-ClientView');
    this.cluster = new CardCluster(services.clients, services.trans, () => this.draw());
    const open = (plot: string, args: Pick<OpenArgs, 'saved' | 'mode'>): void =>
      this.open(() => openPlot(services.panes, plot, openedBinding(services.clients, this.attachment), args));
    this.history = new History(services.trans, (plot, mode) => open(plot, { mode }));
    this.card = new Card(services.trans, services.baseUrl, this.history, (plot, saved) => open(plot, { saved }));
    this.theme = makeTheme(LIGHT_FRAME);
    services.themeChanged?.connect(this.retheme, this);
    services.settings.changed.connect(this.draw, this);
    place?.own.changed.connect(this.draw, this);
    this.setFacts(facts);
  }

  /** Show another client, or the same again: an output was updated. */
  setFacts(facts: ClientFacts | null): void {
    this.release();
    this.facts = facts;
    if (facts) {
      this.node.replaceChildren(this.card.node);
      this.listen(facts);
      this.seen();
    } else {
      const text = this.services.trans.__('This output has no Dask client that this version can read.');
      this.node.replaceChildren(element('p', { class: 'dp-ClientView-unreadable', text }));
    }
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.release();
    this.history.dispose();
    this.services.themeChanged?.disconnect(this.retheme, this);
    this.services.settings.changed.disconnect(this.draw, this);
    this.place?.own.changed.disconnect(this.draw, this);
    super.dispose();
  }

  protected override onAfterAttach(msg: Message): void {
    this.retheme();
    super.onAfterAttach(msg);
  }

  protected override seen(): void {
    if (this.attachment && this.isVisible) {
      this.attachment.visible = true;
      this.ticking ??= ticker.listen(() => this.tick());
    }
    this.draw();
  }

  protected override unseen(): void {
    this.ticking?.dispose();
    this.ticking = null;
    this.history.rest();
    if (this.attachment) {
      this.attachment.visible = false;
    }
  }

  /** Search for the client of these facts. */
  private listen(facts: ClientFacts): void {
    const { clients } = this.services;
    if (clients) {
      this.attachment = new Attachment(clients, ['workers', 'prefixes', 'computations']);
      // An unknown client is still bound by its own key: never show the followed client instead.
      this.attachment.binding = { follow: false, path: '', client: facts.info.key };
      this.follow();
      this.attachment.replaced.connect((_, live) => this.adopt(live));
      this.attachment.changed.connect(this.draw, this);
      clients.changed.connect(this.follow, this);
    }
  }

  /** Kernels reported clients: this one may be among them, or its path may have changed. */
  private follow(): void {
    const { facts, attachment } = this;
    const found = facts && this.services.clients ? findClient(this.services.clients, facts) : null;
    if (attachment && found) {
      attachment.binding = { follow: false, path: found.path, client: found.info.key };
    }
  }

  private release(): void {
    this.unseen();
    this.adopt(null);
    this.services.clients?.changed.disconnect(this.follow, this);
    this.attachment?.dispose();
    this.attachment = null;
  }

  /** Show the run of a client, or none. */
  private adopt(live: LiveClient | null): void {
    this.run?.changed.disconnect(this.onRun, this);
    this.run = live?.run ?? null;
    this.run?.changed.connect(this.onRun, this);
    this.history.show(live);
    this.dirty = true;
  }

  private onRun(): void {
    this.dirty = true;
  }

  /** Four times per second while visible: ageing texts always, figures only after news. */
  private tick(): void {
    if (this.dirty || this.node.dataset.state !== 'live' || performance.now() - this.drawnAt > AGEING) {
      this.draw();
    }
    this.history.update(this.theme, performance.now());
  }

  private draw(): void {
    if (this.facts === null || this.isDisposed) {
      return;
    }
    this.dirty = false;
    this.drawnAt = performance.now();
    const words = this.words(this.facts);
    this.node.dataset.state = words.status.state;
    const { clients, trans } = this.services;
    this.card.show(words, this.theme, spokenStatus(words.status, this.attachment, clients, trans));
    this.card.setButtons([...this.openers(), ...this.actions(this.facts), ...this.ownView()]);
  }

  private words(facts: ClientFacts): CardWords {
    const { trans } = this.services;
    const { attachment } = this;
    const named = attachment?.named ?? null;
    if (!attachment || named === null) {
      return savedWords(facts, new Date(), trans);
    }
    const feed = attachment.live?.feed.state ?? null;
    const state = {
      situation: attachment.situation,
      info: named.info,
      run: this.run,
      feed,
      disconnected: attachment.kernel?.state === 'disconnected',
      now: performance.now()
    };
    return liveWords(facts, state, trans);
  }

  /** Buttons for everything that can be opened now; without a client, a pane would have nothing to show. */
  private openers(): CardButton[] {
    const { panes, trans } = this.services;
    const kernel = this.attachment?.kernel;
    const repair = kernel?.state === 'disconnected' ? lossActions(kernel, trans) : [];
    const open =
      panes && this.run
        ? openers(
            panes,
            () => openedBinding(this.services.clients, this.attachment),
            action => this.open(action),
            trans
          )
        : [];
    return [...repair, ...open];
  }

  /** Actions on the cluster, or why they are unavailable; none if no kernel here can have it. */
  private actions(facts: ClientFacts): CardButton[] {
    const { actor, trans, settings } = this.services;
    if (!settings.values.actions) {
      return [];
    }
    const named = this.attachment?.named ?? null;
    const cluster = this.cluster.find(facts, named, this.place?.path() ?? '');
    const scale = cluster && scaleButton(cluster, action => this.attempt(action), trans);
    return [...(scale ? [scale] : []), ...clusterActions(actor, named, trans)];
  }

  /** Dask's own view is shown on request. */
  private ownView(): CardButton[] {
    const { place } = this;
    if (!place?.own.there) {
      return [];
    }
    return [
      {
        label: this.services.trans.__("Dask's own view"),
        expanded: place.own.shown,
        run: () => this.attempt(() => place.own.toggle(this.kernelHasIt).then(() => ''))
      }
    ];
  }

  /** Whether the kernel still has the displayed object, and so Dask's widget. */
  private get kernelHasIt(): boolean {
    return this.cluster.known || (this.attachment?.named?.info.status ?? 'closed') !== 'closed';
  }

  /** Run an action and show its result. */
  private attempt(action: (late: Late) => Promise<string>): void {
    this.card.showMessage('');
    action(message => this.card.showMessage(message)).then(
      done => this.card.showMessage(done),
      (error: unknown) => this.card.warn(messageOf(error))
    );
  }

  private open(action: () => Promise<unknown>): void {
    this.attempt(() => action().then(() => ''));
  }

  private retheme(): void {
    if (this.isAttached) {
      this.theme = readTheme(this.node);
      this.node.dataset.scheme = this.theme.scheme;
      this.draw();
    }
  }

  private facts: ClientFacts | null = null;
  private theme: Theme;
  private dirty = false;
  private drawnAt: Milliseconds = Number.NEGATIVE_INFINITY;
  private run: Run | null = null;
  private ticking: IDisposable | null = null;
  private attachment: Attachment | null = null;
  private readonly cluster: CardCluster;
  private readonly history: History;
  private readonly card: Card;
}
