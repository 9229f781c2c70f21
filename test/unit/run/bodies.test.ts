// What tables make of bodies: every column and text in its place, and what is not there as not known.
import { describe, expect, it, test } from 'vitest';
import type { Column, Scalar, TopicBody } from '../../../src/feed/frame';
import { COMPUTATIONS_COLUMNS, ERROR_KIND, HARDWARE_KIND, STEAL_OUTCOME } from '../../../src/feed/schema';
import { Hardware } from '../../../src/run/logs/hardware';
import { Steals } from '../../../src/run/logs/steals';
import { Computations } from '../../../src/run/tables/computations';
import { CachedResults } from '../../../src/run/tables/cache';
import { Errors } from '../../../src/run/tables/errors';
import { RecentValues } from '../../../src/run/tables/recent-values';

const { NaN: UNKNOWN } = Number;

function body(
  columns: Record<string, readonly number[]>,
  scalars: Record<string, Scalar> = {},
  moves?: Record<string, readonly number[]>
): TopicBody {
  const typed = (table: Record<string, readonly number[]>): Record<string, Column> =>
    Object.fromEntries(Object.entries(table).map(([name, values]) => [name, Float64Array.from(values)]));
  return { columns: typed(columns), scalars, ...(moves === undefined ? {} : { moves: typed(moves) }) };
}

describe('errors', () => {
  const full = {
    ...{ id: [1, 2], kind: [1, 250], prefix: [3, 0], count: [5, 1], now: [4, 0], dependents: [2, 0] },
    ...{ again: [3, 0], elsewhere: [1, 0], first: [10, 20], last: [15, 30] }
  };
  const texts = {
    ...{ id: 1, type: 'ValueError', message: 'm', shape: 's', traceback: 't', more: true, deaths: 2, memory: 7, limit: 8 }
  };
  const [erred] = ERROR_KIND;

  it('have their counts, their texts, their last key, and who and what was concerned', () => {
    const errors = new Errors();
    errors.apply(
      body(full, {
        texts: [texts, 'odd', { message: 'of nobody' }],
        keys: [[1, 'key'], ['odd'], [2, 7]],
        at: [
          [1, 0, 3],
          [1, 4, 1],
          [2, 1, 1]
        ],
        blocked: [[1, 2, 9]]
      })
    );
    const [second, first] = errors.list;
    expect(first).toEqual({
      ...{ id: 1, kind: ERROR_KIND[1], prefix: 2, count: 5, now: 4, again: 3, dependents: 2, elsewhere: 1, first: 10, last: 15 },
      ...{ type: 'ValueError', message: 'm', shape: 's', traceback: 't', more: true, deaths: 2, memory: 7, limit: 8 },
      ...{
        key: 'key',
        at: new Map([
          [0, 3],
          [4, 1]
        ]),
        blocked: new Map([[2, 9]])
      }
    });
    expect(second).toEqual({
      ...{ id: 2, kind: erred, prefix: -1, count: 1, now: 0, again: 0, dependents: 0, elsewhere: 0, first: 20, last: 30 },
      ...{ type: '', message: '', shape: '', traceback: '', more: false, deaths: 0, memory: UNKNOWN, limit: UNKNOWN },
      ...{ key: '', at: new Map([[1, 1]]), blocked: new Map() }
    });
  });

  it('are replaced row by row with their lists, and keep their texts; a copy stays as it was', () => {
    const errors = new Errors();
    errors.apply(body(full, { texts: [texts], at: [[1, 0, 3]], blocked: [[1, 2, 9]], keys: [[1, 'key']] }));
    const copy = errors.copy();
    expect(errors.list).toBe(errors.list);
    errors.apply(body({ id: [1], count: [6], last: [99] }, { at: [[1, 5, 6]] }));
    const [newest] = errors.list;
    expect([newest.id, newest.count, newest.message, newest.key, newest.at, newest.blocked.size]).toEqual([
      1,
      6,
      'm',
      'key',
      new Map([[5, 6]]),
      0
    ]);
    expect(copy.list.map(({ id, count, at }) => [id, count, at.get(0)])).toEqual([
      [2, 1, undefined],
      [1, 5, 3]
    ]);
    errors.clear();
    expect([errors.list, copy.list.length]).toEqual([[], 2]);
  });

  it('of the same moment are the newest first; a body without any changes none', () => {
    const errors = new Errors();
    errors.apply(body({ id: [1, 3, 2], last: [5, 5, 5] }));
    errors.apply(body({}));
    expect(errors.list.map(({ id }) => id)).toEqual([3, 2, 1]);
    // A list of a group that is not named is of none of them.
    errors.apply(body({}, { at: [['x', 1, 1]], keys: [['x', 'k']], texts: [{ message: 'x' }] }));
    expect(errors.list.every(({ at, key, message }) => at.size === 0 && key === '' && message === '')).toBe(true);
  });
});

