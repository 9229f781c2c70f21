/** Directed links between nodes numbered from 0, in both directions, as typed arrays. */

/** Adjacency lists: the neighbours of node `i` are `list[start[i]]` to `list[start[i + 1] - 1]`. */
export interface Neighbours {
  readonly start: Uint32Array;
  readonly list: Uint32Array;
}

/** Links from sources (dependencies) to targets (dependents). */
export class Links {
  /**
   * @param count - number of nodes
   * @param sources - the dependency of each link
   * @param targets - the dependent of each link
   */
  constructor(
    readonly count: number,
    readonly sources: Uint32Array,
    readonly targets: Uint32Array
  ) {}

  get linkCount(): number {
    return this.sources.length;
  }

  /** Dependencies of each node. */
  get needs(): Neighbours {
    this.into ??= neighbours(this.count, this.targets, this.sources);
    return this.into;
  }

  /** Dependents of each node. */
  get neededBy(): Neighbours {
    this.outOf ??= neighbours(this.count, this.sources, this.targets);
    return this.outOf;
  }

  private into: Neighbours | null = null;
  private outOf: Neighbours | null = null;
}

/** Neighbours of a node as a list. */
export function neighboursOf({ start, list }: Neighbours, node: number): Uint32Array {
  return list.subarray(start[node], start[node + 1]);
}

function neighbours(count: number, from: Uint32Array, to: Uint32Array): Neighbours {
  const start = new Uint32Array(count + 1);
  for (const node of from) {
    start[node + 1] += 1;
  }
  for (let i = 0; i < count; i++) {
    start[i + 1] += start[i];
  }
  const next = start.slice();
  const list = new Uint32Array(from.length);
  for (let i = 0; i < from.length; i++) {
    list[next[from[i]]++] = to[i];
  }
  return { start, list };
}
