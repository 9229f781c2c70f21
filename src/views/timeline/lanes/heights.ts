/** Heights of the rows of a timeline, by what has to fit. All are device pixels. */
import type { CssPixels, DevicePixels } from '../../../base/units';
import type { HostLanes, WorkerLanes } from './lanes';

/**
 * Sizes by lane pitch: `docs/look.md`, "Axes, bars, time, stream". The space between workers shrinks when lanes get
 * low.
 */
const TIERS: readonly { readonly pitch: CssPixels; readonly gap: CssPixels; readonly pending: CssPixels }[] = [
  { pitch: 12, gap: 6, pending: 12 },
  { pitch: 8, gap: 6, pending: 8 },
  { pitch: 5, gap: 3, pending: 5 },
  { pitch: 3, gap: 2, pending: 3 }
];
/**
 * Lower lanes are rows of pixels: computations and transfers share one, and workers are one such row apart, which shows
 * running tasks.
 */
export const ROWS_BELOW: CssPixels = 3;
/** Least height of a pinned lane, as long as pinned lanes take at most half of the window. */
const PINNED: CssPixels = 14;
/** A group has the height of this number of lanes … */
const GROUP_LANES = 2;
/** … but at least this one, as long as groups take at most half of the window. */
const LOWEST_GROUP: CssPixels = 10;
/** Heights of the rows of some workers. */
export interface Heights {
  readonly pitch: DevicePixels;
  readonly gap: DevicePixels;
  readonly pending: DevicePixels;
  /** Height of lanes that are drawn as one. */
  readonly group: DevicePixels;
}

/** What has to fit. */
interface Content {
  readonly lanes: number;
  readonly groups: number;
  readonly blocks: number;
  readonly pendings: number;
}

/** The workers that are drawn together. */
export function blocksOf({ workers, collapsed = false }: HostLanes): readonly (readonly WorkerLanes[])[] {
  return collapsed && workers.length > 0 ? [workers] : workers.map(worker => [worker]);
}

/** Whether workers are drawn as one. */
export function isCollapsed({ collapsed = false }: HostLanes, workers: readonly WorkerLanes[]): boolean {
  return collapsed || workers[0]?.collapsed === true;
}

/** Heights of the rows of each host, and of those that are not pinned. */
export function chooseHeights(
  hosts: readonly HostLanes[],
  height: DevicePixels,
  ratio: number,
  isPending: (worker: number) => boolean
): (host?: HostLanes) => Heights {
  const all = chooseFor(countOf(hosts, isPending), height, ratio);
  const pinned = countOf(
    hosts.filter(host => host.pinned),
    isPending
  );
  const rows = pinned.lanes + GROUP_LANES * pinned.groups;
  const pitch = Math.min(Math.round(PINNED * ratio), Math.floor(height / 2 / Math.max(1, rows)));
  if (rows === 0 || all.pitch >= pitch) {
    return () => all;
  }
  const tier = TIERS.find(each => pitch >= each.pitch * ratio);
  const gap = Math.round((tier?.gap ?? 1) * ratio);
  const pending = Math.round((tier?.pending ?? 0) * ratio);
  const readable = { pitch, gap, pending, group: GROUP_LANES * pitch };
  const used = rows * pitch + gap * pinned.blocks + pending * pinned.pendings;
  const others = chooseFor(
    countOf(
      hosts.filter(host => !host.pinned),
      isPending
    ),
    height - used,
    ratio
  );
  return host => (host?.pinned ? readable : others);
}

function countOf(hosts: readonly HostLanes[], isPending: (worker: number) => boolean): Content {
  let [lanes, groups, blocks, pendings] = [0, 0, 0, 0];
  for (const host of hosts) {
    for (const workers of blocksOf(host)) {
      blocks += 1;
      pendings += workers.some(({ worker }) => isPending(worker)) ? 1 : 0;
      if (isCollapsed(host, workers)) {
        groups += 1;
      } else {
        lanes += workers[0].lanes.length;
      }
    }
  }
  return { lanes, groups, blocks, pendings };
}

function chooseFor(content: Content, height: DevicePixels, ratio: number): Heights {
  const { lanes, groups } = content;
  const equal = choosePitch(height, lanes + GROUP_LANES * groups, content, ratio);
  if (groups === 0) {
    return { ...equal, group: equal.pitch };
  }
  const least = Math.max(1, Math.min(Math.round(LOWEST_GROUP * ratio), Math.floor(height / 2 / groups)));
  if (GROUP_LANES * equal.pitch >= least) {
    return { ...equal, group: GROUP_LANES * equal.pitch };
  }
  return { ...choosePitch(height - groups * least, lanes, content, ratio), group: least };
}

function choosePitch(height: DevicePixels, lanes: number, { blocks, pendings }: Content, ratio: number): Omit<Heights, 'group'> {
  for (const tier of TIERS) {
    const gap = Math.round(tier.gap * ratio);
    const pending = Math.round(tier.pending * ratio);
    const pitch = Math.floor((height - gap * blocks - pending * pendings) / Math.max(1, lanes));
    if (pitch >= tier.pitch * ratio) {
      return { pitch, gap, pending };
    }
  }
  const least = Math.max(1, Math.round(ratio));
  // All rows, including gaps, have one height, so that the painter can draw them at once.
  const apart = Math.min(Math.ceil(ROWS_BELOW * ratio) - 1, Math.floor(height / Math.max(1, lanes + blocks)));
  return apart >= least
    ? { pitch: apart, gap: apart, pending: 0 }
    : { pitch: Math.max(least, Math.floor(height / Math.max(1, lanes))), gap: 0, pending: 0 };
}
