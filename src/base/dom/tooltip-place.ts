/** Where a tooltip goes. */
import type { CssPixels } from '../units';

/** Distance from the pointer, from the hovered item and from the edges of the window. */
const OFFSET: CssPixels = 8;

/** What is pointed at, in coordinates of the browser's window. */
export interface TooltipPlace {
  readonly x: CssPixels;
  readonly y: CssPixels;
  /** Upper and lower edge of the hovered item, which the tooltip does not cover as long as there is room beside it. */
  readonly top?: CssPixels;
  readonly bottom?: CssPixels;
}

interface Size {
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** Below the hovered item, else above it; where neither has the room, beside the pointer. Never beyond an edge of the window. */
export function placeTooltip(
  { x, y, top = y, bottom = y }: TooltipPlace,
  { width, height }: Size,
  window: Size
): { readonly left: CssPixels; readonly top: CssPixels } {
  const [below, above] = [bottom + OFFSET, top - OFFSET - height];
  const right = x + OFFSET;
  const left = startInView(right, width, window.width);
  if (below + height + OFFSET <= window.height) {
    return { left, top: below };
  }
  if (above >= OFFSET) {
    return { left, top: above };
  }
  const beside = right + width + OFFSET > window.width && x - OFFSET - width >= OFFSET ? x - OFFSET - width : left;
  return { left: beside, top: startInView(below, height, window.height) };
}

/**
 * The start of a range that is moved back as far as it has to be to end in the window; of one that is too long, the beginning
 * is seen.
 */
export function startInView(start: CssPixels, length: CssPixels, window: CssPixels): CssPixels {
  return Math.max(OFFSET, Math.min(start, window - length - OFFSET));
}
