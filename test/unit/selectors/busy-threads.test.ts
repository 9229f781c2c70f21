import { expect, it } from 'vitest';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { type BusyThreads, busyThreads } from '../../../src/selectors/tasks/busy-threads';
import { randomOf, type Row, tasksBody } from '../run/synthetic';

const T0 = 1_700_000_000;
const LANES = 3;
const NAMES = Array.from({ length: 400 }, (_, i) => `function_${i}`);

/** Fold executions into a run, as many at once. */
function put(run: Run, rows: readonly Row[], first: number): void {
  const worker = { address: 'tcp://w', name: 'w', host: 'h', nthreads: LANES, memory_limit: 1, version: '' };
  const lanes = Array.from({ length: LANES }, (_, i): [number, number] => [0, i]);
  const names = {
    prefixes: { from: 0, values: NAMES },
    workers: { from: 0, values: [worker] },
    lanes: { from: 0, values: lanes }
  };
  const now = Math.max(...rows.map(row => row.start + row.duration));
  const topics = { tasks: tasksBody(rows, first) };
  run.apply({ feed: 'made', epoch: 0, seq: first, time: now, cursor: {}, topics, names }, now * 1000);
}

/** Executions in each lane in order of start; some begin before the one before them has ended. */
function executions(count: number, functions: number, random: () => number): Row[] {
  const [starts, ends] = [T0, T0].map(time => new Array<number>(LANES).fill(time));
  return Array.from({ length: count }, () => {
    const lane = Math.floor(random() * LANES);
    const gap = random() < 0.1 ? -0.02 : random() < 0.02 ? 3 : 0.001;
    const start = Math.max(starts[lane], ends[lane] + gap * random());
    // As a chunk stores it.
    const duration = Math.fround(0.1 * random() ** 3);
    starts[lane] = start;
    ends[lane] = start + duration;
    return { lane, prefix: Math.floor(random() ** 2 * functions), start, duration, status: random() < 0.1 ? 1 : 0 };
  });
}

/** The same sums, execution by execution: of each function its seconds in each period, and those that overlap others. */
function bruteForce(rows: readonly Row[], { from, width, count }: BusyThreads, fits: (row: Row) => boolean) {
  const sums = new Map<number, { seconds: number[]; overlaps: number }>();
  const within = (begin: number, end: number, i: number): number =>
    Math.max(0, Math.min(end, from + (i + 1) * width) - Math.max(begin, from + i * width));
  for (let lane = 0; lane < LANES; lane++) {
    let until = Number.NEGATIVE_INFINITY;
    for (const { prefix = 0, start, duration } of rows.filter(each => each.lane === lane).sort((a, b) => a.start - b.start)) {
      const end = start + duration;
      const of = sums.get(prefix) ?? { seconds: new Array<number>(count).fill(0), overlaps: 0 };
      const last = fits({ prefix, start, duration }) ? Math.min(count - 1, Math.ceil((end - from) / width)) : -1;
      for (let i = Math.max(0, Math.floor((start - from) / width) - 1); i <= last; i++) {
        sums.set(prefix, of);
        of.seconds[i] += within(Math.max(start, until), end, i);
        of.overlaps += within(start, Math.min(until, end), i);
      }
      until = Math.max(until, end);
    }
  }
  return [...sums].map(([prefix, of]) => ({ prefix, ...of })).sort((a, b) => a.prefix - b.prefix);
}

const total = (seconds: readonly number[]): number => seconds.reduce((sum, each) => sum + each, 0);

it.each([1, 2, 3, 4, 5, 6])('busy threads by function equal brute force, also when they are asked for again (seed %i)', seed => {
  const random = randomOf(seed);
  const rows = executions(5000, seed % 2 === 0 ? NAMES.length : 7, random);
  const run = new Run();
  for (const [first, end] of [
    [0, 1800],
    [1800, 4100],
    [4100, 5000]
  ]) {
    put(run, rows.slice(first, end), first);
    const length = run.tasks.lastEnd - T0;
    for (const [from, until, width] of [
      [0, length, 1],
      [0, length, 0.05],
      [random() * length, length, 0.5]
    ]) {
      for (const functions of [null, NAMES.filter((_, i) => i % 3 === 0)]) {
        selectionOf(run).select({ functions });
        const found = busyThreads(run, { from: T0 + from, to: T0 + until }, width);
        const all = bruteForce(rows.slice(0, end), found, row => functions === null || (row.prefix ?? 0) % 3 === 0);
        const expected = all.filter(each => total(each.seconds) > 0);
        const here = `seed ${seed}, ${end} rows, from ${from}, periods of ${width}`;
        expect(
          found.functions.map(each => each.prefix),
          here
        ).toEqual(expected.map(each => each.prefix));
        const wrong = found.functions.map(({ seconds, time }, i) => {
          const differences = seconds.map((value, k) => Math.abs(value - expected[i].seconds[k]));
          return Math.max(...differences, Math.abs(time - total(expected[i].seconds) - expected[i].overlaps));
        });
        expect(Math.max(...wrong), here).toBeLessThan(1e-5);
      }
    }
  }
});
