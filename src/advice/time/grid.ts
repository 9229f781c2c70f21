/** Time of many intervals, by short steps of a period. */
import type { Seconds } from '../../base/units';
import type { Period } from '../../run/selection/selection';

/** Shortest step: most tasks are longer, and the stamps of two workers agree to about as much. */
const SHORTEST: Seconds = 0.001;
/** Steps of a long period, so that its arrays have 256 kB each. */
const MOST_STEPS = 32_768;
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
  constructor(private readonly steps: Steps) {
    this.parts = new Float64Array(steps.count);
    this.changes = new Int32Array(steps.count + 1);
  }

  /** Add an interval; what is outside of the period is ignored. */
  add(begin: Seconds, end: Seconds): void {
    const { from, to, width, count } = this.steps;
    const [a, b] = [Math.max(begin, from) - from, Math.min(end, to) - from];
    if (!(a < b)) {
      return;
    }
    const first = Math.min(count - 1, Math.floor(a / width));
    const last = Math.min(count - 1, Math.floor(b / width));
    if (first === last) {
      this.parts[first] += b - a;
      return;
    }
    this.parts[first] += (first + 1) * width - a;
    this.parts[last] += b - last * width;
    this.changes[first + 1] += 1;
    this.changes[last] -= 1;
  }

  /** Seconds of the intervals in each step. */
  seconds(): Float64Array {
    const { width, count } = this.steps;
    const sums = new Float64Array(count);
    let whole = 0;
    for (let i = 0; i < count; i++) {
      whole += this.changes[i];
      sums[i] = Math.max(0, this.parts[i] + whole * width);
    }
    return sums;
  }

  private readonly parts: Float64Array;
  /** How many intervals that cover whole steps begin or end at each step. */
  private readonly changes: Int32Array;
}
