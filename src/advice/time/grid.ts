/** Time of many intervals, by short steps of a period. */
import type { Seconds } from '../../base/units';
import type { Period } from '../../run/selection/selection';

/** Shortest step: most tasks are longer, and the stamps of two workers agree to about as much. */
const SHORTEST: Seconds = 0.001;
/** Steps of a long period, so that its arrays have 256 kB each. */
export const MOST_STEPS = 32_768;
const LEAST_STEPS = 64;

/** The steps of a period. */
export interface Steps extends Period {
  readonly width: Seconds;
  readonly count: number;
}

/** Divide a period into equal steps. */
export function stepsOf({ from, to }: Period): Steps {
  const count = Math.min(MOST_STEPS, Math.max(LEAST_STEPS, Math.ceil((to - from) / SHORTEST)));
  return { from, to, count, width: (to - from) / count };
}

/** The steps that a part of the time touches: the first one, and the one after the last; the same if there are none. */
export function touchedBy({ from, to }: Period, steps: Steps): readonly [first: number, end: number] {
  const first = Math.max(0, Math.floor((from - steps.from) / steps.width));
  return [first, Math.max(first, Math.min(steps.count, Math.ceil((to - steps.from) / steps.width)))];
}

/** Intervals as lists of their begins and ends. */
interface Listed {
  readonly begins: Float64Array;
  readonly ends: Float64Array;
  readonly length: number;
}

/** Collects intervals in constant time each; {@link seconds} sums them by step. */
export class Grid {
  constructor({ from, to, count, width }: Steps) {
    this.count = count;
    this.from = from;
    this.length = to - from;
    this.width = width;
    this.perSecond = 1 / width;
    this.most = count - 1;
  }

  /** Add an interval; what is outside of the period is ignored. */
  add(begin: Seconds, end: Seconds): void {
    this.single.begins[0] = begin;
    this.single.ends[0] = end;
    this.addAll(this.single);
  }

  /** Add intervals: a million of them, so that all is in local variables, and numbers of steps are integers for the engine. */
  addAll({ begins, ends, length: many }: Listed): void {
    if (many > 0 && this.parts.length === 0) {
      this.parts = new Float64Array(this.count);
      this.changes = new Int32Array(this.count + 1);
    }
    const { parts, changes, from, length, width, perSecond, most } = this;
    for (let i = 0; i < many; i++) {
      const a = begins[i] > from ? begins[i] - from : 0;
      const b = ends[i] - from < length ? ends[i] - from : length;
      // Also where a time is NaN.
      if (!(begins[i] < ends[i] && a < b)) {
        continue;
      }
      const first = Math.min(most, (a * perSecond) | 0);
      const last = Math.min(most, (b * perSecond) | 0);
      if (first === last) {
        parts[first] += b - a;
        continue;
      }
      parts[first] += (first + 1) * width - a;
      parts[last] += b - last * width;
      if (last > first + 1) {
        changes[first + 1] += 1;
        changes[last] -= 1;
      }
    }
  }

  /** Seconds of the intervals in each step. */
  seconds(): Float64Array {
    const { width, parts } = this;
    const sums = new Float64Array(this.count);
    let whole = 0;
    for (let i = 0; i < parts.length; i++) {
      whole += this.changes[i];
      sums[i] = Math.max(0, parts[i] + whole * width);
    }
    return sums;
  }

  private readonly from: Seconds;
  private readonly length: Seconds;
  private readonly width: Seconds;
  private readonly perSecond: number;
  /** The last step. */
  private readonly most: number;
  private readonly count: number;
  /** Empty until there is an interval: most grids of a run get none. */
  private parts = new Float64Array(0);
  /** How many intervals that cover whole steps begin or end at each step. */
  private changes = new Int32Array(0);
  private readonly single = { begins: new Float64Array(1), ends: new Float64Array(1), length: 1 };
}
