import { describe, expect, it } from 'vitest';
import { computations } from '../../../src/plots/tasks/computations';
import { computeTimePerKey } from '../../../src/plots/time/compute-time-per-key';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { matcherOf } from '../../../src/run/selection/matcher';
import { isWithin, rowsOfComputation } from '../../../src/run/selection/owned-rows';
import { readSelection, restoreSelection, writeSelection } from '../../../src/run/selection/saved-selection';
import { type Selection, selectionOf } from '../../../src/run/selection/selection';
import { windowOf } from '../../../src/run/time-window';
import { computationWords } from '../../../src/selectors/computations/selected-words';
import { figuresOf } from '../../../src/selectors/compare/computations';
import { selectionStatistics } from '../../../src/selectors/selection/statistics';
import { selectionWords } from '../../../src/selectors/selection/condition-words';
import { isDimmed, openRow, selectRow } from '../../../src/views/table/row-actions';
import type { ViewHost } from '../../../src/views/view';
import { context } from '../plots/cluster';
import { compute, type Made } from '../plots/made-computations';
import { tasksBody } from './synthetic';

const { trans } = context();
let seq = 10;

type Runs = readonly (readonly [first: number, computation: number, count: number])[];

function owned(run: Run, rows: Runs): Run {
  const topics = { computations: { columns: {}, scalars: { texts: [], rows: rows.map(each => [...each]) } } };
  run.apply({ feed: 'made-up', epoch: 0, seq: seq++, time: 1000, cursor: {}, names: {}, topics }, 1_000_000);
  return run;
}

/** Two computations of the same function at the same time, in turns: even executions are of the first. */
function turns(more: Partial<Made> = {}): Run {
  const run = new Run();
  const rows = Array.from({ length: 10 }, (_, i) => ({ prefix: 0, start: 100 + i, duration: i % 2 === 0 ? 0.25 : 0.5 }));
  const names = {
    prefixes: { from: 0, values: ['load'] },
    workers: { from: 0, values: [{ address: 'w', name: 'w', host: 'h', nthreads: 1, memory_limit: 0, joined: 0 }] },
    lanes: { from: 0, values: [[0, 0] as const] }
  };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  return compute(run, [
    { id: 0, since: 99, stop: 109, cell: 1, of: { 0: { tasks: 5, done: 5, compute: 1.25 } }, ...more },
    { id: 1, since: 100, stop: 110, cell: 2, of: { 0: { tasks: 5, done: 5, compute: 2.5 } } }
  ]);
}

const alternating = (from: number, to: number): Runs =>
  Array.from({ length: to - from }, (_, i) => [from + i, (from + i) % 2, 1] as const);
const ALL = alternating(0, 10);
const select = (run: Run, id: number): Selection => {
  selectionOf(run).select(computations.selects?.(run, String(id)) ?? {});
  return selectionOf(run).current;
};
const counted = (run: Run, id: number): number => selectionStatistics(run, select(run, id)).count;

