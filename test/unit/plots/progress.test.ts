import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { mix } from '../../../src/base/theme';
import { commaSeparated } from '../../../src/plot/csv';
import { prefixCounts, taskTotals } from '../../../src/selectors/tasks/prefix-counts';
import { progress } from '../../../src/plots/tasks/progress';
import { type Rate, rateOf } from '../../../src/selectors/rates/rates';
import { presentTotals } from '../../../src/selectors/tasks/work-order';
import { clearHistory } from '../../../src/run/cleared';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { cluster, context, type Prefix, step, theme } from './cluster';
import { dataOf, rowCountOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const FRAME = { width: 700, height: 300, firstRow: 0, endRow: 12 };
const texts = (run: Run): unknown[] => dataOf(progress, run, context(), FRAME).texts.map(row => row.text);

describe('counts', () => {
  const run = (): Run =>
    cluster({
      prefixes: [
        {
          name: 'inc',
          released: 3,
          forgotten: 4,
          memory: 5,
          erred: 1,
          forgotten_erred: 1,
          processing: 2,
          queued: 6,
          no_worker: 1,
          waiting: 7
        },
        { name: 'gone', cancelled: 9 },
        { name: 'add', memory: 4 }
      ]
    });

  it('keep what the scheduler has forgotten and leave out what was cancelled', () => {
    const [inc, add, ...rest] = prefixCounts(run());
    expect(inc).toMatchObject({ released: 7, memory: 5, erred: 2, done: 12, all: 30 });
    expect(add).toMatchObject({ id: 2, done: 4, all: 4 });
    expect(rest).toEqual([]);
    expect(taskTotals(prefixCounts(run()))).toMatchObject({ done: 16, erred: 2, active: 16, all: 34, waiting: 7 });
  });

  it('are none of a scheduler that has been replaced, before the new one has sent its own', () => {
    const old = run();
    expect(prefixCounts(old)).toHaveLength(2);
    old.apply({ feed: 'made-up', epoch: 1, seq: 0, time: 1001, cursor: {}, names: {}, topics: {} }, 0);
    expect(prefixCounts(old)).toEqual([]);
    expect(progress.empty(old, context())?.head).toBe('No tasks.');
  });

  it('are all in the title', () => {
    const line = progress.titleLine(run(), context()).map(part => part.text);
    expect(line).toEqual([
      '16 / 34 done',
      '2 erred',
      '2 processing',
      '6 queued',
      '7 waiting',
      '9 in memory',
      '1 without a worker that fits'
    ]);
  });

  it('are a bar in the colour that the function has in the task stream', () => {
    const data = dataOf(progress, run(), context(), FRAME);
    const sized = data.segments.filter(row => row.value !== undefined);
    const { colour } = theme().prefix(0);
    expect(sized[0]).toMatchObject({ fill: mix(colour, '#ffffff', 0.55), value: 7 / 30 });
    expect(sized[1]).toMatchObject({ fill: colour, value: 5 / 30 });
    expect(texts(run())).toEqual(expect.arrayContaining(['inc', '✕ 2', '12 / 30', '4 / 4', '✓']));
  });

  it('are rows in the order that the user chose', () => {
    const names = (sort: string): unknown[] =>
      progress.table(run(), context({ options: { sort } })).rows.map(({ cells }) => cells[0].text);
    expect(names('first')).toEqual(['inc', 'add']);
    expect(names('size')).toEqual(['inc', 'add']);
    expect(names('name')).toEqual(['add', 'inc']);
    const data = dataOf(progress, run(), context({ options: { sort: 'name' } }), FRAME);
    expect(data.texts.map(row => row.text).filter(text => text === 'inc' || text === 'add')).toEqual(['add', 'inc']);
  });

  it('are rows in order of first appearance, also after an update that names them in another', () => {
    const made = run();
    const labels = prefixCounts(made).map(each => each.label);
    const columns = { id: Uint32Array.of(2, 0), memory: Uint32Array.of(4, 50) };
    const topics = { prefixes: { columns, scalars: {} } };
    made.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1001, cursor: {}, names: {}, topics }, 0);
    expect(prefixCounts(made).map(each => each.label)).toEqual(labels);
  });
});

