/** Advice that is computed again each second reads most executions only once: what it says must be what a first look says. */
import { expect, test } from 'vitest';
import type { Run } from '../../../src/run/run';
import { executionStatistics } from '../../../src/selectors/selection/statistics';
import { NOTHING_SELECTED } from '../../../src/run/selection/selection';
import { type Row, tasksBody } from '../run/synthetic';
import { adviceOf, EPOCH, made } from './made';

const LANES = 4;
const SECONDS = 4;
/** More than a full chunk of each lane in a second. */
const EACH_SECOND = 2500;

/** Numbers from 0 to 1 that are the same in each run of the test. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What came in each second: nearly in order, some of it late, some of it long, some of it an error. */
function secondsOf(seed: number): readonly (readonly Row[])[] {
  const next = numbers(seed);
  return Array.from({ length: SECONDS }, (_, second) =>
    Array.from({ length: LANES * EACH_SECOND }, (_, i) => ({
      lane: i % LANES,
      prefix: Math.floor(next() * 3),
      start: EPOCH + 1 + second + Math.floor(i / LANES) / EACH_SECOND - (next() < 0.01 ? next() : 0),
      duration: next() < 0.0005 ? next() : (0.5 + next()) / EACH_SECOND / 2,
      nbytes: Math.round(1000 * next()),
      status: next() < 0.001 ? 1 : 0
    }))
  );
}

/** Runs to which one second after the other is added. */
function growing(keep: number): { readonly run: Run; add(rows: readonly Row[], second: number): void } {
  const run = made({ now: 1 });
  run.tasks.keep(keep);
  let first = 0;
  return {
    run,
    add: (rows, second) => {
      const topics = { tasks: tasksBody(rows, first) };
      run.apply({ feed: 'made-up', epoch: 0, seq: second + 1, time: EPOCH + 2 + second, cursor: {}, names: {}, topics }, 0);
      first += rows.length;
    }
  };
}

test.each([
  [1, Number.POSITIVE_INFINITY],
  [2, 30_000]
])('what is said of a run that grows is what is said of it at a first look (%i)', (seed, keep) => {
  const seconds = secondsOf(seed);
  const again = growing(keep);
  for (const [second, rows] of seconds.entries()) {
    again.add(rows, second);
    const firstLook = growing(keep);
    for (const [k, each] of seconds.slice(0, second + 1).entries()) {
      firstLook.add(each, k);
    }
    for (const period of [null, { from: 1.4, to: 2 + second }]) {
      expect(adviceOf(again.run, period)).toEqual(adviceOf(firstLook.run, period));
    }
  }
  expect(again.run.tasks.dropped > 0).toBe(Number.isFinite(keep));
});

test('sums of executions that are read once are those of each of them', () => {
  const { run, add } = growing(Number.POSITIVE_INFINITY);
  for (const [second, rows] of secondsOf(3).entries()) {
    add(rows, second);
    executionStatistics(run, NOTHING_SELECTED, 'all');
  }
  const all = secondsOf(3).flat();
  const { count, erred, bytes, functions, slowest, workers } = executionStatistics(run, NOTHING_SELECTED, 'all');
  expect([count, erred, bytes]).toEqual([
    all.length,
    all.filter(({ status }) => status === 1).length,
    all.reduce((sum, each) => sum + (each.nbytes ?? 0), 0)
  ]);
  const lengths = all.map(({ duration }) => Math.fround(duration)).sort((a, b) => b - a);
  expect(slowest.map(({ duration }) => duration)).toEqual(lengths.slice(0, 10));
  for (const { prefix, median, max, total } of functions) {
    const own = all
      .filter(each => each.prefix === prefix)
      .map(({ duration }) => Math.fround(duration))
      .sort((a, b) => a - b);
    const middle = (own.length - 1) / 2;
    expect(median).toBeCloseTo((own[Math.floor(middle)] + own[Math.ceil(middle)]) / 2, 12);
    expect(max).toBe(own.at(-1));
    expect(total).toBeCloseTo(
      own.reduce((sum, each) => sum + each, 0),
      6
    );
  }
  expect(workers.reduce((sum, each) => sum + each.count, 0)).toBe(all.length);
});