describe('a selected computation', () => {
  it('has other figures in plots as soon as more of its executions are known', () => {
    const run = owned(turns(), alternating(0, 9));
    select(run, 1);
    const inPane = context({ options: { of: 'selected' } });
    const tasks = (): unknown => computeTimePerKey.table(run, inPane).rows[0].cells[3].value;
    const median = (): number | undefined => figuresOf(run, run.computations.list[0]).functions.byName.get('load')?.median;
    expect([tasks(), median()]).toEqual([10, Number.NaN]);
    owned(run, alternating(9, 10));
    expect([tasks(), median()]).toEqual([5, 0.5]);
  });

  it('selects exactly its executions, whoever else ran the function at that time', () => {
    const run = owned(turns(), ALL);
    const statistics = selectionStatistics(run, select(run, 0));
    expect([statistics.count, statistics.slowest.map(({ row }) => row).sort()]).toEqual([5, [0, 2, 4, 6, 8]]);
    expect(counted(run, 1)).toBe(5);
    expect(selectionWords(run, selectionOf(run).current, trans)).toMatch(/^Selected: \[2\] total\.compute\(\), load, /);
    expect(computationWords(run, { run: run.identity, id: 1 }, trans)?.sentence).toBe('Only tasks of [2] total.compute().');
    // A name that was cut ends with an ellipsis, without a full stop.
    const cut = turns({ span: 'a span with a name that is rather long' });
    const only = computationWords(owned(cut, ALL), { run: cut.identity, id: 0 }, trans);
    expect([only?.name.slice(-3), only?.sentence.slice(-3)]).toEqual([
      expect.stringMatching(/..…$/),
      expect.stringMatching(/[^…]…$/)
    ]);
    expect(isDimmed(computations, run, '0')).toBe(true);
    expect(isDimmed(computations, run, '1')).toBe(false);
    // Of these executions a median is known.
    expect(figuresOf(run, run.computations.list[1]).functions.byName.get('load')?.median).toBe(0.25);
  });

  it('selects its functions in its time where its executions are not all known, and says so', () => {
    const cases: readonly (readonly [Run, number])[] = [
      [turns(), 0],
      [owned(turns(), alternating(0, 9)), 1],
      [owned(turns({ unfollowed: 1 }), ALL), 0]
    ];
    for (const [run, id] of cases) {
      const current = select(run, id);
      expect(selectionStatistics(run, current).count).toBeGreaterThan(5);
      expect(computationWords(run, { run: run.identity, id }, trans)?.sentence).toMatch(
        /^Tasks of others may be among them: not all tasks of \[\d\] total\.compute\(\) are known\.$/
      );
      const { byName } = figuresOf(run, run.computations.list[1 - id]).functions;
      expect(byName.get('load')?.median ?? Number.NaN).toBeNaN();
    }
  });

  it('has none of the executions that are known to be of others, before the first of its own has ended', () => {
    const begun = (rows: Runs): Run => {
      const run = turns({ stop: Number.NaN, of: { 0: { tasks: 5, left: 5 } } });
      return owned(run, rows);
    };
    const run = begun([[0, 1, 10]]);
    select(run, 0);
    expect(selectionStatistics(run, selectionOf(run).current).count).toBe(0);
    expect(matcherOf(run).fits(0, 1, -1), 'a task that runs').toBe(true);
    // As with a collector that does not say whose executions are.
    const unknown = begun([]);
    expect(selectionStatistics(unknown, select(unknown, 0)).count).toBeGreaterThan(0);
  });

  it('selects them as soon as they are known', () => {
    const run = owned(turns(), alternating(0, 9));
    const current = select(run, 1);
    const before = matcherOf(run);
    owned(run, alternating(9, 10));
    expect(matcherOf(run)).not.toBe(before);
    expect(matcherOf(run)).toBe(matcherOf(run));
    expect(selectionStatistics(run, current).count).toBe(5);
  });

  it('has running tasks of its functions while any is left', () => {
    const fits = (left: number): boolean => {
      const run = owned(turns({ of: { 0: { tasks: 5 + left, done: 5, left } } }), ALL);
      select(run, 0);
      return matcherOf(run).fits(0, 1, -1);
    };
    expect([fits(0), fits(1)]).toEqual([false, true]);
  });

  it('has what has ended since it was last known whose they are, while any is left', () => {
    // Executions arrive before their computations: at a moment of a recording, that does not change.
    const at = (left: number, other: number): [number, string | undefined] => {
      const first = { tasks: 4 + left, done: 4, left };
      const run = compute(turns({ of: { 0: first } }), [
        { id: 1, since: 100, stop: 110, of: { 0: { tasks: 4 + other, done: 4, left: other } } }
      ]);
      owned(run, alternating(0, 8));
      return [counted(run, 0), computationWords(run, { run: run.identity, id: 0 }, trans)?.sentence];
    };
    const only = expect.stringMatching(/^Only tasks of /);
    expect(at(1, 0)).toEqual([6, only]);
    expect(at(0, 0)).toEqual([4, only]);
    // Those of the other one may be among them.
    expect(at(1, 1)).toEqual([6, expect.stringMatching(/^Tasks of others may be among them/)]);
  });

  it('is given up for another period, not for another function', () => {
    const run = owned(turns(), ALL);
    select(run, 0);
    selectionOf(run).change({ functions: ['load'] });
    expect(selectionOf(run).current.computation).toEqual({ run: run.identity, id: 0 });
    selectionOf(run).change({ period: { from: 100, to: 103 } });
    expect(selectionOf(run).current).toMatchObject({ computation: null, functions: ['load'] });
  });

  it('is saved, and none of another run with its number', () => {
    const saved = writeSelection(select(owned(turns(), ALL), 0));
    const run = owned(turns(), ALL);
    restoreSelection(run, saved);
    expect(selectionStatistics(run, selectionOf(run).current).count).toBe(5);
    const other = { ...selectionOf(run).current, computation: { run: 'another 0', id: 0 } };
    expect(selectionStatistics(run, other).count).toBe(0);
    expect(selectionWords(run, other, trans)).not.toContain('total');
    for (const computation of [null, 3, { id: 0 }, { run: 'a', id: -1 }, { run: 'a', id: 1.5 }, { run: 1, id: 1 }]) {
      expect(readSelection(JSON.stringify({ computation })).computation).toBeNull();
    }
  });
});

