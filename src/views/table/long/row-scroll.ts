import type { CssPixels } from '../../../base/units';

/** Tallest content that is laid out: browsers end it at 17.9 million pixels (Firefox) or 33.5 million. */
const TALLEST: CssPixels = 8_000_000;
/** At the first and the last rows, a place of the scroll bar is a place of the rows. */
const EXACT: CssPixels = 100_000;

/**
 * The scroll position among rows that are together taller than what a browser lays out. The scroller is then less tall than the rows.
 *
 * Guarantees: every row can be reached; the wheel, the keys and a page of the scroll bar move by as many rows as in a table of a few
 * rows; the thumb of the scroll bar moves in proportion.
 */
export class RowScroll {
  /** @param above, below - take the room of the rows that are not drawn */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly above: HTMLElement,
    private readonly below: HTMLElement
  ) {}

  get clientHeight(): CssPixels {
    return this.scroller.clientHeight;
  }

  /** Distance of what is in view from the first row. */
  get scrollTop(): CssPixels {
    const { scrollTop } = this.scroller;
    const moved = scrollTop - this.seen;
    this.seen = scrollTop;
    if (this.isShort) {
      this.top = scrollTop;
    } else {
      this.top = this.limited(this.isJump(moved) ? this.topOf(scrollTop) : this.top + moved);
      this.settle();
    }
    return this.top;
  }

  set scrollTop(top: CssPixels) {
    if (this.isShort) {
      this.scrollTo(top);
      this.top = this.seen;
      return;
    }
    const moved = this.limited(top) - this.scrollTop;
    this.top += moved;
    this.scrollTo(this.isJump(moved) ? this.placeOf(this.top) : Math.max(0, this.seen + moved));
    this.settle();
  }

  /** Take the rows, below a header of the same height. */
  measure(count: number, rowHeight: CssPixels): void {
    this.count = count;
    this.rowHeight = rowHeight;
  }

  /** Indices of the rows in view, with some around them. */
  inView(room: CssPixels, spare: number): [first: number, end: number] {
    const { count, rowHeight } = this;
    const first = Math.max(0, Math.min(Math.floor(this.scrollTop / rowHeight) - spare, count - 1));
    return [first, Math.min(count, first + Math.ceil(Math.max(0, room) / rowHeight) + 2 * spare)];
  }

  /** Give the rows that are drawn their place. */
  spread(first: number, drawn: number): void {
    const { rowHeight } = this;
    const above = Math.max(0, first * rowHeight - (this.top - this.seen));
    const below = Math.max(0, Math.min(this.height, TALLEST) - (drawn + 1) * rowHeight - above);
    this.above.style.height = `${above}px`;
    this.below.style.height = `${below}px`;
  }

  /** Of all rows and the header. */
  private get height(): CssPixels {
    return (this.count + 1) * this.rowHeight;
  }

  private get isShort(): boolean {
    return this.height <= TALLEST;
  }

  /** Greatest distance of the rows, and of the scroller. */
  private get ends(): readonly [top: CssPixels, place: CssPixels] {
    return [this.height - this.clientHeight, TALLEST - this.clientHeight];
  }

  private limited(top: CssPixels): CssPixels {
    return Math.max(0, Math.min(top, this.ends[0]));
  }

  /** Whether only the thumb of the scroll bar moves so far: its smallest step, and half of it on screens with finer pixels. */
  private isJump(moved: CssPixels): boolean {
    return Math.abs(moved) > TALLEST / (4 * this.clientHeight);
  }

  /** Where the scroller is for a distance of the rows: as far from the nearer end, or in proportion. */
  private placeOf(top: CssPixels): CssPixels {
    return mapped(top, ...this.ends);
  }

  private topOf(place: CssPixels): CssPixels {
    const [top, end] = this.ends;
    return mapped(place, end, top);
  }

  /** Small steps have moved the scroller less, or more, than in proportion: that is made good before it comes to an end. */
  private settle(): void {
    const [end, last] = this.ends;
    const differ = (one: CssPixels, other: CssPixels): boolean =>
      Math.abs(Math.min(one, EXACT / 2) - Math.min(other, EXACT / 2)) > 1;
    if (!this.isShort && (differ(this.seen, this.top) || differ(last - this.seen, end - this.top))) {
      this.scrollTo(this.placeOf(this.top));
    }
  }

  private scrollTo(place: CssPixels): void {
    this.scroller.scrollTop = place;
    // Browsers round it.
    this.seen = this.scroller.scrollTop;
  }

  private count = 0;
  private rowHeight: CssPixels = 1;
  private top: CssPixels = 0;
  /** Of the scroller, when it was looked at last. */
  private seen: CssPixels = 0;
}

/** A value of a range in one of another length: {@link EXACT} values at both ends are as far from these, the others in proportion. */
function mapped(value: number, length: number, other: number): number {
  if (value <= EXACT) {
    return value;
  }
  if (value >= length - EXACT) {
    return other - (length - value);
  }
  return EXACT + ((value - EXACT) * (other - 2 * EXACT)) / (length - 2 * EXACT);
}
