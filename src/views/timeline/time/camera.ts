import type { DevicePixels, Seconds } from '../../../base/units';
import { FIT_MARGIN, STAYS_IN_VIEW } from '../../canvas/time-edges';
import { Follower, type Moment } from './follow';
import { Viewport } from './viewport';

/** Following at a finer zoom would be a blur: `L` shows at least this much. */
const SHORTEST_FOLLOWED: Seconds = 2;

/**
 * The visible period: following live, or fixed where the user went. All columns are device pixels from the left edge of
 * the lanes.
 */
export class Camera {
  readonly viewport = new Viewport();
  /** Free columns right of now while following. */
  margin: DevicePixels = 12;

  /** Whether the picture follows live. */
  get following(): boolean {
    return this.follower.on;
  }

  /** Whether the user has gone to another time than the picture was paused at. */
  get away(): boolean {
    return !this.following && this.gone;
  }

  /** Scheduler time of the picture while paused: the right edge, or the moment of the pause; NaN while following. */
  get shownAt(): Seconds {
    return this.following ? Number.NaN : Math.min(this.viewport.end, this.pausedAt);
  }

  /** Period set for following; NaN while it grows with the run. */
  get chosenSpan(): Seconds {
    return this.follower.span ?? Number.NaN;
  }

  /** Follow with this period, restored from an earlier choice. */
  restore(span: Seconds): void {
    if (span > 0) {
      this.follower.keep(span);
    }
  }

  /** Reset for a new run, whose times count from `origin`. */
  reset(origin: Seconds): void {
    const { on } = this.follower;
    this.viewport.anchor = origin;
    this.focus = Number.NEGATIVE_INFINITY;
    this.placed = false;
    this.follower.reset();
    this.follower.on = on;
  }

  /**
   * Advance the time: while following, the picture moves. A picture that begins paused stays at this moment.
   *
   * @param leading - the time that a followed picture moves to; later than now in a picture that moves in steps
   */
  advance(moment: Moment, leading: Seconds = moment.now): void {
    this.moment = moment;
    this.zoomed = Number.NaN;
    if (!this.following && Number.isNaN(this.pausedAt)) {
      this.pausedAt = moment.now;
    }
    if (this.following || !this.placed) {
      this.placed = true;
      const origin = Math.max(moment.origin, this.focus);
      const { span, edge } = this.follower.next(
        { ...moment, now: leading, origin, lastEnd: Math.max(moment.lastEnd, origin) },
        (from, to) => this.viewport.spanFor(from, to, this.margin)
      );
      this.viewport.lead(span, edge, origin, this.margin);
    }
  }

  /**
   * Column of now: by the run's clock, by the feed's last answer if it is silent, or by the clock of a recording. NaN if not
   * visible.
   */
  nowColumn(paused = !this.following): number {
    const now = paused ? this.pausedAt : (this.moment?.now ?? Number.NaN);
    const column = this.viewport.columnOf(now);
    return column >= 0 && column <= this.viewport.width ? column : Number.NaN;
  }

  /** Pause, or follow again. */
  setPaused(paused: boolean): void {
    if (paused && this.following) {
      this.pausedAt = this.moment?.now ?? Number.NaN;
      this.gone = false;
    }
    this.follower.on = !paused;
  }

  /** Follow live with about the visible period. */
  follow(): void {
    if (!this.following) {
      this.follower.keep(Math.max(SHORTEST_FOLLOWED, this.viewport.span));
      this.follower.on = true;
    }
  }

  /** While following, show nothing before a time. */
  beginAt(origin: Seconds): void {
    this.focus = origin;
  }

  /** Follow what began at a time from there to now. */
  followFrom(origin: Seconds): void {
    this.focus = origin;
    this.follower.fitWhole();
    this.follower.on = true;
  }

  /** While following, now stays fixed; else the time at `column` does (NaN: the middle). */
  zoom(factor: number, column: DevicePixels): void {
    if (!(factor > 0)) {
      return;
    }
    if (this.following) {
      // Of two steps before the next drawing, the second is from where the first leads.
      const drawn = (this.viewport.width - this.margin) * this.viewport.perColumn;
      this.zoomed = (Number.isNaN(this.zoomed) ? drawn : this.zoomed) * factor;
      this.follower.keep(this.zoomed);
    } else {
      this.gone = true;
      this.viewport.zoom(factor, Number.isNaN(column) ? this.viewport.width / 2 : column);
    }
  }

  /** Move to later times (`columns` > 0). The picture is fixed from then on. */
  pan(columns: number): void {
    this.setPaused(true);
    this.gone = true;
    this.rest += columns;
    const whole = Math.trunc(this.rest);
    this.rest -= whole;
    this.viewport.pan(whole);
    this.keepInView();
  }

  /** Show the whole run. */
  fit(): void {
    this.focus = Number.NEGATIVE_INFINITY;
    if (this.following) {
      this.follower.fitWhole();
    } else if (this.moment !== null) {
      const { origin, lastEnd, now, active } = this.moment;
      this.gone = true;
      this.viewport.fit(origin, Math.max(active ? now : lastEnd, origin + 0.001), FIT_MARGIN);
    }
  }

  /** Bring a time into the picture, which is fixed from then on. */
  reveal(from: Seconds, to: Seconds): void {
    this.setPaused(true);
    const { viewport } = this;
    const left = viewport.columnOf(from);
    const right = viewport.columnOf(to);
    if (left < 0 || right > viewport.width) {
      this.gone = true;
      const wide = right - left > viewport.width;
      viewport.pan(wide ? left - viewport.width * 0.05 : (left + right - viewport.width) / 2);
    }
  }

  /** Show a period, which is fixed from then on. */
  show(from: Seconds, to: Seconds): void {
    this.setPaused(true);
    this.gone = true;
    this.viewport.fit(from, to, 0);
  }

  private keepInView(): void {
    const { moment, viewport } = this;
    if (moment !== null) {
      const stays = viewport.width * STAYS_IN_VIEW;
      const begin = viewport.columnOf(moment.origin);
      const end = viewport.columnOf(Math.max(moment.lastEnd, moment.now));
      viewport.pan(Math.ceil(Math.max(0, begin - viewport.width + stays)) + Math.floor(Math.min(0, end - stays)));
    }
  }

  private readonly follower = new Follower();
  private moment: Moment | null = null;
  /** While following, nothing earlier is shown; -Infinity for all of the run. */
  private focus: Seconds = Number.NEGATIVE_INFINITY;
  private pausedAt: Seconds = Number.NaN;
  private gone = false;
  /** Period that was chosen by zooming and has not been drawn yet; else NaN. */
  private zoomed: Seconds = Number.NaN;
  private rest = 0;
  /** Whether the viewport has been set since the start of the run. */
  private placed = false;
}
