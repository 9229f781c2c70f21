/** Positions of lanes. All sizes are device pixels, so that blocks end on whole pixels. */
import type { CssPixels, DevicePixels } from '../../../base/units';
import type { HostLanes, WorkerLanes } from './lanes';

/** A lane on the screen. */
export interface Band {
  /** Number of the lane; -1 for a thread that has not run anything yet. */
  readonly lane: number;
  readonly worker: number;
  /** From the top of the content, not of the window. */
  readonly top: DevicePixels;
  /** Computations: one sub-lane of this height for each level of overlap. */
  readonly layers: number;
  readonly layerHeight: DevicePixels;
  /** Transfers and I/O: below the computations, over their last row, or (height 0) in the same row of pixels. */
  readonly movesTop: DevicePixels;
  readonly movesHeight: DevicePixels;
}

/** A worker on the screen. */
export interface WorkerBlock {
  readonly lanes: WorkerLanes;
  readonly host: string;
  readonly top: DevicePixels;
  readonly height: DevicePixels;
  /** The row of running tasks, below the lanes; height 0 if there is none. */
  readonly pendingTop: DevicePixels;
  readonly pendingHeight: DevicePixels;
}

/** The rule above the workers of a host. */
export interface HostRule {
  readonly host: string;
  readonly workers: readonly WorkerLanes[];
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

/** The row of transfers and I/O below a high lane. */
const HIGHEST_MOVES: CssPixels = 9;
const HOST_RULE: CssPixels = 16;
/**
 * Sizes by lane pitch: `docs/look.md`, "Axes, bars, time, stream". The space between workers shrinks when lanes get
 * low.
 */
const TIERS: readonly { readonly pitch: CssPixels; readonly gap: CssPixels; readonly pending: CssPixels }[] = [
  { pitch: 8, gap: 6, pending: 8 },
  { pitch: 5, gap: 3, pending: 5 },
  { pitch: 3, gap: 2, pending: 3 }
];
/**
 * Lower lanes are rows of pixels: computations and transfers share one, and workers are one such row apart, which shows
 * running tasks.
 */
const ROWS_BELOW: CssPixels = 3;

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
 * content is higher than the window.
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
  const workers = hosts.reduce((sum, host) => sum + host.workers.length, 0);
  const pendings = hosts.reduce((sum, host) => sum + host.workers.filter(({ worker }) => isPending(worker)).length, 0);
  const lanes = hosts.reduce((sum, host) => sum + host.workers.reduce((n, worker) => n + worker.lanes.length, 0), 0);
  const rule = hosts.length > 1 ? Math.round(HOST_RULE * font * ratio) : 0;
  const { pitch, gap, pending } = choosePitch(height - rule * hosts.length, lanes, workers, pendings, ratio);
  const sizes = laneSizes(pitch, ratio);
  const bands: Band[] = [];
  const blocks: WorkerBlock[] = [];
  const rules: HostRule[] = [];
  let top = 0;
  for (const { host, workers: list } of hosts) {
    if (rule > 0) {
      rules.push({ host, workers: list, top, height: rule });
      top += rule;
    }
    for (const worker of list) {
      const begin = top;
      for (const lane of worker.lanes) {
        const band = laneBand(lane, worker.worker, top, sizes, depthOf(lane), ratio);
        bands.push(band);
        top = Math.max(band.movesTop + band.movesHeight, band.top + band.layers * band.layerHeight) + sizes.air;
      }
      const pendingTop = top;
      const own = isPending(worker.worker);
      top += own ? pending : 0;
      // If rows of pixels have a distance of one, running tasks are drawn in the row between.
      const pendingHeight = own ? pending || gap : 0;
      blocks.push({ lanes: worker, host, top: begin, height: top - begin, pendingTop, pendingHeight });
      top += gap;
    }
  }
  return { bands, workers: blocks, hosts: rules, height: top, pitch };
}

function laneBand(lane: number, worker: number, top: DevicePixels, sizes: LaneSizes, depth: number, ratio: number): Band {
  // Sub-lanes need a minimum height: low lanes draw overlapping intervals into one row.
  const layers = sizes.pitch / ratio < 8 ? 1 : Math.max(1, depth);
  const layerHeight = layers === 1 ? sizes.compute : Math.max(Math.round(3 * ratio), Math.round(sizes.compute / 2));
  const bottom = top + layers * layerHeight;
  return {
    lane,
    worker,
    top,
    layers,
    layerHeight,
    movesTop: sizes.movesOver ? bottom - sizes.moves : bottom,
    movesHeight: sizes.moves
  };
}

function choosePitch(
  height: DevicePixels,
  lanes: number,
  workers: number,
  pendings: number,
  ratio: number
): { readonly pitch: DevicePixels; readonly gap: DevicePixels; readonly pending: DevicePixels } {
  for (const tier of TIERS) {
    const gap = Math.round(tier.gap * ratio);
    const pending = Math.round(tier.pending * ratio);
    const pitch = Math.floor((height - gap * workers - pending * pendings) / Math.max(1, lanes));
    if (pitch >= tier.pitch * ratio) {
      return { pitch, gap, pending };
    }
  }
  const least = Math.max(1, Math.round(ratio));
  // All rows, including gaps, have one height, so that the painter can draw them at once.
  const apart = Math.min(Math.ceil(ROWS_BELOW * ratio) - 1, Math.floor(height / Math.max(1, lanes + workers)));
  return apart >= least
    ? { pitch: apart, gap: apart, pending: 0 }
    : { pitch: Math.max(least, Math.floor(height / Math.max(1, lanes))), gap: 0, pending: 0 };
}

/** Bands visible at `scroll`. */
export function bandsWithin(bands: readonly Band[], scroll: DevicePixels, height: DevicePixels): Band[] {
  return bands.filter(band => band.top < scroll + height && bandBottom(band) > scroll);
}

/** The bottom of a band. */
export function bandBottom(band: Band): DevicePixels {
  return Math.max(band.top + band.layers * band.layerHeight, band.movesTop + band.movesHeight);
}
