/** Rectangles of pixels. */

/** Takes a rectangle of one colour; colours are 32-bit image values, little-endian RGBA. */
export type TakeBox = (colour: number, x: number, y: number, width: number, height: number) => void;

/** Pixels of one colour beside each other, down from a row. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly colour: number;
  top: number;
}

/** A rectangle of pixels. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The visible pixels of an area as rectangles that do not overlap: what is alike in one row and in those below it is one.
 *
 * @param stride - pixels of a row of the image
 */
export function tracePixels(pixels: Uint32Array, stride: number, area: Area, take: TakeBox): void {
  const { left, top, width, height } = area;
  let open: readonly Stretch[] = [];
  let before: Uint32Array | null = null;
  for (let y = top; y < top + height; y++) {
    const row = pixels.subarray(y * stride + left, y * stride + left + width);
    if (before === null || !same(before, row)) {
      open = next(open, stretchesOf(row, left, y), y, take);
    }
    before = row;
  }
  next(open, [], top + height, take);
}

function same(a: Uint32Array, b: Uint32Array): boolean {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) {
      return false;
    }
  }
  return true;
}

function stretchesOf(row: Uint32Array, left: number, top: number): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let from = 0; from < row.length; ) {
    const colour = row[from];
    let to = from + 1;
    while (to < row.length && row[to] === colour) {
      to++;
    }
    if (colour >>> 24 > 0) {
      found.push({ from: left + from, to: left + to, colour, top });
    }
    from = to;
  }
  return found;
}

/** Those of another row: a stretch that goes on keeps its start, all others are complete. */
function next(open: readonly Stretch[], row: readonly Stretch[], y: number, take: TakeBox): readonly Stretch[] {
  let at = 0;
  for (const stretch of open) {
    while (at < row.length && row[at].from < stretch.from) {
      at++;
    }
    const other = row[at];
    if (other !== undefined && other.from === stretch.from && other.to === stretch.to && other.colour === stretch.colour) {
      other.top = stretch.top;
    } else {
      take(stretch.colour, stretch.from, stretch.top, stretch.to - stretch.from, y - stretch.top);
    }
  }
  return row;
}
