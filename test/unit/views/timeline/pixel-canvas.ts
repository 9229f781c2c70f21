/** A canvas with real pixels for jsdom, which has none: what a picture of blocks needs, and no more. */

type Composite = 'source-over' | 'copy';

/** The pixels of a canvas as 32-bit values, row by row. Text and patterns are not drawn. */
export class PixelContext {
  constructor(readonly canvas: HTMLCanvasElement) {
    this.pixels = new Uint32Array(canvas.width * canvas.height);
    const size = { width: canvas.width, height: canvas.height };
    for (const side of ['width', 'height'] as const) {
      Object.defineProperty(canvas, side, {
        get: () => size[side],
        set: (length: number) => {
          // Also the same size empties a canvas.
          size[side] = length;
          this.pixels = new Uint32Array(size.width * size.height);
        }
      });
    }
  }

  pixels: Uint32Array;
  globalCompositeOperation: Composite = 'source-over';
  imageSmoothingEnabled = true;
  font = '';
  textBaseline = '';
  fillStyle: unknown = '';

  save(): void {}
  restore(): void {}
  beginPath(): void {}
  rect(): void {}
  moveTo(): void {}
  lineTo(): void {}
  stroke(): void {}
  clip(): void {}
  translate(): void {}
  fillRect(): void {}
  fillText(): void {}

  createPattern(): null {
    return null;
  }

  measureText(text: string): { width: number } {
    return { width: 6 * text.length };
  }

  clearRect(x: number, y: number, width: number, height: number): void {
    this.each(x, y, width, height, () => 0);
  }

  putImageData(image: ImageData, dx: number, dy: number, x: number, y: number, width: number, height: number): void {
    const source = new Uint32Array(image.data.buffer);
    this.each(dx + x, dy + y, width, height, (column, row) => source[(row - dy) * image.width + column - dx]);
  }

  /** Nearest neighbour; where the source has nothing, nothing is drawn. */
  drawImage(source: HTMLCanvasElement, ...numbers: number[]): void {
    const all = numbers.length < 8 ? [0, 0, source.width, source.height, ...numbers] : numbers;
    const [sx, sy, sw, sh, dx, dy, dw = sw, dh = sh] = all;
    const from = contextOf(source).pixels.slice();
    if (this.globalCompositeOperation === 'copy') {
      this.pixels.fill(0);
    }
    const left = Math.round(dx);
    const top = Math.round(dy);
    this.each(left, top, Math.round(dx + dw) - left, Math.round(dy + dh) - top, (column, row, before) => {
      const x = Math.floor(sx + ((column + 0.5 - dx) * sw) / dw);
      const y = Math.floor(sy + ((row + 0.5 - dy) * sh) / dh);
      const inside = x >= 0 && x < source.width && y >= 0 && y < source.height;
      return (inside ? from[y * source.width + x] : 0) || before;
    });
  }

  private each(
    x: number,
    y: number,
    width: number,
    height: number,
    next: (column: number, row: number, before: number) => number
  ): void {
    const { pixels } = this;
    const columns = this.canvas.width;
    for (let row = Math.max(0, y); row < Math.min(this.canvas.height, y + height); row++) {
      for (let column = Math.max(0, x); column < Math.min(columns, x + width); column++) {
        const at = row * columns + column;
        pixels[at] = next(column, row, pixels[at]);
      }
    }
  }
}

const contexts = new WeakMap<HTMLCanvasElement, PixelContext>();

/** The context of a canvas: always the same one. */
export function contextOf(canvas: HTMLCanvasElement): PixelContext {
  let context = contexts.get(canvas);
  if (context === undefined) {
    context = new PixelContext(canvas);
    contexts.set(canvas, context);
  }
  return context;
}

/** Image data, which jsdom lacks too. */
export class PixelData {
  constructor(
    readonly width: number,
    readonly height: number
  ) {
    this.data = new Uint8ClampedArray(4 * width * height);
  }

  readonly data: Uint8ClampedArray;
}
