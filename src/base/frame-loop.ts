/**
 * The one animation frame loop of the page: all views share it, nothing runs while nothing changed.
 *
 * Guarantees:
 * 1. At most one `requestAnimationFrame` is outstanding, whatever the number of painters.
 * 2. A painter is called at most once a frame and only after `request(painter)`; a painter that wants to go on asks again.
 * 3. A painter that throws is told so (`failed`), else `onError` is; it does not keep the others from painting.
 * 4. A painter that was removed is never called again, even if it had asked.
 */
import type { Milliseconds } from './units';

/** Something that draws. */
export interface Painter {
  /** Draw; `now` is `performance.now()` of the frame, the same for all painters. */
  paint(now: Milliseconds): void;
  /** `paint` threw: say so where the picture would be. Without it the error goes to the loop's `onError`. */
  failed?(error: unknown): void;
}

/** See the guarantees at the head of this file. */
export class FrameLoop {
  constructor(private readonly onError: (error: unknown) => void = error => console.error(error)) {}

  /** Ask that `painter` be called in the next frame. */
  request(painter: Painter): void {
    this.wanted.add(painter);
    if (this.handle === 0) {
      this.handle = requestAnimationFrame(now => this.run(now));
    }
  }

  /** Forget a painter. */
  remove(painter: Painter): void {
    this.wanted.delete(painter);
    if (this.wanted.size === 0 && this.handle !== 0) {
      cancelAnimationFrame(this.handle);
      this.handle = 0;
    }
  }

  private run(now: Milliseconds): void {
    this.handle = 0;
    const painters = [...this.wanted];
    this.wanted.clear();
    for (const painter of painters) {
      try {
        painter.paint(now);
      } catch (error) {
        if (painter.failed) {
          painter.failed(error);
        } else {
          this.onError(error);
        }
      }
    }
  }

  private handle = 0;
  private readonly wanted = new Set<Painter>();
}

/** The loop that everything on the page uses. */
export const frameLoop = new FrameLoop();
