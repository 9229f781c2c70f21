// What people type into a search, and what is said of a selection, of the work at hand and of differences.
import { beforeEach, describe, expect, it, test } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { Run } from '../../../src/run/run';
import { compareFunctions } from '../../../src/selectors/compare/difference';
import { differenceColour, differenceId } from '../../../src/selectors/profile/compared-texts';
import { conditionsOf, isBlank, keyTextsOf, parseQuery } from '../../../src/selectors/search/query';
import type { SelectionStatistics } from '../../../src/selectors/selection/statistics';
import { NO_TIME } from '../../../src/selectors/selection/thread-use';
import { NO_THREADS } from '../../../src/selectors/selection/threads';
import {
  countWords,
  extentWords,
  functionTable,
  incompleteWords,
  skewWords,
  slowestTable,
  threadUseWords,
  threadWords,
  pauseWords
} from '../../../src/selectors/selection/statistics-words';
import { busyThreads, threadsIn } from '../../../src/selectors/tasks/busy-threads';
import type { PrefixCounts } from '../../../src/selectors/tasks/prefix-counts';
import { atWorkFirst, presentWork, workNow } from '../../../src/selectors/tasks/work-order';
import { EPOCH, made, tasks } from '../advice/made';
import { cluster, context, theme as themeOf } from '../plots/cluster';
import { runningBody, tasksBody } from '../run/synthetic';

const { trans } = context();

beforeEach(() => setNumberLocale('en'));

describe('a search', () => {
  const durations = (text: string): unknown => parseQuery(text).durations;

  it('knows durations in every unit, strictly or not', () => {
    for (const [unit, seconds] of Object.entries({
      ...{ '': 1, s: 1, sec: 1, second: 1, seconds: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, m: 60, min: 60, minute: 60, minutes: 60 },
      ...{ h: 3600, hour: 3600, hours: 3600, d: 86_400, S: 1, Min: 60 }
    })) {
      expect([unit, durations(`>= 2${unit}`)]).toEqual([unit, { least: 2 * seconds, most: Number.POSITIVE_INFINITY }]);
      expect([unit, durations(`≤1.5 ${unit}`)]).toEqual([unit, { least: 0, most: 1.5 * seconds }]);
    }
    expect(durations('≥ 1 s <= 3 s >= 2 s <= 9 s')).toEqual({ least: 2, most: 3 });
    // A duration that is kept in 32 bits as the limit itself is not more, and not less, than it.
    const { least } = durations('> 0.1') as { least: number };
    const { most } = durations('< 0.1') as { most: number };
    expect([least > Math.fround(0.1), most < Math.fround(0.1), least / most < 1.000001]).toEqual([true, true, true]);
    expect([parseQuery('> 5 parsecs').unknown, parseQuery('a > 5 parsecs >2x').unknown]).toEqual(['> 5 parsecs', '> 5 parsecs']);
  });

  it('knows states, fields and words, whatever their case', () => {
    const states = (text: string): readonly string[] => parseQuery(text).states;
    expect(['erred', 'Error', 'FAILED', 'state:erred'].map(states)).toEqual(Array.from({ length: 4 }, () => ['erred']));
    expect(['running', 'state:Running', '"running"'].map(states)).toEqual([['running'], ['running'], []]);
    expect(parseQuery('state:dancing').unknown).toBe('state:dancing');
    const { words, typed, functions, workers, keys } = parseQuery('Inc FUNCTION:Sum worker:"W 1" key:Ab-1 "two words"');
    expect([words, typed, functions, workers, keys]).toEqual([
      ['inc', 'two words'],
      ['Inc', 'two words'],
      ['sum'],
      ['w 1'],
      ['Ab-1']
    ]);
    expect(parseQuery(" ('sum-1a', 0, 3) ").keys).toEqual(["('sum-1a', 0, 3)"]);
    expect(['', '  '].map(text => isBlank(parseQuery(text)))).toEqual([true, true]);
    expect(
      ['a', 'function:a', 'worker:a', 'key:a', 'erred', 'running', '> 1', 'state:x'].map(text => isBlank(parseQuery(text)))
    ).toEqual(Array.from({ length: 8 }, () => false));
  });

  it('is of existing functions and workers, and of keys otherwise', () => {
    const run = cluster({
      workers: [
        { name: 'alpha', address: 'tcp://1:1' },
        { name: 'beta', address: 'tcp://2:2' }
      ],
      prefixes: []
    });
    run.apply(
      {
        feed: 'made-up',
        epoch: 0,
        seq: 1,
        time: 1001,
        cursor: {},
        names: { prefixes: { from: 0, values: ['inc', 'Sum'] } },
        topics: {}
      },
      0
    );
    const of = (text: string, rows: readonly number[] | null = null): unknown => {
      const found = conditionsOf(run, parseQuery(text), rows);
      return found && [found.functions, found.workers, found.erred, found.rows?.numbers ?? null];
    };
    expect([of('sum'), of('alpha'), of('tcp://2'), of('sum alpha')]).toEqual([
      [['Sum'], null, false, null],
      [null, ['tcp://1:1'], false, null],
      [null, ['tcp://2:2'], false, null],
      [['Sum'], ['tcp://1:1'], false, null]
    ]);
    expect([
      of('function:nothing'),
      of('worker:nothing'),
      of('alpha beta'),
      of('nothing'),
      of('erred running'),
      of('> 2 < 1')
    ]).toEqual([null, null, null, null, null, null]);
    expect([of('nothing', [3, 4]), of('erred sum', [])]).toEqual([
      [null, null, false, [3, 4]],
      [['Sum'], null, true, []]
    ]);
    expect(keyTextsOf(run, parseQuery('Sum ALPHA Other key:K'))).toEqual(['K', 'Other']);
  });
});

