/** Positions of the boxes of a flame graph: pure arithmetic over a tree. */
import { countLeading } from '../../base/arrays';
import type { DevicePixels } from '../../base/units';
import { CENTRE, Sandwich } from '../../selectors/profile/trees/sandwich';
import type { StackTree } from '../../selectors/profile/trees/stack-tree';

/** Narrower boxes and their callees are not drawn: the cost depends on pixels, not on stacks. */
const LEAST_WIDTH: DevicePixels = 0.5;

/** One row of boxes, from left to right, as arrays of equal length. */
export interface FlameRow {
  readonly stacks: number[];
  readonly left: DevicePixels[];
  readonly width: DevicePixels[];
}

/** The boxes of a picture by depth; without a sandwich, row 0 is the root, which represents all samples. */
export interface FlameLayout {
  readonly rows: readonly FlameRow[];
  /** Node to which the picture is zoomed. */
  readonly root: number;
  /** Row of the root; in a flame graph, rows above it show its callers, which are dimmed. */
  readonly depth: number;
  /** Whether rows above the root are a half of the picture, with the callers of the function in the middle. */
  readonly halves: boolean;
}

/** A box of a layout, by its row and its index there. */
export interface Place {
  readonly depth: number;
  readonly index: number;
}

/** The path from the root (0) to a node. */
export function pathTo(tree: Pick<StackTree, 'parent'>, node: number): number[] {
  const path = [node];
  while (path[0] > 0) {
    path.unshift(tree.parent(path[0]));
  }
  return path;
}

/**
 * Lay out the boxes below a root, which fills the width; its callers are above it, equally wide. Of a sandwich, callers are laid
 * out above its function and callees below it, and the root is ignored.
 *
 * The free part at the right of a row is samples in which the caller itself was the innermost function.
 */
export function layoutFlame(tree: StackTree, root: number, width: DevicePixels): FlameLayout {
  if (tree instanceof Sandwich) {
    return layoutSandwich(tree, width);
  }
  const path = pathTo(tree, root);
  return { rows: [...fullRows(path, width), ...rowsBelow(tree, root, width)], root, depth: path.length - 1, halves: false };
}

function layoutSandwich(tree: Sandwich, width: DevicePixels): FlameLayout {
  const above = rowsBelow(tree.callersHalf, CENTRE, width).reverse();
  const below = rowsBelow(tree, CENTRE, width);
  const middle = tree.total(CENTRE) > 0 ? CENTRE : 0;
  return { rows: [...above, ...fullRows([middle], width), ...below], root: middle, depth: above.length, halves: true };
}

function fullRows(nodes: readonly number[], width: DevicePixels): FlameRow[] {
  return nodes.map(node => ({ stacks: [node], left: [0], width: [width] }));
}

function rowsBelow(tree: StackTree, root: number, width: DevicePixels): FlameRow[] {
  const total = tree.total(root);
  const scale = total > 0 ? width / total : 0;
  const rows: FlameRow[] = [];
  for (let row = fullRows([root], width)[0]; scale > 0; row = rows[rows.length - 1]) {
    const next: FlameRow = { stacks: [], left: [], width: [] };
    for (let i = 0; i < row.stacks.length; i++) {
      let left = row.left[i];
      const callees = tree.callees(row.stacks[i]);
      // By index: an iterator takes longer than the rest of the loop.
      for (let c = 0; c < callees.length; c++) {
        const callee = callees[c];
        const size = tree.total(callee) * scale;
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
  return rows;
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

/** The node of a box; -1 if there is no such box. */
export function stackAt(layout: FlameLayout | null, place: Place | null): number {
  return (place === null ? undefined : layout?.rows[place.depth]?.stacks[place.index]) ?? -1;
}

/** The next box in the row (`x`), else the one above (`y` −1) or the first one below (`y` 1) that belongs to it; `null` if none. */
export function placeBeside(
  tree: Pick<StackTree, 'parent'>,
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
  const found = row.findIndex(other => other !== stack && (other === tree.parent(stack) || tree.parent(other) === stack));
  return found < 0 ? null : { depth: depth + y, index: found };
}

/** Where a box is, in device pixels; `null` without one. */
export function boxOf(
  layout: FlameLayout | null,
  place: Place | null
): { left: DevicePixels; width: DevicePixels; depth: number } | null {
  const row = place === null ? undefined : layout?.rows[place.depth];
  return place === null || row === undefined || place.index >= row.stacks.length
    ? null
    : { left: row.left[place.index], width: row.width[place.index], depth: place.depth };
}

/** The keyboard cursor of a flame graph. It stays at its function where boxes change places, and goes with that. */
export class BoxCursor {
  /** The box at the cursor; `null` for none. */
  get place(): Place | null {
    return this.at;
  }

  /** Go to a box. */
  put(tree: StackTree, layout: FlameLayout, place: Place): void {
    this.at = place;
    this.layout = layout;
    this.callers = callersOf(tree, stackAt(layout, place));
  }

  /** Go nowhere. */
  clear(): void {
    this.at = null;
  }

  /** Find the box again. */
  follow(tree: StackTree, layout: FlameLayout): void {
    const before = this.layout;
    if (this.at === null || before === null || before === layout) {
      return;
    }
    // The rows of a sandwich count from its middle, all others from the root.
    const depth = this.at.depth + (layout.halves && before.halves ? layout.depth - before.depth : 0);
    const index = layout.rows[depth]?.stacks.findIndex(stack => callersOf(tree, stack) === this.callers) ?? -1;
    this.layout = layout;
    this.at = index < 0 ? null : { depth, index };
  }

  private at: Place | null = null;
  private layout: FlameLayout | null = null;
  private callers = '';
}

/** The functions from a box to the root, which identify it in its row. */
function callersOf(tree: StackTree, stack: number): string {
  const path: number[] = [];
  for (let node = stack; node > 0; node = tree.parent(node)) {
    path.push(tree.frameNumber(node));
  }
  return path.join();
}
