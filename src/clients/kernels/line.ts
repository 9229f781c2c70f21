import type { Kernel } from '@jupyterlab/services';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Milliseconds } from '../../base/units';

/** A connection of our own is given back when nobody has held a client of its kernel for so long. */
export const GIVE_BACK: Milliseconds = 60_000;
/**
 * After the last document of a kernel has closed, a connection of our own waits for so long: where the kernel ends with
 * the document, the server's list of sessions says so by then.
 */
export const AFTER_CLOSE: Milliseconds = 1_000;
/** A document's connection that is lost for so long gives way to another document's that is not. */
export const GIVE_WAY: Milliseconds = 1_000;

/**
 * The connection over which a kernel is spoken to: that of an open document where there is one, else one of our own
 * while somebody needs it.
 *
 * A document's connection is kept as long as it is open, whichever document has the focus; where it is lost and another
 * document's is not, that one is used.
 */
export class Line implements IDisposable {
  /**
   * @param connect - open a connection of our own, with `handleComms: false`
   */
  constructor(private readonly connect: (model: Kernel.IModel) => Kernel.IKernelConnection) {}

  /** The connection to use now. */
  get current(): Kernel.IKernelConnection | null {
    return this.chosen;
  }

  /** Whether `current` is our own. */
  get borrowed(): boolean {
    return this.chosen !== null && this.chosen === this.own;
  }

  /** Ids of the open documents' connections, as their messages have them in `header.session`. */
  get sessions(): readonly string[] {
    return this.offered.map(kernel => kernel.clientId);
  }

  /** `current` or `sessions` changed. */
  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Set the connections of the open documents, the preferred first. */
  offer(connections: readonly Kernel.IKernelConnection[]): void {
    const same = connections.length === this.offered.length && connections.every((kernel, i) => kernel === this.offered[i]);
    if (!same && !this.disposed) {
      const before = sorted(this.sessions);
      for (const kernel of this.offered) {
        kernel.connectionStatusChanged.disconnect(this.onStatus, this);
      }
      this.offered = connections;
      for (const kernel of connections) {
        kernel.connectionStatusChanged.connect(this.onStatus, this);
      }
      this.choose(sorted(this.sessions) !== before);
    }
  }

  /** Open a connection of our own where there is none to use. */
  look(model: Kernel.IModel): void {
    clearTimeout(this.lookTimer);
    if (this.chosen !== null || this.disposed) {
      return;
    }
    const rest = this.lostAt + AFTER_CLOSE - performance.now();
    if (rest > 0) {
      this.lookTimer = setTimeout(() => this.look(model), rest);
      return;
    }
    this.own = this.connect(model);
    this.choose();
    this.rest();
  }

  /** Somebody uses the kernel: a connection of our own stays until the returned disposable is disposed. */
  hold(): IDisposable {
    this.holders += 1;
    clearTimeout(this.restTimer);
    return new DisposableDelegate(() => {
      this.holders -= 1;
      this.rest();
    });
  }

  dispose(): void {
    if (this.disposed) {
      return;
    }
    this.disposed = true;
    clearTimeout(this.lookTimer);
    clearTimeout(this.restTimer);
    clearTimeout(this.wayTimer);
    for (const kernel of this.offered) {
      kernel.connectionStatusChanged.disconnect(this.onStatus, this);
    }
    this.chosen?.disposed.disconnect(this.onDisposed, this);
    this.chosen = null;
    this.own?.dispose();
    Signal.clearData(this);
  }

  private choose(news = false): void {
    const before = this.chosen;
    const open = this.offered.filter(kernel => !kernel.isDisposed);
    const own = this.own?.isDisposed ? null : this.own;
    const kept = open.find(kernel => kernel === before && !this.lost);
    this.chosen = kept ?? open.find(isConnected) ?? open.find(kernel => kernel === before) ?? open[0] ?? own;
    this.lost = false;
    if (this.chosen === before) {
      if (news) {
        this.changedSignal.emit();
      }
      return;
    }
    before?.disposed.disconnect(this.onDisposed, this);
    this.chosen?.disposed.connect(this.onDisposed, this);
    if (this.chosen === null) {
      this.lostAt = performance.now();
    }
    this.changedSignal.emit();
    if (this.own !== this.chosen) {
      // Only now: whoever used it has taken leave over it.
      this.own?.dispose();
      this.own = null;
    }
  }

  /** One of the connections was lost or is back. JupyterLab makes some anew at once: only one that stays away is left. */
  private onStatus(): void {
    clearTimeout(this.wayTimer);
    const { chosen } = this;
    if (chosen !== null && !isConnected(chosen) && this.offered.some(isConnected)) {
      this.wayTimer = setTimeout(() => {
        this.lost = true;
        this.choose();
      }, GIVE_WAY);
    }
  }

  private onDisposed(): void {
    this.choose();
  }

  private rest(): void {
    clearTimeout(this.restTimer);
    if (this.borrowed && this.holders === 0) {
      this.restTimer = setTimeout(() => this.giveBack(), GIVE_BACK);
    }
  }

  private giveBack(): void {
    const { own } = this;
    this.own = null;
    this.choose();
    // It was not lost: whoever looks again need not wait.
    this.lostAt = Number.NEGATIVE_INFINITY;
    own?.dispose();
  }

  private disposed = false;
  private offered: readonly Kernel.IKernelConnection[] = [];
  private own: Kernel.IKernelConnection | null = null;
  private chosen: Kernel.IKernelConnection | null = null;
  private holders = 0;
  private lostAt: Milliseconds = Number.NEGATIVE_INFINITY;
  private lookTimer: ReturnType<typeof setTimeout> | undefined;
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  private wayTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the chosen connection has been lost for long. */
  private lost = false;
  private readonly changedSignal = new Signal<this, void>(this);
}

function isConnected(kernel: Kernel.IKernelConnection): boolean {
  return !kernel.isDisposed && kernel.connectionStatus === 'connected';
}

function sorted(ids: readonly string[]): string {
  return [...ids].sort().join();
}