describe('a selection in words', () => {
  it('says how long it is, of how many threads, and which of these came or left', () => {
    expect([
      extentWords({ from: 1000, to: 1006.3 }, { count: 12 }, trans),
      extentWords({ from: 0, to: 1 }, { count: 1 }, trans)
    ]).toEqual(['6.30 s × 12 threads', '1.00 s × 1 thread']);
    const ofMean = (count: number): string => extentWords({ from: 0, to: 1 }, { count }, trans);
    expect([5.48, 2.04, 0.5, 1234.5].map(ofMean)).toEqual([
      '1.00 s × 5.5 threads',
      '1.00 s × 2 threads',
      '1.00 s × 0.5 threads',
      '1.00 s × 1,235 threads'
    ]);
    const threads = (moved: number, unknown: number): string =>
      threadWords({ moved, unknown } as Parameters<typeof threadWords>[0], trans);
    expect(threads(0, 0)).toBe('');
    expect(threads(1, 0)).toContain('1 worker came or left');
    expect(threads(2, 0)).toContain('2 workers came or left');
    expect(threads(0, 1)).toContain('For 1 worker it is not known');
    expect(threads(2, 3)).toMatch(/^2 workers came .* For 3 workers/);
  });

  it('says for how long nothing ran, where that is more than a small part', () => {
    const run = made({ rows: [...tasks(0, 10, 1), ...tasks(0, 10, 1, 30)], now: 100 });
    const paused = (from: number, to: number): string =>
      pauseWords(run, { period: { from: EPOCH + from, to: EPOCH + to }, threads: { ...NO_THREADS, count: 4 } }, trans);
    expect(paused(0, 40)).toBe('Nothing ran for 20.0 s of it: that counts as idle.');
    expect(paused(5, 20)).toContain('10.0 s');
    expect(paused(0, 10)).toBe('');
    expect(pauseWords(run, { period: null, threads: NO_THREADS }, trans)).toBe('');
  });

  it('says what the threads did, except for what is next to nothing', () => {
    const use = { ...NO_TIME, capacity: 200, compute: 122, transfer: 18, disk: 0.9, running: 1, idle: 58.1 };
    expect(threadUseWords(new Run(), use, trans)).toBe(
      '61 % computing, < 1 % running, not ended yet, 9 % waiting for transfers, 29 % idle'
    );
    expect(threadUseWords(new Run(), NO_TIME, trans)).toBe('');
  });

  it('counts tasks and results, and compares the busiest worker with the mean', () => {
    const of = (count: number, bytes: number): string =>
      countWords({ count, bytes, earlier: null } as SelectionStatistics, trans);
    expect([of(1, 0), of(1204, 2 ** 20)]).toEqual(['1 task', '1,204 tasks, 1.00 MiB of results']);
    const run = cluster({ workers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    const skew = (totals: number[], times: number[]): string =>
      skewWords(
        run,
        {
          workers: totals.map((total, worker) => ({ worker, total })),
          threads: { workers: times.map((time, worker) => ({ worker, time })) }
        } as unknown as SelectionStatistics,
        trans
      );
    expect(skew([6, 2], [10, 10, 10, 10])).toBe('Busiest worker: a, 3.0 × the mean');
    expect([skew([6], [10]), skew([0, 0], [10, 10])]).toEqual(['', '']);
    expect(skew([6, 6], [10, 10])).toBe('Busiest worker: a, 1.0 × the mean');
    // Two threads of one worker are selected and one of another, all as busy; then the one is the busier.
    expect(skew([12, 6], [20, 10])).toBe('Busiest worker: a, 1.0 × the mean');
    expect(skew([12, 9], [20, 10])).toBe('Busiest worker: b, 1.3 × the mean');
    const incomplete = (incompleteUntil: number): string =>
      incompleteWords(run, { incompleteUntil, count: 30, earlier: null } as SelectionStatistics, trans);
    expect([incomplete(Number.NEGATIVE_INFINITY), incomplete(run.origin + 5) !== '']).toEqual(['', true]);
  });

  it('has a row for each function, and for the longest executions', () => {
    const functions = [
      { prefix: 3, name: 'inc', count: 4, total: 5, min: 1, median: 2, p95: 3, max: 4, erred: 0, bytes: 6 },
      { prefix: 1, name: 'bad', count: 1, total: 1, min: 1, median: 1, p95: 1, max: 1, erred: 2, bytes: 0 }
    ];
    const table = (capacity: number) =>
      functionTable({ functions, use: { ...NO_TIME, capacity } } as unknown as SelectionStatistics, trans);
    const [inc, bad] = table(20).rows;
    expect([inc.id, ...inc.cells.map(({ value }) => value)]).toEqual(['3', 'inc', 4, 5, 0.25, 1, 2, 3, 4, 0, 6]);
    expect([inc.cells[3].text, table(0).rows[0].cells[3].text]).toEqual(['25 %', '–']);
    expect([inc.cells[8].tone, bad.cells[8].tone, bad.cells[8].opens !== undefined]).toEqual([undefined, 'bad', true]);
    const run = cluster({ workers: [{ name: 'a' }] });
    const names = { prefixes: { from: 0, values: ['inc'] }, lanes: { from: 0, values: [[0, 1] as const] } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1001, cursor: {}, names, topics: {} }, 0);
    const slowest = [
      { lane: 0, prefix: 0, row: 7, start: run.origin + 1.5, duration: 2 },
      { lane: 9, prefix: 9, row: 8, start: run.origin, duration: 1 }
    ];
    expect(
      slowestTable(run, { slowest } as unknown as SelectionStatistics, trans).rows.map(({ id, cells }) => [
        id,
        ...cells.map(({ text }) => text)
      ])
    ).toEqual([
      ['7', 'inc', '2.00 s', '0:01.50', 'a'],
      ['8', '', '1.00 s', '0:00.00', '']
    ]);
  });
});

describe('the work at hand', () => {
  const counts = (id: number, since: number, until: number, active = 0, order = 0): PrefixCounts =>
    ({ id, since, until, active, order }) as unknown as PrefixCounts;
  const ids = (list: readonly PrefixCounts[]): number[] => list.map(({ id }) => id);

  it('comes first, in the order in which Dask began it', () => {
    const list = [counts(0, 10, 20), counts(1, 100, 0, 5), counts(2, 90, 0, 1), counts(3, 100, 0, 0, -1), counts(4, 300, 350)];
    // 3 began with the graph of 1; 4 ended within the last minute; 0 did not.
    expect(ids(atWorkFirst(list, 400))).toEqual([2, 3, 1, 4, 0]);
    expect(ids(atWorkFirst(list, 411))).toEqual([2, 3, 1, 0, 4]);
    // When all has ended, the last minute of it counts.
    const ended = [counts(0, 10, 20), counts(1, 5, 80), counts(2, 7, 19.9)];
    expect(ids(atWorkFirst(ended, 1e6))).toEqual([1, 0, 2]);
    expect(ids(atWorkFirst([counts(2, 1, 5), counts(1, 1, 5), counts(0, 1, 5, 0, 1)], 9))).toEqual([1, 2, 0]);
  });

  it('is that without a pause of two seconds', () => {
    expect(ids(presentWork([counts(0, 0, 10), counts(1, 11.9, 20), counts(2, 22, 30)]))).toEqual([0, 1, 2]);
    expect(ids(presentWork([counts(0, 0, 9.8), counts(1, 11.9, 20), counts(2, 15, 30)]))).toEqual([1, 2]);
    expect(ids(presentWork([counts(0, 0, 5), counts(1, 50, 0, 3)]))).toEqual([1]);
    expect(ids(presentWork([counts(0, Number.NaN, Number.NaN), counts(1, Number.NaN, Number.NaN)]))).toEqual([0, 1]);
    // The start of the earlier one counts, although it ended first.
    expect(ids(presentWork([counts(0, 3, 12), counts(1, 11, 20), counts(2, 0, 4)]))).toEqual([0, 1, 2]);
  });

  it('is all work where functions at rest may have tasks that a scheduler does not tell of', () => {
    const run = new Run();
    const work = [counts(0, 0, 5), counts(1, 50, 0, 3)];
    expect(ids(workNow(run, work))).toEqual([1]);
    const topics = { meta: { columns: {}, scalars: { unknown: ['queued', 'no_worker'] } } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names: {}, topics }, 0);
    expect(ids(workNow(run, work))).toEqual([0, 1]);
  });
});

