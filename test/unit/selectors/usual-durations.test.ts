import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Run } from '../../../src/run/run';
import { usualDurations } from '../../../src/selectors/stragglers/usual-durations';
import { randomOf, type Row, tasksBody } from '../run/synthetic';

let frames: FrameRequestCallback[] = [];

/** Run all frames that are asked for. Returns how many there were. */
function settle(): number {
  let count = 0;
  while (frames.length > 0) {
    const due = frames;
    frames = [];
    for (const callback of due) {
      callback(performance.now());
    }
    count += 1;
  }
  return count;
}

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
});
afterEach(() => {
  settle();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

let seq = 0;

function add(run: Run, rows: readonly Row[], feed = 'f'): void {
  run.apply(
    { feed, epoch: 0, seq: seq++, time: 1, cursor: {}, names: {}, topics: { tasks: tasksBody(rows, run.tasks.nextRow) } },
    0
  );
}

it.each([1, 2, 3, 4])('is the 95th percentile of a function, within one per cent: seed %s', seed => {
  const random = randomOf(seed);
  const rows = Array.from({ length: 5000 }, (_, i): Row => {
    return { lane: i % 7, start: i, duration: Math.exp(8 * random() - 6), prefix: Math.floor(2 * random()) };
  });
  const run = new Run();
  add(run, rows);
  const durations = rows.filter(({ prefix }) => prefix === 1).map(({ duration }) => duration);
  const exact = durations.sort((a, b) => a - b)[Math.ceil(0.95 * durations.length) - 1];
  expect(usualDurations(run).p95(1)).toBeNaN();
  settle();
  expect(usualDurations(run).p95(1) / exact).toBeGreaterThan(0.99);
  expect(usualDurations(run).p95(1) / exact).toBeLessThan(1.01);
  // Of one that nobody asks about it is not known.
  expect([1, 0].map(prefix => usualDurations(run).known95(prefix))).toEqual([usualDurations(run).p95(1), Number.NaN]);
  expect(settle()).toBe(0);
});

it('is not known of few executions, nor of those of another run', () => {
  const run = new Run();
  const of = (count: number): Row[] => Array.from({ length: count }, (_, i) => ({ start: 1 + i, duration: 1 }));
  add(run, of(19));
  const usual = usualDurations(run);
  usual.p95(0);
  settle();
  expect(usual.p95(0)).toBeNaN();
  add(run, [{ start: 100, duration: 1 }]);
  usual.p95(0, performance.now() + 5000);
  settle();
  expect(usual.p95(0)).toBeCloseTo(1, 1);
  add(run, of(1), 'another');
  expect(usual.p95(0)).toBeNaN();
});

it('reads the executions in slices, again only after a while, and asks for no frame otherwise', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 0.2;
    return now;
  });
  const run = new Run();
  add(
    run,
    Array.from({ length: 20 * 2048 }, (_, i) => ({ start: i, duration: 1 }))
  );
  const usual = usualDurations(run);
  usual.p95(0);
  expect(settle()).toBeGreaterThan(5);
  usual.p95(0);
  expect(settle()).toBe(0);
  add(run, [{ start: 1e6, duration: 1 }]);
  usual.p95(0, now + 1000);
  expect(settle()).toBe(0);
  usual.p95(0, now + 30_000);
  expect(settle()).toBeGreaterThan(5);
  // Without new executions there is nothing to read.
  usual.p95(0, now + 90_000);
  expect(settle()).toBe(0);
});

/** A computation, of which `left` tasks are in progress. */
function computation(run: Run, id: number, since: number, left: number): void {
  const columns = { id: Float64Array.of(id), since: Float64Array.of(since), left: Float64Array.of(left) };
  const body = { columns, scalars: {} };
  run.apply({ feed: 'f', epoch: 0, seq: seq++, time: since, cursor: {}, names: {}, topics: { computations: body } }, 0);
}

it('is that since the oldest computation in progress: another one may do other work under the same name', () => {
  const run = new Run();
  const of = (count: number, from: number, duration: number): Row[] =>
    Array.from({ length: count }, (_, i) => ({ lane: i % 4, start: from + i, duration }));
  let now = performance.now();
  const p95 = (): number => {
    now += 30_000;
    usualDurations(run).p95(0, now);
    settle();
    return usualDurations(run).p95(0, now);
  };
  computation(run, 0, 1, 4);
  add(run, of(3000, 1, 0.1));
  expect(p95()).toBeCloseTo(0.1, 2);
  computation(run, 0, 1, 0);
  computation(run, 1, 5000, 16);
  // At once: what was measured is not of its tasks.
  expect(usualDurations(run).p95(0, now)).toBeNaN();
  expect(p95()).toBeNaN();
  add(run, of(20, 5001, 30));
  expect(p95() / 30).toBeCloseTo(1, 1);
  // The executions of all count where no computation is in progress.
  computation(run, 1, 5000, 0);
  add(run, of(1, 6000, 30));
  expect(p95()).toBeCloseTo(0.1, 2);
});

it('is measured of all functions, however many are asked for in the same order', () => {
  const run = new Run();
  const prefixes = Array.from({ length: 45 }, (_, prefix) => prefix);
  add(
    run,
    prefixes.flatMap(prefix => Array.from({ length: 20 }, (_, i) => ({ lane: prefix, start: 1 + i, duration: 1, prefix })))
  );
  let now = performance.now();
  let rounds = 0;
  const ask = (): number => {
    now += 30_000;
    const known = prefixes.map(prefix => usualDurations(run).p95(prefix, now));
    rounds += settle() > 0 ? 1 : 0;
    return known.filter(each => each > 0).length;
  };
  // The first round is begun by the first question.
  expect([ask(), ask(), ask(), ask(), ask()]).toEqual([0, 1, 21, 41, 45]);
  // Nothing has come since.
  expect(rounds).toBe(4);
  // Each in its turn.
  const measured: number[][] = [];
  for (let i = 0; i < 3; i++) {
    add(
      run,
      prefixes.flatMap(prefix => Array.from({ length: 400 }, () => ({ lane: prefix, start: 100, duration: 3 + i, prefix })))
    );
    ask();
    measured.push(prefixes.filter(prefix => usualDurations(run).p95(prefix, now) > 2.5 + i));
  }
  expect(measured.map(({ length }) => length)).toEqual([20, 20, 20]);
  expect(new Set(measured.flat()).size).toBe(45);
});
