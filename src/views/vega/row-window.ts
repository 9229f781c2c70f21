import type { CssPixels } from '../../base/units';
import type { RowMargins } from '../../plot/plot';

/** Computes the visible rows of a scrolled plot, and its scroll height. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
  readonly pitch: CssPixels;
  readonly margins: RowMargins;
  /** Space missing to show all rows at once. */
  readonly overflow: CssPixels;
}

/** A plot without rows, or with all rows visible. */
export const WHOLE: RowWindow = { first: 0, end: 0, pitch: 0, margins: { top: 0, bottom: 0 }, overflow: 0 };

/** Height of the line that says how many rows follow: below the axis, on which it would hide a label. */
const MORE: CssPixels = 14;

/**
 * Visible rows: whole ones only, at least one; the last row is at the end of the scroll bar. Where not all are visible, there is
 * room below them to say so.
 *
 * @param scrolled - pixels from the top
 */
export function rowWindow(
  rows: number,
  height: CssPixels,
  pitch: CssPixels,
  margins: RowMargins,
  scrolled: CssPixels
): RowWindow {
  const room = height - margins.top - margins.bottom;
  const all = rows * pitch <= room;
  const visible = Math.max(1, Math.floor((all ? room : room - MORE) / pitch));
  const last = Math.max(0, rows - visible);
  const first = Math.min(last, Math.max(0, Math.ceil(scrolled / pitch - 0.01)));
  return { first, end: Math.min(rows, first + visible), pitch, margins, overflow: last * pitch };
}

/** Scroll position that makes a row visible; the current one if it already is. */
export function scrollToRow(row: number, window: RowWindow): CssPixels {
  const visible = window.end - window.first;
  const first = row < window.first ? row : row >= window.end ? row - visible + 1 : window.first;
  return first * window.pitch;
}
