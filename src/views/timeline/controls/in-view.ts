import type { Seconds } from '../../../base/units';
import { labelAt } from '../../../run/lanes/lane-search';
import type { Run } from '../../../run/run';
import { LEGEND_RANK_EVENT, prefixLegend } from '../../../selectors/tasks/task-legend';
import type { Picture } from '../picture';

/** Moments that are looked at, over the width of the picture. */
const MOMENTS = 64;
/** Lanes that are looked at; of more, every second, third … one. */
const LANES = 64;

/**
 * Tells the legend which functions have most of the time in view, by {@link LEGEND_RANK_EVENT}: it has not room for all of them.
 *
 * Guarantees: the time is estimated from at most 4,096 moments of lanes. After the rank of a function has changed, it changes
 * back only when the function has half or twice the time, so that a picture that moves does not change the legend all the time.
 */
export class InView {
  constructor(private readonly picture: Picture) {}

  /** Look again; called some times a second. */
  update(): void {
    const { shown, camera, stage } = this.picture;
    const { viewport } = camera;
    const at = `${shown.run.identity} ${shown.run.version('tasks')} ${viewport.start} ${viewport.end}`;
    if (at === this.at) {
      return;
    }
    this.at = at;
    const moments = Array.from({ length: MOMENTS }, (_, i) => viewport.timeOf(((i + 0.5) / MOMENTS) * viewport.width));
    if (shown.run.identity !== this.run) {
      this.run = shown.run.identity;
      this.ranks = new Map();
    }
    const times = timesOf(shown.run, moments);
    this.ranks = new Map([...times].map(([prefix, count]) => [prefix, rankOf(count, this.ranks.get(prefix))]));
    const ids = ordered(this.ranks);
    const print = ids.join(' ');
    if (print !== this.sent) {
      this.sent = print;
      stage.node.dispatchEvent(new CustomEvent(LEGEND_RANK_EVENT, { bubbles: true, detail: ids }));
    }
  }

  private at = '';
  /** `Run.identity`: another run has other prefixes. */
  private run = '';
  private ranks: ReadonlyMap<number, number> = new Map();
  private sent = '';
}

/** In how many of the moments each function runs, over all lanes; by the number of its prefix. */
function timesOf({ tasks, running }: Run, moments: readonly Seconds[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  const add = (prefix: number, count: number): void => void times.set(prefix, (times.get(prefix) ?? 0) + count);
  const step = Math.ceil(tasks.lanes.length / LANES);
  for (let lane = 0; lane < tasks.lanes.length; lane += step) {
    const track = tasks.lanes[lane]?.compute;
    for (const moment of moments) {
      const label = track && labelAt(track, moment);
      if (label !== undefined) {
        add(label, step);
      }
    }
  }
  for (const { prefix, start } of running.list) {
    const count = moments.filter(moment => moment >= start).length;
    if (count > 0) {
      add(prefix, count);
    }
  }
  return times;
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
