import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { running } from '../../../src/plots/tasks/running';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { isDimmed, selectRow } from '../../../src/views/table/row-actions';
import { cluster, context, step } from './cluster';

beforeEach(() => setNumberLocale('en'));

interface Task {
  readonly id: number;
  /** 0 ended, 1 executing, 2 long-running. */
  readonly state?: number;
  readonly worker?: number;
  readonly prefix?: number;
  readonly start?: number;
  readonly key?: string;
}

function applyRunning(run: Run, tasks: readonly Task[], unlisted = 0, time = 1100): Run {
  const of = (value: (task: Task) => number): Float64Array => Float64Array.from(tasks, value);
  const columns = {
    id: of(({ id }) => id),
    state: of(({ state = 1 }) => state),
    worker: of(({ worker = 0 }) => worker),
    prefix: of(({ prefix = 0 }) => prefix),
    start: of(({ start = 1000 }) => start),
    as_of: of(() => 1090)
  };
  const keys = tasks.map(({ id, key = `key-${id}` }) => [id, key]);
  const topics = { running: { columns, scalars: { keys, unlisted } } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics }, time * 1000);
  return run;
}

const made = (): Run =>
  cluster({
    workers: [
      { name: 'a', address: 'tcp://a:1', last_seen: 1099 },
      { name: '<b>', address: 'tcp://b:1', last_seen: 1000 }
    ],
    prefixes: [
      { name: 'load', processing: 1 },
      { name: '<img src=x>', processing: 1 }
    ]
  });

const table = (run: Run, options: Record<string, string> = {}): Record<string, string>[] => {
  const { columns, rows } = running.table(run, context({ options }));
  return rows.map(({ cells }) => Object.fromEntries(cells.map((cell, i) => [columns[i].id, cell.text])));
};

