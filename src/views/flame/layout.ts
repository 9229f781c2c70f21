/** Where the boxes of a flame graph are: pure arithmetic over a fold. */
import type { DevicePixels } from '../../base/units';
import type { ProfileFold, ProfileStore } from '../../run/logs/profile';

/** Narrower boxes are not drawn, nor what they called: a picture costs pixels, not stacks. */
export const LEAST_WIDTH: DevicePixels = 0.5;

/** One row of boxes, from left to right, as columns of equal length. */
export interface FlameRow {
  readonly stacks: number[];
  readonly left: DevicePixels[];
  readonly width: DevicePixels[];
}

/** The boxes of a picture by depth; row 0 is the empty stack, which stands for everything. */
export interface FlameLayout {
  readonly rows: readonly FlameRow[];
  /** Stack that the picture is zoomed to. */
  readonly root: number;
  /** Depth of the root: rows above it show its callers. */
  readonly depth: number;
}

/** Stacks from everything (0) down to a stack. */
export function pathTo(store: ProfileStore, stack: number): number[] {
  const path = [stack];
  while (path[0] > 0) {
    path.unshift(store.parent(path[0]));
  }
  return path;
}

/**
 * Lay out the boxes below a root, which takes the whole width; callers of the root stand above it, as wide.
 *
 * Callees keep the order in which they were first seen, so that no box changes place while samples arrive. What is
 * left at the right of a row are samples in which the caller itself was the innermost function.
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

/** Index of the box of a row at a column; -1 where there is none. */
export function boxAt(row: FlameRow | undefined, x: DevicePixels): number {
  if (row === undefined) {
    return -1;
  }
  let low = 0;
  let high = row.left.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.left[middle] <= x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found = low - 1;
  // A box narrower than a pixel is still that pixel.
  return found >= 0 && x < row.left[found] + Math.max(1, row.width[found]) ? found : -1;
}
