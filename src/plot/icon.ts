/**
 * Parts of icons. The icon of a plot is the content of a 16 × 16 SVG in one colour set by the theme; `fill-opacity`
 * makes a part paler.
 */

/** Two axes below a line over time. */
export const AXES = '<path d="M1 1.500h1.200v11.300H15V14H1z"/>';

/** Staggered bars on lanes: the project's logo and the task stream. */
export const STREAM_ICON =
  '<path d="M1 2h6v2.4H1zm8 0h6v2.4H9zM1 6.8h3.4v2.4H1zm5.4 0H12v2.4H6.4zm7.6 0h1v2.4h-1zM1 11.6h8v2.4H1zm10 0h4v2.4h-4z"/>';
