import type { Seconds } from '../../../base/units';

/** What following needs to know of the run. All times are the scheduler's clock. */
export interface Moment {
  /** Now, as the browser estimates it. */
  readonly now: Seconds;
  readonly origin: Seconds;
  readonly lastEnd: Seconds;
  /** Whether anything runs or ended in the last seconds, and the feed answers. */
  readonly active: boolean;
  /** Whether nobody tells what happens now: the picture is one of `now`, and does not go on. */
  readonly stopped?: boolean;
}

/** Longest period that is shown without being asked for. */
const LONGEST_AUTOMATIC: Seconds = 60;
const STEPS = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** A young run is not shown larger than this: the picture would shrink from frame to frame. */
const SHORTEST: Seconds = 5;
/** A run that was over before anybody looked may be shown as large as this. */
const SHORTEST_WHOLE: Seconds = 0.01;

/** A period that does not change with every frame: the next step above `length`, and no less than `shortest`. */
export function roundSpan(length: Seconds, shortest: Seconds = SHORTEST): Seconds {
  const least = Math.max(length * 1.02, shortest);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * (STEPS.find(step => step * power >= least * 0.999_999) ?? 12.5);
}

/**
 * Following live: how much time is shown, and up to when.
 *
 * While something runs, the right edge is now. When the cluster idles, the picture stops where it is, since nothing
 * more happens; it catches up with the next task. At first all of the run is shown, up to a minute; a run that was
 * over before the view opened is shown whole.
 */
export class Follower {
  on = true;
  /** Fixed period; `null` while it grows with the run. */
  span: Seconds | null = null;

  /** Show the whole run, however long. */
  fitWhole(): void {
    this.span = null;
    this.limit = Number.POSITIVE_INFINITY;
    // Of an idle cluster the time since the last task is not part of the run.
    this.edge = Number.NaN;
  }

  /** Show as much as now, but following. */
  keep(span: Seconds): void {
    this.span = span;
  }

  /** Begin as for a new run. */
  reset(): void {
    this.on = true;
    this.span = null;
    this.limit = Number.NaN;
    this.edge = Number.NaN;
  }

  /** Where the right edge is and how much is shown. */
  next(moment: Moment): { readonly span: Seconds; readonly edge: Seconds } {
    if (moment.active) {
      this.wasOver = false;
    } else if (Number.isNaN(this.limit)) {
      this.wasOver = true;
    }
    if (Number.isNaN(this.limit)) {
      this.limit = moment.active ? LONGEST_AUTOMATIC : Number.POSITIVE_INFINITY;
    }
    if (moment.active) {
      this.edge = moment.now;
    } else if (moment.stopped && this.edge > Math.max(moment.now, moment.lastEnd)) {
      // It has gone on until somebody noticed: nothing is known of that time.
      this.edge = Math.max(moment.now, moment.lastEnd);
    } else if (Number.isNaN(this.edge) || this.edge < moment.lastEnd) {
      this.edge = moment.lastEnd + (moment.lastEnd - moment.origin) * 0.02;
    }
    const length = Math.max(0, this.edge - moment.origin);
    const shortest = this.wasOver ? SHORTEST_WHOLE : SHORTEST;
    // What does not grow needs no steps: all of it is shown, and nothing else.
    const whole = !moment.active && this.limit === Number.POSITIVE_INFINITY;
    const span = whole ? Math.max(length, shortest) : Math.min(roundSpan(length, shortest), this.limit);
    return { span: this.span ?? span, edge: this.edge };
  }

  /** Whether the run was over when it was first shown. */
  private wasOver = false;
  private limit: Seconds = Number.NaN;
  private edge: Seconds = Number.NaN;
}
