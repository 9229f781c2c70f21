import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Scalar } from '../../../src/feed/frame';
import { errors } from '../../../src/plots/diagnosis/errors';
import { progress } from '../../../src/plots/tasks/progress';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { isDimmed } from '../../../src/views/table/row-actions';
import { cluster, context } from './cluster';

beforeEach(() => setNumberLocale('en'));

const GiB = 1024 ** 3;

interface Group {
  readonly id: number;
  readonly kind?: number;
  readonly prefix?: number;
  readonly count?: number;
  readonly now?: number;
  readonly again?: number;
  readonly dependents?: number;
  readonly elsewhere?: number;
  readonly first?: number;
  readonly last?: number;
}

function fail(run: Run, groups: readonly Group[], scalars: Record<string, Scalar>, time = 1100): Run {
  const column = (name: keyof Group, otherwise: number): Float64Array =>
    Float64Array.from(groups, group => group[name] ?? otherwise);
  const columns = {
    id: column('id', 0),
    kind: column('kind', 0),
    prefix: column('prefix', 1),
    count: column('count', 1),
    now: column('now', 0),
    again: column('again', 0),
    dependents: column('dependents', 0),
    elsewhere: column('elsewhere', 0),
    first: column('first', 1001),
    last: column('last', 1002)
  };
  const topics = { errors: { columns, scalars } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics }, time * 1000);
  return run;
}

const two = (): Run =>
  cluster({
    workers: [{ name: 'a', address: 'tcp://a:1' }, { name: '<b>' }],
    prefixes: [{ name: 'load', erred: 5 }, { name: 'sum', erred: 7 }, { name: '<img src=x>' }]
  });

const table = (run: Run, options: Record<string, string> = {}): Record<string, string>[] => {
  const { columns, rows } = errors.table(run, context({ options }));
  return rows.map(({ cells }) => Object.fromEntries(cells.map((cell, i) => [columns[i].id, cell.text])));
};
const title = (run: Run, options: Record<string, string> = {}): string[] =>
  errors.titleLine(run, context({ options })).map(({ text }) => text);

const made = (): Run =>
  fail(
    two(),
    [
      { id: 0, count: 5, now: 12, dependents: 7, last: 1003, elsewhere: 1 },
      { id: 1, kind: 1, prefix: 2, count: 2, last: 1004 },
      { id: 2, prefix: 3, count: 4, last: 1002 }
    ],
    {
      texts: [
        { id: 0, type: 'ValueError', message: 'no file 7', shape: 'no file …', traceback: 'File "a.py"\n  raise', more: false },
        { id: 1, type: '', message: '', shape: '', traceback: '', more: false },
        { id: 2, type: '<script>', message: '\u202e\ufffd\nx', shape: '', traceback: '', more: false }
      ],
      keys: [
        [0, "('load-1', 3)"],
        [1, 'sum-9'],
        [2, '<b>']
      ],
      at: [
        [0, 0, 3],
        [0, 1, 1],
        [2, 1, 4]
      ],
      blocked: [[0, 1, 7]]
    }
  );

