/** Positions of the boxes of a flame graph: pure arithmetic over a fold. */
import { countLeading } from '../../base/arrays';
import type { DevicePixels } from '../../base/units';
import type { ProfileFold, ProfileStore } from '../../run/logs/profile';

/** Narrower boxes and their callees are not drawn: the cost depends on pixels, not on stacks. */
export const LEAST_WIDTH: DevicePixels = 0.5;

/** One row of boxes, from left to right, as arrays of equal length. */
export interface FlameRow {
  readonly stacks: number[];
  readonly left: DevicePixels[];
  readonly width: DevicePixels[];
}

/** The boxes of a picture by depth; row 0 is the empty stack, which represents all samples. */
export interface FlameLayout {
  readonly rows: readonly FlameRow[];
  /** Stack to which the picture is zoomed. */
  readonly root: number;
  /** Depth of the root; rows above it show its callers. */
  readonly depth: number;
}

/** A box of a layout, by its row and its index there. */
export interface Place {
  readonly depth: number;
  readonly index: number;
}

/** The path from the empty stack (0) to a stack. */
export function pathTo(store: ProfileStore, stack: number): number[] {
  const path = [stack];
  while (path[0] > 0) {
    path.unshift(store.parent(path[0]));
  }
  return path;
}

/**
 * Lay out the boxes below a root, which fills the width; its callers are above it, equally wide.
 *
 * Callees keep the order of first appearance, so that no box changes its position while samples arrive. The free part
 * at the right of a row is samples in which the caller itself was the innermost function.
 */
export function layoutFlame(store: ProfileStore, fold: ProfileFold, root: number, width: DevicePixels): FlameLayout {
  const path = pathTo(store, root);
  const rows: FlameRow[] = path.map(stack => ({ stacks: [stack], left: [0], width: [width] }));
  const depth = path.length - 1;
  const scale = fold.total[root] > 0 ? width / fold.total[root] : 0;
  for (let row = rows[depth]; row.stacks.length > 0 && scale > 0; row = rows[rows.length - 1]) {
    const next: FlameRow = { stacks: [], left: [], width: [] };
    for (let i = 0; i < row.stacks.length; i++) {
      let left = row.left[i];
      for (const callee of store.callees(row.stacks[i])) {
        const size = fold.total[callee] * scale;
        if (size >= LEAST_WIDTH) {
          next.stacks.push(callee);
          next.left.push(left);
          next.width.push(size);
        }
        left += size;
      }
    }
    if (next.stacks.length === 0) {
      break;
    }
    rows.push(next);
  }
  return { rows, root, depth };
}

/** Index of the box of a row at a column; -1 if there is none. */
export function boxAt(row: FlameRow | undefined, x: DevicePixels): number {
  if (row === undefined) {
    return -1;
  }
  const { left } = row;
  const found = countLeading(left.length, i => left[i] <= x) - 1;
  // A box narrower than a pixel still covers that pixel.
  return found >= 0 && x < left[found] + Math.max(1, row.width[found]) ? found : -1;
}

/** The stack of a box; -1 if there is no such box. */
export function stackAt(layout: FlameLayout | null, place: Place | null): number {
  return (place === null ? undefined : layout?.rows[place.depth]?.stacks[place.index]) ?? -1;
}

/** The next box in the row (`x`), else the caller (`y` −1) or the first callee (`y` 1); `null` if there is none. */
export function placeBeside(
  store: ProfileStore,
  layout: FlameLayout,
  { depth, index }: Place,
  x: -1 | 0 | 1,
  y: -1 | 0 | 1
): Place | null {
  if (y === 0) {
    const next = { depth, index: index + x };
    return stackAt(layout, next) < 0 ? null : next;
  }
  const stack = stackAt(layout, { depth, index });
  const row = layout.rows[depth + y]?.stacks ?? [];
  const found = row.findIndex(other => (y < 0 ? other === store.parent(stack) : store.parent(other) === stack));
  return found < 0 ? null : { depth: depth + y, index: found };
}
