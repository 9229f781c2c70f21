import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { compareComputations } from '../../../src/plots/tasks/compare-computations';
import type { TopicBody } from '../../../src/feed/frame';
import { Run } from '../../../src/run/run';
import { figuresOf } from '../../../src/selectors/compare/computations';
import { compareFunctions, differenceCell } from '../../../src/selectors/compare/difference';
import { type Row, tasksBody } from '../run/synthetic';
import { context } from './cluster';
import { compute, type Made } from './made-computations';

beforeEach(() => setNumberLocale('en'));

/** Executions of one lane, one after the other. */
function executions(start: number, prefix: number, durations: readonly number[]): Row[] {
  return durations.map((duration, i) => ({
    ...{ lane: 0, prefix, start: start + durations.slice(0, i).reduce((sum, d) => sum + d, 0), duration },
    ...{ status: 0, nbytes: 8, typename: 0 }
  }));
}

function runOf(rows: readonly Row[], made: readonly Made[], functions = ['load', 'sum', 'store']): Run {
  const run = new Run();
  const names = {
    prefixes: { from: 0, values: functions },
    workers: { from: 0, values: [{ address: 'w', name: 'w', host: 'h', nthreads: 1, memory_limit: 0, joined: 0 }] },
    lanes: { from: 0, values: [[0, 0] as const] }
  };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  return compute(run, made);
}

const A: Made = {
  ...{ id: 0, since: 100, stop: 110, cell: 1, offered: 10 },
  of: {
    0: { tasks: 3, done: 3, compute: 6, longest: 3 },
    1: { tasks: 1, done: 1, compute: 1, longest: 1 }
  }
};
const B: Made = {
  ...{ id: 1, since: 200, stop: 215, cell: 2, offered: 15 },
  of: {
    0: { tasks: 2, done: 2, compute: 8, longest: 5 },
    2: { tasks: 1, done: 1, compute: 0.5, longest: 0.5 }
  }
};
const ROWS = [
  ...executions(100, 0, [1, 2, 3]),
  ...executions(107, 1, [1]),
  ...executions(200, 0, [3, 5]),
  ...executions(209, 2, [0.5])
];

const cells = (run: Run, options = {}): string[][] =>
  compareComputations.table(run, context({ options })).rows.map(({ cells }) => cells.map(({ text }) => text));

