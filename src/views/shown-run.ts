import type { Seconds } from '../base/units';
import { frozen } from '../run/frozen';
import type { Run } from '../run/run';

/** The run as shown by a view: the run itself, or, while paused, its state at the time of the pause. */
export class ShownRun {
  constructor(private readonly live: Run) {}

  /** The run to draw. */
  get run(): Run {
    return this.held ?? this.live;
  }

  /** The copy drawn while paused, else `null`. */
  get copy(): Run | null {
    return this.held;
  }

  get paused(): boolean {
    return this.held !== null;
  }

  /** Scheduler time of the picture while paused, else NaN. */
  get at(): Seconds {
    return this.held === null ? Number.NaN : this.held.clock.latest;
  }

  /**
   * @param moment - the copy of the run to show while paused; by default a new one
   * @returns whether this was a change
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
