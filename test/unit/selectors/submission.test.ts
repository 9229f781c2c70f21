import { describe, expect, it } from 'vitest';
import { costs } from '../../../src/plots/time/costs';
import { computations } from '../../../src/plots/tasks/computations';
import { rangeOf, threadTime } from '../../../src/plots/time/costs/thread-time';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { figuresOf } from '../../../src/selectors/compare/computations';
import { busyShare, figureWords } from '../../../src/selectors/computations/busy';
import { computationWords } from '../../../src/selectors/computations/selected-words';
import { selectionStatistics } from '../../../src/selectors/selection/statistics';
import { shareOf } from '../../../src/selectors/selection/thread-use';
import { periodOf, ranIn, wallTime } from '../../../src/selectors/tasks/computation-words';
import { context } from '../plots/cluster';
import { compute } from '../plots/made-computations';
import { tasksBody } from '../run/synthetic';

/**
 * One thread. The client packs a graph for 1 s, the scheduler reads it for 3 s, and its task, of 2 s, begins when another one has
 * ended, 4 s later.
 */
function run(): Run {
  const made = new Run();
  const names = {
    prefixes: { from: 0, values: ['load', 'other'] },
    workers: { from: 0, values: [{ address: 'w', name: 'w', host: 'h', nthreads: 1, memory_limit: 0, joined: 0 }] },
    lanes: { from: 0, values: [[0, 0] as const] }
  };
  const rows = [
    { prefix: 1, start: 104, duration: 4 },
    { prefix: 0, start: 108, duration: 2 }
  ];
  const series = {
    columns: {
      time: Float64Array.of(90),
      until: Float64Array.of(200),
      workers: Uint32Array.of(1),
      threads_sum: Float64Array.of(1)
    },
    scalars: { first: 0, lost: 0 }
  };
  const topics = { tasks: tasksBody(rows), series };
  made.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names, topics }, 0);
  const done = (time: number): Readonly<Record<string, number>> => ({ tasks: 1, done: 1, compute: time });
  const owned = [[0, 0, 1] as const, [1, 1, 1] as const];
  return compute(
    made,
    [
      { id: 0, since: 103.5, start: 104, stop: 108, of: { 1: done(4) } },
      { id: 1, since: 104, start: 108, stop: 110, reading: 3, packing: 1, offered: 6, cell: 2, of: { 0: done(2) } }
    ],
    1000,
    'made-up',
    owned
  );
}

describe('the time of a computation', () => {
  const made = run();
  const [second] = made.computations.list;

  it('begins when the client submits it, not when its first task begins', () => {
    expect(periodOf(made, second)).toEqual({ from: 100, to: 110 });
    expect(ranIn(made, second)).toEqual({ from: 108, to: 110 });
    expect(wallTime(made, second)).toBe(10);
    expect(figuresOf(made, second).wall).toBe(10);
  });

  it('is that of its first graph, where that is known, and not of the mean of its graphs', () => {
    const late = run();
    const one = { tasks: 1, done: 1, compute: 2 };
    // A small graph, and a large one that took 3 s to read.
    compute(late, [
      { id: 1, since: 104, last: 107.5, start: 108, stop: 110, submissions: 2, begun: 103.75, reading: 3, of: { 0: one } }
    ]);
    expect(wallTime(late, late.computations.list[0])).toBe(6.25);
  });

  it('is the same in its wall time and in how busy threads were with it', () => {
    expect(busyShare(made, second)).toBeCloseTo(0.2);
    expect(figureWords(made, second, context().trans)).toBe('10.0 s · 1 task · 20 % busy');
  });

  it('has the wait in what is selected, and where that time goes', () => {
    selectionOf(made).select(computations.selects?.(made, '1') ?? {});
    const { use } = selectionStatistics(made, selectionOf(made).current);
    expect(use.capacity).toBeCloseTo(10);
    expect(['compute', 'unselected', 'idle'].map(part => shareOf(use, part as 'idle'))).toEqual([0.2, 0.4, 0.4]);
    const range = rangeOf(made, 'work');
    expect(range).toMatchObject({ from: 100, to: 110 });
    const time = range && threadTime(made, range);
    expect(
      Object.values(time ?? {})
        .slice(1, 4)
        .map(each => Math.round(each as number))
    ).toEqual([10, 2, 4]);
    const words = costs.summary(made, context());
    expect(words).toMatch(/^Where time goes, in the selected period, computing 20 %, computing for others 40 %, .* idle 40 %\.$/);
    // Of a period alone, all that ran is computing.
    selectionOf(made).select({ period: { from: 100, to: 110 } });
    expect(costs.summary(made, context())).not.toContain('for others');
    selectionOf(made).select(computations.selects?.(made, '1') ?? {});
    expect(computationWords(made, { run: made.identity, id: 1 }, context().trans)?.sentence).toBe(
      'Only tasks of [2] total.compute(). Its first task began 8.00 s after it was submitted.'
    );
  });
});
