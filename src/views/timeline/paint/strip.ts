import type { DevicePixels } from '../../../base/units';
import { ERRED } from '../../../run/lanes/lane-chunk';
import type { Columns } from '../../../run/lanes/lane-fold';
import { ERRED_CODE, IDLE, kindCode, prefixCode } from './palette';

/**
 * What the lanes in view look like: a code for each column and row, whatever the height of a row and its colours.
 * Another theme or filter is another palette over the same codes.
 */
export class Strip {
  /** @param width - columns, which may be more than the window has */
  constructor(
    readonly width: DevicePixels,
    readonly rows: number
  ) {
    this.codes = new Uint16Array(width * rows);
  }

  readonly codes: Uint16Array;

  /** Where the window begins: columns are counted from there. Moving in time moves this. */
  left: DevicePixels = 0;

  /** Move all rows by columns to earlier places (`columns` > 0) or later ones; what comes into view is idle. */
  shift(columns: number): void {
    const kept = this.width - Math.abs(columns);
    for (let row = 0; row < this.rows; row++) {
      const at = row * this.width;
      const end = at + this.width;
      if (kept <= 0) {
        this.codes.fill(IDLE, at, end);
      } else if (columns > 0) {
        this.codes.copyWithin(at, at + columns, end);
        this.codes.fill(IDLE, end - columns, end);
      } else {
        this.codes.copyWithin(at - columns, at, end + columns);
        this.codes.fill(IDLE, at, at - columns);
      }
    }
  }

  /** Write computations of one layer; errors win their pixel. */
  compute(row: number, columns: Columns, layer: number, from: number, to: number): void {
    const { codes } = this;
    const { seen, label, busy } = columns;
    const at = row * this.width + this.left;
    const source = layer * columns.width;
    for (let x = from; x < to; x++) {
      const i = source + x;
      codes[at + x] = seen[i] === 0 ? IDLE : seen[i] & ERRED ? ERRED_CODE : prefixCode(label[i], busy[i]);
    }
  }

  /** Write moves. `over`: into a row that holds computations, whose idle and busy pixels they win, but not errors. */
  moves(row: number, columns: Columns, from: number, to: number, over: boolean): void {
    const at = row * this.width + this.left;
    for (let x = from; x < to; x++) {
      if (columns.seen[x] !== 0) {
        if (!over || this.codes[at + x] !== ERRED_CODE) {
          this.codes[at + x] = kindCode(columns.label[x], columns.busy[x]);
        }
      } else if (!over) {
        this.codes[at + x] = IDLE;
      }
    }
  }

  /** Write idle time into columns of one row. */
  clearRow(row: number, from: number, to: number): void {
    const at = row * this.width + this.left;
    this.codes.fill(IDLE, at + from, at + to);
  }

  /** Write idle time into all rows; columns are counted from the first, not from the window. */
  clear(from: number, to: number): void {
    for (let at = 0; at < this.codes.length; at += this.width) {
      this.codes.fill(IDLE, at + from, at + to);
    }
  }
}
