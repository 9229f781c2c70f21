import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Run } from '../../../../src/run/run';
import { usualDurations } from '../../../../src/views/timeline/lanes/usual-durations';
import { randomOf, type Row, tasksBody } from '../../run/synthetic';

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
