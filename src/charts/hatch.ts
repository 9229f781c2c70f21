/**
 * Patterns for Vega, which supports only plain fills: the lines of a pattern are one path, drawn over the fill as a
 * symbol. Sizes are whole pixels, so that a moving bar needs few different paths (Vega caches each parsed path).
 */
import type { Pattern } from '../base/theme';
import type { CssPixels } from '../base/units';

/** Distance between the lines of a pattern. */
const PITCH: CssPixels = 4;
const BARS: CssPixels = 3;
const WIDEST: CssPixels = 4096;

/**
 * The lines of a pattern within a rectangle whose top left corner is the origin.
 *
 * @returns an SVG path in pixels; '' for patterns without lines and empty rectangles
 */
export function hatchPath(pattern: Pattern, width: CssPixels, height: CssPixels): string {
  const w = Math.min(Math.floor(width), WIDEST);
  const h = Math.floor(height);
  if (w < 1 || h < 2) {
    return '';
  }
  switch (pattern) {
    case 'diagonal':
      return slants(w, h, false);
    case 'counter-diagonal':
      return slants(w, h, true);
    case 'cross-hatch':
      return slants(w, h, false) + slants(w, h, true);
    case 'light-bars':
    case 'dark-bars':
      return uprights(w, h, BARS);
    case 'dots':
      return dots(w, h);
    default:
      return '';
  }
}

/** Lines at 45°, clipped at the edges: rising or falling to the right. */
function slants(w: number, h: number, falling: boolean): string {
  let path = '';
  for (let c = PITCH / 2; c < w + h; c += PITCH) {
    // The line x + y = c within 0…w × 0…h; a falling one is its mirror image.
    const x0 = Math.max(0, c - h);
    const x1 = Math.min(w, c);
    path += falling ? `M${x0},${h - (c - x0)}L${x1},${h - (c - x1)}` : `M${x0},${c - x0}L${x1},${c - x1}`;
  }
  return path;
}

function uprights(w: number, h: number, pitch: number): string {
  let path = '';
  for (let x = 0.5; x < w; x += pitch) {
    path += `M${x},0L${x},${h}`;
  }
  return path;
}

function dots(w: number, h: number): string {
  let path = '';
  for (let y = PITCH / 2; y < h; y += PITCH) {
    for (let x = PITCH / 2; x < w; x += PITCH) {
      path += `M${x - 0.5},${y}L${x + 0.5},${y}`;
    }
  }
  return path;
}