describe('runs of a function', () => {
  const second = (): Run =>
    cluster({
      time: 1000,
      prefixes: [
        {
          ...{ name: 'inc', released: 2, forgotten: 900, memory: 60, erred: 3, forgotten_erred: 4, processing: 2, waiting: 8 },
          ...{ done_before: 910, erred_before: 6, memory_before: 20, cancelled: 5, since: 990 }
        },
        { name: 'old', forgotten: 1_000_000, forgotten_erred: 1, since: 10, until: 200 },
        { name: 'add', memory: 4, since: 990, until: 995 }
      ]
    });

  it('begin at zero, whatever was before', () => {
    const [inc] = prefixCounts(second());
    expect(inc).toMatchObject({ done: 52, memory: 40, released: 12, erred: 1, active: 10, all: 63 });
    expect(inc.ever).toEqual({ done: 962, memory: 60, erred: 7, cancelled: 5, all: 979 });
  });

  it('are what title and card count, of the present work only', () => {
    expect(presentTotals(second())).toMatchObject({ done: 56, all: 67, erred: 1 });
    expect(progress.titleLine(second(), context())[0].text).toBe('56 / 67 done');
  });

  it('do not call the rate of a function that has ended that of the last 10 s', () => {
    const ended = { name: 'done', memory: 40, recent: 40, recent_since: 995, until: 1000 };
    const active = { name: 'active', memory: 40, processing: 4, recent: 40, recent_since: 1055 };
    const run = cluster({ time: 1060, prefixes: [ended, active] });
    const rows = (name: string): string => {
      const hit = dataOf(progress, run, context(), FRAME).hits.find(row => JSON.stringify(row.tooltip).includes(`"${name}"`));
      return JSON.stringify(hit?.tooltip);
    };
    expect(rows('active')).toContain('["Rate, last 10 s","8.0/s"]');
    expect(rows('done')).toContain('["Rate at its end","8.0/s"]');
    // The table, which is what a file has, does not say at which time a rate was.
    const { columns, rows: lines } = progress.table(run, context());
    const rate = columns.findIndex(({ id }) => id === 'rate');
    expect(Object.fromEntries(lines.map(({ cells }) => [cells[0].text, cells[rate].text]))).toEqual({
      active: '8.0/s',
      done: '–'
    });
    expect(commaSeparated(progress.table(run, context()))).toMatch(/^done(,[^,]*){9},,/m);
  });

  it('have the counts of all runs in the tooltip and in the table', () => {
    const tooltips = dataOf(progress, second(), context(), FRAME).hits.map(row => row.tooltip);
    expect(JSON.stringify(tooltips)).toContain('["Done, all runs","962 / 979"]');
    expect(JSON.stringify(tooltips)).toContain('["Erred, all runs","7"]');
    const { columns, rows } = progress.table(second(), context());
    const at = columns.findIndex(({ id }) => id === 'ever-all');
    expect(rows.map(({ cells }) => cells[at].value)).toEqual([979, 4, 1_000_001]);
    const erred = columns.findIndex(({ id }) => id === 'ever-erred');
    expect(rows[0].cells[erred]).toMatchObject({ text: '7', tone: 'bad', opens: { plot: 'errors', args: { function: 'inc' } } });
    expect(rows[1].cells[erred].opens).toBeUndefined();
  });

  it('never have more results than their tasks, and never less than none', () => {
    const odd = cluster({ prefixes: [{ name: 'f', memory: 9, done_before: 7, memory_before: 1, erred_before: 3, since: 1 }] });
    expect(prefixCounts(odd)[0]).toMatchObject({ done: 2, memory: 2, released: 0, erred: 0, all: 2 });
    const less = cluster({ prefixes: [{ name: 'f', memory: 5, done_before: 7, memory_before: 6, processing: 1, since: 1 }] });
    expect(prefixCounts(less)[0]).toMatchObject({ done: 0, memory: 0, all: 1 });
  });

  it('are reported as missing if a feed does not have them', () => {
    const run = second();
    expect(progress.notes(run, context())).toEqual([]);
    const old = new Run();
    const columns = { id: Uint32Array.of(0), released: Uint32Array.of(3), forgotten: Uint32Array.of(900) };
    const names = { prefixes: { from: 0, values: ['inc'] } };
    const topics = { prefixes: { columns, scalars: {} } };
    old.apply({ feed: 'old', epoch: 0, seq: 0, time: 1, cursor: {}, names, topics }, 0);
    expect(prefixCounts(old)[0]).toMatchObject({ done: 903, all: 903 });
    expect(presentTotals(old)).toMatchObject({ done: 903, all: 903 });
    expect(progress.notes(old, context())).toEqual(['counts of all runs: the start of the last run is not known']);
    expect(rateOf(old, prefixCounts(old)[0]).perSecond).toBeNaN();
  });

  it('leave no function that failed without a word', () => {
    const run = cluster({ prefixes: [{ name: 'f', memory: 194, erred: 6, since: 1, until: 5 }] });
    expect(texts(run)).toEqual(expect.arrayContaining(['✕ 6', '194 / 200', '–']));
    expect(texts(run)).not.toContain('✓');
    expect(progress.titleLine(run, context()).map(part => part.text)).toEqual(['194 / 200 done', '6 erred', '194 in memory']);
  });
});

