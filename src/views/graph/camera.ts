import type { CssPixels } from '../../base/units';

/** CSS pixels per column and per row. */
export interface Scale {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

/**
 * Bounds of a camera: columns and rows from 0, and the maximum scale when everything is shown, at the default font
 * size.
 */
export interface Content {
  readonly columns: number;
  readonly rows: number;
  /** Largest scale of a fit. */
  readonly largest: Scale;
  /** Smallest initial scale: content that does not fit then is reached by panning. */
  readonly least: Scale;
}

const MARGIN: CssPixels = 16;
/** Maximum zoom, as a multiple of the largest scale of a fit. */
const CLOSEST = 4;

/** The visible part of a graph. Positions are CSS pixels from the view's upper left corner. */
export class Camera {
  /** Whether the user has zoomed or panned; until then everything stays visible. */
  moved = false;

  /** Pixels per column and per row of the layout. */
  get scale(): Scale {
    return this.current;
  }

  /** Interface font size relative to the default: texts and boxes scale with it. */
  get fontScale(): number {
    return this.font;
  }

  set fontScale(scale: number) {
    this.font = scale;
    this.settle();
  }

  /** Position of a column. */
  toX(column: number): CssPixels {
    return this.left + (column + 0.5) * this.current.x;
  }

  /** Position of a row. */
  toY(row: number): CssPixels {
    return this.top + (row + 0.5) * this.current.y;
  }

  /** Column at a position, with its fraction. */
  columnAt(x: CssPixels): number {
    return (x - this.left) / this.current.x - 0.5;
  }

  /** Row at a position, with its fraction. */
  rowAt(y: CssPixels): number {
    return (y - this.top) / this.current.y - 0.5;
  }

  /** Set the size of the view. */
  resize(width: CssPixels, height: CssPixels): void {
    this.width = width;
    this.height = height;
    this.settle();
  }

  /** Set the content, which stays fully visible until the user zooms or pans. */
  show(content: Content): void {
    this.content = content;
    this.settle();
  }

  /** Show everything. */
  fit(): void {
    this.moved = false;
    this.settle();
  }

  /** Show `factor` times as much; the given position stays fixed, NaN for the middle. */
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

  /** Pan right and down. */
  pan(dx: CssPixels, dy: CssPixels): void {
    this.left -= dx;
    this.top -= dy;
    this.moved = true;
    this.keepInView();
  }

  /** Bring a position into view; centre it if it was outside. */
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
      // Content larger than the view is aligned to its edge: roots are on the left.
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
    // Each direction is scaled separately: otherwise a graph of three columns and a thousand rows would be a line.
    return {
      x: Math.min(largest.x, Math.max(1, this.width - 2 * MARGIN) / Math.max(1, columns)),
      y: Math.min(largest.y, Math.max(1, this.height - 2 * MARGIN) / Math.max(1, rows))
    };
  }

  /** Part of the graph always stays visible. */
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
