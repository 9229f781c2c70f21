import { describe, expect, it } from 'vitest';
import { FLAGS_SHIFT } from '../../../src/run/lanes/lane-chunk';
import { Matcher } from '../../../src/run/selection/matcher';
import { readSelection, restoreSelection, writeSelection } from '../../../src/run/selection/saved-selection';
import { isEmpty, NOTHING_SELECTED, RunSelection, type Selection, selectionOf } from '../../../src/run/selection/selection';
import { Run } from '../../../src/run/run';
import { sharedSelection } from '../../../src/run/selection/shared-selection';
import { tasksBody } from './synthetic';

const FULL: Selection = {
  period: { from: 1_700_000_000, to: 1_700_000_005.5 },
  threads: [
    { worker: 'tcp://10.0.0.1:1', thread: 140_000_000_000_001 },
    { worker: 'tcp://10.0.0.1:1', thread: null }
  ],
  workers: ['tcp://10.0.0.1:1'],
  functions: ['load \ud800', 'a"b'],
  rows: { run: 'feed 0', numbers: [0, 7] },
  computation: { run: 'feed 0', id: 3 },
  durations: { least: 2, most: Infinity },
  erred: true,
  finished: true
};

describe('RunSelection', () => {
  it('notifies of changes only', () => {
    const selection = new RunSelection();
    const seen: Selection[] = [];
    selection.changed.connect((_, now) => seen.push(now));
    selection.clear();
    selection.change({ functions: ['load'] });
    selection.change({ functions: ['load'] });
    selection.change({ erred: true });
    expect(seen).toEqual([
      { ...NOTHING_SELECTED, functions: ['load'] },
      { ...NOTHING_SELECTED, functions: ['load'], erred: true }
    ]);
    selection.select({ workers: ['w'] });
    expect(selection.current).toEqual({ ...NOTHING_SELECTED, workers: ['w'] });
    expect(isEmpty(selection.current)).toBe(false);
    selection.clear();
    expect(isEmpty(selection.current)).toBe(true);
  });

  it('has conditions only where there are no others', () => {
    const selection = new RunSelection();
    expect([selection.has({}), selection.has({ erred: true })]).toEqual([true, false]);
    selection.select({ functions: ['load'], durations: { least: 1, most: Infinity } });
    expect(selection.has({ functions: ['load'] })).toBe(false);
    expect(selection.has({ durations: { least: 1, most: Infinity }, functions: ['load'] })).toBe(true);
    expect(selection.has({ durations: { least: 1, most: 2 }, functions: ['load'] })).toBe(false);
  });

  it('settles after the last of several changes, and once', () => {
    const selection = new RunSelection();
    const seen: Selection[] = [];
    selection.settled.connect((_, now) => seen.push(now));
    selection.change({ functions: ['a'] }, true);
    selection.change({ functions: ['b'] }, true);
    expect(seen).toEqual([]);
    selection.settle();
    selection.settle();
    selection.change({ functions: ['b'] });
    expect(seen).toEqual([{ ...NOTHING_SELECTED, functions: ['b'] }]);
    selection.change({ durations: { least: 1, most: 2 } });
    selection.change({ durations: { least: 1, most: Infinity } });
    selection.clear();
    expect(seen).toHaveLength(4);
  });

  it('moves the cursor, and removes it once', () => {
    const selection = new RunSelection();
    const seen: number[] = [];
    selection.cursorMoved.connect((_, time) => seen.push(time));
    selection.moveCursor(5);
    selection.moveCursor(5);
    selection.moveCursor(Number.NaN);
    selection.moveCursor(Number.NaN);
    expect(seen).toEqual([5, Number.NaN]);
  });
});

