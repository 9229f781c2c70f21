import type { IDisposable } from '@lumino/disposable';
import { frameLoop, type Painter } from '../base/frame-loop';
import type { Milliseconds } from '../base/units';

/** Figures change at most four times per second: faster changes are unreadable (`docs/look.md`, "Motion"). */
export const PERIOD: Milliseconds = 250;

/**
 * Requests drawings from the frame loop: at once for user actions, at most four times per second for changes of the
 * run.
 */
export class Pacer implements IDisposable {
  /** @param period - minimum time between two drawings for changes of the run */
  constructor(
    private readonly painter: Painter,
    private readonly period: () => Milliseconds = () => PERIOD
  ) {}

  /** Draw in the next frame. */
  now(): void {
    if (!this.disposed) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.last = performance.now();
      frameLoop.request(this.painter);
    }
  }

  /** Draw when the last drawing is one period old; calls are coalesced. */
  soon(): void {
    if (this.disposed || this.timer !== undefined) {
      return;
    }
    const wait = this.last + this.period() - performance.now();
    if (wait <= 0) {
      this.now();
    } else {
      this.timer = setTimeout(() => this.now(), wait);
    }
  }

  /** Cancel the pending request. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    frameLoop.remove(this.painter);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.stop();
  }

  private disposed = false;
  private last: Milliseconds = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
}