describe('errors', () => {
  it('has a row for each exception of a function, the newest first, and retried attempts apart', () => {
    const run = made();
    expect(table(run)).toMatchObject([
      { type: 'retried', function: 'sum', count: '2', now: 'tried again', dependents: '' },
      {
        ...{ type: 'ValueError', message: 'no file …', function: 'load', count: '5', dependents: '7', now: 'erred' },
        ...{ workers: 'a × 3, <b>, others × 1', blocked: 'sum × 7', key: "('load-1', 3)" }
      },
      { type: '<script>', message: '\ufffd x', function: '<img src=x>', count: '4', now: 'released', workers: '<b> × 4' }
    ]);
    expect(title(run)).toEqual(['9 errors', '7 tasks that need them did not run', '2 attempts retried']);
    expect(errors.summary(run, context())).toBe('9 errors, 7 tasks that need them did not run, 2 attempts retried.');
  });

  it('is dimmed where it did not happen in the selected period', () => {
    const run = made();
    selectionOf(run).select({ period: { from: 1003.5, to: 1010 } });
    expect(['0', '1', '2'].map(id => isDimmed(errors, run, id))).toEqual([true, false, true]);
  });

  it('filters by function, also by one that did not run because another failed, and by kind', () => {
    const run = made();
    expect(table(run, { function: 'sum' }).map(row => row.function)).toEqual(['sum', 'load']);
    expect(table(run, { function: 'sum', kind: 'erred' }).map(row => row.function)).toEqual(['load']);
    expect(title(run, { function: 'load' })).toEqual(['5 errors', '7 tasks that need them did not run']);
    // Nothing is said of errors that are not listed.
    expect(title(run, { kind: 'retried' })).toEqual(['2 attempts retried']);
    expect(errors.summary(run, context({ options: { kind: 'retried' } }))).toBe('2 attempts retried.');
    expect(errors.empty(run, context({ options: { function: 'gone' } }))?.head).toBe('No errors match this choice.');
    expect(errors.empty(run, context({ options: { function: 'sum', kind: 'gone' } }))?.body).toMatch(
      /all functions and both kinds/
    );
    expect(errors.options?.[0].found?.(run).map(({ label }) => label)).toEqual(['<img src=x>', 'load', 'sum']);
    expect(errors.empty(two(), context())?.head).toBe('No errors are known.');
    expect(errors.empty(fail(two(), [], {}), context())?.head).toBe('No errors.');
  });

  it('says which were tried again, and so are neither erred nor released', () => {
    const run = fail(
      two(),
      [
        { id: 0, count: 3, now: 0, again: 3, last: 1004 },
        { id: 1, count: 3, now: 0, again: 1, last: 1003 },
        { id: 2, count: 3, now: 1, again: 1, last: 1002 }
      ],
      {}
    );
    expect(table(run).map(row => row.now)).toEqual(['tried again', '1 tried again', '1 still erred']);
    const facts = Object.fromEntries(errors.detail?.(run, '0', context())?.facts ?? []);
    expect(facts).toMatchObject({ 'Tried again': '3', 'Erred now': '0' });
  });

  it('shows everything of a row with its traceback, and leads to the task', () => {
    const run = made();
    const detail = errors.detail?.(run, '0', context());
    expect(detail).toMatchObject({
      title: 'ValueError: no file …',
      tone: 'bad',
      text: 'File "a.py"\n  raise',
      links: [{ plot: 'task', args: { key: "('load-1', 3)" } }]
    });
    expect(Object.fromEntries(detail?.facts ?? [])).toMatchObject({
      Times: '5',
      'Erred now': '12',
      'Did not run because of it': '7: sum × 7'
    });
    const released = errors.detail?.(run, '2', context())?.facts ?? [];
    expect(released.find(([name]) => name === 'Erred now')?.[1]).toContain('released');
    expect(errors.detail?.(run, '9', context())).toBeNull();
    // What Dask still has can be looked at in a notebook.
    expect(detail?.debug).toBe("client.recreate_task_locally(('load-1', 3))");
    expect(errors.detail?.(run, '2', context())?.debug).toBeUndefined();
    expect(errors.openArgs?.(run, '0')).toEqual({ key: "('load-1', 3)" });
    expect(errors.openArgs?.(run, '9')).toBeNull();
  });

  it('says what a dead worker probably was', () => {
    const died = (memory: Scalar): string => {
      const texts = [{ id: 0, type: 'KilledWorker', message: '', shape: '', traceback: '', deaths: 4, memory, limit: 4 * GiB }];
      return table(fail(two(), [{ id: 0 }], { texts }))[0].message;
    };
    expect(died(3.8 * GiB)).toBe(
      '4 workers died that had the task (running or waiting), probably out of memory: 95 % of the limit at the last heartbeat.'
    );
    expect(died(GiB)).toContain('a crash of native code');
    expect(died(null)).toBe('4 workers died that had the task (running or waiting).');
    const fit = fail(two(), [{ id: 0 }], { texts: [{ id: 0, type: 'NoValidWorkerError' }] });
    expect(table(fit)[0].message).toContain('no worker had what the task asks for');
    const alone = fail(two(), [{ id: 0, now: 1 }], { texts: [{ id: 0, type: 'NoWorkerError' }] });
    expect(table(alone)[0].message).toBe('For longer than the scheduler waits, no worker took tasks.');
    // No code of the task raised it.
    expect(errors.detail?.(alone, '0', context())?.debug).toBeUndefined();
    const memory = (message: string): Run =>
      fail(two(), [{ id: 0, now: 1 }], { texts: [{ id: 0, type: 'MemoryError', message }], keys: [[0, 'load-1']] });
    expect(errors.selects?.(alone, '0')).toEqual({ functions: ['load'], erred: false });
    const large = memory('the inputs of the task are larger than the memory limit of its worker');
    expect(errors.detail?.(large, '0', context())?.debug).toBeUndefined();
    expect(errors.selects?.(large, '0')).toEqual({ functions: ['load'], erred: false });
    const lost = memory('Worker holding Actor was lost');
    expect(errors.detail?.(lost, '0', context())?.debug).toBeUndefined();
    expect(errors.selects?.(lost, '0')).toEqual({ functions: ['load'], erred: false });
    expect(errors.detail?.(memory(''), '0', context())?.debug).toBe('client.recreate_task_locally("load-1")');
    expect(errors.selects?.(memory(''), '0')).toEqual({ functions: ['load'], erred: true });
  });

  it('says how many erred tasks it does not list, once nothing is on its way', () => {
    const late = (time: number): Run => fail(two(), [{ id: 0, count: 2, now: 2, last: 1200 }], {}, time);
    expect(errors.notes(late(1300), context())).toEqual(['10 erred tasks are not listed: they erred before observation began']);
    expect(errors.notes(late(1201), context())).toEqual([]);
    expect(errors.notes(fail(two(), [{ id: 0, now: 12 }], {}, 1300), context())).toEqual([]);
    // Nothing is known of errors: they may have been made while they were observed.
    expect(errors.notes(two(), context())).toEqual([]);
    expect(errors.notes(fail(two(), [], {}, 1300), context())).toHaveLength(1);
  });

  it('is where "erred" leads from progress, of its function from a row', () => {
    const run = two();
    const parts = progress.titleLine(run, context());
    expect(parts.find(({ text }) => text === '12 erred')?.opens).toEqual({ plot: 'errors', args: { function: '', kind: 'all' } });
    const { columns, rows } = progress.table(run, context());
    const erred = columns.findIndex(({ id }) => id === 'erred');
    const left = columns.findIndex(({ id }) => id === 'left');
    expect(rows[0].cells[erred].opens).toEqual({ plot: 'errors', args: { function: 'load', kind: 'all' } });
    expect(rows.map(({ cells }) => cells[left].text)).not.toContain('✓');
  });

  it('keeps the second run in the same row, and a paused view its moment', () => {
    const run = made();
    const paused = frozen(run);
    fail(run, [{ id: 0, count: 6, now: 1, last: 1050 }], { at: [[0, 1, 2]] }, 1200);
    expect(table(run)[0]).toMatchObject({
      type: 'ValueError',
      count: '6',
      now: '1 still erred',
      workers: '<b> × 2',
      blocked: ''
    });
    expect(table(paused)[1]).toMatchObject({ type: 'ValueError', count: '5', workers: 'a × 3, <b>, others × 1' });
    run.rewind();
    expect(table(run)).toEqual([]);
  });
});
