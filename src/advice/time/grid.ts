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

/** Collects intervals in constant time each; {@link seconds} sums them by step. */
export class Grid {
  constructor({ from, to, count, width }: Steps) {
    this.parts = new Float64Array(count);
    this.changes = new Int32Array(count + 1);
    this.from = from;
    this.length = to - from;
    this.width = width;
    this.perSecond = 1 / width;
    this.most = count - 1;
  }

  /** Add an interval; what is outside of the period is ignored. Called for each of a million executions. */
  add(begin: Seconds, end: Seconds): void {
    const { parts, changes, from, length, width, perSecond, most } = this;
    const a = begin > from ? begin - from : 0;
    const b = end - from < length ? end - from : length;
    // Also where a time is NaN.
    if (!(begin < end && a < b)) {
      return;
    }
    const first = Math.min(most, Math.floor(a * perSecond));
    const last = Math.min(most, Math.floor(b * perSecond));
    if (first === last) {
      parts[first] += b - a;
      return;
    }
    parts[first] += (first + 1) * width - a;
    parts[last] += b - last * width;
    changes[first + 1] += 1;
    changes[last] -= 1;
  }

  /** Seconds of the intervals in each step. */
  seconds(): Float64Array {
    const { width } = this;
    const count = this.parts.length;
    const sums = new Float64Array(count);
    let whole = 0;
    for (let i = 0; i < count; i++) {
      whole += this.changes[i];
      sums[i] = Math.max(0, this.parts[i] + whole * width);
    }
    return sums;
  }

  private readonly from: Seconds;
  private readonly length: Seconds;
  private readonly width: Seconds;
  private readonly perSecond: number;
  /** The last step. */
  private readonly most: number;
  private readonly parts: Float64Array;
  /** How many intervals that cover whole steps begin or end at each step. */
  private readonly changes: Int32Array;
}
