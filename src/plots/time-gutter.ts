import type { CssPixels } from '../base/units';

/** Width of what stands left of a time axis at the ordinary font size, the same for all plots that share one (`look.md`, "Density"). */
export function gutterWidth(width: CssPixels): CssPixels {
  return width < 200 ? 0 : width < 300 ? 40 : 84;
}
