import type { CssPixels } from '../../base/units';

/** CSS pixels of one column and one row. */
export interface Scale {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

/** What a camera may show: columns and rows from 0, and how large one of each is at most when all are shown, at the ordinary font size. */
export interface Content {
  readonly columns: number;
  readonly rows: number;
  /** Largest scale of a fit. */
  readonly largest: Scale;
  /** Smallest scale at first: what has no room then is found by panning. */
  readonly least: Scale;
}

const MARGIN: CssPixels = 16;
/** Closest look: a multiple of the largest scale of a fit. */
const CLOSEST = 4;

/** Which part of a graph is in view. Positions are CSS pixels from the view's upper left corner. */
export class Camera {
  /** Whether the person has gone somewhere: else everything stays in view. */
  moved = false;

  get scale(): Scale {
    return this.current;
  }

  /** Size of the interface's font in units of the ordinary one: texts, and what they are in, grow with it. */
  get fontScale(): number {
    return this.font;
  }

  set fontScale(scale: number) {
    this.font = scale;
    this.settle();
  }

  /** Where a column is drawn. */
  toX(column: number): CssPixels {
    return this.left + (column + 0.5) * this.current.x;
  }

  /** Where a row is drawn. */
  toY(row: number): CssPixels {
    return this.top + (row + 0.5) * this.current.y;
  }

  /** Column at a place, with its fraction. */
  columnAt(x: CssPixels): number {
    return (x - this.left) / this.current.x - 0.5;
  }

  /** Row at a place, with its fraction. */
  rowAt(y: CssPixels): number {
    return (y - this.top) / this.current.y - 0.5;
  }

  /** Take the size of the view. */
  resize(width: CssPixels, height: CssPixels): void {
    this.width = width;
    this.height = height;
    this.settle();
  }

  /** Take what there is to show; it stays in view as a whole until the person goes somewhere. */
  show(content: Content): void {
    this.content = content;
    this.settle();
  }

  /** Show everything. */
  fit(): void {
    this.moved = false;
    this.settle();
  }

  /** Show `factor` times as much; the place stays where it is, NaN for the middle. */
  zoom(factor: number, x: CssPixels, y: CssPixels): void {
    if (!(factor > 0)) {
      return;
    }
    const [px, py] = [Number.isNaN(x) ? this.width / 2 : x, Number.isNaN(y) ? this.height / 2 : y];
    const [column, row] = [this.columnAt(px), this.rowAt(py)];
    const { largest } = this.sizes();
    const fitted = this.fitted();
    const scale = (now: CssPixels, least: CssPixels, most: CssPixels): CssPixels => Math.min(most, Math.max(least, now / factor));
    const next = {
      x: scale(this.current.x, fitted.x / 2, CLOSEST * largest.x),
      y: scale(this.current.y, fitted.y / 2, CLOSEST * largest.y)
    };
    this.current = next;
    this.left = px - (column + 0.5) * next.x;
    this.top = py - (row + 0.5) * next.y;
    this.moved = true;
    this.keepInView();
  }

  /** Show what lies further right and down. */
  pan(dx: CssPixels, dy: CssPixels): void {
    this.left -= dx;
    this.top -= dy;
    this.moved = true;
    this.keepInView();
  }

  /** Bring a place into view, into the middle where it was outside. */
  reveal(column: number, row: number): void {
    const [x, y] = [this.toX(column), this.toY(row)];
    if (x < MARGIN || x > this.width - MARGIN || y < MARGIN || y > this.height - MARGIN) {
      this.pan(x - this.width / 2, y - this.height / 2);
    }
  }

  private settle(): void {
    if (!this.moved && this.width > 0 && this.height > 0) {
      const { columns, rows } = this.content;
      const { least } = this.sizes();
      const fitted = this.fitted();
      this.current = { x: Math.max(least.x, fitted.x), y: Math.max(least.y, fitted.y) };
      // What is larger than the view begins at its edge: roots are on the left.
      this.left = Math.max(Math.min(MARGIN, this.width), (this.width - columns * this.current.x) / 2);
      this.top = Math.max(Math.min(MARGIN, this.height), (this.height - rows * this.current.y) / 2);
    }
  }

  private sizes(): Pick<Content, 'largest' | 'least'> {
    const { largest, least } = this.content;
    const enlarged = ({ x, y }: Scale): Scale => ({ x: x * this.font, y: y * this.font });
    return { largest: enlarged(largest), least: enlarged(least) };
  }

  private fitted(): Scale {
    const { columns, rows } = this.content;
    const { largest } = this.sizes();
    // Both directions for themselves: a graph of three columns and a thousand rows would be a line otherwise.
    return {
      x: Math.min(largest.x, Math.max(1, this.width - 2 * MARGIN) / Math.max(1, columns)),
      y: Math.min(largest.y, Math.max(1, this.height - 2 * MARGIN) / Math.max(1, rows))
    };
  }

  /** Some of the graph stays in view, wherever the person goes. */
  private keepInView(): void {
    const { columns, rows } = this.content;
    const [width, height] = [columns * this.current.x, rows * this.current.y];
    this.left = Math.min(this.width - 2 * MARGIN, Math.max(2 * MARGIN - width, this.left));
    this.top = Math.min(this.height - 2 * MARGIN, Math.max(2 * MARGIN - height, this.top));
  }

  private font = 1;
  private width: CssPixels = 0;
  private height: CssPixels = 0;
  private left: CssPixels = 0;
  private top: CssPixels = 0;
  private current: Scale = { x: 1, y: 1 };
  private content: Content = { columns: 0, rows: 0, largest: { x: 1, y: 1 }, least: { x: 0, y: 0 } };
}
