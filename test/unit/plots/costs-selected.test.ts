import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { aggregateTimePerAction } from '../../../src/plots/time/aggregate-time-per-action';
import { computeTimePerKey } from '../../../src/plots/time/compute-time-per-key';
import { costs } from '../../../src/plots/time/costs';
import { rangeOf, type ThreadTime, threadTime } from '../../../src/plots/time/costs/thread-time';
import { groupProgress } from '../../../src/plots/time/group-progress';
import { CHUNK_ROWS } from '../../../src/run/lanes/lane-chunk';
import type { Run } from '../../../src/run/run';
import { rowsOwnedBy, whose, type OwnedRows } from '../../../src/run/selection/owned-rows';
import { NOTHING_SELECTED, selectionOf } from '../../../src/run/selection/selection';
import { selectionStatistics } from '../../../src/selectors/selection/statistics';
import { threadUseWords } from '../../../src/selectors/selection/statistics-words';
import { translate } from '../translate';
import { type Row, type RunningRow, randomOf, runningBody, tasksBody } from '../run/synthetic';
import { cluster, context } from './cluster';
import { compute, type Owned } from './made-computations';

beforeEach(() => setNumberLocale('en'));

const [OWN, THEIRS, BOTH] = [0, 1, 2];
const PERIOD = { from: 1000, to: 1010 };

/** Two threads; the computations of two clients are in progress. */
function made(
  rows: readonly Row[],
  running: readonly RunningRow[],
  owned: readonly Owned[],
  done: readonly [number, number]
): Run {
  const prefixes = [{ name: 'own' }, { name: 'theirs' }, { name: 'both' }];
  const run = cluster({ time: 1010, workers: [{ nthreads: 2 }], prefixes });
  const lanes = { from: 0, values: [[0, 1] as const, [0, 2] as const] };
  const topics = { tasks: tasksBody(rows), running: runningBody(running) };
  run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1010, cursor: {}, names: { lanes }, topics }, 1_010_000);
  const left = { tasks: 5, left: 5 };
  const of = (i: 0 | 1, prefix: number) => ({ [prefix]: { tasks: done[i] + 5, done: done[i], left: 5 }, [BOTH]: left });
  compute(
    run,
    [
      { id: 0, since: 1000, stop: 1010, of: of(0, OWN) },
      { id: 1, since: 1000, stop: 1010, client: 'another', of: of(1, THEIRS) }
    ],
    1010,
    'made-up',
    owned
  );
  selectionOf(run).select({ computation: { run: run.identity, id: 0 }, period: PERIOD });
  return run;
}

function time(run: Run): Pick<ThreadTime, 'capacity' | 'compute' | 'others' | 'running'> {
  const { capacity, compute, others, running } = threadTime(run, rangeOf(run, 'work') as NonNullable<ReturnType<typeof rangeOf>>);
  const round = (seconds: number): number => Math.round(seconds * 1e4) / 1e4;
  return { capacity, compute: round(compute), others: round(others), running: round(running) };
}

const title = (run: Run): string | undefined => costs.titleLine(run, context())[0]?.text;
const MIXED = expect.stringMatching(/^tasks of other computations may be in what is computing or running/);

