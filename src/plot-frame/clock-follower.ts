import type { IDisposable } from '@lumino/disposable';
import { frameLoop } from '../base/frame-loop';
import type { Milliseconds } from '../base/units';
import type { FileFeed } from '../feed/recordings/file-feed';

/**
 * Draws what says where the clock of a recording is.
 *
 * Guarantees: while the recording plays, at most once per period, since each drawing makes the browser composite the page
 * again; what the user does is drawn in the next frame. After `dispose` nothing is drawn.
 */
export class ClockFollower implements IDisposable {
  /**
   * @param period - minimum time between two drawings while playing
   * @param draw - called in a frame of the page's frame loop
   */
  constructor(
    private readonly feed: Pick<FileFeed, 'moved' | 'playing'>,
    private readonly period: Milliseconds,
    private readonly draw: () => void
  ) {
    feed.moved.connect(this.onMoved, this);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      frameLoop.remove(this);
      this.feed.moved.disconnect(this.onMoved, this);
    }
  }

  /** Draw; called by the frame loop, and by the owner to draw at once. */
  paint(): void {
    this.paintedAt = performance.now();
    this.draw();
  }

  private onMoved(): void {
    if (!this.feed.playing || performance.now() - this.paintedAt >= this.period) {
      frameLoop.request(this);
    }
  }

  private disposed = false;
  private paintedAt: Milliseconds = Number.NEGATIVE_INFINITY;
}
