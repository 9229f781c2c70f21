import type { CssPixels } from '../base/units';

/** The width where there is room for whole labels. */
export const WIDE_GUTTER: CssPixels = 84;

/**
 * Width left of a time axis at the default font size, equal for all plots that share one (`docs/look.md`, "Axes, bars,
 * time, stream").
 */
export function gutterWidth(width: CssPixels): CssPixels {
  return width < 200 ? 0 : width < 300 ? 40 : WIDE_GUTTER;
}
