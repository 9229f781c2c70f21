/** Arithmetic of time intervals: unions and differences, so that no second is counted twice. */
import type { Seconds } from '../../base/units';
import { type Chunk, DURATION, INTERVAL_WORDS, START_STRIDE } from '../../run/lanes/lane-chunk';
import type { Period } from '../../run/selection/selection';

/** Whether an execution belongs to a period: they overlap, or it has no length and is at the start or the end of the period. */
export function isWithin(start: Seconds, end: Seconds, from: Seconds, to: Seconds): boolean {
  return !((start >= to && end > to) || (end <= from && start < from));
}

/** Intervals as pairs of start and end, in a buffer that is used again. */
export class Intervals {
  length = 0;
  begins = new Float64Array(256);
  ends = new Float64Array(256);

  clear(): void {
    this.length = 0;
    this.ordered = true;
    this.covered = 0;
  }

  /** Sum of their lengths if they are known to be disjoint and sorted, as {@link addRecords} mostly leaves them; else NaN. */
  covered: Seconds = 0;

  /** Add the part of an interval between `from` and `to`, if there is any. */
  add(begin: Seconds, end: Seconds, from: Seconds, to: Seconds): void {
    const a = begin > from ? begin : from;
    const b = end < to ? end : to;
    // Also where a time is NaN.
    if (!(begin < end && a < b)) {
      return;
    }
    const { length } = this;
    if (length === this.begins.length) {
      this.begins = doubled(this.begins);
      this.ends = doubled(this.ends);
    }
    this.ordered = this.ordered && (length === 0 || this.begins[length - 1] <= a);
    this.covered = Number.NaN;
    this.begins[length] = a;
    this.ends[length] = b;
    this.length = length + 1;
  }

  /**
   * Add the parts of executions `begin` to `stop` of a chunk that are inside a period: {@link add} for a million of them. What
   * overlaps the one before it or touches it is merged with it.
   */
  addRecords({ f64, f32 }: Chunk, begin: number, stop: number, { from, to }: Period): void {
    while (this.length + stop - begin > this.begins.length) {
      this.begins = doubled(this.begins);
      this.ends = doubled(this.ends);
    }
    const { begins, ends } = this;
    let { length, ordered, covered } = this;
    let before = length === 0 ? Number.NEGATIVE_INFINITY : begins[length - 1];
    let until = length === 0 ? Number.NEGATIVE_INFINITY : ends[length - 1];
    for (let i = begin; i < stop; i++) {
      const start = f64[i * START_STRIDE];
      const end = start + f32[i * INTERVAL_WORDS + DURATION];
      const a = start > from ? start : from;
      const b = end < to ? end : to;
      if (!(a < b)) {
        continue;
      }
      if (a > until) {
        before = a;
        begins[length] = a;
        ends[length] = b;
        length += 1;
        covered += b - a;
        until = b;
      } else if (a >= before) {
        if (b > until) {
          covered += b - until;
          ends[length - 1] = b;
          until = b;
        }
      } else {
        ordered = false;
        before = a;
        begins[length] = a;
        ends[length] = b;
        length += 1;
        until = b;
      }
    }
    this.length = length;
    this.ordered = ordered;
    this.covered = ordered ? covered : Number.NaN;
  }

  /** Sort by begin. Records arrive nearly in order, so this is rarely needed. */
  sort(): void {
    if (this.ordered) {
      return;
    }
    const order = Array.from({ length: this.length }, (_, i) => i).sort((a, b) => this.begins[a] - this.begins[b]);
    this.begins.set(Float64Array.from(order, i => this.begins[i]));
    this.ends.set(Float64Array.from(order, i => this.ends[i]));
    this.ordered = true;
  }

  private ordered = true;
}

/** Merge intervals into disjoint ones. */
export function union(intervals: Intervals): Seconds {
  if (!Number.isNaN(intervals.covered)) {
    return intervals.covered;
  }
  intervals.sort();
  const { begins, ends, length } = intervals;
  let covered = 0;
  let out = 0;
  for (let i = 0; i < length; i++) {
    const last = out - 1;
    if (out > 0 && begins[i] <= ends[last]) {
      if (ends[i] > ends[last]) {
        covered += ends[i] - ends[last];
        ends[last] = ends[i];
      }
    } else {
      begins[out] = begins[i];
      ends[out] = ends[i];
      covered += ends[i] - begins[i];
      out += 1;
    }
  }
  intervals.length = out;
  intervals.covered = covered;
  return covered;
}

/**
 * The parts of `intervals` that `cover` does not contain.
 *
 * @param intervals - disjoint and sorted, as from {@link union}
 * @param cover - likewise
 * @param out - the result; its former content is lost
 * @returns the sum of their lengths
 */
export function subtract(intervals: Intervals, cover: Intervals, out: Intervals): Seconds {
  out.clear();
  let sum = 0;
  let c = 0;
  for (let i = 0; i < intervals.length; i++) {
    let begin = intervals.begins[i];
    const end = intervals.ends[i];
    while (c < cover.length && cover.ends[c] <= begin) {
      c += 1;
    }
    for (let k = c; begin < end; k++) {
      const free = k < cover.length ? Math.min(end, cover.begins[k]) : end;
      if (free > begin) {
        out.add(begin, free, begin, free);
        sum += free - begin;
      }
      begin = k < cover.length ? Math.max(begin, cover.ends[k]) : end;
    }
  }
  return sum;
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * values.length);
  more.set(values);
  return more;
}