test('functions of A and B are by the difference of their total times, then by name', () => {
  const figures = (totals: Record<string, number>): Parameters<typeof compareFunctions>[0] => ({
    byName: new Map(Object.entries(totals).map(([name, total]) => [name, { count: 1, total, median: total, longest: total }])),
    whole: true
  });
  const names = compareFunctions(figures({ a: 1, b: 5, c: 2, z: 3 }), figures({ a: 1, b: 4.5, d: 2, y: 3, n: Number.NaN })).map(
    ({ name }) => name
  );
  expect(names).toEqual(['y', 'z', 'c', 'd', 'b', 'a', 'n']);
  const [first] = compareFunctions(figures({ a: 1 }), figures({}));
  expect([first.a.count, first.b.count]).toEqual([1, 0]);
});

test('differences have a colour for each step, equal ones that in the middle', () => {
  const theme = themeOf();
  const middle = (theme.diverging.length - 1) / 2;
  const steps = theme.diverging.map((_, i) => i - middle);
  expect(steps.map(step => differenceColour(theme, step))).toEqual([...theme.diverging]);
  expect([2, -1, 0].map(differenceId)).toEqual(['more', 'less', 'equal']);
});

test('busy threads are those of executions and of running tasks, by periods that do not move', () => {
  const run = new Run();
  const names = {
    prefixes: { from: 0, values: ['inc', 'sum'] },
    workers: { from: 0, values: [{ address: 'tcp://a', name: 'a', host: 'h', nthreads: 2, memory_limit: 0 }] },
    lanes: { from: 0, values: [[0, 1] as const, [0, 2] as const] }
  };
  const rows = [
    { lane: 0, prefix: 0, start: 1000, duration: 15 },
    { lane: 1, prefix: 0, start: 1005, duration: 5 },
    { lane: 1, prefix: 1, start: 1021, duration: 2 }
  ];
  const running = runningBody([{ id: 0, prefix: 1, start: 1024 }]);
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: 1026, cursor: {}, names, topics: { tasks: tasksBody(rows), running } }, 0);
  const busy = busyThreads(run, { from: 1003, to: 1026 }, 10);
  expect([busy.from, busy.width, busy.count]).toEqual([1000, 10, 3]);
  expect(busy.functions.map(({ prefix, seconds, total }) => [prefix, [...seconds].map(Math.round), Math.round(total)])).toEqual([
    [0, [15, 5, 0], 20],
    [1, [0, 0, 4], 4]
  ]);
  expect([...busy.passed].map(Math.round)).toEqual([10, 10, 6]);
  const [inc] = busy.functions;
  expect([threadsIn(busy, inc.seconds, 0), threadsIn(busy, inc.seconds, 1)]).toEqual([expect.closeTo(1.5), expect.closeTo(0.5)]);
  expect(busyThreads(run, { from: 1003, to: 1026 }, 10)).toBe(busy);
  // A period that has not begun has no threads, nor one of which next to nothing has passed.
  const later = busyThreads(run, { from: 1010, to: 1045 }, 10);
  expect([...later.passed].map(Math.round)).toEqual([10, 6, 0, 0]);
  expect(threadsIn(later, inc.seconds, 2)).toBeNaN();
});
