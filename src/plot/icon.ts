/**
 * Parts of icons. An icon of a plot is the inside of an SVG of 16 × 16, in one colour that themes choose; `fill-opacity` makes
 * a part paler.
 */

/** Two axes, under a line over time. */
export const AXES = '<path d="M1 1.500h1.200v11.300H15V14H1z"/>';

/** Staggered bars on lanes: the product, and the task stream. */
export const STREAM_ICON =
  '<path d="M1 2h6v2.4H1zm8 0h6v2.4H9zM1 6.8h3.4v2.4H1zm5.4 0H12v2.4H6.4zm7.6 0h1v2.4h-1zM1 11.6h8v2.4H1zm10 0h4v2.4h-4z"/>';