describe('the time of a selected computation while another client works', () => {
  const EARLY: readonly Row[] = [
    { lane: 0, prefix: OWN, start: 1000, duration: 2 },
    { lane: 1, prefix: THEIRS, start: 1000, duration: 3 }
  ];
  const OWNED: readonly Owned[] = [
    [0, 0, 1],
    [1, 1, 1]
  ];

  it('has no running task of the other, and no execution before it is known whose it is', () => {
    const late: readonly Row[] = [
      { lane: 0, prefix: THEIRS, start: 1002, duration: 1 },
      { lane: 1, prefix: OWN, start: 1003, duration: 2 }
    ];
    const running: readonly RunningRow[] = [
      { id: 1, prefix: THEIRS, start: 1004 },
      { id: 2, prefix: OWN, start: 1007 }
    ];
    const run = made([...EARLY, ...late], running, OWNED, [1, 1]);
    expect(time(run)).toMatchObject({ capacity: 20, compute: 4, others: 4 + 6, running: 3 });
    expect(title(run)).toBe('35 % computing');
    expect(costs.notes(run, context())).not.toContainEqual(MIXED);
    // The same in the statistics of what is selected.
    const { use } = selectionStatistics(run, selectionOf(run).current);
    expect(use).toMatchObject({ compute: 4, unselected: 10, running: 3 });
    expect(threadUseWords(run, use, translate)).toMatch(
      /^20 % computing, 50 % computing other tasks, 15 % running, not ended yet/
    );
  });

  it('may have what both have a function for, and says so', () => {
    const running: readonly RunningRow[] = [{ id: 1, prefix: BOTH, start: 1008 }];
    const run = made(EARLY, running, OWNED, [1, 1]);
    expect(time(run)).toMatchObject({ compute: 2, others: 3, running: 2 });
    expect(costs.notes(run, context())).toContainEqual(MIXED);
    // It began before the computation.
    const before = made(EARLY, [{ id: 1, prefix: BOTH, start: 999 }], OWNED, [1, 1]);
    expect(time(before)).toMatchObject({ compute: 2, others: 3 + 10, running: 0 });
    expect(costs.notes(before, context())).not.toContainEqual(MIXED);
  });

  it('says so where it is not known which tasks are its own', () => {
    const run = made(EARLY, [], [], [1, 1]);
    expect(time(run)).toMatchObject({ compute: 5, others: Number.NaN });
    expect(costs.notes(run, context())).toContainEqual(MIXED);
    const options = { of: 'selected' };
    const others = (of: Run): readonly boolean[] =>
      [groupProgress, computeTimePerKey, aggregateTimePerAction].map(plot =>
        plot.notes(of, context({ options })).some(note => note.startsWith('tasks of other computations may be among those'))
      );
    expect(others(run)).toEqual([true, true, true]);
    expect(others(made(EARLY, [], OWNED, [1, 1]))).toEqual([false, false, false]);
  });

  it('says so where the computation itself is not known', () => {
    const run = made(EARLY, [], OWNED, [1, 1]);
    selectionOf(run).select({ computation: { run: run.identity, id: 9 }, period: PERIOD });
    expect(costs.notes(run, context())).toContainEqual(MIXED);
    selectionOf(run).select({ computation: { run: 'another', id: 9 }, period: PERIOD });
    expect(costs.notes(run, context())).not.toContainEqual(MIXED);
  });

  it('is of all that is selected where its functions are selected with it, also as a layout has kept them', () => {
    const run = made(EARLY, [], OWNED, [1, 1]);
    const words = (functions: readonly string[]): string | undefined => {
      selectionOf(run).select({ computation: { run: run.identity, id: 0 }, period: PERIOD, functions });
      return costs.titleLine(run, context())[2]?.text;
    };
    expect(words(['both', 'own'])).toBe('in the selected period');
    expect(words(['own'])).toBe('in the selected period, of all threads and tasks');
  });

  it('never has more running than its workers have threads', () => {
    const running = Array.from({ length: 8 }, (_, id) => ({ id, prefix: id < 6 ? OWN : THEIRS, start: 1000 }));
    const run = made([], running, [[5, 1, 1]], [0, 1]);
    expect(time(run)).toMatchObject({ running: 15, others: 5 });
  });
});

it('what others computed is the same as one by one, also when more is known and another is selected (seed 3)', () => {
  const random = randomOf(3);
  const rows = Array.from({ length: 12 * CHUNK_ROWS }, (_, i) => {
    const [lane, prefix] = [i % 2, random() < 0.5 ? OWN : THEIRS];
    return { lane, prefix, start: 1000 + (i >> 1) * 0.003, duration: 0.002 * random() };
  });
  const owned = (end: number): Owned[] => rows.slice(0, end).map(({ prefix }, row) => [row, prefix === OWN ? 0 : 1, 1]);
  const count = (prefix: number): number => rows.slice(0, 4000).filter(row => row.prefix === prefix).length;
  const run = made(rows, [], owned(4000), [count(OWN), count(THEIRS)]);
  const byOne = (id: number): number => {
    const known = rowsOwnedBy(run, id) as OwnedRows;
    return rows.reduce((sum, { prefix, duration }, row) => sum + (whose(known, row, prefix) === 'other' ? duration : 0), 0);
  };
  const expected = byOne(0);
  expect(time(run).others).toBeCloseTo(expected, 3);
  expect(time(run).compute).toBeCloseTo(rows.reduce((sum, { duration }) => sum + duration, 0) - expected, 3);
  selectionOf(run).select({ computation: { run: run.identity, id: 1 }, period: PERIOD });
  expect(time(run).others).toBeCloseTo(byOne(1), 3);
  // Of the last rows the other one has none: their functions had said otherwise.
  const topics = { computations: { columns: {}, scalars: { texts: [], rows: [[4000, 1, rows.length - 4000]] } } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 3, time: 1010, cursor: {}, names: {}, topics }, 1_010_000);
  expect(time(run).others).toBeCloseTo(byOne(1), 3);
  expect(time(run).others).toBeLessThan(byOne(0));
});

it('tasks that run and do not satisfy other conditions compute other tasks', () => {
  const run = made([], [{ id: 1, prefix: OWN, start: 1004 }], [[5, 1, 1]], [0, 1]);
  const use = (conditions: object) => selectionStatistics(run, { ...NOTHING_SELECTED, period: PERIOD, ...conditions }).use;
  expect(use({})).toMatchObject({ running: 6, unselected: 0, idle: 14 });
  expect(use({ functions: ['own'] })).toMatchObject({ running: 6, unselected: 0 });
  expect(use({ functions: ['theirs'] })).toMatchObject({ running: 0, unselected: 6, idle: 14 });
  expect(use({ erred: true })).toMatchObject({ running: 0, unselected: 6 });
});
