import type { IDisposable } from '@lumino/disposable';
import { frameLoop, type Painter } from '../base/frame-loop';
import type { Milliseconds } from '../base/units';

/** Figures change four times a second at most: faster, nobody can read them (`docs/look.md`, "Motion"). */
const PERIOD: Milliseconds = 250;

/** Asks the frame loop to draw: soon for what a person does, four times a second at most for what the run does. */
export class Pacer implements IDisposable {
  constructor(private readonly painter: Painter) {}

  /** Draw in the next frame. */
  now(): void {
    if (!this.disposed) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.last = performance.now();
      frameLoop.request(this.painter);
    }
  }

  /** Draw when the last drawing is a period old; many calls are one drawing. */
  soon(): void {
    if (this.disposed || this.timer !== undefined) {
      return;
    }
    const wait = this.last + PERIOD - performance.now();
    if (wait <= 0) {
      this.now();
    } else {
      this.timer = setTimeout(() => this.now(), wait);
    }
  }

  /** Forget what was asked for. */
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
