/**
 * Layout of a graph: x is the longest path from a root, y brings neighbours together. O(V + E), in steps that can be
 * spread over animation frames.
 *
 * The order within a column comes from barycentres in a few sweeps, the positions from a fit that keeps the order and a
 * minimum distance of one. If few nodes are new, the others keep their positions. Nodes without links form a block
 * below.
 */
import { type Links, type Neighbours, neighboursOf } from './links';

/** Positions of nodes, in columns and rows, not pixels. */
export interface Placement {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Extent, from 0. */
  readonly columns: number;
  readonly rows: number;
}

/** Positions of nodes in an earlier layout; `undefined` for new nodes. */
export type Former = (node: number) => { readonly x: number; readonly y: number } | undefined;

/** Number of sweeps that optimize the order, and of sweeps that settle positions. */
const ORDER_SWEEPS = 4;
const PLACE_SWEEPS = 3;
/** If more than this fraction of the nodes is new, the whole graph is laid out again. */
const FEW_NEW = 0.2;
/** Ratio of width to height of the block of nodes without links. */
const BLOCK_ASPECT = 2;
/** Nodes processed between two pauses. */
const PIECE = 4096;

/** Lay out nodes; each `yield` is a point at which to pause. */
export function* layOut(links: Links, former?: Former): Generator<undefined, Placement> {
  const x = yield* longestPaths(links);
  const y = new Float32Array(links.count);
  const linked = linkedNodes(links);
  const layers = layersOf(x, linked);
  const stays = former === undefined ? null : keep(layers, x, y, former);
  yield;
  if (stays === null) {
    yield* order(links, layers, y);
    yield* place(links, layers, y);
  } else {
    placeNew(links, layers, y, stays);
  }
  return settle(x, y, linked, layers.length, stays !== null);
}

/** Level of each node: the longest path from a root, in links. */
export function levelsOf(links: Links): Float32Array {
  return finished(longestPaths(links));
}

/** Run a layout to its end. */
export function layOutNow(links: Links, former?: Former): Placement {
  return finished(layOut(links, former));
}

function finished<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** Longest path from a root, in links. Cycles, which groups may form, are cut at their first node. */
function* longestPaths(links: Links): Generator<undefined, Float32Array> {
  const { count, needs, neededBy } = links;
  const x = new Float32Array(count);
  const lacking = new Uint32Array(count);
  const done = new Uint8Array(count);
  const queue = new Uint32Array(count);
  let end = 0;
  for (let node = 0; node < count; node++) {
    lacking[node] = needs.start[node + 1] - needs.start[node];
    if (lacking[node] === 0) {
      queue[end++] = node;
      done[node] = 1;
    }
  }
  let first = 0;
  for (let at = 0; at < count; at++) {
    if (at === end) {
      while (done[first]) {
        first += 1;
      }
      done[first] = 1;
      queue[end++] = first;
    }
    const node = queue[at];
    for (const next of neighboursOf(neededBy, node)) {
      if (!done[next]) {
        x[next] = Math.max(x[next], x[node] + 1);
        lacking[next] -= 1;
        if (lacking[next] === 0) {
          done[next] = 1;
          queue[end++] = next;
        }
      }
    }
    if (at % PIECE === PIECE - 1) {
      yield;
    }
  }
  return x;
}

/** Whether each node has a link. */
function linkedNodes({ count, sources, targets }: Links): Uint8Array {
  const linked = new Uint8Array(count);
  for (let i = 0; i < sources.length; i++) {
    linked[sources[i]] = linked[targets[i]] = 1;
  }
  return linked;
}

/** Linked nodes by column. */
function layersOf(x: Float32Array, linked: Uint8Array): Uint32Array[] {
  const sizes: number[] = [];
  for (let node = 0; node < x.length; node++) {
    if (linked[node]) {
      sizes[x[node]] = (sizes[x[node]] ?? 0) + 1;
    }
  }
  const layers = Array.from(sizes, size => new Uint32Array(size ?? 0));
  const ends = new Uint32Array(layers.length);
  for (let node = 0; node < x.length; node++) {
    if (linked[node]) {
      layers[x[node]][ends[x[node]]++] = node;
    }
  }
  return layers;
}

/** Reuse the positions of nodes that are still in their column; `null` if there are too few. */
function keep(layers: readonly Uint32Array[], x: Float32Array, y: Float32Array, former: Former): Uint8Array | null {
  const stays = new Uint8Array(x.length);
  let all = 0;
  let kept = 0;
  for (const layer of layers) {
    for (const node of layer) {
      const place = former(node);
      all += 1;
      if (place !== undefined && place.x === x[node]) {
        y[node] = place.y;
        stays[node] = 1;
        kept += 1;
      }
    }
  }
  return all > 0 && kept >= (1 - FEW_NEW) * all ? stays : null;
}

/** Place new nodes next to their dependencies, on the nearest free row. */
function placeNew(links: Links, layers: readonly Uint32Array[], y: Float32Array, stays: Uint8Array): void {
  for (const layer of layers) {
    const taken = new Set<number>();
    let last = 0;
    for (const node of layer) {
      if (stays[node]) {
        taken.add(Math.round(y[node]));
        last = Math.max(last, y[node]);
      }
    }
    for (const node of layer) {
      if (!stays[node]) {
        const wanted = Math.round(mean(links.needs, node, y, last + 1));
        let away = 0;
        while (taken.has(wanted + away)) {
          away = away > 0 ? -away : 1 - away;
        }
        y[node] = wanted + away;
        taken.add(wanted + away);
      }
    }
  }
}

