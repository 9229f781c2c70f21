import type { Kernel } from '@jupyterlab/services';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Milliseconds } from '../../base/units';

/** Our own connection is closed after no client of its kernel has been open for this long. */
export const GIVE_BACK: Milliseconds = 60_000;
/**
 * After the last document of a kernel closes, our own connection waits this long: if the kernel ends with the document,
 * the server's session list shows it by then.
 */
export const AFTER_CLOSE: Milliseconds = 1_000;
/** A document's connection lost for this long is replaced by another document's that is not. */
export const GIVE_WAY: Milliseconds = 1_000;

/**
 * The connection to a kernel: that of an open document if there is one, else our own while needed.
 *
 * A document's connection is kept as long as it is open, whichever document has the focus; if it is lost and another
 * document's is not, that one is used.
 */
export class Line implements IDisposable {
  /**
   * @param connect - opens our own connection, with `handleComms: false`
   */
  constructor(private readonly connect: (model: Kernel.IModel) => Kernel.IKernelConnection) {}

  /** The connection to use. */
  get current(): Kernel.IKernelConnection | null {
    return this.chosen;
  }

  /** Whether `current` is our own. */
  get borrowed(): boolean {
    return this.chosen !== null && this.chosen === this.own;
  }

  /** Connection ids of the open documents, as in their messages' `header.session`. */
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

  /** Set the connections of the open documents, preferred ones first. */
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

  /** Open our own connection if there is none to use. */
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

  /** Keep our own connection until the returned disposable is disposed. */
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
      // After the signal: listeners send their last messages over it.
      this.own?.dispose();
      this.own = null;
    }
  }

  /** A connection was lost or is back. JupyterLab replaces some at once: only one that stays lost is given up. */
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
    // It was not lost: the next user need not wait.
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
