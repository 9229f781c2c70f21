import type { CssPixels } from '../../base/units';

/**
 * Bring a column into view: all of it, else its beginning or a part that fills the view, beside the first one, which stays. All that
 * are shown exist in the header.
 *
 * @param column - its place in the header
 */
export function bringColumn(scroller: HTMLElement, { children }: HTMLElement, column: number): void {
  const [first, head] = [children[0], children[column]] as (HTMLElement | undefined)[];
  if (first === undefined || head === undefined) {
    return;
  }
  const { scrollLeft, clientWidth } = scroller;
  const [start, end] = [head.offsetLeft - first.offsetWidth, head.offsetLeft + head.offsetWidth];
  const fills = scrollLeft >= start && scrollLeft + clientWidth <= end;
  if (column === 0) {
    scroller.scrollLeft = 0;
  } else if (!fills && (scrollLeft > start || end - start > clientWidth)) {
    scroller.scrollLeft = start;
  } else if (!fills && end > scrollLeft + clientWidth) {
    scroller.scrollLeft = end - clientWidth;
  }
}

/** What rows scroll in. */
type Scroller = Pick<HTMLElement, 'scrollTop' | 'clientHeight'>;

/**
 * Bring a row into view, below the header, which stays.
 *
 * @param top - its distance from the first row
 */
export function bringRow(scroller: Scroller, top: CssPixels, height: CssPixels): void {
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop) {
    scroller.scrollTop = top;
  } else if (top + 2 * height > scrollTop + clientHeight) {
    scroller.scrollTop = top + 2 * height - clientHeight;
  }
}

/**
 * Change what takes its room from the rows: a row that is in view stays there.
 *
 * @param top - as of {@link bringRow}
 */
export function keepRow(scroller: Scroller, top: CssPixels, height: CssPixels, change: () => void): void {
  const { scrollTop, clientHeight } = scroller;
  // A position is rounded to pixels of the screen.
  const seen = top >= scrollTop - 1 && top + 2 * height <= scrollTop + clientHeight + 1;
  change();
  if (seen) {
    bringRow(scroller, top, height);
  }
}
