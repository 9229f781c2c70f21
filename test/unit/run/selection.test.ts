import { describe, expect, it } from 'vitest';
import { matcherOf } from '../../../src/run/selection/matcher';
import { readSelection, writeSelection } from '../../../src/run/selection/saved-selection';
import { isEmpty, NOTHING_SELECTED, RunSelection, type Selection } from '../../../src/run/selection/selection';
import { Run } from '../../../src/run/run';

const FULL: Selection = {
  period: { from: 1_700_000_000, to: 1_700_000_005.5 },
  threads: [{ worker: 'tcp://10.0.0.1:1', thread: 140_000_000_000_001 }],
  workers: ['tcp://10.0.0.1:1'],
  functions: ['load \ud800', 'a"b'],
  rows: { run: 'feed 0', numbers: [0, 7] },
  erred: true
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
    ['threads without numbers', '{"threads":[{"worker":"w","thread":null},{"thread":1}]}'],
    ['rows that are no rows', '{"rows":{"run":"r","numbers":[-1,0.5,1e300,"2"]}}'],
    ['rows without a run', '{"rows":{"numbers":[1]}}'],
    ['erred that is no flag', '{"erred":1}']
  ])('is without a condition where it is invalid: %s', (_, text) => {
    expect(readSelection(text)).toEqual(NOTHING_SELECTED);
  });
});

describe('matcherOf', () => {
  function run(): Run {
    const made = new Run();
    made.prefixNames.push('load', 'sum', 'load');
    const worker = { name: '', host: '', nthreads: 2, memory_limit: 0 };
    made.workerNames.push({ address: 'a', ...worker }, { address: 'b', ...worker });
    made.laneNames.push([0, 10], [0, 11], [1, 10], [7, 10]);
    return made;
  }
  const lanes = (selection: Partial<Selection>): number[] => {
    const { lane } = matcherOf(run(), { ...NOTHING_SELECTED, ...selection });
    return [0, 1, 2, 3, 4].filter(lane);
  };

  it('selects all without a condition', () => {
    const matcher = matcherOf(run(), NOTHING_SELECTED);
    expect(matcher).toMatchObject({ from: -Infinity, to: Infinity, prefixes: null, rows: null, erred: false, whole: true });
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

  it('selects every prefix of a name', () => {
    const matcher = matcherOf(run(), { ...NOTHING_SELECTED, functions: ['load', 'unknown'] });
    expect([...(matcher.prefixes ?? [])]).toEqual([1, 0, 1]);
    expect(matcher.whole).toBe(false);
  });

  it('selects no rows of another run', () => {
    const made = run();
    const rows = (identity: string) => matcherOf(made, { ...NOTHING_SELECTED, rows: { run: identity, numbers: [3] } }).rows;
    expect([...(rows(made.identity) ?? [])]).toEqual([3]);
    expect([...(rows('other 0') ?? [])]).toEqual([]);
  });
});
