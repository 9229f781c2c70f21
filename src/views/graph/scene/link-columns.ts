import type { Placement } from '../../../run/graph/graph-layout';
import type { Links } from '../../../run/graph/links';

/** Links by their left column: a view of a few columns of a large graph does not look at all of them. */
export class LinkColumns {
  constructor({ sources, targets, linkCount }: Links, { x }: Pick<Placement, 'x'>) {
    const lefts = new Int32Array(linkCount);
    let last = Number.NEGATIVE_INFINITY;
    for (let link = 0; link < linkCount; link++) {
      lefts[link] = Math.min(x[sources[link]], x[targets[link]]);
      this.first = Math.min(this.first, lefts[link]);
      last = Math.max(last, lefts[link]);
    }
    const columns = linkCount > 0 ? last - this.first + 1 : 0;
    this.start = new Uint32Array(columns + 1);
    this.reach = new Float32Array(columns).fill(Number.NEGATIVE_INFINITY);
    for (let link = 0; link < linkCount; link++) {
      const column = lefts[link] - this.first;
      this.start[column + 1] += 1;
      this.reach[column] = Math.max(this.reach[column], x[sources[link]], x[targets[link]]);
    }
    for (let column = 0; column < columns; column++) {
      this.start[column + 1] += this.start[column];
    }
    const next = this.start.slice();
    this.links = new Uint32Array(linkCount);
    for (let link = 0; link < linkCount; link++) {
      this.links[next[lefts[link] - this.first]++] = link;
    }
  }

  /** Links of the columns from which any touches a range of columns; others of these may be outside of it. */
  *touching(left: number, right: number): Generator<Uint32Array> {
    for (let column = 0; column < this.reach.length && this.first + column <= right; column++) {
      if (this.reach[column] >= left) {
        yield this.links.subarray(this.start[column], this.start[column + 1]);
      }
    }
  }

  /** Leftmost column of a link. */
  private readonly first: number = Number.POSITIVE_INFINITY;
  /** Index of the first link of each column from there on, and the column that its links reach at most. */
  private readonly start: Uint32Array;
  private readonly reach: Float32Array;
  private readonly links: Uint32Array;
}