describe('the order', () => {
  const names = (run: Run): unknown[] => progress.table(run, context()).rows.map(({ cells }) => cells[0].text);
  const graph = (since: number, ...active: number[]): Prefix[] => [
    { name: 'finalize', since, order: 9, waiting: 1 },
    { name: 'sum', since, order: 4, waiting: active[1], memory: 1, until: active[1] ? 0 : since + 20 },
    { name: 'load', since, order: 0, processing: active[0], memory: 3, until: active[0] ? 0 : since + 10 }
  ];

  it('is that in which Dask takes the tasks', () => {
    expect(names(cluster({ time: 100, prefixes: graph(100, 2, 2) }))).toEqual(['load', 'sum', 'finalize']);
  });

  it('has what works now first', () => {
    const before = [
      { name: 'yesterday', memory: 5, since: 1, until: 20 },
      { name: 'this morning', memory: 5, since: 30, until: 40 }
    ];
    const run = cluster({ time: 1000, prefixes: [...before, ...graph(990, 2, 2)] });
    expect(names(run)).toEqual(['load', 'sum', 'finalize', 'yesterday', 'this morning']);
  });

  it('keeps a function in its place while others of its graph work, and when all is done', () => {
    const run = cluster({ time: 1000, prefixes: graph(1000, 2, 2) });
    const order = names(run);
    step(run, { time: 2000, prefixes: graph(1000, 0, 2) });
    expect(names(run)).toEqual(order);
    step(run, { time: 3000, prefixes: graph(1000, 0, 0).map(each => ({ ...each, waiting: 0, memory: 1, until: 3000 })) });
    expect(names(run)).toEqual(order);
  });

  it('does not change with the turns of a loop', () => {
    const loop = (f: number, g: number): Prefix[] => [
      { name: 'f', memory: 9, since: 10, processing: f, until: f ? 0 : 99 },
      { name: 'g', memory: 9, since: 11, processing: g, until: g ? 0 : 98.5 }
    ];
    expect(names(cluster({ time: 100, prefixes: loop(1, 0) }))).toEqual(['f', 'g']);
    expect(names(cluster({ time: 100, prefixes: loop(0, 1) }))).toEqual(['f', 'g']);
  });
});

describe('clearing', () => {
  it('hides what has nothing more to do, until it works again', () => {
    const rows = (until: number): Prefix[] => [
      { name: 'done', memory: 5, since: 1, until },
      { name: 'works', memory: 5, processing: 1, since: 1 }
    ];
    const run = cluster({ time: 100, prefixes: rows(90) });
    const cleared = clearHistory(run, 100_000);
    const labels = (): unknown[] => progress.table(run, context({ cleared })).rows.map(({ cells }) => cells[0].text);
    expect(labels()).toEqual(['works']);
    expect(rowCountOf(progress, run, context({ cleared }))).toBe(1);
    expect(progress.titleLine(run, context({ cleared }))[0].text).toBe('5 / 6 done');
    expect(progress.clearedTasks?.(run, cleared)).toBe(5);
    step(run, { time: 110, prefixes: rows(108) });
    expect(labels()).toEqual(['done', 'works']);
    expect(progress.clearedTasks?.(run, cleared)).toBe(0);
  });
});

