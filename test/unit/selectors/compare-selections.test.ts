import { expect, it } from 'vitest';
import { Run } from '../../../src/run/run';
import { type ComparedStatistics, comparedNewest, comparedSelections } from '../../../src/selectors/compare/selections';
import type { FunctionStatistics } from '../../../src/selectors/selection/statistics';
import { NO_TIME } from '../../../src/selectors/selection/thread-use';
import { NO_THREADS } from '../../../src/selectors/selection/threads';
import { threadUseWords } from '../../../src/selectors/selection/statistics-words';
import { translate as trans } from '../translate';

function of(more: Partial<ComparedStatistics> = {}): ComparedStatistics {
  return {
    period: null,
    threads: NO_THREADS,
    use: NO_TIME,
    count: 0,
    erred: 0,
    bytes: 0,
    functions: [],
    incompleteUntil: Number.NEGATIVE_INFINITY,
    ...more
  };
}

function called(name: string, total: number): FunctionStatistics {
  return { prefix: 0, name, count: 2, erred: 0, total, min: 1, mean: 1, median: 1, p95: 1, max: 2, bytes: 0 };
}

function texts(a: ComparedStatistics, b: ComparedStatistics, run = new Run()): string[] {
  return comparedSelections(run, a, b, trans).rows.map(({ cells }) => cells.map(({ text }) => text).join(' | '));
}

it('two selections of nothing have nothing but zeros', () => {
  expect(texts(of(), of())).toEqual([
    'Length | 0 s | 0 s | ±0 s',
    'Threads | 0 | 0 | ±0',
    'Tasks | 0 | 0 | ±0',
    'Results | 0 B | 0 B | ±0 B',
    'Erred | 0 | 0 | ±0'
  ]);
});

it('tasks that erred lead to the errors', () => {
  const [erred] = comparedSelections(new Run(), of({ erred: 2 }), of(), trans).rows.filter(({ id }) => id === 'erred');
  expect(erred.cells.map(({ text, opens }) => [text, opens?.plot])).toEqual([
    ['Erred', undefined],
    ['2', 'errors'],
    ['0', undefined],
    ['−2 (−100 %)', undefined]
  ]);
});

it('parts of the time of threads are there where either has them, and differ by points; without threads they are not known', () => {
  const use = { ...NO_TIME, capacity: 100, compute: 60, transfer: 39.8, disk: 0.2 };
  const shares = (a: ComparedStatistics, b: ComparedStatistics): string[] => texts(a, b).filter(text => text.includes('%'));
  expect(shares(of({ use }), of({ use: { ...use, transfer: 0, idle: 39.8 } }))).toEqual([
    'Computing | 60 % | 60 % | ±0 points',
    'Waiting for transfers | 40 % | 0 % | −40 points',
    'Idle | 0 % | 40 % | +40 points'
  ]);
  expect(shares(of({ use }), of())).toEqual(['Computing | 60 % | – | –', 'Waiting for transfers | 40 % | – | –']);
});

it('time without a record may not have been idle where attempts failed and were tried again', () => {
  const run = new Run();
  const attempts = { columns: { id: Uint32Array.of(0), retried: Uint32Array.of(3) }, scalars: {} };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: 1, cursor: {}, names: {}, topics: { attempts } }, 0);
  const use = { ...NO_TIME, capacity: 100, compute: 60, idle: 40 };
  expect(threadUseWords(run, use, trans)).toBe('60 % computing, 40 % idle or not recorded');
  expect(texts(of({ use }), of({ use }), run)).toContain('Idle or not recorded | 40 % | 40 % | ±0 points');
});

it('functions are those of either, the largest difference of time first, each name on one line', () => {
  const rows = texts(of({ functions: [called('a', 3), called('b\nc', 5)] }), of({ functions: [called('a', 4)] })).slice(5);
  expect(rows.map(row => row.split(' | ')[0])).toEqual([
    ...['Tasks of b c', 'Total time of b c', 'Median of b c', 'Longest of b c'],
    ...['Tasks of a', 'Total time of a', 'Median of a', 'Longest of a']
  ]);
  expect(rows[1]).toBe('Total time of b c | 5.00 s | 0 s | −5.00 s (−100 %)');
});

it('a function of which no task is kept has no figures, where tasks are kept as sums only', () => {
  const [a, b] = [of({ functions: [called('a', 3)] }), of({ incompleteUntil: 12 })];
  expect(texts(a, b).slice(5)).toEqual([
    'Tasks of a | 2 | – | –',
    'Total time of a | 3.00 s | – | –',
    'Median of a | 1.00 s | – | –',
    'Longest of a | 2.00 s | – | –'
  ]);
});

it('functions whose names differ in line breaks only, or far behind, are different ones', () => {
  const long = 'x'.repeat(250);
  const names = ['b\nc', 'b c', `${long}1`, `${long}2`];
  const rows = texts(of({ functions: names.map((name, i) => called(name, i + 1)) }), of()).filter(row => row.startsWith('Total'));
  expect(rows.map(row => row.split(' | ')[1])).toEqual(['4.00 s', '3.00 s', '2.00 s', '1.00 s']);
});

it('a selection of tasks that are kept as sums says that the others are compared', () => {
  expect(comparedNewest('A', of({ count: 7, incompleteUntil: 12 }), trans)).toBe(
    'Of A, tasks, results, errors and functions are those of the newest 7 tasks.'
  );
  expect(comparedNewest('A', of({ count: 1, incompleteUntil: 12 }), trans)).toMatch(/ those of the newest task\.$/);
  expect(comparedNewest('B', of(), trans)).toBe('');
});
