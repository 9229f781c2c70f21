import type { Milliseconds } from '../../base/units';
import type { Attachment } from '../../clients/attachment';
import { isUnanswered } from '../../feed/feed';
import { GATHERED_TOPICS, type Topic } from '../../feed/schema';
import type { Plot } from '../../plot/plot';
import type { Run } from '../../run/run';
import { liveWorkers } from '../../selectors/workers/worker-rows';

/** "Loading" is shown only after this long: most loads are over by then. */
const PATIENCE: Milliseconds = 300;
/**
 * Time after which a pane stops waiting for missing topics. A live cluster sends every topic, even if empty, so there
 * it is only slow; a recording, a local scheduler and a limited cluster may lack some.
 */
const SETTLED = { live: 10_000, other: 1000 } as const satisfies Record<string, Milliseconds>;
/** After this time, a plot that has something to show does not wait for what workers are asked for. */
const GATHERING: Milliseconds = 1000;
/** Workers are asked 50 a second, by each kernel more slowly the more there are: the time for each of them, with five kernels. */
const PER_WORKER: Milliseconds = 100;

/**
 * What lacks topics of a plot: an older collector, a recording, a scheduler that takes no collector, or a client that closed
 * before.
 */
export type Lacking = 'cluster' | 'recording' | 'scheduler' | 'ended';

/**
 * Whether the run of a pane has what its plot needs.
 *
 * Guarantees: once complete, a run stays so until {@link begin}; a run that lacks topics which will never come is complete
 * after some seconds, and {@link lacking} says which kind of source lacks them.
 */
export class Arrival {
  constructor(
    private readonly plot: Plot,
    private readonly attachment: Attachment,
    private readonly isEmpty: (run: Run) => boolean
  ) {}

  /** Whether enough data has arrived to decide what to show. */
  get complete(): boolean {
    return this.arrived;
  }

  /** Whether the pane has only just begun to wait: too short a time for a message. */
  get brief(): boolean {
    return performance.now() - this.asked < PATIENCE;
  }

  /** The pane begins to wait: it became visible. */
  wait(): void {
    this.asked = performance.now();
  }

  /** Another run is shown: wait for its data. */
  begin(): void {
    this.wait();
    this.arrived = false;
    this.firstFrame = Number.NaN;
    this.unsent = false;
  }

  /** Look at the run again. Returns {@link complete}. */
  look(run: Run): boolean {
    if (!this.arrived) {
      if (run.clock.known && Number.isNaN(this.firstFrame)) {
        this.firstFrame = performance.now();
      }
      this.arrived =
        run.clock.known && (this.missing(run).length === 0 || this.isSettled(run, performance.now() - this.firstFrame));
      this.unsent = this.arrived && this.isLive && this.missing(run).length > 0;
    }
    return this.arrived;
  }

  /** How many workers are being asked for what a live plot still waits for; 0 where it waits for something else. */
  workersAsked(run: Run): number {
    return this.waitsForWorkers(run) ? liveWorkers(run).length : 0;
  }

  private isSettled(run: Run, waited: Milliseconds): boolean {
    const { feed, info } = this.attachment.live ?? {};
    // What has not come yet comes when there is an answer again: until then it is not known whether there is any.
    if (feed !== undefined && isUnanswered(feed.state) && !info?.limited) {
      return false;
    }
    if (this.waitsForWorkers(run)) {
      return waited > SETTLED.live + liveWorkers(run).length * PER_WORKER || (waited > GATHERING && !this.isEmpty(run));
    }
    return waited > (this.isLive ? SETTLED.live : SETTLED.other);
  }

  private waitsForWorkers(run: Run): boolean {
    const missing = this.missing(run);
    return this.isLive && missing.length > 0 && missing.every(topic => GATHERED_TOPICS.includes(topic));
  }

  private missing(run: Run): readonly Topic[] {
    return this.plot.topics.filter(topic => !run.has(topic));
  }

  private get isLive(): boolean {
    return this.attachment.kind === 'cluster' && this.status === 'live';
  }

  /** What lacks topics of the plot although all that it has have arrived: waiting is pointless. `null` if none are missing. */
  lacking(run: Run): Lacking | null {
    if (this.attachment.kind !== 'cluster' || this.missing(run).length === 0) {
      return null;
    }
    if (this.status === 'recorded') {
      return 'recording';
    }
    // The state of the feed is another one while the scheduler is silent, and once its client has closed.
    if (this.attachment.live?.info.limited) {
      return 'scheduler';
    }
    if (run.hasEnded) {
      return this.unsent ? 'cluster' : 'ended';
    }
    return this.status === 'live' ? 'cluster' : null;
  }

  private get status(): string | undefined {
    return this.attachment.live?.feed.state.status;
  }

  private arrived = false;
  /** Whether a live cluster was asked for topics of the plot and did not send them in time. */
  private unsent = false;
  private asked: Milliseconds = 0;
  /** When the first frame of the run arrived; NaN before. */
  private firstFrame: Milliseconds = Number.NaN;
}
