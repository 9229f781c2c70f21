import type { IDisposable } from '@lumino/disposable';
import type { Former, Placement } from '../../run/graph/graph-layout';
import type { Links } from '../../run/graph/links';
import { layoutRequest } from './layout-request';

/** Nodes and links together from which a graph is laid out in a thread of its own: 15 ms. */
export const LARGE = 4_000;

/** Receives the positions; `null` if the thread has failed. */
type Done = (placement: Placement | null) => void;

/**
 * Lays out large graphs in a Worker, one at a time.
 *
 * Pages that allow no Worker, or do not find its script (a report is one file), have none.
 */
export class LayoutThread implements IDisposable {
  get isDisposed(): boolean {
    return this.disposed;
  }

  /**
   * Lay out a graph. What is asked meanwhile replaces it.
   *
   * @returns false if the graph is small or there is no thread: `done` is not called then
   */
  start(links: Links, former: Former | undefined, done: Done): boolean {
    if (links.count + links.linkCount < LARGE) {
      return false;
    }
    this.cancel();
    this.worker ??= this.failed || this.disposed ? null : this.create();
    if (this.worker === null) {
      return false;
    }
    this.done = done;
    this.worker.postMessage(layoutRequest(links, former));
    return true;
  }

  /** End the layout in progress. */
  cancel(): void {
    if (this.done !== null) {
      this.stop();
    }
  }

  dispose(): void {
    this.disposed = true;
    this.stop();
  }

  /** End the thread; the next layout has a new one. */
  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.done = null;
  }

  private create(): Worker | null {
    try {
      const worker = new Worker(new URL('./layout-worker.js', import.meta.url));
      worker.onmessage = ({ data }: MessageEvent<Placement>) => this.answer(data);
      worker.onerror = event => {
        // Otherwise the browser writes it to its console.
        event.preventDefault();
        this.fail();
      };
      worker.onmessageerror = () => this.fail();
      return worker;
    } catch {
      // A policy of the site forbids workers: the layout is computed on this thread.
      this.failed = true;
      return null;
    }
  }

  private fail(): void {
    const { done } = this;
    this.failed = true;
    this.stop();
    done?.(null);
  }

  private answer(placement: Placement): void {
    const { done } = this;
    this.done = null;
    done?.(placement);
  }

  private worker: Worker | null = null;
  private failed = false;
  private disposed = false;
  /** Receives the answer to the request in progress. */
  private done: Done | null = null;
}