describe('a saved selection', () => {
  it('is read as it was written', () => {
    expect(readSelection(writeSelection(FULL))).toEqual(FULL);
    expect(readSelection(writeSelection({ ...NOTHING_SELECTED, erred: true }))).toEqual({ ...NOTHING_SELECTED, erred: true });
    expect(writeSelection(NOTHING_SELECTED)).toBe('');
    expect(readSelection('')).toEqual(NOTHING_SELECTED);
  });

  it.each([
    ['no text', 5],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a period that ends before it begins', '{"period":{"from":5,"to":4}}'],
    ['a period without numbers', '{"period":{"from":"1","to":1e400}}'],
    ['a period beyond all clocks', '{"period":{"from":1,"to":1e300}}'],
    ['names that are no texts', '{"functions":[5,null],"workers":{}}'],
    ['too long a name', JSON.stringify({ functions: ['x'.repeat(1001)] })],
    ['too many names', JSON.stringify({ functions: Array.from({ length: 10_001 }, (_, i) => `f${i}`) })],
    ['threads without numbers', '{"threads":[{"worker":"w","thread":"1"},{"thread":1},{"worker":"w"}]}'],
    ['rows that are no rows', '{"rows":{"run":"r","numbers":[-1,0.5,1e300,"2"]}}'],
    ['rows without a run', '{"rows":{"numbers":[1]}}'],
    ['durations in the wrong order', '{"durations":{"least":2,"most":1}}'],
    ['durations without numbers', '{"durations":{"least":"2"}}'],
    ['all durations', '{"durations":{"least":0,"most":null}}'],
    ['erred that is no flag', '{"erred":1}']
  ])('is without a condition where it is invalid: %s', (_, text) => {
    expect(readSelection(text)).toEqual(NOTHING_SELECTED);
  });
});

describe('Matcher', () => {
  function run(): Run {
    const made = new Run();
    made.prefixNames.push('load', 'sum', 'load');
    const worker = { name: '', host: '', nthreads: 2, memory_limit: 0 };
    made.workerNames.push({ address: 'a', ...worker }, { address: 'b', ...worker });
    made.laneNames.push([0, 10], [0, 11], [1, 10], [7, 10]);
    return made;
  }
  const lanes = (selection: Partial<Selection>): number[] => {
    const matcher = new Matcher(run(), { ...NOTHING_SELECTED, ...selection });
    return [0, 1, 2, 3, 4].filter(lane => matcher.lane(lane));
  };

  it('selects all without a condition', () => {
    const matcher = new Matcher(run(), NOTHING_SELECTED);
    expect(matcher).toMatchObject({ from: -Infinity, to: Infinity, whole: true, allLanes: true });
    expect(matcher.unused(0)).toBe(Infinity);
    expect(lanes({})).toEqual([0, 1, 2, 3, 4]);
  });

  it('selects lanes by worker and by thread, and none that the run does not name', () => {
    expect(lanes({ workers: ['a', 'gone'] })).toEqual([0, 1]);
    expect(
      lanes({
        threads: [
          { worker: 'a', thread: 11 },
          { worker: 'b', thread: 10 }
        ]
      })
    ).toEqual([1, 2]);
    expect(lanes({ workers: ['b'], threads: [{ worker: 'a', thread: 11 }] })).toEqual([]);
  });

  it('counts threads that have executed nothing', () => {
    const unused = (selection: Partial<Selection>): number[] => {
      const matcher = new Matcher(run(), { ...NOTHING_SELECTED, ...selection });
      return [0, 1, 7].map(worker => matcher.unused(worker));
    };
    const thread = { worker: 'a', thread: null };
    expect(unused({ threads: [thread, thread, { worker: 'a', thread: 11 }] })).toEqual([2, 0, 0]);
    expect(unused({ workers: ['b'] })).toEqual([0, Infinity, 0]);
    expect(unused({ workers: ['b'], threads: [thread] })).toEqual([0, 0, 0]);
  });

  /** Which executions fit: of prefixes 0 to 3, where every other one has raised, of 1, 2, 3 and 4 s. */
  const fitting = (selection: Partial<Selection>): number[] => {
    const made = run();
    const rows = [0, 1, 2, 3].map(i => ({ prefix: i, start: 1000 + 10 * i, duration: 1 + i, status: i % 2 }));
    made.tasks.apply(tasksBody(rows, 5));
    const matcher = new Matcher(made, { ...NOTHING_SELECTED, ...selection });
    const chunk = made.tasks.lanes[0]?.compute.chunks[0];
    return [0, 1, 2, 3].filter(i => {
      const { label = 0, flags = 0, duration = 0, row = 0 } = chunk?.at(i) ?? {};
      return matcher.fits(label | (flags << FLAGS_SHIFT), duration, row);
    });
  };

  it('selects every prefix of a name', () => {
    expect(fitting({})).toEqual([0, 1, 2, 3]);
    expect(fitting({ functions: ['load', 'unknown'] })).toEqual([0, 2]);
  });

  it('selects by outcome, by duration with both ends, and by row', () => {
    expect(fitting({ erred: true })).toEqual([1, 3]);
    expect(fitting({ finished: true })).toEqual([0, 2]);
    expect(fitting({ finished: true, erred: true })).toEqual([]);
    expect(fitting({ durations: { least: 2, most: 3 } })).toEqual([1, 2]);
    expect(fitting({ durations: { least: 0, most: 0.5 } })).toEqual([]);
    const { identity } = run();
    expect(fitting({ rows: { run: identity, numbers: [5, 8] } })).toEqual([0, 3]);
    expect(fitting({ rows: { run: identity, numbers: [5, 8] }, erred: true })).toEqual([3]);
    expect(fitting({ rows: { run: 'other 0', numbers: [5, 8] } })).toEqual([]);
  });
});

