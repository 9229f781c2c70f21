import { expect, it } from 'vitest';
import type { Run } from '../../../src/run/run';
import { integral } from '../../../src/selectors/integral';
import { cluster } from '../plots/cluster';
import { randomOf } from '../run/synthetic';

/** The time of the threads by definition: each sample holds until the next one, the first one also before. */
function bySteps(samples: readonly (readonly [time: number, threads: number])[], from: number, to: number): number {
  let sum = Number.NaN;
  for (const [i, [time, threads]] of samples.entries()) {
    const [begin, end] = [Math.max(from, i === 0 ? from : time), Math.min(to, samples[i + 1]?.[0] ?? to)];
    sum = end > begin ? (sum || 0) + threads * (end - begin) : sum;
  }
  return sum;
}

it('an integral is that of its definition, in any period (seed 5)', () => {
  const random = randomOf(5);
  const samples = Array.from({ length: 40 }, (_, i) => [1000 + i + random(), Math.floor(random() * 8)] as const);
  const series = samples.map(([time, threads]) => ({ time, threads: [threads, threads, threads] as const }));
  const run = cluster({ time: 1050, series });
  for (let i = 0; i < 200; i++) {
    const from = 990 + random() * 70;
    const to = i % 3 === 0 ? from + random() : from + random() * 50;
    expect(integral(run, 'threads', { from, to })).toBeCloseTo(bySteps(samples, from, to), 6);
  }
  expect(integral(run, 'threads', { from: 1010, to: 1010 })).toBeNaN();
  expect(integral(cluster({}), 'threads', { from: 0, to: 1 })).toBeNaN();
});

it('an integral looks at the samples of its period, not at those of the whole run', () => {
  let read = 0;
  const counted = (values: Float64Array): Float64Array =>
    new Proxy(values, {
      get(target, name) {
        read += typeof name === 'string' && /^\d+$/.test(name) ? 1 : 0;
        return Reflect.get(target, name);
      }
    });
  const columns = { threads_sum: new Float64Array(16_384).fill(4), time: Float64Array.from({ length: 16_384 }, (_, i) => i) };
  const series = { column: (name: keyof typeof columns) => counted(columns[name]) };
  expect(integral({ series } as unknown as Run, 'threads', { from: 15_000, to: 15_002 })).toBe(8);
  expect(read).toBeLessThan(50);
});
