import type { Milliseconds, Seconds } from '../base/units';

/** Figures whose newest frame is older than this are outdated. */
export const OUTDATED_AFTER: Seconds = 5;

/**
 * The scheduler's clock as estimated in the browser.
 *
 * A frame carries the time at which it was read (scheduler time). It arrives later because of transport and a busy
 * kernel. The smallest delay of the last few frames is the best estimate of the constant part, so "now" is
 * `performance.now()` shifted by the smallest (arrival - time) of the last 8 frames. The browser's wall clock is never
 * used: it may be an hour off.
 */
export class Clock {
  /** Record a frame: its `time` and its arrival (`performance.now()`). */
  observe(time: Seconds, arrived: Milliseconds): void {
    if (this.standing) {
      return;
    }
    this.ended = Number.NaN;
    this.recent.push(arrived / 1000 - time);
    if (this.recent.length > 8) {
      this.recent.shift();
    }
    this.latest = Math.max(this.latest, time);
  }

  /** Forget all frames: those of another scheduler follow, whose clock is another one. */
  restart(): void {
    if (!this.standing) {
      this.recent.length = 0;
      this.latest = Number.NEGATIVE_INFINITY;
      this.ended = Number.NaN;
    }
  }

  /** Nothing more will arrive: stop at a moment of the browser's monotonic clock, until another frame arrives anyway. */
  end(moment: Milliseconds): void {
    if (!this.hasEnded) {
      this.ended = Math.max(this.latest, this.at(moment));
    }
  }

  /** Whether nothing more will arrive. */
  get hasEnded(): boolean {
    return Number.isFinite(this.ended);
  }

  /** Stop the clock at a moment: a recording's clock moves only when the user moves it. */
  stand(time: Seconds): void {
    this.standing = true;
    this.latest = time;
  }

  /** Whether any frame has arrived. */
  get known(): boolean {
    return this.standing || this.recent.length > 0;
  }

  /** Scheduler time at a moment of the browser's monotonic clock; NaN before the first frame. */
  at(moment: Milliseconds): Seconds {
    if (this.standing) {
      return this.latest;
    }
    if (this.hasEnded) {
      return this.ended;
    }
    return this.known ? moment / 1000 - Math.min(...this.recent) : Number.NaN;
  }

  /** A clock that has received the same frames. */
  copy(): Clock {
    const copy = new Clock();
    copy.recent.push(...this.recent);
    copy.latest = this.latest;
    copy.standing = this.standing;
    copy.ended = this.ended;
    return copy;
  }

  /** Scheduler time of the newest frame. */
  latest: Seconds = Number.NEGATIVE_INFINITY;

  private standing = false;
  /** Scheduler time at which it stopped; NaN while more may arrive. */
  private ended: Seconds = Number.NaN;
  private readonly recent: Seconds[] = [];
}
