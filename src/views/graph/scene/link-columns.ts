import type { Placement } from '../../../run/graph/graph-layout';
import type { Links } from '../../../run/graph/links';

/**
 * Links by their left column: a view of a few columns of a large graph does not look at all of them. Their extents are in the same
 * order, since to look up the places of two tasks for each of very many links, in every frame of a pan, takes several times as long.
 */
export class LinkColumns {
  constructor({ sources, targets, linkCount }: Links, { x, y }: Pick<Placement, 'x' | 'y'>) {
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
    [this.rights, this.tops, this.bottoms] = [0, 1, 2].map(() => new Float32Array(linkCount));
    for (let link = 0; link < linkCount; link++) {
      const [source, target] = [sources[link], targets[link]];
      const at = next[lefts[link] - this.first]++;
      this.links[at] = link;
      this.rights[at] = Math.max(x[source], x[target]);
      this.tops[at] = Math.min(y[source], y[target]);
      this.bottoms[at] = Math.max(y[source], y[target]);
    }
  }

  /** Links whose extent touches some columns and rows, up to one more than `most`. */
  touching(left: number, right: number, top: number, bottom: number, most: number): number[] {
    const { links, rights, tops, bottoms } = this;
    const found: number[] = [];
    for (let column = 0; column < this.reach.length && this.first + column <= right; column++) {
      const end = this.reach[column] >= left ? this.start[column + 1] : 0;
      for (let i = this.start[column]; i < end && found.length <= most; i++) {
        if (bottoms[i] >= top && tops[i] <= bottom && rights[i] >= left) {
          found.push(links[i]);
        }
      }
    }
    return found;
  }

  /** Leftmost column of a link. */
  private readonly first: number = Number.POSITIVE_INFINITY;
  /** Index of the first link of each column from there on, and the column that its links reach at most. */
  private readonly start: Uint32Array;
  private readonly reach: Float32Array;
  private readonly links: Uint32Array;
  /** Of each of these links, the column that it reaches, and its rows. */
  private readonly rights: Float32Array;
  private readonly tops: Float32Array;
  private readonly bottoms: Float32Array;
}
