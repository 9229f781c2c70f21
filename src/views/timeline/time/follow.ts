import type { Seconds } from '../../../base/units';

/** State of the run that following depends on. All times are scheduler time. */
export interface Moment {
  /** Now, as estimated by the browser. */
  readonly now: Seconds;
  readonly origin: Seconds;
  readonly lastEnd: Seconds;
  /** Whether anything runs or ended in the last seconds, and the feed answers; or whether a recording plays. */
  readonly active: boolean;
  /** Whether the feed is over: the picture stays at `now`. */
  readonly stopped?: boolean;
}

/** The time that a picture moves to which moves once per second only: now and the rest of its second. */
export function calm(now: Seconds): Seconds {
  return Math.ceil(now);
}

/** Longest default period. */
const LONGEST_AUTOMATIC: Seconds = 60;
const STEPS = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** Shortest period for a young run: otherwise the picture would shrink from frame to frame. */
const SHORTEST: Seconds = 5;
/** Shortest period for a run that was over before it was first shown. */
const SHORTEST_WHOLE: Seconds = 0.01;

/** A period that does not change with every frame: the next step above `length`, at least `shortest`. */
export function roundSpan(length: Seconds, shortest: Seconds = SHORTEST): Seconds {
  const least = Math.max(length * 1.02, shortest);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * (STEPS.find(step => step * power >= least * 0.999_999) ?? 12.5);
}

/**
 * Following live: how much time is shown, and up to when.
 *
 * While something runs, the right edge is now. When the cluster is idle, the picture stops, since nothing more happens;
 * it catches up with the next task. Initially the whole run is shown, up to a minute; a run that was over before the
 * view opened is shown completely.
 */
export class Follower {
  on = true;
  /** Fixed period; `null` while it grows with the run. */
  span: Seconds | null = null;

  /** Show the whole run, however long. */
  fitWhole(): void {
    this.span = null;
    this.limit = Number.POSITIVE_INFINITY;
    // On an idle cluster, the time since the last task does not count as part of the run.
    this.edge = Number.NaN;
  }

  /** Follow with the current period. */
  keep(span: Seconds): void {
    this.span = span;
  }

  /** Reset for a new run. */
  reset(): void {
    this.on = true;
    this.span = null;
    this.limit = Number.NaN;
    this.edge = Number.NaN;
  }

  /**
   * The right edge and the visible period.
   *
   * @param lengthOf - length of a period, in which folded pauses count as wide as they are drawn
   */
  next(
    moment: Moment,
    lengthOf: (from: Seconds, to: Seconds) => Seconds = (from, to) => to - from
  ): { readonly span: Seconds; readonly edge: Seconds } {
    // A recording that plays is over, although it moves.
    const goesOn = moment.active && !moment.stopped;
    if (goesOn) {
      this.wasOver = false;
    } else if (Number.isNaN(this.limit)) {
      this.wasOver = true;
    }
    if (Number.isNaN(this.limit)) {
      this.limit = goesOn ? LONGEST_AUTOMATIC : Number.POSITIVE_INFINITY;
    }
    if (moment.active) {
      this.edge = moment.now;
    } else if (moment.stopped && this.edge > Math.max(moment.now, moment.lastEnd)) {
      // Time passed before the silence was noticed: nothing is known about it.
      this.edge = Math.max(moment.now, moment.lastEnd);
    } else if (Number.isNaN(this.edge) || this.edge < moment.lastEnd) {
      this.edge = moment.lastEnd + (moment.lastEnd - moment.origin) * 0.02;
    }
    const length = this.edge > moment.origin ? lengthOf(moment.origin, this.edge) : 0;
    const shortest = this.wasOver ? SHORTEST_WHOLE : SHORTEST;
    // A finished run does not grow, so no steps are needed: it is shown exactly.
    const whole = !moment.active && this.limit === Number.POSITIVE_INFINITY;
    const span = whole ? Math.max(length, shortest) : Math.min(roundSpan(length, shortest), this.limit);
    return { span: this.span ?? span, edge: this.edge };
  }

  /** Whether the run was over when it was first shown. */
  private wasOver = false;
  private limit: Seconds = Number.NaN;
  private edge: Seconds = Number.NaN;
}
