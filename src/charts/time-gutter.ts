import type { CssPixels } from '../base/units';

/** Width of what stands left of a time axis at the ordinary font size, the same for all plots that share one (`docs/look.md`, "Axes, bars, time, stream"). */
export function gutterWidth(width: CssPixels): CssPixels {
  return width < 200 ? 0 : width < 300 ? 40 : 84;
}
