import type { DevicePixels } from '../../base/units';
import type { Strip } from './strip';

/**
 * Columns that the canvas is wider than the window. The picture moves by moving the canvas behind the window, and only
 * when that has used up its slack it is copied: a copy of all pixels costs more than drawing those that changed.
 */
export const SLACK: DevicePixels = 384;

/** Rows of pixels from `top` to `bottom` (exclusive). */
export interface Rows {
  readonly top: DevicePixels;
  readonly bottom: DevicePixels;
}

/**
 * The canvas of blocks with its pixels beside it: blocks are written into an image, of which what changed goes to the
 * canvas at once. Columns are counted from the left edge of the window, rows from its upper edge.
 */
export class Surface {
  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly context: CanvasRenderingContext2D
  ) {}

  /** Column of the canvas that is at the left edge of the window. */
  get left(): DevicePixels {
    return this.offset;
  }

  /** Columns of the canvas. */
  get width(): DevicePixels {
    return this.image.width;
  }

  /** Take the size of the window; everything is empty then. */
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
    // Resizing a canvas resets its state.
    this.context.imageSmoothingEnabled = false;
    this.place(0);
  }

  /** Empty the canvas; the image stays as it is. */
  clear(): void {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /**
   * Move the picture by columns to earlier places, in front of the columns `from` to `to` that come into view empty.
   *
   * @returns by how many columns everything was copied to later places; 0 where moving the canvas was enough
   */
  move(columns: number, from: DevicePixels, to: DevicePixels): number {
    const offset = this.offset + columns;
    const copied = offset >= 0 && offset <= SLACK ? 0 : (columns > 0 ? 0 : SLACK) - offset;
    if (copied !== 0) {
      this.context.globalCompositeOperation = 'copy';
      this.context.drawImage(this.canvas, copied, 0);
      this.context.globalCompositeOperation = 'source-over';
      this.copyPixels(copied);
    }
    this.place(offset + copied);
    this.context.clearRect(this.offset + from, 0, to - from, this.canvas.height);
    for (let row = this.offset + from; row < this.pixels.length; row += this.width) {
      this.pixels.fill(0, row, row + to - from);
    }
    return copied;
  }

  /**
   * Write columns of a row of a strip into the image, in the colours of its codes.
   *
   * @param over - where the strip has no colour, the image stays as it is
   */
  write(
    rows: Rows,
    strip: Strip,
    row: number,
    from: DevicePixels,
    to: DevicePixels,
    colours: Uint32Array,
    over: boolean = false
  ): void {
    const { pixels, width } = this;
    const { codes } = strip;
    const source = row * strip.width + strip.left;
    const bottom = Math.min(this.canvas.height, rows.bottom);
    for (let y = Math.max(0, rows.top); y < bottom; y++) {
      const target = y * width + this.offset;
      for (let x = from; x < to; x++) {
        const colour = colours[codes[source + x]];
        if (!over || colour !== 0) {
          pixels[target + x] = colour;
        }
      }
    }
  }

  /** Bring a part of the image to the canvas. */
  show(rows: Rows, from: DevicePixels, to: DevicePixels): void {
    const top = Math.max(0, rows.top);
    const height = Math.min(this.canvas.height, rows.bottom) - top;
    if (height > 0 && to > from) {
      this.context.putImageData(this.image, 0, 0, this.offset + from, top, to - from, height);
    }
  }

  private copyPixels(columns: number): void {
    const { pixels, width } = this;
    const kept = width - Math.abs(columns);
    const [source, target] = columns > 0 ? [0, columns] : [-columns, 0];
    for (let row = 0; row < pixels.length && kept > 0; row += width) {
      pixels.copyWithin(row + target, row + source, row + source + kept);
    }
  }

  private place(offset: DevicePixels): void {
    this.offset = offset;
    this.canvas.style.transform = `translateX(${-offset / this.ratio}px)`;
  }

  private offset: DevicePixels = 0;
  private ratio = 1;
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(1);
}
