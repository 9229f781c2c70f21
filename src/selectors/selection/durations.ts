/** Durations of the executions of one function. */
import type { Bytes, Seconds } from '../../base/units';
import { quantiles } from './quantile';

/** Executions of one function. Durations are those of whole executions, also where the period cuts them. */
export interface FunctionStatistics {
  readonly prefix: number;
  readonly name: string;
  readonly count: number;
  readonly erred: number;
  /** Time inside the period. */
  readonly total: Seconds;
  readonly min: Seconds;
  /** Quantiles as `numpy.quantile` computes them. */
  readonly median: Seconds;
  readonly p95: Seconds;
  readonly max: Seconds;
  /** Sum of the sizes of the results. */
  readonly bytes: Bytes;
}

/** Which quantiles are computed; the others are NaN. */
export type Quantiles = 'all' | 'median' | 'none';

/** Durations of one function. */
export class Durations {
  values = new Float32Array(64);
  length = 0;
  total = 0;
  bytes = 0;
  erred = 0;
  min = Number.POSITIVE_INFINITY;
  max = 0;

  add(duration: Seconds, inside: Seconds, bytes: Bytes, erred: number): void {
    if (this.length === this.values.length) {
      const more = new Float32Array(2 * this.length);
      more.set(this.values);
      this.values = more;
    }
    this.values[this.length] = duration;
    this.length += 1;
    this.total += inside;
    this.bytes += bytes;
    this.erred += erred;
    this.min = duration < this.min ? duration : this.min;
    this.max = duration > this.max ? duration : this.max;
  }
}

const WANTED: Readonly<Record<Quantiles, readonly number[]>> = { all: [0.5, 0.95], median: [0.5], none: [] };

/** The statistics of one function; reorders its durations. */
export function functionOf(prefix: number, name: string, durations: Durations, of: Quantiles): FunctionStatistics {
  const { values, length, total, bytes, erred, min, max } = durations;
  const [median = Number.NaN, p95 = Number.NaN] = quantiles(values, length, WANTED[of]);
  return {
    prefix,
    name,
    count: length,
    erred,
    total,
    min,
    median,
    p95,
    max,
    bytes
  };
}
