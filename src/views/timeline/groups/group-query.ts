/** Many lanes summarised as one, a few at a time: a group may have thousands. */
import type { Milliseconds } from '../../../base/units';
import { Columns } from '../../../run/lanes/lane-fold';
import type { Track } from '../../../run/lanes/lane-track';
import type { Lane } from '../../../run/lanes/task-store';
import type { Group } from '../lanes/layout';

/** Folds a track into the first `count` columns of `out`; the first of them is column `first` of the picture's time. */
export type FoldTrack = (track: Track, first: number, count: number, out: Columns) => void;

/**
 * The columns `from` to `to` (exclusive, counted as in a grid) of a group. `busy` of the results is the sum over its lanes,
 * each of which counts as one thread at most.
 */
export class GroupQuery {
  constructor(
    readonly group: Group,
    readonly from: number,
    readonly to: number
  ) {
    this.compute = new Columns(to - from);
    this.moves = new Columns(to - from);
  }

  readonly compute: Columns;
  readonly moves: Columns;

  /**
   * Go on for a while: at least one lane.
   *
   * @param scratch - at least as wide as this
   * @returns whether all lanes are summarised
   */
  step(lanes: readonly (Lane | undefined)[], fold: FoldTrack, scratch: Columns, until: Milliseconds): boolean {
    const { group, from, to } = this;
    while (this.next < group.lanes.length) {
      const lane = lanes[group.lanes[this.next]];
      this.next += 1;
      for (const [track, into] of [
        [lane?.compute, this.compute],
        [lane?.moves, this.moves]
      ] as const) {
        if (track) {
          fold(track, from, to - from, scratch);
          gather(scratch, into, to - from);
        }
      }
      if (performance.now() >= until) {
        break;
      }
    }
    return this.next >= group.lanes.length;
  }

  private next = 0;
}

/** Add the columns of a lane to those of a group; the label with most of the time stays. */
function gather(lane: Columns, group: Columns, count: number): void {
  for (let x = 0; x < count; x++) {
    if (lane.seen[x] === 0) {
      continue;
    }
    const vote = lane.vote[x];
    if (group.seen[x] === 0 || (group.label[x] !== lane.label[x] && vote > group.vote[x])) {
      group.vote[x] = group.seen[x] === 0 ? vote : vote - group.vote[x];
      group.label[x] = lane.label[x];
    } else {
      group.vote[x] += group.label[x] === lane.label[x] ? vote : -vote;
    }
    group.seen[x] |= lane.seen[x];
    group.busy[x] += Math.min(1, lane.busy[x]);
  }
}
