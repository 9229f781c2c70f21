import type { DevicePixels } from '../../../base/units';
import { ERRED } from '../../../run/lanes/lane-chunk';
import type { Columns } from '../../../run/lanes/lane-fold';
import { erredCode, IDLE, isErred, kindCode, prefixCode } from './palette';

/**
 * Content of the visible lanes: a code for each column and row, independent of row heights and colours. Another theme
 * or filter is another palette for the same codes.
 */
export class Strip {
  /** @param width - number of columns, at least that of the window */
  constructor(
    readonly width: DevicePixels,
    readonly rows: number
  ) {
    this.codes = new Uint16Array(width * rows);
  }

  readonly codes: Uint16Array;

  /** Origin of the window's columns. Moving in time changes it. */
  left: DevicePixels = 0;

  /** Move all rows by columns to earlier (`columns` > 0) or later positions; new columns are idle. */
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

  /** Write computations of one layer; errors overwrite their pixel. `offset`: column of the first entry of `columns`. */
  compute(row: number, columns: Columns, layer: number, from: number, to: number, offset = 0): void {
    const { codes } = this;
    const { seen, label, busy } = columns;
    const at = row * this.width + this.left;
    const source = layer * columns.width - offset;
    for (let x = from; x < to; x++) {
      const i = source + x;
      codes[at + x] = seen[i] === 0 ? IDLE : seen[i] & ERRED ? erredCode(label[i]) : prefixCode(label[i], busy[i]);
    }
  }

  /**
   * Write the share of the threads of a group that were busy, as steps from the lowest row up. The lowest shows whatever
   * there was, however short; errors overwrite it.
   *
   * @param columns - sums over its lanes
   * @param threads - that there were, from column `from` on
   * @param offset - column of the first of them
   * @param rows - number of steps
   */
  steps(row: number, rows: number, columns: Columns, threads: ArrayLike<number>, offset: number, from: number, to: number): void {
    const { codes } = this;
    for (let x = from; x < to; x++) {
      const i = x - offset;
      // Clocks differ a little: a task may have begun before its worker was there.
      const steps = Math.min(1, columns.busy[i] / (threads[x - from] || 1)) * rows;
      for (let step = 0; step < rows; step++) {
        const filled = columns.seen[i] !== 0 && (step === 0 || steps > step);
        const code = filled ? prefixCode(columns.label[i], Math.min(1, steps - step)) : IDLE;
        codes[(row + rows - 1 - step) * this.width + this.left + x] =
          step === 0 && columns.seen[i] & ERRED ? erredCode(columns.label[i]) : code;
      }
    }
  }

  /**
   * Write transfers and I/O. `over`: into a row of computations, overwriting idle and busy pixels, but not errors. `offset`:
   * column of the first entry of `columns`.
   */
  moves(row: number, columns: Columns, from: number, to: number, over: boolean, offset = 0): void {
    const at = row * this.width + this.left;
    for (let x = from; x < to; x++) {
      const i = x - offset;
      if (columns.seen[i] !== 0) {
        if (!over || !isErred(this.codes[at + x])) {
          this.codes[at + x] = kindCode(columns.label[i], columns.busy[i]);
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
