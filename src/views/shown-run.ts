import type { Seconds } from '../base/units';
import { frozen } from '../run/frozen';
import type { Run } from '../run/run';

/** The run as a view shows it: the run itself, or, while paused, as it was when it was paused. */
export class ShownRun {
  constructor(private readonly live: Run) {}

  /** What to draw from. */
  get run(): Run {
    return this.held ?? this.live;
  }

  /** The copy that is drawn while paused, else `null`. */
  get copy(): Run | null {
    return this.held;
  }

  get paused(): boolean {
    return this.held !== null;
  }

  /** Scheduler time of what is shown while paused, else NaN. */
  get at(): Seconds {
    return this.held === null ? Number.NaN : this.held.clock.latest;
  }

  /**
   * @param moment - a copy of the run that is shown while paused; one of now without it
   * @returns whether that was a change
   */
  setPaused(paused: boolean, moment?: Run): boolean {
    if (paused === this.paused) {
      return false;
    }
    this.held = paused ? (moment ?? frozen(this.live)) : null;
    return true;
  }

  private held: Run | null = null;
}
