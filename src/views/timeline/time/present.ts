import type { Milliseconds, Seconds } from '../../../base/units';
import { asOf } from '../../../run/as-of';
import { clearedOf } from '../../../run/cleared';
import type { Run } from '../../../run/run';
import { localFacts } from '../../../selectors/local/facts';
import { executingOf } from '../../../selectors/workers/worker-rows';
import type { ShownRun } from '../../shown-run';
import type { ViewHost } from '../../view';
import type { Moment } from './follow';

/** No task in any active state for so long is idle (`docs/architecture.md`, "What is kept, and for how long"). */
const IDLE_AFTER: Seconds = 10;

/** What the end of a timeline says of the feed. */
interface Ending {
  /** Whether somebody tells what happens now. */
  readonly answering: boolean;
  /** Whether the feed is over: such a run has no now. */
  readonly over: boolean;
}

/** Now as a timeline shows it: of the run while it follows, and of the moment of the pause from then on. */
export class Present {
  constructor(
    private readonly host: ViewHost,
    private readonly shown: ShownRun
  ) {}

  /** Whether somebody tells what happens now. */
  get answering(): boolean {
    return (this.held ?? this.ending).answering;
  }

  /** Whether the feed is over: such a run has no now. */
  get over(): boolean {
    return (this.held ?? this.ending).over;
  }

  /** Scheduler time as of the last {@link moment}; NaN before it. */
  get time(): Seconds {
    return this.last;
  }

  /** What ended up to here was cleared by the person; -Infinity where nothing was. */
  get clearedUntil(): Seconds {
    return clearedOf(this.shown.run, this.host.context.cleared)?.before ?? Number.NEGATIVE_INFINITY;
  }

  /** Call after the run that is shown was paused or let go on. */
  takePause(): void {
    const { paused } = this.shown;
    if (paused && this.held === null) {
      this.held = this.ending;
      // Of a moment that another view held no time was drawn here.
      this.last = Number.isNaN(this.last) ? this.shown.at : this.last;
    } else if (!paused) {
      this.held = null;
    }
  }

  /**
   * What the camera needs to know.
   *
   * @param now - `performance.now()`
   */
  moment(now: Milliseconds): Moment {
    const { run, paused } = this.shown;
    if (!paused) {
      this.last = run.clock.known ? this.timeAt(now, run) : run.origin;
    }
    const { answering, clearedUntil } = this;
    const last = Number.isFinite(run.tasks.lastEnd) ? run.tasks.lastEnd : run.origin;
    return {
      now: this.last,
      // What was cleared is not shown whole any more: the picture begins after it.
      origin: Math.max(run.origin, clearedUntil),
      lastEnd: Math.max(last, clearedUntil),
      active: answering && goesOn(run, this.last - last),
      stopped: !answering
    };
  }

  private get ending(): Ending {
    const status = this.host.feed?.state.status;
    return { answering: status === 'live' || status === 'limited', over: status === 'closed' };
  }

  /** Now, or the moment of the picture where nobody tells what is now. */
  private timeAt(now: Milliseconds, run: Run): Seconds {
    const state = this.host.feed?.state;
    return state?.status === 'silent' || state?.status === 'disconnected' ? asOf(run, state) : run.clock.at(now);
  }

  private last: Seconds = Number.NaN;
  /** While paused, the ending of the picture as it was then. */
  private held: Ending | null = null;
}

/** Whether more may come soon: a local scheduler says itself when it is done, a cluster only has nothing to do for a while. */
function goesOn(run: Run, sinceLast: Seconds): boolean {
  const { workers, running } = run;
  const local = localFacts(run);
  return local !== null
    ? local.outcome === 'running'
    : sinceLast < IDLE_AFTER ||
        running.count > 0 ||
        workers.ids.some(id => workers.get(id, 'processing') > 0 || executingOf(run, id) > 0);
}