test('steals have their workers and times, the newest twenty thousand of them', () => {
  const steals = new Steals();
  steals.apply(
    body(
      { time: [1, 2], outcome: [0, 99], victim: [1, 0], thief: [3, 0], prefix: [4, 5], asked: [0.5, 1], cost: [2, 3] },
      { lost: 7 }
    )
  );
  expect(steals.list).toEqual([
    { time: 1, outcome: STEAL_OUTCOME[0], victim: 0, thief: 2, prefix: 4, asked: 0.5, cost: 2 },
    { time: 2, outcome: 'outdated', victim: -1, thief: -1, prefix: 5, asked: 1, cost: 3 }
  ]);
  expect([steals.lost, steals.version]).toEqual([7, 1]);
  steals.apply(body({ time: [3] }));
  expect(steals.list[2]).toEqual({
    time: 3,
    outcome: 'outdated',
    victim: -1,
    thief: -1,
    prefix: -1,
    asked: UNKNOWN,
    cost: UNKNOWN
  });
  const copy = steals.copy();
  steals.apply(body({ time: Array.from({ length: 20_000 }, (_, i) => 10 + i) }));
  expect([steals.list.length, steals.list[0].time, steals.lost, steals.version]).toEqual([20_000, 10, 10, 3]);
  expect([copy.list.length, copy.lost, copy.version]).toEqual([3, 7, 2]);
  // Without rows nothing comes, and readers look again anyway.
  steals.apply(body({}));
  expect([steals.list.length, steals.version]).toEqual([20_000, 4]);
  steals.clear();
  expect([steals.list, steals.lost, steals.version]).toEqual([[], 0, 5]);
});

test('a measurement of hardware has its state, its failures and the rates that mean something', () => {
  const hardware = new Hardware();
  hardware.apply(
    body(
      { worker: [0, 1, 2, 3], kind: [1, 99, 0, 0], peer: [2, 0, 0, 0], size: [10, 20, 0, 5], rate: [5, 0, 1, -1] },
      { state: 'running', stage: 'disk', started: 3, workers: 4, failed: 2, failures: [['a', 'disk', 'full'], ['b'], 7] }
    )
  );
  expect(hardware).toMatchObject({ state: 'running', stage: 'disk', started: 3, ended: UNKNOWN, workers: 4, failed: 2 });
  expect(hardware.failures).toEqual([
    { address: 'a', kind: 'disk', reason: 'full' },
    { address: 'b', kind: '', reason: '' },
    { address: '', kind: '', reason: '' }
  ]);
  expect(hardware.list).toEqual([
    { worker: 0, kind: HARDWARE_KIND[1], peer: 1, size: 10, rate: 5 },
    { worker: 1, kind: 'disk', peer: -1, size: 20, rate: 0 }
  ]);
  const copy = hardware.copy();
  hardware.apply(body({ worker: [1] }, { state: 'exploded' }));
  expect([hardware.state, hardware.started, hardware.workers, hardware.list, copy.state]).toEqual([
    'none',
    UNKNOWN,
    0,
    [],
    'running'
  ]);
  copy.clear();
  expect(copy).toEqual(new Hardware());
});

