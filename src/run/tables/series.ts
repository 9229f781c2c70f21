import { numberOf } from '../../base/untrusted';
import { withRoom } from '../../base/arrays';
import type { Seconds } from '../../base/units';
import type { Column, TopicBody } from '../../feed/frame';

/**
 * Cluster series: points in order of time, with the columns `m_sum`, `m_min`, `m_max` of each measure. A point with the
 * same number replaces the existing one; see topic `series` of the schema.
 */
export class Series {
  /** Number of points kept. */
  get length(): number {
    return this.count;
  }

  /** Points that the collector's ring dropped before they were read. */
  lost = 0;

  /** A column as an array of `length` values; empty if unknown. */
  column(name: string): Float64Array {
    return this.columns.get(name)?.subarray(0, this.count) ?? new Float64Array(0);
  }

  /** Scheduler time of point `i`. */
  time(i: number): Seconds {
    return this.columns.get('time')?.[i] ?? Number.NaN;
  }

  apply(body: TopicBody): void {
    const first = numberOf(body.scalars.first);
    this.lost += numberOf(body.scalars.lost);
    // Missing points take no space: later points follow directly.
    if (this.count === 0 || first > this.firstNumber + this.count) {
      this.firstNumber = first - this.count;
    }
    // Points before the first are ignored: the times would be out of order.
    const skip = Math.max(0, this.firstNumber - first);
    const at = first + skip - this.firstNumber;
    const incoming = Math.max(0, (body.columns.time?.length ?? 0) - skip);
    for (const [name, column] of Object.entries(body.columns)) {
      this.store(name, column.subarray(skip), at);
    }
    this.count = Math.max(this.count, at + incoming);
  }

  /** An independent copy. */
  copy(): Series {
    const copy = new Series();
    for (const [name, column] of this.columns) {
      copy.columns.set(name, column.slice(0, this.count));
    }
    copy.count = this.count;
    copy.firstNumber = this.firstNumber;
    copy.lost = this.lost;
    return copy;
  }

  clear(): void {
    this.columns.clear();
    this.count = 0;
    this.lost = 0;
  }

  private store(name: string, column: Column, at: number): void {
    const before = this.columns.get(name) ?? new Float64Array(256).fill(Number.NaN);
    const target = withRoom(before, at + column.length, Float64Array);
    if (target !== before) {
      target.fill(Number.NaN, before.length);
    }
    target.set(column, at);
    this.columns.set(name, target);
  }

  private readonly columns = new Map<string, Float64Array>();
  private count = 0;
  private firstNumber = 0;
}
