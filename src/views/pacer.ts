import type { IDisposable } from '@lumino/disposable';
import { frameLoop, type FrameClient } from '../base/frame-loop';
import { TEXT_PERIOD } from '../base/ticker';
import type { Milliseconds } from '../base/units';

/** Figures change as often as other texts. */
export const PERIOD: Milliseconds = TEXT_PERIOD;
/** Figures of a live run are not older than this because of their pace. */
const LONGEST: Milliseconds = 1000;
/** What one view may take of the page's time for changes of the run: a dozen visible panes leave three quarters of it. */
const SHARE = 0.02;
/** Drawings of which the shortest counts: the first compiles, and any may be interrupted. */
const DRAWINGS = 3;

/**
 * Requests drawings from the frame loop: at once for user actions, at most four times per second for changes of the
 * run, and less often, down to once per second, where a drawing takes long.
 */
export class Pacer implements IDisposable {
  /** @param period - minimum time between two drawings for changes of the run */
  constructor(
    painter: FrameClient,
    private readonly period: () => Milliseconds = () => PERIOD
  ) {
    this.painter = { ...painter, paint: now => this.paint(painter, now) };
  }

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
    const slowed = Math.min(LONGEST, this.cost / SHARE);
    const wait = this.last + Math.max(this.period(), slowed) - performance.now();
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

  private paint(painter: FrameClient, now: Milliseconds): void {
    const begin = performance.now();
    painter.paint(now);
    this.costs = [...this.costs.slice(1 - DRAWINGS), performance.now() - begin];
  }

  /** What a drawing takes; 0 while too few are known. */
  private get cost(): Milliseconds {
    return this.costs.length < DRAWINGS ? 0 : Math.min(...this.costs);
  }

  private readonly painter: FrameClient;
  private costs: readonly Milliseconds[] = [];
  private disposed = false;
  private last: Milliseconds = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | undefined;
}