describe('running tasks', () => {
  it('select their function: what runs is no execution yet', () => {
    const run = applyRunning(made(), [{ id: 3, start: 1080, prefix: 1 }]);
    selectRow(running, run, running.table(run, context()).rows[0].id);
    expect(selectionOf(run).has({ functions: ['<img src=x>'] })).toBe(true);
    selectRow(running, run, 'gone');
    expect(selectionOf(run).has({ functions: ['<img src=x>'] })).toBe(true);
  });

  it('are dimmed where other functions or workers are selected', () => {
    const run = applyRunning(made(), [
      { id: 3, start: 1080 },
      { id: 1, start: 1040, worker: 1, prefix: 1 }
    ]);
    const ids = running.table(run, context()).rows.map(({ id }) => id);
    const dimmed = (): boolean[] => ids.map(id => isDimmed(running, run, id));
    expect(dimmed()).toEqual([false, false]);
    selectionOf(run).select({ functions: ['<img src=x>'] });
    expect(dimmed()).toEqual([false, true]);
    selectionOf(run).select({ workers: ['tcp://a:1'] });
    expect(dimmed()).toEqual([true, false]);
    selectionOf(run).change({ functions: ['<img src=x>'] });
    expect(dimmed()).toEqual([true, true]);
    // A row that has gone is of nothing.
    expect(isDimmed(running, run, 'gone')).toBe(false);
  });

  it('are listed with where and how long, the longest first, as of the last heartbeat', () => {
    const run = applyRunning(made(), [
      { id: 3, start: 1080 },
      { id: 1, start: 1040, worker: 1, prefix: 1, state: 2, key: '<script>\u202e' }
    ]);
    expect(table(run)).toMatchObject([
      {
        key: '<script>',
        function: '<img src=x>',
        worker: '<b>',
        time: '1 m 0 s',
        asof: '10.0 s ago',
        state: 'has left its thread'
      },
      { key: 'key-3', function: 'load', worker: 'a', time: '20.0 s', asof: '1.00 s ago', state: 'runs' }
    ]);
    expect(running.titleLine(run, context()).map(({ text }) => text)).toEqual(['2 tasks running', 'the longest for 1 m 0 s']);
    expect(table(run, { function: 'load' }).map(({ key }) => key)).toEqual(['key-3']);
    expect(table(run, { worker: 'tcp://b:1' }).map(({ key }) => key)).toEqual(['<script>']);
    expect(running.empty(run, context({ options: { function: 'x' } }))?.head).toBe('No running tasks match this choice.');
    expect(running.notes(applyRunning(run, [], 7), context())).toEqual([
      '7 more are not listed: a worker lists the 100 that run longest'
    ]);
  });

  it('that are not listed are counted as of the choice only where they are', () => {
    const run = cluster({
      workers: [
        { name: 'a', address: 'tcp://a:1', executing: 105, processing: 200 },
        { name: 'b', address: 'tcp://b:1', executing: 1, processing: 1 }
      ],
      prefixes: [{ name: 'load', processing: 201 }]
    });
    applyRunning(run, [...Array.from({ length: 100 }, (_, id) => ({ id })), { id: 100, worker: 1 }], 5);
    const notes = (options: Record<string, string>): readonly string[] => running.notes(run, context({ options }));
    expect(notes({})).toEqual(['5 more are not listed: a worker lists the 100 that run longest']);
    expect(notes({ worker: 'tcp://a:1' })).toEqual(['5 more are not listed: a worker lists the 100 that run longest']);
    expect(notes({ worker: 'tcp://b:1' })).toEqual([]);
    expect(notes({ function: 'load' })).toEqual([
      'of all functions and workers, 5 more are not listed: a worker lists the 100 that run longest'
    ]);
  });

  it('that are shorter than a heartbeat are counted as their workers count them, and not listed', () => {
    const run = cluster({ workers: [{ name: 'a', address: 'tcp://a:1', nthreads: 2, executing: 2, processing: 9 }] });
    applyRunning(run, []);
    const head = (options = {}): string[] => running.titleLine(run, context({ options })).map(({ text }) => text);
    expect(head()).toEqual(['2 tasks running', '0 listed']);
    expect(head({ worker: 'tcp://a:1' })).toEqual(['2 tasks running', '0 listed']);
    expect(head({ function: 'load' })).toEqual(['0 tasks running']);
    expect(running.empty(run, context())?.head).toBe('No running tasks are known.');
    step(run, { time: 1200, workers: [{ nthreads: 2, executing: 0, processing: 0 }] });
    expect(head()).toEqual(['0 tasks running']);
    expect(running.empty(run, context())?.head).toBe('No running tasks.');
  });

  it('that were cancelled keep their threads, and the title counts these', () => {
    const run = cluster({
      workers: [
        { name: 'a', address: 'tcp://a:1', nthreads: 2, cancelled: 2 },
        { name: 'b', address: 'tcp://b:1', nthreads: 2, cancelled: 9, executing: 1, processing: 1 },
        { name: 'c', address: 'tcp://c:1', nthreads: 2, cancelled: 1, status: 'lost' }
      ]
    });
    applyRunning(run, []);
    const head = (options = {}): string[] => running.titleLine(run, context({ options })).map(({ text }) => text);
    expect(head()).toEqual(['1 task running', '0 listed', '3 threads still run cancelled tasks']);
    expect(head({ worker: 'tcp://b:1' })).toEqual(['1 task running', '0 listed', '1 thread still runs a cancelled task']);
    expect(running.empty(run, context())?.body).toContain('Cancelled tasks keep their threads until they end');
    step(run, { time: 1200, workers: [{ nthreads: 2 }, { nthreads: 2 }] });
    expect(head()).toEqual(['0 tasks running']);
    expect(running.empty(run, context())?.body).toContain('with the next heartbeat');
  });

  it('lead to their details, also with the row of an earlier one used again', () => {
    const run = applyRunning(made(), [
      { id: 1, key: "('a', 1)" },
      { id: 2, key: 'x'.repeat(200) }
    ]);
    const [first, long] = running.table(run, context()).rows.map(({ id }) => id);
    expect(running.openArgs?.(run, first)).toEqual({ key: "('a', 1)" });
    expect(running.detail?.(run, first, context())?.links).toMatchObject([{ plot: 'task', args: { key: "('a', 1)" } }]);
    expect(running.acts?.(run, first)).toEqual({ kind: 'task', key: "('a', 1)", state: 'processing' });
    // A key that is cut is none.
    expect(running.openArgs?.(run, long)).toBeNull();
    expect(running.acts?.(run, long)).toBeNull();
    expect(running.detail?.(run, long, context())?.links).toEqual([]);
    applyRunning(run, [{ id: 1, start: 1095, key: 'next' }]);
    expect(running.detail?.(run, first, context())).toBeNull();
    applyRunning(run, [
      { id: 1, state: 0 },
      { id: 2, state: 0 }
    ]);
    expect(running.empty(run, context())?.head).toBe('No running tasks.');
  });

  it('of a local scheduler are known at once, and lead nowhere', () => {
    const run = applyRunning(made(), [{ id: 1, start: 1090, key: 'inc-1' }]);
    const local = { scheduler: 'threads', workers: 4, outcome: 'running' };
    const topics = { meta: { columns: {}, scalars: { local } } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1100, cursor: {}, names: {}, topics }, 1_100_000);
    expect(table(run)).toMatchObject([{ key: 'inc-1', time: '10.0 s', asof: 'now' }]);
    const [{ id }] = running.table(run, context()).rows;
    expect([running.openArgs?.(run, id), running.acts?.(run, id)]).toEqual([null, null]);
    expect(running.detail?.(run, id, context())?.links).toEqual([]);
    applyRunning(run, [{ id: 1, state: 0 }]);
    expect(running.empty(run, context())?.body).toContain('when Dask hands it out');
  });
});
