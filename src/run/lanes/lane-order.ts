import type { Column } from '../../feed/frame';

/** Lane numbers come from a dictionary that grows by one at a time; much larger numbers are invalid. */
const MOST_LANES = 1 << 20;

const NONE = -1;

/**
 * The rows of a frame grouped by lane, each lane in the order of the frame: linked lists in two reused arrays, so that
 * the cost of a frame depends only on its rows.
 */
export class LaneOrder {
  /** Distinct lanes of the rows. */
  readonly lanes: number[] = [];
  /** Rows with an invalid lane. */
  strays = 0;

  /** Read the lanes of the rows of a frame. */
  sort(lanes: Column): void {
    for (const lane of this.lanes) {
      this.firsts[lane] = NONE;
    }
    this.lanes.length = 0;
    this.strays = 0;
    if (this.nexts.length < lanes.length) {
      this.nexts = new Int32Array(lanes.length);
    }
    const { nexts } = this;
    // Backwards, so that each list begins with the first of its rows.
    for (let row = lanes.length - 1; row >= 0; row--) {
      const lane = lanes[row];
      if (!(lane >= 0 && lane < MOST_LANES && Number.isInteger(lane))) {
        this.strays += 1;
        continue;
      }
      if (lane >= this.firsts.length) {
        this.widen(lane);
      }
      const known = this.firsts[lane];
      if (known === NONE) {
        this.lanes.push(lane);
        this.counts[lane] = 0;
      }
      this.counts[lane] += 1;
      nexts[row] = known;
      this.firsts[lane] = row;
    }
  }

  /** Number of rows of a lane that has any. */
  count(lane: number): number {
    return this.counts[lane];
  }

  /** First row of a lane. */
  first(lane: number): number {
    return this.firsts[lane];
  }

  /** Next row in the same lane; negative after the last. */
  next(row: number): number {
    return this.nexts[row];
  }

  private widen(lane: number): void {
    const size = Math.min(MOST_LANES, Math.max(64, 2 * (lane + 1)));
    const firsts = new Int32Array(size).fill(NONE);
    const counts = new Int32Array(size);
    firsts.set(this.firsts);
    counts.set(this.counts);
    this.firsts = firsts;
    this.counts = counts;
  }

  private firsts = new Int32Array(0);
  private counts = new Int32Array(0);
  private nexts = new Int32Array(0);
}
