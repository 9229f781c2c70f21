import { numberOf } from '../../../base/untrusted';
import { withRoom } from '../../../base/arrays';
import type { Seconds } from '../../../base/units';
import type { Column, TopicBody } from '../../../feed/frame';
import { cellsOf, mergeColumn, type Spans, weightsOf } from './merged-points';

/** Points that are kept at most, some 100 numbers each: an hour and a half of seconds, and a day as the collector has it. */
const MOST = 16_384;
/** The newest of them, which are never merged. */
const FINE = 5_400;
/** Duration of the cells to which older points are merged; ten times as long where that does not free enough. */
const STEP: Seconds = 10;
const LONGEST_STEP: Seconds = 100_000;

/**
 * Cluster series: points in order of time, with the columns `m_sum`, `m_min`, `m_max` of each measure. A point with the
 * same number replaces the existing one; see topic `series` of the schema. Older points are merged, as the collector does.
 */
export class Series {
  /**
   * @param most - number of points that are kept
   * @param fine - number of the newest, which are not merged
   */
  constructor(
    private readonly most = MOST,
    private readonly fine = FINE
  ) {}

  /** Number of points kept. */
  get length(): number {
    return this.count;
  }

  /** Points that the collector's ring dropped before they were read, or that are no longer kept. */
  lost = 0;

  /** The time up to which points are means; NaN if none have been merged here. */
  get meansUntil(): Seconds {
    return this.merged > 0 ? this.untilAt(this.merged - 1) : Number.NaN;
  }

  /** A column as an array of `length` values; empty if unknown. */
  column(name: string): Float64Array {
    return this.columns.get(name)?.subarray(0, this.count) ?? new Float64Array(0);
  }

  /** The greatest value that a column has had, also in points that have been merged or dropped; NaN if none is known. */
  greatest(name: string): number {
    return greatestOf(this.column(name), this.count, this.peaks.get(name));
  }

  /** Scheduler time of point `i`. */
  time(i: number): Seconds {
    return this.columns.get('time')?.[i] ?? Number.NaN;
  }

  apply(body: TopicBody): void {
    this.lost += numberOf(body.scalars.lost);
    const length = body.columns.time?.length ?? 0;
    if (this.count > 0 && this.count + length > this.most) {
      this.merge();
    }
    const { skip, at } = this.placeOf(numberOf(body.scalars.first), body.columns.time);
    const incoming = Math.max(0, length - skip);
    for (const [name, column] of Object.entries(body.columns)) {
      this.store(name, column.subarray(skip), at);
    }
    this.count = Math.max(this.count, at + incoming);
    if (this.count > this.most) {
      this.merge();
    }
  }

  /** An independent copy. */
  copy(): Series {
    const copy = new Series(this.most, this.fine);
    for (const [name, column] of this.columns) {
      copy.columns.set(name, column.slice(0, this.count));
    }
    for (const [name, value] of this.peaks) {
      copy.peaks.set(name, value);
    }
    const { count, firstNumber, merged, lost } = this;
    return Object.assign(copy, { count, firstNumber, merged, lost });
  }

  clear(): void {
    this.columns.clear();
    this.peaks.clear();
    this.count = 0;
    this.merged = 0;
    this.lost = 0;
  }

  /** How many points of a body are not taken, and where the others go. */
  private placeOf(first: number, times: Column | undefined): { readonly skip: number; readonly at: number } {
    // Points before the first, and those that have been merged, are ignored: the times would be out of order.
    let skip = this.count === 0 ? 0 : Math.max(0, this.firstNumber + this.merged - first);
    // To a reader that comes again after an hour, the collector sends the older ones as means, with numbers that others had.
    while (times !== undefined && skip < times.length && times[skip] < this.time(this.before(first + skip))) {
      skip += 1;
    }
    // Missing points take no space: later points follow directly.
    if (this.count === 0 || first + skip > this.firstNumber + this.count) {
      this.firstNumber = first + skip - this.count;
    }
    return { skip, at: first + skip - this.firstNumber };
  }

  /** Index of the point before that of a number. */
  private before(number: number): number {
    return Math.min(this.count, number - this.firstNumber) - 1;
  }

  /** Merge older points; if that does not free enough, drop the oldest. */
  private merge(): void {
    const enough = this.most * 0.9;
    for (const [name, values] of this.columns) {
      this.peaks.set(name, greatestOf(values, this.count - this.fine, this.peaks.get(name)));
    }
    for (let step = STEP; this.count > enough && step <= LONGEST_STEP; step *= 10) {
      this.mergeTo(step);
    }
    if (this.count > enough) {
      const gone = this.count - Math.floor(this.most / 2);
      this.remove(0, gone);
      this.merged = Math.max(0, this.merged - gone);
      this.lost += gone;
    }
  }

  private mergeTo(step: Seconds): void {
    const end = Math.max(0, this.count - this.fine);
    const spans: Spans = { times: this.column('time'), untils: this.column('until'), workers: this.column('workers') };
    const cells = cellsOf(spans, end, step);
    const weights = weightsOf(spans, end);
    for (const [name, column] of this.columns) {
      const values = roomFor(column, this.count);
      mergeColumn(name, values, cells, weights, end);
      this.columns.set(name, values);
    }
    this.merged = cells.length;
    this.remove(cells.length, end);
  }

  /** Remove the points from `from` to `to` (exclusive). */
  private remove(from: number, to: number): void {
    const count = this.count - (to - from);
    for (const values of this.columns.values()) {
      values.copyWithin(from, to, this.count);
      // A column of which nothing more comes.
      values.fill(Number.NaN, count);
    }
    this.count = count;
    this.firstNumber += to - from;
  }

  private untilAt(i: number): Seconds {
    return Math.max(this.time(i), this.columns.get('until')?.[i] ?? 0);
  }

  private store(name: string, column: Column, at: number): void {
    const before = this.columns.get(name) ?? new Float64Array(256).fill(Number.NaN);
    const target = roomFor(before, at + column.length);
    target.set(column, at);
    this.columns.set(name, target);
  }

  private readonly columns = new Map<string, Float64Array>();
  /** The greatest values of points as they came, where these have been merged: means do not have them. */
  private readonly peaks = new Map<string, number>();
  private count = 0;
  /** Number of points at the start that have been merged, or lie between merged ones. */
  private merged = 0;
  /** Number of the first point, counted back from those that have not been merged. */
  private firstNumber = 0;
}

/** Room for a number of values; what is not known is NaN. */
function roomFor(before: Float64Array, length: number): Float64Array {
  const values = withRoom(before, length, Float64Array);
  return values === before ? before : values.fill(Number.NaN, before.length);
}

/** The greatest of the first values that are known, and of another one. */
function greatestOf(values: Float64Array, count: number, other = Number.NaN): number {
  let found = other;
  for (let i = 0; i < Math.min(count, values.length); i++) {
    found = values[i] <= found || Number.isNaN(values[i]) ? found : values[i];
  }
  return found;
}