describe('two computations', () => {
  it('do not pass figures off as those of all tasks', () => {
    const notes = (run: Run): readonly string[] => compareComputations.notes(run, context());
    expect(notes(runOf(ROWS, [A, B]))).toEqual([]);
    expect(notes(runOf(ROWS, [A, { ...B, unfollowed: 2 }]))).toEqual(['work of 2 tasks not counted: too many at once']);
  });

  it('tell functions apart whose long names begin alike', () => {
    const names = ['a', 'b', 'c'].map(end => 'load_'.repeat(60) + end);
    const totals = cells(runOf(ROWS, [A, B], names)).filter(([what]) => what.startsWith('Total time'));
    expect(totals.map(row => row.slice(1, 3))).toEqual([
      ['6.00 s', '8.00 s'],
      ['1.00 s', '0 s'],
      ['0 s', '500 ms']
    ]);
  });

  it('differ by a part of a per cent without a second sign', () => {
    const words = (b: number): string => differenceCell(1000, b, value => `${value} ms`).text;
    expect([words(993), words(1003), words(1000), words(990)]).toEqual([
      '−7 ms (< 1 %)',
      '+3 ms (< 1 %)',
      '±0 ms (±0 %)',
      '−10 ms (−1 %)'
    ]);
  });

  it('are the newest and the one before it, with differences that need no colour', () => {
    const run = runOf(ROWS, [A, B]);
    expect(cells(run)).toEqual([
      ['Wall time', '10.0 s', '15.0 s', '+5.00 s (+50 %)'],
      ['Tasks', '4', '3', '−1 (−25 %)'],
      ['Busy', '70 %', '57 %', '−13 points'],
      ['Compute time', '7.00 s', '8.50 s', '+1.50 s (+21 %)'],
      ['Transfers', '0 s', '0 s', '±0 s'],
      ['Disk', '0 s', '0 s', '±0 s'],
      ['Results', '0 B', '0 B', '±0 B'],
      ['Erred', '0', '0', '±0'],
      ['Graphs', '0', '0', '±0'],
      ['Size of graphs', '0 B', '0 B', '±0 B'],
      ['Packing', '0 s', '0 s', '±0 s'],
      ['Reading', '0 s', '0 s', '±0 s'],
      ['Tasks of load', '3', '2', '−1 (−33 %)'],
      ['Total time of load', '6.00 s', '8.00 s', '+2.00 s (+33 %)'],
      ['Median of load', '2.00 s', '4.00 s', '+2.00 s (+100 %)'],
      ['Longest of load', '3.00 s', '5.00 s', '+2.00 s (+67 %)'],
      ['Tasks of sum', '1', '0', '−1 (−100 %)'],
      ['Total time of sum', '1.00 s', '0 s', '−1.00 s (−100 %)'],
      ['Median of sum', '1.00 s', '–', '–'],
      ['Longest of sum', '1.00 s', '–', '–'],
      ['Tasks of store', '0', '1', '+1'],
      ['Total time of store', '0 s', '500 ms', '+500 ms'],
      ['Median of store', '–', '500 ms', '–'],
      ['Longest of store', '–', '500 ms', '–']
    ]);
    expect(compareComputations.summary(run, context())).toBe('A took 10.0 s, B 15.0 s: +5.00 s (+50 %).');
    expect(compareComputations.titleLine(run, context()).map(({ text }) => text)).toEqual([
      'A: [1] total.compute()',
      'B: [2] total.compute()'
    ]);
  });

  it('lead from the tasks that erred to the errors, from A and from B', () => {
    const erredOf = (run: Run) => {
      const row = compareComputations.table(run, context()).rows.find(({ id }) => id === 'errors');
      return row?.cells.map(({ text, tone, opens }) => [text, tone, opens?.plot]);
    };
    const failing = { 0: { tasks: 2, done: 1, failed: 1, compute: 8, longest: 5 } };
    expect(erredOf(runOf(ROWS, [A, { ...B, of: failing }]))).toEqual([
      ['Erred', undefined, undefined],
      ['0', undefined, undefined],
      ['1', 'bad', 'errors'],
      ['+1', undefined, undefined]
    ]);
  });

  it('are reported as a multiple where a percentage says nothing', () => {
    const small = { ...A, stop: 101, offered: 1 };
    const run = runOf(ROWS, [small, B]);
    expect(cells(run)[0]).toEqual(['Wall time', '1.00 s', '15.0 s', '+14.0 s (× 15)']);
  });

  it('can be any two of the list', () => {
    const run = runOf(ROWS, [A, B]);
    expect(cells(run, { first: '1', second: '0' })[0]).toEqual(['Wall time', '15.0 s', '10.0 s', '−5.00 s (−33 %)']);
    expect(cells(run, { second: '0' })).toEqual([]);
    expect(cells(run, { first: '99' })).toEqual([]);
    expect(compareComputations.empty(run, context({ options: { second: '0' } }))).not.toBeNull();
    expect(compareComputations.options?.[0].found?.(run)).toEqual([
      { value: '1@200', label: '#1 [2] total.compute()' },
      { value: '0@100', label: '#0 [1] total.compute()' }
    ]);
  });

  it('have the same name in the menu as in the list of computations', () => {
    const code = 'import dask\nx = make()\n(x + 1).sum().compute()';
    const run = runOf(ROWS, [
      { ...A, code, line: 3 },
      { ...B, span: 'train' }
    ]);
    expect(compareComputations.options?.[0].found?.(run).map(({ label }) => label)).toEqual([
      '#1 [2] train: total.compute()',
      '#0 [1] (x + 1).sum().compute()'
    ]);
  });

  it('are not compared by a share that lacks what runs', () => {
    const active = { ...B, of: { 0: { tasks: 3, left: 1, done: 2, compute: 8, longest: 5 } } };
    const run = runOf(ROWS, [A, active]);
    const column = (value: number): Float64Array => Float64Array.of(value);
    const series = { columns: { time: column(100), until: column(300), threads_sum: column(1) }, scalars: { first: 0 } };
    const running = { columns: {}, scalars: { unlisted: 0 } };
    const next = (topics: Record<string, TopicBody>): string[] => {
      run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 240, cursor: {}, names: {}, topics }, 0);
      return cells(run)[2];
    };
    expect(next({ series })).toEqual(['Busy', '70 %', '–', '–']);
    expect(next({ running })).toEqual(['Busy', '70 %', expect.stringMatching(/^\d+ %$/), expect.stringContaining('points')]);
  });

  it('are needed', () => {
    expect(compareComputations.empty(runOf([], [A]), context())?.head).toBe('No two computations to compare.');
    expect(compareComputations.empty(runOf([], [A, B]), context())).toBeNull();
    expect(cells(new Run())).toEqual([]);
  });

  it('have a median only of executions that are surely their own', () => {
    const median = (run: Run, id: number): number | undefined =>
      figuresOf(run, run.computations.list.find(each => each.id === id)!).functions.byName.get('load')?.median;
    // Another computation ran the function in the same time.
    expect(median(runOf([...ROWS, ...executions(104, 0, [1])], [A, B]), 0)).toBeNaN();
    // Not all have arrived, or not all are kept: they come later.
    const run = runOf(ROWS.slice(0, 2), [A, B]);
    expect(median(run, 0)).toBeNaN();
    const names = { prefixes: { from: 0, values: ['load', 'sum', 'store'] } };
    const topics = { tasks: tasksBody(ROWS.slice(2), 2) };
    run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1001, cursor: {}, names, topics }, 0);
    expect(median(run, 0)).toBe(2);
    // In progress.
    expect(median(runOf(ROWS, [{ ...A, of: { 0: { tasks: 4, left: 1, done: 3, compute: 6, longest: 3 } } }]), 0)).toBeNaN();
  });

  it('whose functions are not all known have no tasks only where that is known', () => {
    const sum = (b: Made): string[][] => cells(runOf(ROWS, [A, b])).filter(([what]) => /^T.* of sum$/.test(what));
    const known = [
      ['Tasks of sum', '1', '0', '−1 (−100 %)'],
      ['Total time of sum', '1.00 s', '0 s', '−1.00 s (−100 %)']
    ];
    const unknown = [
      ['Tasks of sum', '1', '–', '–'],
      ['Total time of sum', '1.00 s', '–', '–']
    ];
    expect(sum(B)).toEqual(known);
    // More functions than are kept of one.
    expect(sum({ ...B, unlisted: 1 })).toEqual(unknown);
    expect(sum({ ...B, unfollowed: 1 })).toEqual(unknown);
  });

  it('have no differences to lower bounds', () => {
    const found = cells(runOf(ROWS, [A, { ...B, unfollowed: 2, unlisted: 2 }]));
    const ends = Object.fromEntries(found.map(([what, , ...rest]) => [what, rest]));
    for (const what of ['Wall time', 'Busy', 'Compute time', 'Tasks of load']) {
      expect(ends[what], what).toEqual(['–', '–']);
    }
  });

  it('may be of two runs', () => {
    const [one, two] = [runOf(ROWS, [A]), runOf(ROWS, [B])];
    const [a, b] = [one, two].map(run => figuresOf(run, run.computations.list[0]).functions);
    const rows = compareFunctions(a, b);
    expect(rows.map(({ name }) => name)).toEqual(['load', 'sum', 'store']);
    expect(rows[1]).toMatchObject({ a: { count: 1, total: 1 }, b: { count: 0, total: 0 } });
  });
});