describe('computations', () => {
  it('are the newest first, with their functions and their texts', () => {
    const computations = new Computations();
    computations.apply(
      body(
        { id: [1, 2], tasks: [10, 20] },
        {
          texts: [
            { id: 2, client: 'c', cell: 3, cell_id: 'x', code: 'f()', line: 4, span: 's', origin: 'cell' },
            null,
            [1],
            { code: 'of nobody' }
          ]
        },
        { computation: [2, 2, 1], prefix: [5, 6, 5], tasks: [7, 0, 1], again: [1, 2, 3], compute: [0.5, 1, 2] }
      )
    );
    const [second, first] = computations.list;
    expect([
      second.id,
      second.values.tasks,
      second.client,
      second.cell,
      second.cellId,
      second.code,
      second.line,
      second.span,
      second.origin
    ]).toEqual([2, 20, 'c', 3, 'x', 'f()', 4, 's', 'cell']);
    expect([first.id, first.client, first.cell, first.line, first.code]).toEqual([1, '', 0, 0, '']);
    expect(COMPUTATIONS_COLUMNS.filter(name => !Number.isNaN(first.values[name]))).toEqual(
      COMPUTATIONS_COLUMNS.filter(name => (name as string) === 'id' || name === 'tasks')
    );
    expect(
      computations
        .functionsOf(2)
        .map(({ prefix, tasks, again, left, dropped, failed, done, compute, longest }) => [
          prefix,
          tasks,
          again,
          left,
          dropped,
          failed,
          done,
          compute,
          longest
        ])
    ).toEqual([
      [5, 7, 1, 0, 0, 0, 0, 0.5, UNKNOWN],
      [6, 0, 2, 0, 0, 0, 0, 1, UNKNOWN]
    ]);
    expect(computations.functionsOf(9)).toEqual([]);
    expect(computations.list).toBe(computations.list);
  });

  it('that the collector has dropped go with their functions, once', () => {
    const computations = new Computations();
    computations.apply(body({ id: [1, 2, 3] }, { texts: [{ id: 1, code: 'a' }] }, { computation: [1, 3], prefix: [0, 0] }));
    const copy = computations.copy();
    computations.apply(body({}, { kept: 2 }));
    expect([computations.list.map(({ id }) => id), computations.dropped, computations.functionsOf(1).length]).toEqual([
      [3, 2],
      2,
      0
    ]);
    computations.apply(body({}, { kept: 1 }));
    computations.apply(body({}, { kept: 'all' }));
    expect([computations.dropped, computations.functionsOf(3).length]).toEqual([2, 1]);
    expect([copy.list.map(({ id }) => id), copy.dropped, copy.list[2].code, copy.functionsOf(1).length]).toEqual([
      [3, 2, 1],
      0,
      'a',
      1
    ]);
    computations.clear();
    expect([computations.list, computations.dropped, computations.functionsOf(3)]).toEqual([[], 0, []]);
  });
});

test('results that are kept are steps of each function, and hostile ids have none', () => {
  const cache = new CachedResults();
  cache.apply(
    body(
      { time: [1, 2, 3, UNKNOWN, 4], prefix: [5, 5, 6, 5, 70_000], count: [1, 2, 3, 9, 9], nbytes: [10, 5, 30, 9, 9] },
      { lost: 2 }
    )
  );
  cache.apply(body({ prefix: [5] }, { lost: 'many' }));
  expect([cache.prefixes, cache.lost, cache.length(5), cache.length(7), cache.length(70_000)]).toEqual([[5, 6], 2, 2, 0, 0]);
  expect([cache.at(5, 1.5), cache.at(5, 2), cache.at(5, 0.5).count, cache.upTo(5, 1), cache.upTo(9, 1)]).toEqual([
    { time: 1, count: 1, nbytes: 10 },
    { time: 2, count: 2, nbytes: 5 },
    0,
    1,
    0
  ]);
  expect([cache.extremes(5, 0, 2, 'nbytes').length > 0, cache.extremes(9, 0, 2, 'count')]).toEqual([true, []]);
  const copy = cache.copy();
  cache.apply(body({ time: [9], prefix: [6] }));
  expect([cache.point(6, 1), copy.length(6), copy.lost]).toEqual([{ time: 9, count: 0, nbytes: 0 }, 1, 2]);
  cache.clear();
  expect([cache.prefixes, cache.lost, cache.length(5), copy.length(5)]).toEqual([[], 0, 0, 2]);
});

test('recent values are ignored where they say nothing, and begin again where time goes back', () => {
  const recent = new RecentValues();
  recent.note(1, 10, 5);
  recent.note(1, 10, 6);
  recent.note(1, 11, UNKNOWN);
  recent.note(1, Number.POSITIVE_INFINITY, 7);
  recent.note(1, 12, 8);
  recent.note(2, 3, 1);
  const copy = recent.copy();
  recent.note(1, 4, 9);
  expect([recent.of(1), recent.of(2), recent.of(3), copy.of(1)]).toEqual([[9], [1], [], [5, 8]]);
  recent.clear();
  expect([recent.of(1), copy.of(2)]).toEqual([[], [1]]);
});
