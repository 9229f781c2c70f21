import { type ISignal, Signal } from '@lumino/signaling';
import type { IDisposable } from '@lumino/disposable';
import { element, setText } from '../../base/element';
import { formatCount } from '../../base/format';
import { SeenWidget } from '../../base/jupyter/seen-widget';
import type { Settings } from '../../base/jupyter/settings';
import { ticker } from '../../base/ticker';
import { Attachment } from '../../clients/attachment';
import { FOLLOW, nameOf, panesStayWith } from '../../clients/binding';
import type { Clients } from '../../clients/model';
import type { Translate } from '../../plot/plot';
import { busyThreadsOf } from '../../selectors/workers/cancelled';
import { liveWorkers, total } from '../../selectors/workers/worker-rows';
import { kernelWords, liveWords } from '../clients/kernel-words';

/**
 * The followed client in the status bar: busy threads, or why nothing is known. It asks for data only while it is visible and
 * the setting `statusBar` is on.
 */
export class StatusItem extends SeenWidget {
  /** @param open - the item was clicked */
  constructor(
    private readonly clients: Clients,
    private readonly settings: Settings,
    private readonly trans: Translate,
    open: () => void
  ) {
    super();
    this.text = element('span', {
      class: 'jp-StatusBar-TextItem',
      attributes: { role: 'button', tabindex: '0' },
      onClick: open
    });
    this.text.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        open();
      }
    });
    this.node.append(this.text);
    this.addClass('jp-mod-highlighted');
    this.attachment = new Attachment(clients, ['workers']);
    this.attachment.changed.connect(this.follow, this);
    settings.changed.connect(this.follow, this);
    document.addEventListener('visibilitychange', this.onVisibility);
    this.follow();
  }

  /** Whether the status bar is to show it: there is an open client, and the setting is on. */
  get wanted(): boolean {
    return this.shown;
  }

  get wantedChanged(): ISignal<this, void> {
    return this.wantedChangedSignal;
  }

  override dispose(): void {
    if (!this.isDisposed) {
      document.removeEventListener('visibilitychange', this.onVisibility);
      this.settings.changed.disconnect(this.follow, this);
      this.unseen();
      this.attachment.dispose();
      Signal.clearData(this);
      super.dispose();
    }
  }

  protected override seen(): void {
    this.look();
  }

  protected override unseen(): void {
    this.attachment.visible = false;
    this.ticking?.dispose();
    this.ticking = null;
  }

  private readonly onVisibility = (): void => this.look();

  private follow(): void {
    const { followed } = this.clients;
    // A binding that follows keeps what has ended in the active notebook while anyone, also this item, has it open.
    this.attachment.binding = followed ? { follow: false, path: followed.path, client: followed.info.key } : FOLLOW;
    const shown = this.settings.values.statusBar && followed !== null && followed.info.status !== 'closed';
    if (shown !== this.shown) {
      this.shown = shown;
      this.wantedChangedSignal.emit();
    }
    this.look();
  }

  /** Ask for data, or no longer. */
  private look(): void {
    const live = this.shown && this.isVisible && !document.hidden;
    if (live === (this.ticking !== null)) {
      return;
    }
    if (!live) {
      this.unseen();
      return;
    }
    this.ticking = ticker.listen(() => this.draw());
    this.attachment.visible = true;
    this.draw();
  }

  private draw(): void {
    const { named } = this.attachment;
    const other = named !== null && panesStayWith(this.clients, named.info.key) !== null;
    const words = other ? `${nameOf(this.clients, named.path)} · ${this.words()}` : this.words();
    setText(this.text, this.trans.__('Dask: %1', words));
    const title = named ? `${nameOf(this.clients, named.path)} · ${named.info.address}` : '';
    if (this.node.title !== title) {
      this.node.title = title;
    }
  }

  private words(): string {
    const { live, situation } = this.attachment;
    const { trans } = this;
    if (live === null || situation !== 'attached') {
      return situation === 'closed' ? trans.__('closed') : this.withoutData();
    }
    const words = liveWords(live, performance.now(), trans, false);
    if (words !== null) {
      return words.text;
    }
    if (!live.run.has('workers')) {
      const { status, address } = live.info;
      return status === 'connecting' ? trans.__('connecting to %1', address || trans.__('its scheduler')) : this.withoutData();
    }
    const rows = liveWorkers(live.run);
    const busy = total(rows, busyThreadsOf);
    return trans.__('%1 / %2 busy', formatCount(busy), formatCount(total(rows, row => row.nthreads)));
  }

  /** Why there is no figure yet. */
  private withoutData(): string {
    const { kernel } = this.attachment;
    return kernel?.state === 'disconnected' || kernel?.state === 'silent'
      ? kernelWords(kernel, this.trans).text
      : this.trans.__('asking the kernel');
  }

  private shown = false;
  private ticking: IDisposable | null = null;
  private readonly text: HTMLElement;
  private readonly attachment: Attachment;
  private readonly wantedChangedSignal = new Signal<this, void>(this);
}
