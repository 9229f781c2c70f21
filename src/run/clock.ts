import type { Milliseconds, Seconds } from '../base/units';

/**
 * The scheduler's clock as the browser sees it.
 *
 * A frame says when it was read (scheduler clock); it arrives later, by transport and by a busy kernel. The least
 * delay of the last few frames is the best estimate of the constant part, so "now" is
 * `performance.now()` shifted by the smallest (arrival - time) of the last 8 frames. The browser's wall clock is
 * never used: it may be an hour off.
 */
export class Clock {
  /** Note a frame: its `time` and when it arrived (`performance.now()`). */
  observe(time: Seconds, arrived: Milliseconds): void {
    if (this.standing) {
      return;
    }
    this.recent.push(arrived / 1000 - time);
    if (this.recent.length > 8) {
      this.recent.shift();
    }
    this.latest = Math.max(this.latest, time);
  }

  /** Let the clock stand at a moment: that of a recording moves only when somebody moves it. */
  stand(time: Seconds): void {
    this.standing = true;
    this.latest = time;
  }

  /** Whether any frame has come. */
  get known(): boolean {
    return this.standing || this.recent.length > 0;
  }

  /** Scheduler clock at a moment of the browser's monotonic clock; NaN before the first frame. */
  at(moment: Milliseconds): Seconds {
    if (this.standing) {
      return this.latest;
    }
    return this.known ? moment / 1000 - Math.min(...this.recent) : Number.NaN;
  }

  /** A clock that has seen the same frames. */
  copy(): Clock {
    const copy = new Clock();
    copy.recent.push(...this.recent);
    copy.latest = this.latest;
    copy.standing = this.standing;
    return copy;
  }

  /** Scheduler time of the newest frame. */
  latest: Seconds = Number.NEGATIVE_INFINITY;

  private standing = false;
  private readonly recent: Seconds[] = [];
}
