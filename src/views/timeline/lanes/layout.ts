/** Positions of lanes. All sizes are device pixels, so that blocks end on whole pixels. */
import type { CssPixels, DevicePixels } from '../../../base/units';
import { blocksOf, chooseHeights, isCollapsed, ROWS_BELOW } from './heights';
import { type HostLanes, threadsOf, type WorkerLanes } from './lanes';

/** A lane on the screen. */
export interface Band {
  /** Number of the lane; -1 for a thread that has not run anything yet, and for a group. */
  readonly lane: number;
  /** -1 for several. */
  readonly worker: number;
  /** From the top of the content, not of the window. */
  readonly top: DevicePixels;
  /** Computations: one sub-lane of this height for each level of overlap. */
  readonly layers: number;
  readonly layerHeight: DevicePixels;
  /** Transfers and I/O: below the computations, over their last row, or (height 0) in the same row of pixels. */
  readonly movesTop: DevicePixels;
  readonly movesHeight: DevicePixels;
  /** Many lanes drawn as one; missing for a lane of its own. */
  readonly group?: Group;
}

/** Lanes that are drawn as one: {@link Band.layers} are then steps of the share of its threads that were busy. */
export interface Group {
  readonly workers: readonly WorkerLanes[];
  readonly lanes: readonly number[];
  readonly threads: number;
}

/** Whether two bands are of the same lane, or of the same lanes that are drawn as one. */
export function isSameRow(a: Band, b: Band): boolean {
  const [one, other] = [a, b].map(({ lane, worker, group }) => [group?.lanes[0] ?? lane, group?.workers[0]?.worker ?? worker]);
  return one[0] === other[0] && one[1] === other[1];
}

/** A worker on the screen, or the workers of a host that are drawn as one. */
export interface WorkerBlock {
  /** One worker, unless its host is collapsed. */
  readonly workers: readonly WorkerLanes[];
  readonly host: HostLanes;
  readonly top: DevicePixels;
  readonly height: DevicePixels;
  /** The row of running tasks, below the lanes; height 0 if there is none. */
  readonly pendingTop: DevicePixels;
  readonly pendingHeight: DevicePixels;
}

/** The rule above the workers of a host. */
export interface HostRule extends HostLanes {
  readonly top: DevicePixels;
  readonly height: DevicePixels;
}

/** The whole content, seen through a window of the given height. */
export interface Layout {
  readonly bands: readonly Band[];
  readonly workers: readonly WorkerBlock[];
  readonly hosts: readonly HostRule[];
  readonly height: DevicePixels;
  readonly pitch: DevicePixels;
}

/** Instead of the number of a lane, or of a worker. */
const SEVERAL = -1;

/** The row of transfers and I/O below a high lane. */
const HIGHEST_MOVES: CssPixels = 9;
const HOST_RULE: CssPixels = 16;
/** Steps of the busy share of a group, and their least height. */
const MOST_STEPS = 12;
const LOWEST_STEP: CssPixels = 2;

/** Heights within one lane. */
interface LaneSizes {
  readonly pitch: DevicePixels;
  readonly compute: DevicePixels;
  readonly moves: DevicePixels;
  readonly movesOver: boolean;
  readonly air: DevicePixels;
}

function laneSizes(pitch: DevicePixels, ratio: number): LaneSizes {
  const css = pitch / ratio;
  if (css < ROWS_BELOW) {
    return { pitch, compute: pitch, moves: 0, movesOver: true, air: 0 };
  }
  if (css < 5) {
    return { pitch, compute: pitch, moves: Math.max(1, Math.round(ratio)), movesOver: true, air: 0 };
  }
  const air = css < 8 ? 0 : Math.max(1, Math.round(ratio));
  const moves = Math.min(Math.round(HIGHEST_MOVES * ratio), Math.max(Math.round(ratio), Math.round(pitch * 0.24)));
  return { pitch, compute: pitch - moves - air, moves, movesOver: false, air };
}

/**
 * Lay out lanes in a window. Few lanes grow to fill it. Everything fits as long as each lane has a pixel; otherwise the
 * content is higher than the window. Pinned workers keep a readable height where the others get lower.
 *
 * @param depthOf - number of sub-lanes of a lane
 * @param ratio - device pixel ratio
 * @param isPending - whether a worker has a row for running tasks
 * @param font - interface font size relative to the default
 */