describe('the selection for other extensions', () => {
  it('is that of the views, read and set, and signals changes', () => {
    const run = new Run();
    const selection = sharedSelection(run);
    const seen: Selection[] = [];
    selection.changed.connect((_, now) => seen.push(now));
    expect(selection.current).toEqual(NOTHING_SELECTED);
    selection.select({ functions: ['load'], durations: { least: 1, most: Infinity }, rows: null });
    expect(selectionOf(run).current).toMatchObject({ functions: ['load'], durations: { least: 1, most: Infinity } });
    selection.select({ threads: [{ thread: null, worker: 'a' }] });
    expect(selection.current).toEqual({ ...NOTHING_SELECTED, threads: [{ worker: 'a', thread: null }] });
    selectionOf(run).clear();
    expect(seen).toHaveLength(3);
    expect(sharedSelection(run)).toBe(selection);
  });

  it.each([
    ['period', { from: 5, to: Number.NaN }],
    ['period', 'now'],
    ['functions', ['load', 5]],
    ['functions', []],
    ['threads', [{ worker: 'a' }]],
    ['rows', { run: 'r', numbers: [1, -1] }],
    ['durations', { least: 2, most: 1 }],
    ['erred', 'yes'],
    ['states', ['erred']]
  ])('refuses an invalid condition: %s %j', (name, value) => {
    const run = new Run();
    sharedSelection(run).select({ functions: ['load'] });
    expect(() => sharedSelection(run).select({ [name]: value })).toThrow(TypeError);
    expect(selectionOf(run).current.functions).toEqual(['load']);
  });
});

it('is not restored where one of its conditions has too many values: it would have other tasks', () => {
  const restored = (count: number): Selection => {
    const run = new Run();
    const numbers = Array.from({ length: count }, (_, i) => i);
    restoreSelection(run, writeSelection({ ...NOTHING_SELECTED, erred: true, rows: { run: run.identity, numbers } }));
    return selectionOf(run).current;
  };
  expect(restored(10_000)).toMatchObject({ erred: true, rows: { numbers: { length: 10_000 } } });
  expect(restored(10_001)).toEqual(NOTHING_SELECTED);
  const run = new Run();
  const workers = Array.from({ length: 10_001 }, (_, i) => `w${i}`);
  restoreSelection(run, writeSelection({ ...NOTHING_SELECTED, erred: true, workers }));
  expect(selectionOf(run).current).toEqual(NOTHING_SELECTED);
});

it('is restored until anything was selected or cleared, and again in a run that starts over', () => {
  const saved = writeSelection({ ...NOTHING_SELECTED, functions: ['load'] });
  const run = new Run();
  const frame = { epoch: 0, seq: 0, time: 1000, cursor: {}, names: {}, topics: {} };
  const restored = (): readonly string[] | null => {
    restoreSelection(run, saved);
    return selectionOf(run).current.functions;
  };
  expect(restored()).toEqual(['load']);
  selectionOf(run).clear();
  expect(restored()).toBeNull();
  run.apply({ ...frame, feed: 'another' }, 0);
  expect(restored()).toEqual(['load']);
  run.apply({ ...frame, feed: 'one more' }, 0);
  selectionOf(run).change({ erred: true }, true);
  selectionOf(run).change({ erred: false }, true);
  expect(restored()).toBeNull();
});

it('that was cleared in one view is not restored by another one, which had saved it before', () => {
  const saved = writeSelection({ ...NOTHING_SELECTED, functions: ['load'] });
  const run = new Run();
  restoreSelection(run, undefined);
  restoreSelection(run, '');
  restoreSelection(run, saved);
  expect(selectionOf(run).current).toEqual(NOTHING_SELECTED);
  // Of a view that is new, nothing is known.
  const other = new Run();
  restoreSelection(other, undefined);
  restoreSelection(other, saved);
  expect(selectionOf(other).current.functions).toEqual(['load']);
});
