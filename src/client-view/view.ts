import type { IDisposable } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import type { ISignal } from '@lumino/signaling';
import { SeenWidget } from '../base/seen-widget';
import { element } from '../base/element';
import { makeTheme, readTheme, type Theme } from '../base/theme';
import { ticker } from '../base/ticker';
import type { Milliseconds } from '../base/units';
import type { Clients, LiveClient } from '../clients/model';
import { Attachment } from '../panes/attachment';
import { lossActions } from '../panes/lost-words';
import type { DaskPanes } from '../panes/tokens';
import type { Translate } from '../plots/plot';
import type { Run } from '../run/run';
import { Card, type CardButton } from './card';
import type { ClientFacts } from './facts';
import { findClient } from './find';
import { Strip } from './strip';
import { type CardWords, liveWords, savedWords } from './words';

/** What a displayed client may use of its front end; what is `null` is not there, and the static facts remain. */
export interface ClientViewServices {
  readonly trans: Translate;
  /** Absolute URL of the Jupyter server. */
  readonly baseUrl: string;
  readonly clients: Clients | null;
  readonly panes: DaskPanes | null;
  readonly themeChanged: ISignal<unknown, unknown> | null;
}

/** Without news a live card is brought up to date so often: its figures may be old by now. */
const AGEING: Milliseconds = 1_000;

/** A button: what it opens, and where `DaskPanes` lists it. */
const BUTTONS: readonly { readonly label: string; readonly layout?: string; readonly plot?: string }[] = [
  { label: 'Status', layout: 'status' },
  { label: 'Task stream', plot: 'task-stream' },
  { label: 'Workers', plot: 'workers' }
];

/**
 * A displayed client or cluster: its static facts, live as soon and as long as a kernel of this tab knows it.
 *
 * While attached and visible it holds one subscription to `meta`, `workers` and `prefixes`; hidden or detached it
 * holds none. `node.dataset.state` is `saved` or a state of {@link paneStatus}.
 */
export class ClientView extends SeenWidget {
  /** @param facts - `null` where the output holds none that can be read: the view says so */
  constructor(
    facts: ClientFacts | null,
    private readonly services: ClientViewServices
  ) {
    super();
    this.addClass('dp-ClientView');
    this.strip = new Strip(services.trans);
    this.card = new Card(services.trans, services.baseUrl, this.strip.node);
    this.theme = makeTheme(FALLBACK_FRAME);
    services.themeChanged?.connect(this.retheme, this);
    this.setFacts(facts);
  }

  /** Show another client, or the same anew: an output was updated. */
  setFacts(facts: ClientFacts | null): void {
    this.letGo();
    this.facts = facts;
    if (facts) {
      this.node.replaceChildren(this.card.node);
      this.listen(facts);
      this.seen();
    } else {
      const text = this.services.trans('This output holds no facts of a Dask client that this version can read.');
      this.node.replaceChildren(element('p', { class: 'dp-ClientView-unreadable', text }));
    }
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.letGo();
    this.strip.dispose();
    this.services.themeChanged?.disconnect(this.retheme, this);
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
    this.strip.rest();
    if (this.attachment) {
      this.attachment.visible = false;
    }
  }

  /** Look out for the client of these facts. */
  private listen(facts: ClientFacts): void {
    const { clients } = this.services;
    if (clients) {
      this.attachment = new Attachment(clients, ['workers', 'prefixes']);
      // Where nobody knows the client, its own key is bound all the same: never the followed client in its place.
      this.attachment.binding = { follow: false, path: '', client: facts.info.key };
      this.follow();
      this.attachment.replaced.connect((_, live) => this.adopt(live));
      this.attachment.changed.connect(this.draw, this);
      clients.changed.connect(this.follow, this);
    }
  }

  /** Kernels told of clients: perhaps this one is among them, or has moved to another path. */
  private follow(): void {
    const { facts, attachment } = this;
    const found = facts && this.services.clients ? findClient(this.services.clients, facts) : null;
    if (attachment && found) {
      attachment.binding = { follow: false, path: found.path, client: found.info.key };
    }
  }

  private letGo(): void {
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
    this.strip.show(live);
    this.dirty = true;
  }

  private onRun(): void {
    this.dirty = true;
  }

  /** Four times a second while visible: words that age always, figures only after news. */
  private tick(): void {
    if (this.dirty || this.node.dataset.state !== 'live' || performance.now() - this.drawnAt > AGEING) {
      this.draw();
    }
    this.strip.update(this.theme, performance.now());
  }

  private draw(): void {
    if (this.facts === null || this.isDisposed) {
      return;
    }
    this.dirty = false;
    this.drawnAt = performance.now();
    const words = this.words(this.facts);
    this.node.dataset.state = words.status.state;
    this.card.show(words, this.theme);
    this.card.setButtons(this.buttons());
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

  /** Buttons that lead to what can be opened now; without a client there is nothing to show in a pane. */
  private buttons(): CardButton[] {
    const { panes, trans } = this.services;
    const kernel = this.attachment?.kernel;
    const repair = kernel?.state === 'disconnected' ? lossActions(kernel, trans) : [];
    if (!panes || !this.run) {
      return [...repair];
    }
    const { layouts, plots } = panes;
    const save = { label: trans('Save report'), run: () => this.open(open => open.saveReport(this.attachment?.binding)) };
    const shown = BUTTONS.flatMap(({ label, layout, plot }) => {
      if (layout !== undefined && layouts.includes(layout)) {
        return [{ label: trans(label), run: () => this.open(open => open.layout(layout, this.attachment?.binding)) }];
      }
      if (plot !== undefined && plots.includes(plot)) {
        return [{ label: trans(label), run: () => this.open(open => open.open(plot, { binding: this.attachment?.binding })) }];
      }
      return [];
    });
    return [...repair, ...shown, save];
  }

  private open(action: (panes: DaskPanes) => Promise<unknown>): void {
    if (this.services.panes) {
      this.card.warn('');
      action(this.services.panes).catch((error: unknown) => {
        this.card.warn(error instanceof Error ? error.message : String(error));
      });
    }
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
  private readonly strip: Strip;
  private readonly card: Card;
}

/** Until the view is on a page whose colours can be read. */
const FALLBACK_FRAME = {
  background: '#ffffff',
  text: '#212121',
  textSecondary: '#616161',
  border: '#e0e0e0',
  brand: '#1976d2',
  fontFamily: 'sans-serif',
  codeFontFamily: 'monospace'
} as const;
