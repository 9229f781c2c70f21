import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../src/plot/plot';
import { NOTHING_SELECTED, RunSelection, type Selection } from '../../../src/run/selection/selection';
import { areOthers, isLeftOut, isOutside, isPicked, pick, pickFunctions, pickRow } from '../../../src/selectors/selection/picked';
import { selectionWords } from '../../../src/selectors/selection/condition-words';
import { cluster } from '../plots/cluster';
import { translate as trans } from '../translate';

const prefix = (name: string): Subject => ({ kind: 'function', prefix: name });
const worker = (address: string): Subject => ({ kind: 'worker', address, name: address });
const PERIOD = { from: 1, to: 2 };

function selected(before: Partial<Selection>, subject: Subject, adds = false): readonly [boolean | null, Selection] {
  const selection = new RunSelection();
  selection.select(before);
  const now = pick(selection, subject, adds);
  return [now, selection.current];
}

describe('a click on what stands for tasks', () => {
  it('selects them, and a second one clears that kind', () => {
    expect(selected({}, prefix('load'))).toEqual([true, { ...NOTHING_SELECTED, functions: ['load'] }]);
    expect(selected({ functions: ['load'] }, prefix('load'))).toEqual([false, NOTHING_SELECTED]);
    expect(selected({ functions: ['load', 'sum'] }, prefix('load'))).toEqual([
      true,
      { ...NOTHING_SELECTED, functions: ['load'] }
    ]);
    expect(selected({}, worker('a'))).toEqual([true, { ...NOTHING_SELECTED, workers: ['a'] }]);
    expect(selected({ workers: ['a'] }, worker('a'))).toEqual([false, NOTHING_SELECTED]);
  });

  it('keeps the period and what is selected of the other kind, and drops what is selected of single tasks', () => {
    const before: Partial<Selection> = {
      ...{ period: PERIOD, erred: true, finished: false, durations: { least: 1, most: 2 }, rows: { run: 'r', numbers: [1] } }
    };
    expect(selected({ ...before, workers: ['a'] }, prefix('load'))[1]).toEqual({
      ...{ ...NOTHING_SELECTED, period: PERIOD, workers: ['a'], functions: ['load'] }
    });
    expect(selected({ ...before, functions: ['load'] }, worker('b'))[1]).toEqual({
      ...{ ...NOTHING_SELECTED, period: PERIOD, workers: ['b'], functions: ['load'] }
    });
  });

  it('adds with Ctrl, and takes away what is selected', () => {
    expect(selected({ functions: ['load'] }, prefix('sum'), true)).toEqual([
      true,
      { ...NOTHING_SELECTED, functions: ['load', 'sum'] }
    ]);
    expect(selected({ functions: ['load', 'sum'] }, prefix('load'), true)).toEqual([
      false,
      { ...NOTHING_SELECTED, functions: ['sum'] }
    ]);
    expect(selected({ functions: ['load'] }, prefix('load'), true)).toEqual([false, NOTHING_SELECTED]);
  });

  it('adds functions with Ctrl in tables, too, where rows stand for their tasks, or their errors', () => {
    const selection = new RunSelection();
    const click = (conditions: Partial<Selection>, adds = true): Selection => {
      pickRow(selection, conditions, adds);
      return selection.current;
    };
    click({ functions: ['load'] });
    expect(click({ functions: ['sum'] })).toEqual({ ...NOTHING_SELECTED, functions: ['load', 'sum'] });
    expect(click({ functions: ['load'] })).toEqual({ ...NOTHING_SELECTED, functions: ['sum'] });
    // What raised is not what runs.
    expect(click({ functions: ['load'], erred: true })).toEqual({ ...NOTHING_SELECTED, functions: ['load'], erred: true });
    expect(click({ functions: ['sum'], erred: true }).functions).toEqual(['load', 'sum']);
    expect(click({ functions: ['load'], erred: true }, false).functions).toEqual(['load']);
    expect(click({ functions: ['load'], erred: true })).toEqual(NOTHING_SELECTED);
  });

  it('selects all workers of a host', () => {
    const host: Subject = { kind: 'workers', name: 'h', workers: ['a', 'b'] };
    const both = { ...NOTHING_SELECTED, workers: ['a', 'b'] };
    expect(selected({}, host)).toEqual([true, both]);
    expect(selected({ workers: ['b', 'a'] }, host)).toEqual([false, NOTHING_SELECTED]);
    expect(selected({ workers: ['a'] }, host)).toEqual([true, both]);
    expect(selected({ workers: ['a', 'c'] }, host, true)).toEqual([true, { ...NOTHING_SELECTED, workers: ['c', 'a', 'b'] }]);
    expect(selected({ workers: ['a', 'c', 'b'] }, host, true)).toEqual([false, { ...NOTHING_SELECTED, workers: ['c'] }]);
    const one = { ...NOTHING_SELECTED, workers: ['b'] };
    expect([isLeftOut(one, host), isPicked(one, host), isPicked(both, host), isPicked(NOTHING_SELECTED, host)]).toEqual([
      ...[false, false, true, false]
    ]);
    expect(isLeftOut({ ...NOTHING_SELECTED, workers: ['c'] }, host)).toBe(true);
  });

  it('goes on with the workers of selected threads', () => {
    const threads = [
      { worker: 'a', thread: 1 },
      { worker: 'a', thread: 2 }
    ];
    expect(selected({ threads }, worker('b'), true)).toEqual([true, { ...NOTHING_SELECTED, workers: ['a', 'b'] }]);
    expect(selected({ threads }, worker('a'))).toEqual([false, NOTHING_SELECTED]);
  });

  it('selects nothing where it is a single task', () => {
    expect(selected({ functions: ['load'] }, { kind: 'task', key: 'load', state: null })).toEqual([
      null,
      { ...NOTHING_SELECTED, functions: ['load'] }
    ]);
  });

  it('takes names as they are, whatever is in them', () => {
    for (const name of ['', 'two\nlines', '\u202egnirts', '__proto__', 'constructor', '<b>', 'x'.repeat(5000)]) {
      const [, selection] = selected({}, prefix(name));
      expect(selection.functions).toEqual([name]);
      expect([isPicked(selection, prefix(name)), isLeftOut(selection, prefix(name))]).toEqual([true, false]);
      expect(isLeftOut(selection, prefix('load'))).toBe(true);
    }
  });

  it('leaves others of its kind out, and nothing of another kind', () => {
    const { current } = new RunSelection();
    expect(isLeftOut(current, prefix('load'))).toBe(false);
    const functions: Selection = { ...NOTHING_SELECTED, functions: ['load'] };
    expect([isLeftOut(functions, prefix('sum')), isLeftOut(functions, worker('a'))]).toEqual([true, false]);
    const threads: Selection = { ...NOTHING_SELECTED, threads: [{ worker: 'a', thread: null }] };
    expect([isLeftOut(threads, worker('a')), isLeftOut(threads, worker('b'))]).toEqual([false, true]);
    expect(isLeftOut(functions, { kind: 'task', key: 'k', state: null })).toBe(false);
  });

  it('takes several functions at once, and all', () => {
    const selection = new RunSelection();
    selection.select({ period: PERIOD, erred: true });
    pickFunctions(selection, ['a', 'b']);
    expect(selection.current).toEqual({ ...NOTHING_SELECTED, period: PERIOD, functions: ['a', 'b'] });
    pickFunctions(selection, null);
    expect(selection.current).toEqual({ ...NOTHING_SELECTED, period: PERIOD });
  });
});

