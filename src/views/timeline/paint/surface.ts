import type { DevicePixels } from '../../../base/units';
import type { Pen } from '../../canvas/drawn/pen';
import { isErred, type Palette } from './palette';
import type { Strip } from './strip';
import { moveX } from '../time/moving';

/**
 * Extra columns of the canvas. The picture moves by moving the canvas behind the window, and is copied only when this
 * slack is used up: copying all pixels costs more than drawing the changed ones.
 */
export const SLACK: DevicePixels = 480;

/** Columns of slack behind the picture after a copy: a hand that wobbles while it drags copies nothing within them. */
const BACK: DevicePixels = 96;

/** Columns that are cleared at once when some become visible. */
const AHEAD: DevicePixels = 64;

/** A lane with fewer rows of pixels has no gaps in its errors. */
const LOWEST_GAPS: DevicePixels = 6;

/** Columns of the canvas from `from` to `to` (exclusive). */
interface Columns {
  readonly from: DevicePixels;
  readonly to: DevicePixels;
}

/** Rows of pixels from one gap of an error to the next: about four per lane, none if it is too low. */
function gapsOf(height: DevicePixels): DevicePixels {
  return height < LOWEST_GAPS ? Number.POSITIVE_INFINITY : Math.max(3, Math.round(height / 4));
}

/** No columns of a row. */
export const NO_COLUMNS: Columns = { from: 0, to: 0 };

/** Rows of pixels from `top` to `bottom` (exclusive). */
export interface Rows {
  readonly top: DevicePixels;
  readonly bottom: DevicePixels;
}

/**
 * The canvas of blocks with an image of its pixels: blocks are written into the image, and changed parts are copied to
 * the canvas together. Columns are counted from the left edge of the window, rows from its upper edge.
 */
