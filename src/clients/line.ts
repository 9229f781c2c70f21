import type { Kernel } from '@jupyterlab/services';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Milliseconds } from '../base/units';

/** A connection of our own is given back when nobody has held a client of its kernel for so long. */
export const GIVE_BACK: Milliseconds = 60_000;
/**
 * After the last document of a kernel has closed, a connection of our own waits for so long: where the kernel ends with
 * the document, the server's list of sessions says so by then.
 */
export const AFTER_CLOSE: Milliseconds = 1_000;

/**
 * The connection over which a kernel is spoken to: that of an open document where there is one, else one of our own
 * while somebody needs it.
 *
 * A document's connection is kept as long as it is open, whichever document has the focus.
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
      this.offered = connections;
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
    this.chosen?.disposed.disconnect(this.onDisposed, this);
    this.chosen = null;
    this.own?.dispose();
    Signal.clearData(this);
  }

  private choose(news = false): void {
    const before = this.chosen;
    const open = this.offered.filter(kernel => !kernel.isDisposed);
    const own = this.own?.isDisposed ? null : this.own;
    this.chosen = open.find(kernel => kernel === before) ?? open[0] ?? own;
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
  private readonly changedSignal = new Signal<this, void>(this);
}

function sorted(ids: readonly string[]): string {
  return [...ids].sort().join();
}
