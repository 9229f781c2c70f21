/** Where the parts of a cluster map are: clients and scheduler on top, below them a block of workers for each host. */
import type { CssPixels } from '../../../base/units';
import { textWidth } from '../../../plot/text';
import type { HostRow } from '../../../selectors/workers/host-rows';
import type { WorkerRow } from '../../../selectors/workers/worker-rows';

/** A rectangle. */
export interface Box {
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** A worker at its place. */
export interface PlacedWorker extends Box {
  readonly row: WorkerRow;
  /** Whether there is room for its name. */
  readonly named: boolean;
}

/** A host at its place. */
export interface PlacedHost extends Box {
  readonly host: HostRow;
  /** Whether there is room for its name above its workers. */
  readonly named: boolean;
}

/** A map. */
export interface Layout {
  readonly clients: Box;
  readonly scheduler: Box;
  readonly hosts: readonly PlacedHost[];
  readonly workers: readonly PlacedWorker[];
}

/** More marks would be slow to draw. */
export const MOST_WORKERS = 700;
/** More names of workers, or of hosts, could not be read anyway. */
export const MOST_NAMES = { workers: 200, hosts: 60 } as const;

const EDGE: CssPixels = 8;
const NODE: CssPixels = 24;
const HEAD: CssPixels = 15;
/** Space between blocks, and below the scheduler. */
const GAP = { blocks: 8, scheduler: 22 } as const;
/** Height from which on a name can be read, and space beside it. */
const READABLE: CssPixels = 13;
const PADDING: CssPixels = 6;
/** Sizes of a worker, the largest first. */
const SIZES: readonly (readonly [width: CssPixels, height: CssPixels])[] = [
  ...([
    [110, 26],
    [84, 22],
    [60, 20],
    [44, 18],
    [30, 16],
    [22, 14],
    [16, 14]
  ] as const),
  ...([
    [12, 12],
    [9, 9],
    [7, 7],
    [5, 5],
    [4, 4],
    [3, 3]
  ] as const)
];

/** Multiples of the first size: in a large pane workers are farther apart, so that the arrows between them have room. */
const LARGER = [5, 4, 3.3, 2.7, 2.2, 1.8, 1.5, 1.25].map((times): readonly [CssPixels, CssPixels] => [110 * times, 30 * times]);
/** The largest box of a worker; larger cells have space around it. */
const BOX = { width: 260, height: 48 } as const;

/** Widths of a worker, at most, and beside its name: the margins of the name, its sign, and the space of the lines. */
const NAMED = { most: 260, beside: 36 } as const;

/** Sizes to try: first one in which the longest name is whole, if it is longer than usual. */
function sizesFor(hosts: readonly HostRow[], count: number, room: CssPixels): typeof SIZES {
  if (count > MOST_NAMES.workers) {
    return SIZES;
  }
  const longest = hosts.reduce(
    (most, { workers }) => workers.reduce((width, { label }) => Math.max(width, textWidth(label)), most),
    0
  );
  const wide = Math.min(NAMED.most, room, longest + NAMED.beside);
  const large = LARGER.filter(([width]) => width > wide && width <= room);
  return [
    ...large,
    ...(wide > SIZES[0][0]
      ? ([
          [wide, SIZES[0][1]],
          [wide, SIZES[1][1]]
        ] as const)
      : []),
    ...SIZES
  ];
}

interface Block {
  readonly host: HostRow;
  readonly columns: number;
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** The size of a host's block if a worker has a size: wider than high, as panes are. */
function blockOf(host: HostRow, [width, height]: readonly [CssPixels, CssPixels], head: CssPixels, room: CssPixels): Block {
  const most = Math.max(1, Math.floor(room / width));
  const columns = Math.min(
    most,
    host.workers.length,
    Math.max(1, Math.ceil(Math.sqrt((2 * host.workers.length * height) / width)))
  );
  const named = head > 0 ? Math.min(room, textWidth(host.label) + PADDING) : 0;
  return {
    ...{ host, columns },
    width: Math.max(columns * width, named),
    height: head + Math.ceil(host.workers.length / columns) * height
  };
}

/** Put blocks in lines; `null` if they do not fit. */
function lined(blocks: readonly Block[], left: CssPixels, area: Box): PlacedHost[] | null {
  const placed: PlacedHost[] = [];
  let [x, y, high] = [area.x, area.y, 0];
  for (const { host, width, height } of blocks) {
    if (x > area.x && x + width > area.x + area.width) {
      [x, y, high] = [area.x, y + high + left, 0];
    }
    placed.push({ host, x, y, width, height, named: false });
    x += width + left;
    high = Math.max(high, height);
  }
  return y + high <= area.y + area.height ? placed : null;
}

function cells(
  placed: PlacedHost,
  columns: number,
  size: readonly [CssPixels, CssPixels],
  head: CssPixels,
  readable: boolean
): PlacedWorker[] {
  const [width, height] = size;
  const gap = isLarge(size) ? height / 3 : Math.min(2, width / 6);
  const box = { width: Math.min(BOX.width, width - gap), height: Math.min(BOX.height, height - gap) };
  return placed.host.workers.map((row, i) => ({
    row,
    x: placed.x + (i % columns) * width,
    y: placed.y + head + Math.floor(i / columns) * height,
    ...box,
    named: readable && height >= READABLE && Math.min(textWidth(row.label), 30) + 4 <= width
  }));
}

/**
 * Place a cluster in a space, with workers as large as fit. Only if even the smallest do not fit, the map is higher than
 * the space.
 *
 * @param hosts - with at most {@link MOST_WORKERS} workers
 */
export function layMap(hosts: readonly HostRow[], width: CssPixels, height: CssPixels): Layout {
  const room = Math.max(40, width - 2 * EDGE);
  const half = Math.min(220, (room - 2 * GAP.blocks) / 2);
  const clients: Box = { x: EDGE, y: EDGE, width: half, height: NODE };
  const scheduler: Box = { x: EDGE + room - half, y: EDGE, width: half, height: NODE };
  const top = EDGE + NODE + GAP.scheduler;
  const area: Box = { x: EDGE, y: top, width: room, height: Math.max(0, height - top - EDGE) };
  // Names of hosts are left out only where workers would be too small to be named.
  const count = hosts.reduce((sum, { workers }) => sum + workers.length, 0);
  const sizes = sizesFor(hosts, count, room);
  for (const head of hosts.length <= MOST_NAMES.hosts ? [HEAD, 0] : [0]) {
    for (const size of head > 0 ? sizes.filter(([, high]) => high >= READABLE) : sizes) {
      const gap = isLarge(size) ? size[1] / 3 : head > 0 ? GAP.blocks : Math.min(GAP.blocks, size[0] / 3);
      const blocks = hosts.map(host => blockOf(host, size, head, room));
      const found = lined(blocks, gap, area) ?? (isLast(size, head) ? lined(blocks, gap, { ...area, height: Infinity }) : null);
      if (found !== null) {
        const placed = isLarge(size) ? centred(found, area) : found;
        return {
          ...{ clients, scheduler },
          hosts: placed.map(each => ({ ...each, named: head > 0 })),
          workers: placed.flatMap((each, i) => cells(each, blocks[i].columns, size, head, count <= MOST_NAMES.workers))
        };
      }
    }
  }
  return { clients, scheduler, hosts: [], workers: [] };
}

function isLarge([, height]: readonly [CssPixels, CssPixels]): boolean {
  return height > SIZES[0][1];
}

/** The lines of blocks in the middle of the width. */
function centred(placed: readonly PlacedHost[], area: Box): readonly PlacedHost[] {
  const ends = new Map<CssPixels, CssPixels>();
  for (const { x, y, width } of placed) {
    ends.set(y, Math.max(ends.get(y) ?? 0, x + width));
  }
  return placed.map(each => ({ ...each, x: each.x + Math.max(0, area.x + area.width - (ends.get(each.y) ?? 0)) / 2 }));
}

function isLast(size: readonly [CssPixels, CssPixels], head: CssPixels): boolean {
  return size === SIZES[SIZES.length - 1] && head === 0;
}
