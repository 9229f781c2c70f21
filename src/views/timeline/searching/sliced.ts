import { frameLoop } from '../../../base/frame-loop';
import type { Milliseconds } from '../../../base/units';

/** Share of a frame that a computation may take, so that the picture stays smooth. */
const SLICE: Milliseconds = 4;

/** A computation in steps, carried out over as many frames as it needs; a later one replaces it. */
export class Sliced {
  /** @param onFailed - called when a step threw */
  constructor(private readonly onFailed: (error: unknown) => void) {}

  /** Whether a computation is under way. */
  get busy(): boolean {
    return this.run !== null;
  }

  /** Start a computation; `done` receives its result. */
  start<T>(steps: Generator<void, T, void>, done: (result: T) => void): void {
    this.run = () => {
      const step = steps.next();
      if (step.done) {
        this.run = null;
        done(step.value);
      }
    };
    frameLoop.request(this);
  }

  /** Give up. */
  stop(): void {
    this.run = null;
    frameLoop.remove(this);
  }

  /** Called by the frame loop. */
  paint(): void {
    const begin = performance.now();
    while (this.run !== null) {
      this.run();
      if (this.run !== null && performance.now() - begin > SLICE) {
        frameLoop.request(this);
        return;
      }
    }
  }

  /** Called by the frame loop when a step threw. */
  failed(error: unknown): void {
    this.run = null;
    this.onFailed(error);
  }

  private run: (() => void) | null = null;
}