describe('executions of a computation', () => {
  it('come in runs that grow, and may come again', () => {
    const run = owned(turns(), [[0, 0, 3]]);
    owned(run, [
      [0, 0, 4],
      [4, 1, 5]
    ]);
    owned(run, [
      [9, 0, 1],
      [0, 0, 4]
    ]);
    expect([run.computations.rowsOf(0), run.computations.rowsOf(1), run.computations.rowsOf(2)]).toEqual([
      [0, 4, 9, 10],
      [4, 9],
      []
    ]);
    expect(rowsOfComputation(run, 0)).toEqual([0, 4, 9, 10]);
    expect([-1, 0, 3, 4, 8, 9, 10].map(row => isWithin(run.computations.rowsOf(0), row))).toEqual([
      ...[false, true, true, false],
      ...[false, true, false]
    ]);
    expect(isWithin([], 0)).toBe(false);
  });

  it('stay as they were in a copy, and go with their computation', () => {
    const run = owned(turns(), ALL);
    const held = frozen(run);
    owned(run, [[10, 0, 5]]);
    expect([held.computations.rowsOf(0).length, run.computations.rowsOf(0).length]).toEqual([10, 12]);
    const topics = { computations: { columns: {}, scalars: { kept: 1, texts: [] } } };
    run.apply({ feed: 'made-up', epoch: 0, seq: seq++, time: 1001, cursor: {}, names: {}, topics }, 1_001_000);
    expect([run.computations.rowsOf(0), held.computations.rowsOf(0).length]).toEqual([[], 10]);
    run.apply({ feed: 'another', epoch: 0, seq: 0, time: 1001, cursor: {}, names: {}, topics: {} }, 1_001_000);
    expect(run.computations.rowsOf(1)).toEqual([]);
  });

  it('are bounded, of the newest computations', () => {
    const run = turns();
    const of = (id: number, from: number): Runs => Array.from({ length: 30_000 }, (_, i) => [from + 2 * i, id, 1] as const);
    owned(run, of(0, 0));
    owned(run, of(1, 60_000));
    expect([run.computations.rowsOf(0), run.computations.rowsOf(1).length]).toEqual([[], 60_000]);
    // What makes no sense is left out.
    owned(
      run,
      [[1, 2, 0] as const, ['x', 1, 2] as never, null as never].filter(each => each !== null)
    );
    expect(run.computations.rowsOf(2)).toEqual([]);
  });
});

describe('a click on a computation', () => {
  /** Where a click leads while a timeline shows a period; `null` if it stays. */
  const led = (from: number, to: number): unknown => {
    const run = turns();
    windowOf(run).show({}, { from, to }, 'time');
    selectRow(computations, run, '0', 'toggle');
    return windowOf(run).wanted?.period ?? null;
  };

  it('brings its time to views over time if no part of it is in view, with as much time as before', () => {
    expect(led(200, 300)).toEqual({ from: 54, to: 154 });
    expect(led(20, 50)).toEqual({ from: 89, to: 119 });
    // What does not fit is shown with a margin.
    expect(led(200, 205)).toEqual({ from: 98.5, to: 109.5 });
    for (const [from, to] of [
      [0, 99],
      [109, 200],
      [100, 101],
      [0, 1000]
    ]) {
      expect(led(from, to)).toBeNull();
    }
  });

  it('goes on from where the user has gone to in charts without a timeline, and a second click stays', () => {
    const run = turns();
    const window = windowOf(run);
    selectRow(computations, run, '0', 'toggle');
    expect(window.wanted).toBeNull();
    window.go({ from: 200, to: 300 });
    selectRow(computations, run, '1', 'toggle');
    expect(window.chosen).toEqual({ from: 55, to: 155 });
    window.go({ from: 200, to: 300 });
    selectRow(computations, run, '1', 'toggle');
    expect(window.chosen).toEqual({ from: 200, to: 300 });
  });

  it('that is a double click opens the stream at its time', () => {
    const run = turns();
    const opened: string[] = [];
    openRow(computations, run, '0', { feed: null, open: (plot: string) => opened.push(plot) } as unknown as ViewHost);
    expect([opened, windowOf(run).chosen]).toEqual([['task-stream'], { from: 98.5, to: 109.5 }]);
    const active = turns({ stop: Number.NaN, of: { 0: { tasks: 5, done: 4, left: 1 } } });
    openRow(computations, active, '0', { feed: null, open: (plot: string) => opened.push(plot) } as unknown as ViewHost);
    expect([opened.length, windowOf(active).chosen]).toEqual([2, null]);
  });
});
