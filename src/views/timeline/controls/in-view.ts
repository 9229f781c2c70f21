import { type FrameClient, frameLoop } from '../../../base/frame-loop';
import type { Seconds } from '../../../base/units';
import { labelAt } from '../../../run/lanes/lane-search';
import type { Run } from '../../../run/run';
import { LEGEND_RANK_EVENT, prefixLegend } from '../../../selectors/tasks/task-legend';
import type { Picture } from '../picture';

/** Moments that are looked at, over the width of the picture. */
const MOMENTS = 64;
/** Lanes that are looked at; of more, every second, third … one. */
const LANES = 64;
/** Of these, those of one frame. */
const AT_ONCE = 16;

/** What was found so far. */
interface Count {
  readonly run: Run;
  readonly moments: readonly Seconds[];
  /** In how many of the moments each function runs, over all lanes; by the number of its prefix. */
  readonly times: Map<number, number>;
  /** The lane that is looked at next. */
  lane: number;
}

/**
 * Tells the legend which functions have most of the time in view, by {@link LEGEND_RANK_EVENT}: it has not room for all of them.
 *
 * Guarantees: the time is estimated from at most 4,096 moments of lanes, of some lanes in each frame. After the rank of a function has
 * changed, it changes back only when the function has half or twice the time, so that a picture that moves does not change the
 * legend all the time.
 */
export class InView implements FrameClient {
  constructor(private readonly picture: Picture) {}

  /** Look again; called some times a second. */
  update(): void {
    const { shown, camera } = this.picture;
    const { viewport } = camera;
    const { run } = shown;
    const at = `${run.identity} ${run.version('tasks')} ${viewport.start} ${viewport.end}`;
    if (at !== this.at && this.count === null) {
      this.at = at;
      const moments = Array.from({ length: MOMENTS }, (_, i) => viewport.timeOf(((i + 0.5) / MOMENTS) * viewport.width));
      this.count = { run, moments, times: new Map(), lane: 0 };
      if (run.tasks.lanes.length > AT_ONCE) {
        // In this frame, the names of the lanes have been written.
        frameLoop.request(this);
      } else {
        this.paint();
      }
    }
  }

  /** Called by the frame loop: go on with a count. */
  paint(): void {
    const { count } = this;
    if (count === null) {
      return;
    }
    const { lanes } = count.run.tasks;
    for (let i = 0; i < AT_ONCE && count.lane < lanes.length; i++) {
      countNext(count);
    }
    if (count.lane < lanes.length) {
      frameLoop.request(this);
      return;
    }
    this.count = null;
    countRunning(count);
    this.send(count);
  }

  /** The timeline is hidden: leave a count that is not done, and begin again with the next {@link update}. */
  rest(): void {
    if (this.count !== null) {
      this.count = null;
      this.at = '';
      frameLoop.remove(this);
    }
  }

  private send({ run, times }: Count): void {
    if (run.identity !== this.run) {
      this.run = run.identity;
      this.ranks = new Map();
    }
    this.ranks = new Map([...times].map(([prefix, count]) => [prefix, rankOf(count, this.ranks.get(prefix))]));
    const ids = ordered(this.ranks);
    const print = ids.join(' ');
    if (print !== this.sent) {
      this.sent = print;
      this.picture.stage.node.dispatchEvent(new CustomEvent(LEGEND_RANK_EVENT, { bubbles: true, detail: ids }));
    }
  }

  private count: Count | null = null;
  private at = '';
  /** `Run.identity`: another run has other prefixes. */
  private run = '';
  private ranks: ReadonlyMap<number, number> = new Map();
  private sent = '';
}

/** Look at a lane. */
function countNext(count: Count): void {
  const { run, moments, times } = count;
  const { lanes } = run.tasks;
  const step = Math.ceil(lanes.length / LANES);
  const track = lanes[count.lane]?.compute;
  count.lane += step;
  for (const moment of moments) {
    const label = track && labelAt(track, moment);
    if (label !== undefined) {
      times.set(label, (times.get(label) ?? 0) + step);
    }
  }
}

function countRunning({ run, moments, times }: Count): void {
  for (const { prefix, start } of run.running.list) {
    const count = moments.filter(moment => moment >= start).length;
    if (count > 0) {
      times.set(prefix, (times.get(prefix) ?? 0) + count);
    }
  }
}

/** The power of two below a count. The former rank stays until the count is well beyond its edges: it varies with the moments. */
function rankOf(count: number, former: number | undefined): number {
  const exact = Math.log2(count);
  return former !== undefined && exact >= former - 0.5 && exact < former + 1.5 ? former : Math.floor(exact);
}

/** Highest rank first, those of the same in order of first appearance. */
function ordered(ranks: ReadonlyMap<number, number>): readonly string[] {
  const order = [...ranks].sort(([a, one], [b, other]) => other - one || a - b);
  return order.map(([prefix]) => prefixLegend(prefix));
}