/** Mean row of the neighbours; `otherwise` if there are none. */
function mean(neighbours: Neighbours, node: number, y: Float32Array, otherwise: number): number {
  const from = neighbours.start[node];
  const to = neighbours.start[node + 1];
  if (from === to) {
    return otherwise;
  }
  let sum = 0;
  for (let i = from; i < to; i++) {
    sum += y[neighbours.list[i]];
  }
  return sum / (to - from);
}

/** Sort each column by the mean row of the neighbours, from left to right and back. */
function* order(links: Links, layers: readonly Uint32Array[], y: Float32Array): Generator<undefined> {
  for (const layer of layers) {
    spread(layer, y);
  }
  yield* sweep(layers, ORDER_SWEEPS, (layer, forward) => {
    const neighbours = forward ? links.needs : links.neededBy;
    sortBy(layer, node => mean(neighbours, node, y, y[node]));
    spread(layer, y);
  });
}

/** Assign consecutive whole rows around zero to the nodes of a column, in their order. */
function spread(layer: Uint32Array, y: Float32Array): void {
  for (let i = 0; i < layer.length; i++) {
    y[layer[i]] = i - (layer.length - 1) / 2;
  }
}

/** Visit all columns from left to right and back, pausing after each few thousand nodes. */
function* sweep(
  layers: readonly Uint32Array[],
  sweeps: number,
  visit: (layer: Uint32Array, forward: boolean) => void
): Generator<undefined> {
  let work = 0;
  for (let turn = 0; turn < sweeps; turn++) {
    const forward = turn % 2 === 0;
    for (let i = 0; i < layers.length; i++) {
      const layer = layers[forward ? i : layers.length - 1 - i];
      visit(layer, forward);
      work += layer.length;
      if (work >= PIECE) {
        work = 0;
        yield;
      }
    }
  }
}

/** Bits for a position in a column; the remaining bits of a double's 53 hold the sort key. */
const PLACE_BITS = 2 ** 21;
const KEY_STEPS = 2 ** 30;

/** Sort nodes by a key, stably. Keys and positions are packed into numbers because those sort natively. */
function sortBy(layer: Uint32Array, key: (node: number) => number): void {
  const keys = Float64Array.from(layer, key);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of keys) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const scale = most > least ? KEY_STEPS / (most - least) : 0;
  for (let i = 0; i < keys.length; i++) {
    keys[i] = Math.round((keys[i] - least) * scale) * PLACE_BITS + i;
  }
  keys.sort();
  const before = layer.slice();
  for (let i = 0; i < keys.length; i++) {
    layer[i] = before[keys[i] % PLACE_BITS];
  }
}

/** Move each column towards its neighbours, keeping the order and a distance of one. */
function* place(links: Links, layers: readonly Uint32Array[], y: Float32Array): Generator<undefined> {
  yield* sweep(layers, PLACE_SWEEPS, (layer, forward) => {
    const neighbours = forward ? links.needs : links.neededBy;
    const wanted = Float64Array.from(layer, (node, i) => mean(neighbours, node, y, y[node]) - i);
    const fitted = isotonic(wanted);
    for (let i = 0; i < layer.length; i++) {
      y[layer[i]] = fitted[i] + i;
    }
  });
}

/** The non-decreasing sequence closest to the given one (pool adjacent violators). */
export function isotonic(values: Float64Array): Float64Array {
  const means = new Float64Array(values.length);
  const sizes = new Uint32Array(values.length);
  let blocks = 0;
  for (const value of values) {
    means[blocks] = value;
    sizes[blocks] = 1;
    blocks += 1;
    while (blocks > 1 && means[blocks - 2] > means[blocks - 1]) {
      const size = sizes[blocks - 2] + sizes[blocks - 1];
      means[blocks - 2] = (means[blocks - 2] * sizes[blocks - 2] + means[blocks - 1] * sizes[blocks - 1]) / size;
      sizes[blocks - 2] = size;
      blocks -= 1;
    }
  }
  const fitted = new Float64Array(values.length);
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    fitted.fill(means[block], at, at + sizes[block]);
    at += sizes[block];
  }
  return fitted;
}

/** Shift everything to begin at row 0, and put nodes without links below. Linked nodes move only if necessary. */
function settle(x: Float32Array, y: Float32Array, linked: Uint8Array, layers: number, kept: boolean): Placement {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let alone = 0;
  for (let node = 0; node < x.length; node++) {
    if (linked[node]) {
      least = Math.min(least, y[node]);
      most = Math.max(most, y[node]);
    } else {
      alone += 1;
    }
  }
  const shift = kept ? Math.min(0, least) : least;
  const rows = most >= least ? most - shift + 1 : 0;
  const block = Math.max(layers, Math.ceil(Math.sqrt(alone * BLOCK_ASPECT)));
  const below = rows > 0 ? rows + 1 : 0;
  let placed = 0;
  for (let node = 0; node < x.length; node++) {
    if (linked[node]) {
      y[node] -= shift;
    } else {
      x[node] = placed % block;
      y[node] = below + Math.floor(placed / block);
      placed += 1;
    }
  }
  return {
    x,
    y,
    columns: alone > 0 ? Math.max(layers, Math.min(block, alone)) : layers,
    rows: alone > 0 ? below + Math.ceil(alone / block) : rows
  };
}