export class Surface {
  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly context: CanvasRenderingContext2D
  ) {}

  /** Canvas column at the left edge of the window. */
  get left(): DevicePixels {
    return this.offset;
  }

  /** Columns of the canvas. */
  get width(): DevicePixels {
    return this.image.width;
  }

  /** Set the size of the window; clears everything. */
  resize(width: DevicePixels, height: DevicePixels, ratio: number): void {
    const { canvas } = this;
    if (canvas.width === width + SLACK && canvas.height === height && this.ratio === ratio) {
      this.clear();
      this.pixels.fill(0);
    } else {
      this.ratio = ratio;
      canvas.width = width + SLACK;
      canvas.height = height;
      canvas.style.width = `${canvas.width / ratio}px`;
      canvas.style.height = `${canvas.height / ratio}px`;
      this.image = new ImageData(canvas.width, Math.max(1, height));
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.blank = NO_COLUMNS;
    // Resizing a canvas resets its state.
    this.context.imageSmoothingEnabled = false;
    this.place(0);
  }

  /** Clear the canvas, but not the image. */
  clear(): void {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.blank = NO_COLUMNS;
  }

  /**
   * Move the picture by columns to earlier positions; the new columns `from` to `to` are empty.
   *
   * @param strip - moves with it
   * @param ahead - how many columns further on may be painted in the image: there is room for as many where the picture goes on in
   *   one direction, and the new ones, which may be painted already, are not emptied
   */
  move(columns: number, from: DevicePixels, to: DevicePixels, strip: Strip, ahead: DevicePixels): void {
    const offset = this.offset + columns;
    this.gone = this.gone * columns > 0 ? this.gone + columns : columns;
    const room = Math.abs(this.gone) > BACK ? ahead : 0;
    if (offset >= (columns < 0 ? room : 0) && offset <= SLACK - (columns > 0 ? room : 0)) {
      this.place(offset);
    } else {
      const next = columns > 0 ? BACK : SLACK - BACK;
      this.copy(next - offset, strip);
      this.place(next);
    }
    strip.left = this.offset;
    if (ahead > 0) {
      this.blank = NO_COLUMNS;
    } else {
      this.uncover(this.offset + from, this.offset + to, columns > 0 ? AHEAD : -AHEAD, strip);
    }
  }

  /** Copy everything by columns to later positions. */
  private copy(columns: number, strip: Strip): void {
    const { pixels, width } = this;
    this.context.globalCompositeOperation = 'copy';
    this.context.drawImage(this.canvas, columns, 0);
    this.context.globalCompositeOperation = 'source-over';
    const kept = width - Math.abs(columns);
    const [source, target] = columns > 0 ? [0, columns] : [-columns, 0];
    for (let row = 0; row < pixels.length && kept > 0; row += width) {
      pixels.copyWithin(row + target, row + source, row + source + kept);
    }
    strip.shift(-columns);
    this.blank = NO_COLUMNS;
  }

  /** Clear columns of the canvas before they become visible, some more at once: a few cost as much as many. */
  private uncover(from: DevicePixels, to: DevicePixels, ahead: number, strip: Strip): void {
    const { pixels, width, blank } = this;
    if (from >= blank.from && to <= blank.to) {
      this.blank = ahead > 0 ? { from: to, to: blank.to } : { from: blank.from, to: from };
      return;
    }
    const begin = Math.max(0, ahead > 0 ? from : from + ahead);
    const end = Math.min(width, ahead > 0 ? to + ahead : to);
    this.context.clearRect(begin, 0, end - begin, this.canvas.height);
    for (let row = 0; row < pixels.length; row += width) {
      pixels.fill(0, row + begin, row + end);
    }
    strip.clear(begin, end);
    this.blank = ahead > 0 ? { from: to, to: end } : { from: begin, to: from };
  }

  /**
   * Write columns of a strip's row into the image, in the colours of its codes.
   *
   * @param over - leave the image unchanged where the strip has no colour
   */
  write(
    rows: Rows,
    strip: Strip,
    row: number,
    from: DevicePixels,
    to: DevicePixels,
    { colours, erredGap }: Palette,
    over: boolean = false
  ): void {
    const { pixels, width } = this;
    const { codes } = strip;
    const source = row * strip.width + strip.left;
    const bottom = Math.min(this.canvas.height, rows.bottom);
    const period = gapsOf(rows.bottom - rows.top);
    // Its middle has the colour of an error.
    const middle = rows.top + ((rows.bottom - rows.top) >> 1);
    for (let y = Math.max(0, rows.top); y < bottom; y++) {
      const target = y * width + this.offset;
      const gap = Math.abs(y - middle) % period === Math.floor(period / 2);
      if (!gap && !over) {
        // Nearly all pixels: the loop does nothing else.
        for (let x = from; x < to; x++) {
          pixels[target + x] = colours[codes[source + x]];
        }
        continue;
      }
      for (let x = from; x < to; x++) {
        const code = codes[source + x];
        const colour = gap && isErred(code) ? erredGap : colours[code];
        if (!over || colour !== 0) {
          pixels[target + x] = colour;
        }
      }
    }
  }

  /** Empty a part of the image. */
  wipe(rows: Rows, from: DevicePixels, to: DevicePixels): void {
    const { pixels, width, offset } = this;
    const bottom = Math.min(this.canvas.height, rows.bottom);
    for (let y = Math.max(0, rows.top); y < bottom; y++) {
      pixels.fill(0, y * width + offset + from, y * width + offset + to);
    }
  }

  /** Copy a part of the image to the canvas. */
  show(rows: Rows, from: DevicePixels, to: DevicePixels): void {
    const top = Math.max(0, rows.top);
    const height = Math.min(this.canvas.height, rows.bottom) - top;
    if (height > 0 && to > from) {
      this.context.putImageData(this.image, 0, 0, this.offset + from, top, to - from, height);
    }
  }

  /** Draw the window of the image with another pen, where it is on the canvas. */
  draw(pen: Pen, width: DevicePixels): void {
    pen.putImageData(this.image, 0, 0, this.offset, 0, width, this.canvas.height);
  }

  private place(offset: DevicePixels): void {
    this.offset = offset;
    moveX(this.canvas, -offset / this.ratio);
  }

  private offset: DevicePixels = 0;
  /** Columns by which the picture has moved since its last change of direction. */
  private gone = 0;
  /** Columns outside the window that are known to be empty. */
  private blank = NO_COLUMNS;
  private ratio = 1;
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(1);
}
