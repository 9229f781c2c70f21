/**
 * The only animation frame loop of the page: all views share it, and nothing runs while nothing changes.
 *
 * Guarantees:
 * 1. At most one `requestAnimationFrame` is outstanding, whatever the number of painters.
 * 2. A painter is called at most once per frame and only after `request(painter)`; to continue, it requests again.
 * 3. If a painter throws, its `failed` is called, else `onError`; the other painters are not affected.
 * 4. A removed painter is never called again, even if it had requested a frame.
 */
import type { Milliseconds } from './units';

/** Something that draws. */
export interface FrameClient {
  /** Draw; `now` is `performance.now()` of the frame, equal for all painters. */
  paint(now: Milliseconds): void;
  /** `paint` threw: show the error in place of the picture. By default the error goes to the loop's `onError`. */
  failed?(error: unknown): void;
}

/** See the guarantees at the head of this file. */
export class FrameLoop {
  constructor(private readonly onError: (error: unknown) => void = error => console.error(error)) {}

  /** Request a call of `painter` in the next frame. */
  request(painter: FrameClient): void {
    this.wanted.add(painter);
    if (this.handle === 0) {
      this.handle = requestAnimationFrame(now => this.run(now));
    }
  }

  /** Remove a painter. */
  remove(painter: FrameClient): void {
    this.wanted.delete(painter);
    this.due.delete(painter);
    if (this.wanted.size === 0 && this.handle !== 0) {
      cancelAnimationFrame(this.handle);
      this.handle = 0;
    }
  }

  private run(now: Milliseconds): void {
    this.handle = 0;
    const due = this.wanted;
    this.wanted = new Set();
    this.due = due;
    for (const painter of due) {
      due.delete(painter);
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
  private wanted = new Set<FrameClient>();
  /** Those of the present frame that have not been called yet. */
  private due = new Set<FrameClient>();
}

/** The frame loop of the page. */
export const frameLoop = new FrameLoop();
