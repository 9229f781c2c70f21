import type { IDisposable } from '@lumino/disposable';
import { element, setText } from '../../base/element';
import { Press } from '../../base/dom/press';
import { serverUrl } from '../../base/jupyter/server-url';
import type { HostedCluster, HostedClusters } from '../../clients/hosting/model';
import type { Translate } from '../../plot/plot';
import { dashboardLink } from '../clients/dashboard-link';
import { makeDraggable } from '../drag';
import { forwardFocus } from '../replaced';
import { makeRoving, settle } from '../../base/dom/roving';
import { Section } from '../section';
import { isName } from './form';
import { cardWords, connectCode } from './words';

/** The MIME type under which a notebook accepts dropped cells. */
const CELLS = 'application/vnd.jupyter.cells';

/** Actions of cards. */
export interface HostingActions {
  create(): unknown;
  /** Connect the notebook to a scheduler that runs somewhere. */
  connectTo(): unknown;
  /** Show the panes of a running cluster. */
  show(cluster: HostedCluster): void;
  connect(cluster: HostedCluster): void;
  scale(cluster: HostedCluster): unknown;
  shutDown(cluster: HostedCluster): unknown;
  explain(cluster: HostedCluster): unknown;
}

/** Where something is in the list of cards. */
interface Place {
  readonly part: string | undefined;
  readonly card: string | undefined;
  /** Index of the card. */
  readonly at: number;
}

/** "New cluster" and a card for each cluster in a dedicated kernel. */
export class HostedSection implements IDisposable {
  readonly node: HTMLElement;

  constructor(
    private readonly hosted: HostedClusters,
    private readonly trans: Translate,
    private readonly actions: HostingActions
  ) {
    this.section = new Section(trans.__('Hosted clusters'));
    this.list = element('div', {
      class: 'dp-Hosted',
      role: 'list',
      attributes: { 'aria-label': trans.__('Hosted clusters') }
    });
    makeRoving(this.list, '.dp-Row-main');
    this.press = new Press(this.list);
    makeDraggable(this.list, target => this.dragged(target));
    this.create = element('button', {
      class: 'dp-Button dp-NewCluster',
      text: trans.__('+ New cluster'),
      title: trans.__('Start a Dask cluster in a kernel of its own'),
      onClick: () => actions.create()
    });
    const connect = element('button', {
      class: 'dp-Button dp-ConnectTo',
      text: trans.__('Connect to address…'),
      title: trans.__('Insert the code that connects the active notebook to a scheduler that runs somewhere'),
      onClick: () => actions.connectTo()
    });
    this.section.content.append(this.list, this.create, connect, this.news);
    this.node = this.section.node;
    hosted.changed.connect(this.draw, this);
    this.draw();
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** The sidebar became visible or hidden. */
  setVisible(visible: boolean): void {
    this.hosted.visible = visible;
  }

  /** Bring the cards into view. */
  reveal(): void {
    this.section.reveal();
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.hosted.visible = false;
      this.press.dispose();
      this.hosted.changed.disconnect(this.draw, this);
    }
  }

  private draw(): void {
    if (this.press.holds(() => this.draw())) {
      return;
    }
    // The words also have the time of an answer that is the same as the one before.
    const print = JSON.stringify(
      this.hosted.list.map(cluster => [cluster.id, cluster.name, cluster.state, cluster.facts, cardWords(cluster, this.trans)])
    );
    if (print === this.shown) {
      return;
    }
    this.shown = print;
    const { activeElement: active } = document;
    const focused = active instanceof HTMLElement && this.list.contains(active) ? this.placeOf(active) : null;
    const before = this.parts.map(part => [part, this.placeOf(part)] as const);
    this.section.setFigure(this.hosted.list.length > 0 ? String(this.hosted.list.length) : '');
    this.list.replaceChildren(...this.hosted.list.map(cluster => this.card(cluster)));
    forwardFocus(this.list, new Map(before.map(([part, place]) => [part, () => this.partAt(place)])));
    settle(this.mains, focused === null ? undefined : this.partAt(focused));
    if (focused !== null) {
      this.partAt(focused).focus();
    }
    this.announce();
  }

