import type { Pattern, Theme } from '../../base/theme';
import type { DevicePixels } from '../../base/units';
import { drawnBy } from './drawn/drawn';
import type { Pen } from './drawn/pen';

/** Size of a tile in CSS pixels: all patterns repeat with it. */
const TILE = 6;

/** Patterns with lines or dots. */
type Drawn = Exclude<Pattern, 'none' | 'hollow'>;

/** Patterns as canvas fills, drawn once per theme and pixel ratio. They leave the colour below visible. */
export class Patterns {
  constructor(
    private readonly theme: Theme,
    private readonly ratio: number
  ) {
    this.size = Math.max(4, Math.round(TILE * ratio));
  }

  /** Size of a tile. */
  readonly size: DevicePixels;

  /**
   * The fill of a pattern whose phase is aligned with the grid's columns, so that it moves with the picture.
   *
   * @returns `null` for patterns without lines
   */
  fill(pattern: Pattern, context: Pen, firstColumn: number): CanvasPattern | null {
    let fill = this.fills.get(pattern);
    if (fill === undefined) {
      const tile = this.tile(pattern);
      fill = tile === null ? null : context.createPattern(tile, 'repeat');
      this.fills.set(pattern, fill);
    }
    const phase = ((firstColumn % this.size) + this.size) % this.size;
    fill?.setTransform(new DOMMatrix([1, 0, 0, 1, -phase, 0]));
    return fill;
  }

  private tile(pattern: Pattern): HTMLCanvasElement | null {
    if (pattern === 'none' || pattern === 'hollow') {
      return null;
    }
    const tile = document.createElement('canvas');
    tile.width = this.size;
    tile.height = this.size;
    const context = tile.getContext('2d');
    if (context === null) {
      return null;
    }
    const paint = (pen: Pen): void => this.paint(pattern, pen);
    paint(context);
    drawnBy(tile, paint);
    return tile;
  }

  private paint(pattern: Drawn, pen: Pen): void {
    pen.strokeStyle = pattern === 'dark-bars' ? this.theme.text : this.theme.background;
    pen.fillStyle = pen.strokeStyle;
    pen.lineWidth = Math.max(1, this.ratio);
    draw(pattern, pen, this.size);
  }

  private readonly fills = new Map<Pattern, CanvasPattern | null>();
}

function draw(pattern: Drawn, context: Pen, size: number): void {
  switch (pattern) {
    case 'diagonal':
      context.globalAlpha = 0.6;
      diagonals(context, size, 1);
      break;
    case 'counter-diagonal':
      context.globalAlpha = 0.6;
      diagonals(context, size, -1);
      break;
    case 'cross-hatch':
      context.globalAlpha = 0.85;
      context.lineWidth *= 0.9;
      diagonals(context, size, 1);
      diagonals(context, size, -1);
      break;
    case 'dots':
      context.globalAlpha = 0.75;
      context.fillRect(0, 0, size / 3, size / 3);
      context.fillRect(size / 2, size / 2, size / 3, size / 3);
      break;
    case 'light-bars':
    case 'dark-bars':
      context.globalAlpha = 0.5;
      context.fillRect(0, 0, size / 3, size);
      break;
  }
}

/** Diagonals of a tile, extended beyond the corners so that tiles join. */
function diagonals(context: Pen, size: number, slope: 1 | -1): void {
  context.beginPath();
  for (const shift of [-size, 0, size]) {
    context.moveTo(shift - 1, slope === 1 ? size + 1 : -1);
    context.lineTo(shift + size + 1, slope === 1 ? -1 : size + 1);
  }
  context.stroke();
}