describe('rates', () => {
  const at = (time: number, recent: number, first: number, more: Record<string, number> = {}): Rate => {
    const columns = { memory: 50, processing: 4, waiting: 96, recent, recent_since: first, since: 0, ...more };
    const run = cluster({ time, prefixes: [{ name: 'inc', ...columns }] });
    return rateOf(run, prefixCounts(run)[0]);
  };

  it('are means of the last 10 s', () => {
    expect(at(1020, 20, 900)).toEqual({ perSecond: 2, left: 50 });
  });

  it('begin with the first task that ran, however long it was quiet or waited before', () => {
    expect(at(1002, 200, 1000, { since: 600 }).perSecond).toBeCloseTo(100, 5);
  });

  it('are unknown until there was time to know them', () => {
    expect(at(1001, 50, 1000).perSecond).toBeNaN();
  });

  it('are nothing when nothing has finished', () => {
    expect(at(1020, 0, 0)).toEqual({ perSecond: 0, left: Number.NaN });
  });

  it('promise no end where too little finished or nothing runs', () => {
    expect(at(1005, 4, 1000).perSecond).toBeCloseTo(0.8, 5);
    expect(at(1005, 4, 1000).left).toBeNaN();
    expect(at(1005, 40, 1000, { processing: 0 }).left).toBeNaN();
    expect(at(1005, 40, 1000, { processing: 0, waiting: 0, until: 1005 })).toEqual({ perSecond: 8, left: Number.NaN });
  });

  it('of a function that has ended are those of its end', () => {
    expect(at(5000, 40, 1000, { processing: 0, waiting: 0, until: 1005 }).perSecond).toBe(8);
  });

  it('stand still while a view is paused', () => {
    const run = cluster({ time: 1005, prefixes: [{ name: 'inc', processing: 4, recent: 40, recent_since: 1000 }] });
    const held = frozen(run);
    step(run, { time: 1030, prefixes: [{ name: 'inc', processing: 4, recent: 0 }] });
    expect(rateOf(held, prefixCounts(held)[0]).perSecond).toBe(8);
    expect(rateOf(run, prefixCounts(run)[0]).perSecond).toBe(0);
  });
});

describe('a scheduler that does not tell what is queued', () => {
  const unknown = ['queued', 'no_worker'];
  const run = cluster({
    unknown,
    prefixes: [{ name: 'load', memory: 12, processing: 3, recent: 12, recent_since: 990, since: 985, until: 0 }]
  });

  it('has at least the tasks that it counts, and promises no end', () => {
    expect(progress.titleLine(run, context())[0]?.text).toBe('12 / ≥ 15 done');
    expect(texts(run)).toContain('12 / ≥ 15');
    expect(rateOf(run, prefixCounts(run)[0])).toMatchObject({ perSecond: 1.2, left: Number.NaN });
    expect(progress.notes(run, context()).join()).toContain('how many tasks are queued');
    const over = cluster({ unknown, prefixes: [{ name: 'load', memory: 15, until: 995 }] });
    expect([texts(over).includes('15 / ≥ 15'), texts(over).includes('✓')]).toEqual([true, false]);
  });

  it('has no counts of them in tooltip and table', () => {
    const tooltip = JSON.stringify(dataOf(progress, run, context(), FRAME).hits.map(hit => hit.tooltip));
    for (const line of ['["All","≥ 15"]', '["Queued","–"]', '["No worker fits","–"]', '["Processing","3"]', '"12 / ≥ 15 done"']) {
      expect(tooltip).toContain(line);
    }
    const { columns, rows } = progress.table(run, context());
    const cell = (id: string): string | undefined => rows[0]?.cells[columns.findIndex(column => column.id === id)]?.text;
    expect([cell('all'), cell('queued'), cell('no-worker'), cell('processing'), cell('ever-all')]).toEqual([
      '≥ 15',
      '–',
      '–',
      '3',
      '≥ 15'
    ]);
  });
});
