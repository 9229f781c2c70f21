/** How the figures of the benchmarks that drive a browser are printed, and what is printed of many rounds. */
import { appendFileSync } from 'node:fs';

/** What prints the rows of one benchmark. */
export type Report = (
  name: string,
  value: number,
  unit: string,
  baseline?: number | null,
  more?: Readonly<Record<string, unknown>>
) => void;

/**
 * @param bench - name of the benchmark
 * @returns what prints a row
 */
export function reporter(bench: string): Report {
  return (name, value, unit, baseline = null, more = {}) => {
    const ratio = baseline ? Number((value / baseline).toFixed(3)) : null;
    const row = { bench, name, value: Number(value.toFixed(3)), unit, baseline, ratio, ...more };
    appendFileSync(process.env.BENCH_OUTPUT ?? '/dev/stdout', `${JSON.stringify(row)}\n`);
  };
}

/**
 * @param values - in any order, at least one
 * @param share - in [0, 1]
 * @returns the value below which that share lies
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The median of paired differences, and the interval between two of them that holds it with at least 95 %. */
export interface Middle {
  readonly median: number;
  readonly interval: readonly [number, number];
}

/**
 * @param values - at least six
 * @throws RangeError where there are fewer: no interval of 95 % exists
 */
export function middle(values: readonly number[]): Middle {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  let cut = -1;
  let term = 0.5 ** n;
  let tail = 0;
  while (tail + term <= 0.025) {
    tail += term;
    cut += 1;
    term *= (n - cut) / (cut + 1);
  }
  const [low, high] = [sorted[cut], sorted[n - 1 - cut]];
  if (low === undefined || high === undefined) {
    throw new RangeError(`${n} values hold no interval of 95 %`);
  }
  const half = Math.floor(n / 2);
  const median = n % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  return { median, interval: [low, high] };
}
