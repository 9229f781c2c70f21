import { isAnswered, isUnanswered } from '../../../feed/feed';
import type { Milliseconds, Seconds } from '../../../base/units';
import { asOf } from '../../../run/as-of';
import { clearedOf } from '../../../run/cleared';
import { SHORTEST_PAUSE } from '../../../run/lanes/busy-periods';
import type { Run } from '../../../run/run';
import { localFacts } from '../../../selectors/local/facts';
import { executingOf } from '../../../selectors/workers/worker-rows';
import type { ShownRun } from '../../shown-run';
import type { ViewHost } from '../../view';
import type { Moment } from './follow';

/** State of the feed at the end of a timeline. */
interface Ending {
  /** Whether the feed answers. */
  readonly answering: boolean;
  /** Whether the feed is over: such a run has no now. */
  readonly over: boolean;
  /** Whether the time is that of a recording's clock. */
  readonly recorded: boolean;
  /** Whether that clock runs. */
  readonly playing: boolean;
}

/** The current time of a timeline: that of the run while it follows, and the moment of the pause from then on. */
export class Present {
  constructor(
    private readonly host: ViewHost,
    private readonly shown: ShownRun
  ) {}

  /** Whether the feed answers. */
  get answering(): boolean {
    return (this.held ?? this.ending).answering;
  }

  /** Whether the feed is over: such a run has no now. */
  get over(): boolean {
    return (this.held ?? this.ending).over;
  }

  /** Scheduler time of the last {@link moment}; NaN before it. */
  get time(): Seconds {
    return this.last;
  }

  /** End of the part cleared by the user; -Infinity if none. */
  get clearedUntil(): Seconds {
    return clearedOf(this.shown.run, this.host.context.cleared)?.before ?? Number.NEGATIVE_INFINITY;
  }

  /** Call after the shown run was paused or resumed. */
  takePause(): void {
    const { paused } = this.shown;
    if (paused && this.held === null) {
      this.held = this.ending;
      // No time has been drawn here for a moment that another view paused at.
      this.last = Number.isNaN(this.last) ? this.shown.at : this.last;
    } else if (!paused) {
      this.held = null;
    }
  }

  /**
   * Input of the camera.
   *
   * @param now - `performance.now()`
   */
  moment(now: Milliseconds): Moment {
    const { run, paused } = this.shown;
    if (!paused) {
      this.last = run.clock.known ? this.timeAt(now, run) : run.origin;
    }
    const { answering, clearedUntil } = this;
    const { playing, recorded } = this.held ?? this.ending;
    const last = Number.isFinite(run.tasks.lastEnd) ? run.tasks.lastEnd : run.origin;
    const more = goesOn(run, this.last - last);
    return {
      now: this.last,
      // The view starts after the cleared part.
      origin: Math.max(run.origin, clearedUntil),
      // The clock of a recording may stand after what has ended by then, as that of a cluster does.
      lastEnd: Math.max(recorded && more ? Math.max(last, this.last) : last, clearedUntil),
      // A recording that plays moves as the cluster did; else it is shown whole.
      active: playing || (answering && more),
      stopped: !answering
    };
  }

  private get ending(): Ending {
    const state = this.host.feed?.state;
    const { status, playing = false } = state ?? {};
    return {
      answering: state !== undefined && isAnswered(state),
      over: status === 'closed',
      recorded: status === 'recorded',
      playing
    };
  }

  /** Now, or the time of the picture if the feed is over. */
  private timeAt(now: Milliseconds, run: Run): Seconds {
    const state = this.host.feed?.state;
    return state && isUnanswered(state) ? asOf(run, state) : run.clock.at(now);
  }

  private last: Seconds = Number.NaN;
  /** While paused, the ending at the time of the pause. */
  private held: Ending | null = null;
}

/**
 * Whether more may come soon: a local scheduler reports when it is done, a cluster only has nothing to do for a while.
 */
function goesOn(run: Run, sinceLast: Seconds): boolean {
  const { workers, running } = run;
  const local = localFacts(run);
  return local !== null
    ? local.outcome === 'running'
    : sinceLast < SHORTEST_PAUSE ||
        running.count > 0 ||
        workers.ids.some(id => workers.get(id, 'processing') > 0 || executingOf(run, id) > 0);
}
