import type { Seconds } from '../../../base/units';

/** Prefixes are numbers of 16 bits. */
const PREFIX_SHIFT = 16;
/** Periods whose numbers fit beside a prefix. */
export const MOST_PERIODS = 1 << PREFIX_SHIFT;

/** Sums of functions in periods, only where there are any. */
export interface Cells {
  /** The prefix in the high half, the period in the low one. */
  readonly keys: Uint32Array;
  readonly seconds: Float64Array;
}

/** Seconds of functions in consecutive periods: a row of numbers for each function, in memory that grows with them. */
export class PeriodSums {
  /** Number of the first period, counted from time 0. */
  first = 0;
  /** Number of periods. */
  count = 0;
  /** Functions in order of their rows. */
  readonly prefixes: number[] = [];
  /** Number of cells that have a sum. */
  filled = 0;

  /** Begin with nothing, in the memory that there is. */
  begin(first: number, count: number, width: Seconds): this {
    for (const prefix of this.prefixes) {
      this.rows[prefix] = 0;
    }
    for (let k = 0; k < this.filled; k++) {
      this.seconds[this.cells[k]] = 0;
    }
    this.prefixes.length = 0;
    this.filled = 0;
    this.first = first;
    this.count = count;
    this.width = width;
    return this;
  }

  /** Add an interval, as far as it lies in the periods. */
  add(prefix: number, start: Seconds, end: Seconds): void {
    const { first, count, width } = this;
    const last = Math.min(count - 1, Math.floor(end / width) - first);
    for (let i = Math.max(0, Math.floor(start / width) - first); i <= last; i++) {
      const seconds = Math.min(end, (first + i + 1) * width) - Math.max(start, (first + i) * width);
      if (seconds > 0) {
        this.put(this.rowOf(prefix) * count + i, seconds);
      }
    }
  }

  /**
   * Add sums whose periods are among these.
   *
   * @param first - number of their first period
   * @param begin - number of the first of them
   * @param end - number of the last of them, exclusive
   */
  addCells({ keys, seconds }: Cells, first: number, begin: number, end: number): void {
    const { count } = this;
    for (let k = begin; k < end; k++) {
      const key = keys[k];
      this.put(this.rowOf(key >>> PREFIX_SHIFT) * count + (key & (MOST_PERIODS - 1)) + first - this.first, seconds[k]);
    }
  }

  /** Write all sums into cells, from number `at` on. */
  write({ keys, seconds }: Cells, at: number): void {
    const { count, filled, cells, prefixes } = this;
    for (let k = 0; k < filled; k++) {
      const row = Math.floor(cells[k] / count);
      keys[at + k] = ((prefixes[row] << PREFIX_SHIFT) | (cells[k] - row * count)) >>> 0;
      seconds[at + k] = this.seconds[cells[k]];
    }
  }

  /** The first periods are not known. */
  forget(count: number): void {
    for (let row = 0; row < this.prefixes.length; row++) {
      this.of(row).fill(0, 0, count);
    }
  }

  /** The sums of a row. */
  of(row: number): Float64Array {
    return this.seconds.subarray(row * this.count, (row + 1) * this.count);
  }

  /** The row of a function that has one, else -1. */
  find(prefix: number): number {
    return prefix < this.rows.length ? this.rows[prefix] - 1 : -1;
  }

  private put(cell: number, seconds: Seconds): void {
    if (this.seconds[cell] === 0) {
      if (this.filled === this.cells.length) {
        this.cells = grown(this.cells, new Uint32Array(Math.max(256, 2 * this.filled)));
      }
      this.cells[this.filled] = cell;
      this.filled += 1;
    }
    this.seconds[cell] += seconds;
  }

  /** The row of a function, which it gets with its first time. */
  private rowOf(prefix: number): number {
    if (prefix >= this.rows.length) {
      this.rows = grown(this.rows, new Uint32Array(Math.max(64, 2 * prefix)));
    }
    if (this.rows[prefix] === 0) {
      this.prefixes.push(prefix);
      this.rows[prefix] = this.prefixes.length;
      const needed = this.prefixes.length * this.count;
      if (needed > this.seconds.length) {
        this.seconds = grown(this.seconds, new Float64Array(Math.max(16 * this.count, 2 * needed)));
      }
    }
    return this.rows[prefix] - 1;
  }

  private width: Seconds = 1;
  /** By prefix, 1 + number of its row; 0 without one. */
  private rows = new Uint32Array(0);
  private seconds = new Float64Array(0);
  /** Places in {@link seconds} with a sum. */
  private cells = new Uint32Array(0);
}

function grown<T extends Uint32Array | Float64Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