  private get parts(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>('[data-part]')];
  }

  private get mains(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>('.dp-Row-main')];
  }

  private placeOf(part: HTMLElement): Place {
    const card = part.closest<HTMLElement>('.dp-Row');
    return {
      part: part.dataset.part,
      card: card?.dataset.cluster,
      at: card === null ? -1 : [...this.list.children].indexOf(card)
    };
  }

  /** What is at a place now: where a button has gone, its card; where that has gone, the next one. */
  private partAt({ part, card, at }: Place): HTMLElement {
    const { parts, mains } = this;
    const named = (name: string | undefined): HTMLElement | undefined => parts.find(({ dataset }) => dataset.part === name);
    return named(part) ?? named(`${card} main`) ?? mains[at] ?? mains.at(-1) ?? this.create;
  }

  /** Announce changes of the cards' states to screen readers. */
  private announce(): void {
    const states = new Map(this.hosted.list.map(cluster => [cluster.id, cluster]));
    const news = [...states.values()]
      .filter(({ id, state }) => this.announced.has(id) && this.announced.get(id) !== state)
      .map(cluster => `${cluster.name}: ${cardWords(cluster, this.trans).text}`);
    this.announced = new Map([...states].map(([id, { state }]) => [id, state]));
    if (news.length > 0) {
      setText(this.news, news.join('. '));
    }
  }

  private card(cluster: HostedCluster): HTMLElement {
    const { name, state, facts } = cluster;
    const words = cardWords(cluster, this.trans);
    const usable = state === 'running' && isName(name);
    const main = element(
      state === 'running' ? 'button' : 'div',
      {
        class: 'dp-Row-main',
        title: state === 'running' ? this.trans.__('Show its panes; drag it into a notebook to connect') : '',
        attributes: { tabindex: '-1' },
        data: { part: `${cluster.id} main` }
      },
      element(
        'span',
        { class: 'dp-Row-head' },
        element('span', {
          class: 'dp-Sign',
          attributes: { 'aria-hidden': 'true' },
          data: { sign: words.sign, tone: words.tone ?? 'plain' }
        }),
        element('span', { class: 'dp-Row-name', text: name, title: name })
      ),
      element('span', { class: 'dp-Row-words', text: words.text, data: { tone: words.tone ?? 'plain' } }),
      ...(words.more === '' ? [] : [element('span', { class: 'dp-Row-words', text: words.more })])
    );
    if (state === 'running') {
      main.addEventListener('click', () => this.actions.show(cluster));
    }
    const buttons = [
      ...(usable
        ? [
            this.button(
              cluster,
              'connect',
              this.trans.__('Connect'),
              this.trans.__('Insert the code that connects a notebook to it')
            )
          ]
        : []),
      ...(state === 'running' && facts?.fixed === '' ? [this.button(cluster, 'scale', this.trans.__('Scale…'), '')] : []),
      ...(state === 'failed'
        ? [this.button(cluster, 'explain', this.trans.__('Why?'), this.trans.__('Show the traceback'))]
        : []),
      ...(state === 'closing' ? [] : [this.button(cluster, 'shutDown', this.ending(cluster), '')])
    ];
    const link = state === 'running' ? dashboardLink(facts?.dashboard ?? '', serverUrl(), this.trans, name) : null;
    if (link) {
      link.dataset.part = `${cluster.id} dashboard`;
    }
    return element(
      'div',
      { class: 'dp-Row', role: 'listitem', data: { cluster: cluster.id, name, state } },
      main,
      element('div', { class: 'dp-Row-buttons' }, ...buttons, ...(link === null ? [] : [link]))
    );
  }

  private ending({ state }: HostedCluster): string {
    switch (state) {
      case 'starting':
        return this.trans.__('Cancel');
      case 'empty':
      case 'failed':
      case 'closed':
        return this.trans.__('Remove');
      default:
        return this.trans.__('Shut down…');
    }
  }

  private button(
    cluster: HostedCluster,
    action: Exclude<keyof HostingActions, 'create' | 'show'>,
    label: string,
    title: string
  ): HTMLElement {
    return element('button', {
      class: 'dp-Button',
      text: label,
      title,
      attributes: { 'aria-label': `${label} ${cluster.name}` },
      data: { part: `${cluster.id} ${action}`, action },
      onClick: () => this.actions[action](cluster)
    });
  }

  private dragged(target: EventTarget | null): { label: string; data: ReadonlyMap<string, unknown> } | null {
    const card = target instanceof Element ? target.closest<HTMLElement>('.dp-Row') : null;
    const cluster = this.hosted.list.find(({ id }) => id === card?.dataset.cluster);
    if (cluster?.state !== 'running' || !isName(cluster.name)) {
      return null;
    }
    const source = connectCode(cluster.name);
    const cell = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source };
    return {
      label: cluster.name,
      data: new Map<string, unknown>([
        [CELLS, [cell]],
        ['text/plain', source]
      ])
    };
  }

  private disposed = false;
  private shown = '';
  private announced: ReadonlyMap<string, HostedCluster['state']> = new Map();
  private readonly news = element('div', { class: 'dp-Hidden', role: 'status' });
  private readonly section: Section;
  private readonly create: HTMLElement;
  private readonly list: HTMLElement;
  private readonly press: Press;
}