describe('what is selected, in words', () => {
  const run = cluster({ time: 1000, workers: [{ name: 'alice', address: 'tcp://a:1' }] });
  const words = (selection: Partial<Selection>): string => selectionWords(run, { ...NOTHING_SELECTED, ...selection }, trans);

  it('names a single one, and counts several', () => {
    expect(words({})).toBe('');
    expect(words({ functions: ['load'], workers: ['tcp://a:1'] })).toBe('Selected: load, worker alice');
    expect(words({ functions: ['load', 'sum'], workers: ['tcp://a:1', 'tcp://b:1'] })).toBe('Selected: 2 functions, 2 workers');
    expect(words({ durations: { least: 2, most: Infinity }, erred: true })).toBe('Selected: ≥ 2.00 s, only erred');
    expect(words({ rows: { run: 'r', numbers: [1, 2] }, finished: true })).toBe('Selected: 2 tasks, only finished');
    expect(words({ threads: [{ worker: 'tcp://a:1', thread: 3 }] })).toBe('Selected: 1 thread');
  });

  it('names the worker that is at its address now, not an earlier one', () => {
    const workers = [
      { name: 'bob', address: 'tcp://b:1', status: 'lost' },
      { name: 'carol', address: 'tcp://b:1' }
    ] as const;
    const after = cluster({ time: 1000, workers: [...workers] });
    expect(selectionWords(after, { ...NOTHING_SELECTED, workers: ['tcp://b:1'] }, trans)).toBe('Selected: worker carol');
  });

  it('names the worker that was at its address at a moment of a recording, which knows the names of later ones', () => {
    const before = cluster({ time: 1000, workers: [{ name: 'bob', address: 'tcp://b:1' }] });
    before.learn({ workers: { from: 1, values: [{ ...before.workerNames[0], name: 'carol', joined: 2000 }] } });
    expect(selectionWords(before, { ...NOTHING_SELECTED, workers: ['tcp://b:1'] }, trans)).toBe('Selected: worker bob');
  });

  it('stays on one line and short, and is never empty', () => {
    expect(words({ functions: ['two\nlines'] })).toBe('Selected: two lines');
    expect(words({ functions: [''] })).toBe('Selected: –');
    expect(words({ functions: ['x'.repeat(5000)] }).length).toBeLessThan(60);
    expect(words({ workers: ['tcp://gone:1'] })).toBe('Selected: worker tcp://gone:1, which has left');
  });
});

describe('what is selected, for rows of other things', () => {
  it('is outside of a period only where nothing of it is within', () => {
    const selection = { ...NOTHING_SELECTED, period: { from: 10, to: 20 } };
    expect([9, 10, 20, 21].map(time => isOutside(selection, time))).toEqual([true, false, false, true]);
    expect([isOutside(selection, 5, 9), isOutside(selection, 5, 10), isOutside(selection, 5, 25)]).toEqual([true, false, false]);
    expect([isOutside(selection, Number.NaN), isOutside(NOTHING_SELECTED, 5)]).toEqual([false, false]);
  });

  it('are other workers where none of them is selected; an id below 0 is no other worker', () => {
    const run = cluster({ workers: [{ address: 'tcp://a:1' }, { address: 'tcp://b:1' }] });
    const selection = { ...NOTHING_SELECTED, workers: ['tcp://a:1'] };
    expect([[0], [1], [0, 1], [-1], [-1, 1]].map(ids => areOthers(run, selection, ids))).toEqual([
      ...[false, true, false, false, true]
    ]);
    expect(areOthers(run, { ...NOTHING_SELECTED, threads: [{ worker: 'tcp://b:1', thread: 1 }] }, [0])).toBe(true);
    expect(areOthers(run, NOTHING_SELECTED, [1])).toBe(false);
  });
});