export function layOut(
  hosts: readonly HostLanes[],
  depthOf: (lane: number) => number,
  height: DevicePixels,
  ratio: number,
  isPending: (worker: number) => boolean = () => false,
  font = 1
): Layout {
  const rule = hosts.length > 1 ? Math.round(HOST_RULE * font * ratio) : 0;
  // The rules of very many hosts do not fit: the lanes have half of the window anyway.
  const heights = chooseHeights(hosts, Math.max(height - rule * hosts.length, height / 2), ratio, isPending);
  const bands: Band[] = [];
  const blocks: WorkerBlock[] = [];
  const rules: HostRule[] = [];
  let top = 0;
  for (const host of hosts) {
    if (rule > 0) {
      rules.push({ ...host, top, height: rule });
      top += rule;
    }
    const { pitch, gap, pending, group } = heights(host);
    for (const workers of blocksOf(host)) {
      const begin = top;
      const collapsed = isCollapsed(host, workers);
      const sizes = laneSizes(collapsed ? group : pitch, ratio);
      for (const lane of collapsed ? [SEVERAL] : workers[0].lanes) {
        const band = collapsed
          ? groupBand(workers, top, sizes, ratio)
          : laneBand(lane, workers[0].worker, top, sizes, depthOf(lane), ratio);
        bands.push(band);
        top = bandBottom(band) + sizes.air;
      }
      const pendingTop = top;
      const hasPending = workers.some(({ worker }) => isPending(worker));
      top += hasPending ? pending : 0;
      // If rows of pixels have a distance of one, running tasks are drawn in the row between.
      const pendingHeight = hasPending ? pending || gap : 0;
      blocks.push({ workers, host, top: begin, height: top - begin, pendingTop, pendingHeight });
      top += gap;
    }
  }
  return { bands, workers: blocks, hosts: rules, height: top, pitch: heights().pitch };
}

function laneBand(lane: number, worker: number, top: DevicePixels, sizes: LaneSizes, depth: number, ratio: number): Band {
  // Sub-lanes need a minimum height: low lanes draw overlapping intervals into one row.
  const layers = sizes.pitch / ratio < 8 ? 1 : Math.max(1, depth);
  const layerHeight = layers === 1 ? sizes.compute : Math.max(Math.round(3 * ratio), Math.round(sizes.compute / 2));
  return { lane, worker, layers, ...heightsOf(top, layers, layerHeight, sizes) };
}

function groupBand(workers: readonly WorkerLanes[], top: DevicePixels, sizes: LaneSizes, ratio: number): Band {
  const lanes = workers.flatMap(worker => worker.lanes.filter(lane => lane >= 0));
  const layers = Math.max(1, Math.min(MOST_STEPS, Math.floor(sizes.compute / (LOWEST_STEP * ratio))));
  const layerHeight = Math.max(1, Math.floor(sizes.compute / layers));
  const worker = workers.length === 1 ? workers[0].worker : SEVERAL;
  const group = { workers, lanes, threads: threadsOf(workers) };
  return { lane: SEVERAL, worker, layers, ...heightsOf(top, layers, layerHeight, sizes), group };
}

function heightsOf(
  top: DevicePixels,
  layers: number,
  layerHeight: DevicePixels,
  sizes: LaneSizes
): Pick<Band, 'top' | 'layerHeight' | 'movesTop' | 'movesHeight'> {
  const bottom = top + layers * layerHeight;
  return { top, layerHeight, movesTop: sizes.movesOver ? bottom - sizes.moves : bottom, movesHeight: sizes.moves };
}

/** Bands visible at `scroll`. */
export function bandsWithin(bands: readonly Band[], scroll: DevicePixels, height: DevicePixels): Band[] {
  return bands.filter(band => band.top < scroll + height && bandBottom(band) > scroll);
}

/** The lanes that a band shows; none of a thread that has not run anything yet. */
export function lanesOf({ lane, group }: Band): readonly number[] {
  return group?.lanes ?? (lane >= 0 ? [lane] : []);
}

/** The bottom of a band. */
export function bandBottom(band: Band): DevicePixels {
  return Math.max(band.top + band.layers * band.layerHeight, band.movesTop + band.movesHeight);
}
