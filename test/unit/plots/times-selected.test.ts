import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { Kept } from '../../../src/plot/kept';
import type { PlotContext, VegaPlot } from '../../../src/plot/plot';
import { aggregateTimePerAction } from '../../../src/plots/time/aggregate-time-per-action';
import { computeTimePerKey } from '../../../src/plots/time/compute-time-per-key';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { type Move, type Row, tasksBody } from '../run/synthetic';
import { render } from '../views/render';
import { cluster, context as bare, theme } from './cluster';
import { dataOf, paramsOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const [TRANSFER, DISK] = [1, 2];
const FRAME = { width: 700, height: 300, firstRow: 0, endRow: 12 };
const PLOTS: readonly VegaPlot[] = [computeTimePerKey, aggregateTimePerAction];
const context = (change: Partial<PlotContext> = {}): PlotContext => bare({ options: { of: 'selected' }, ...change });
const title = (plot: VegaPlot, run: Run): string =>
  plot
    .titleLine(run, context())
    .map(part => part.text)
    .join(' · ');
const rows = (plot: VegaPlot, run: Run): string[][] =>
  plot.table(run, context()).rows.map(row => row.cells.map(cell => cell.text));
const values = (run: Run, change: Partial<PlotContext> = {}): unknown[] =>
  dataOf(computeTimePerKey, run, context(change), FRAME).segments.map(({ fill, value }) => [fill, value]);

/** A cluster that has computed much more than what is known of single tasks. */
function made(tasks: readonly Row[], moves: readonly Move[] = [], seq = 1): Run {
  const run = cluster({
    workers: [{ name: 'a' }, { name: 'b' }],
    prefixes: [
      { name: 'load', memory: 4, compute: 500, transfer: 100 },
      { name: 'add', memory: 100, compute: 700 }
    ]
  });
  const names = { lanes: { from: 0, values: [[0, 1] as const, [1, 1] as const] } };
  const topics = { tasks: tasksBody(tasks, 0, moves) };
  run.apply({ feed: 'made-up', epoch: 0, seq, time: 1030, cursor: {}, names, topics }, 0);
  return run;
}

const TASKS: readonly Row[] = [
  { lane: 0, prefix: 0, start: 1000, duration: 4 },
  { lane: 0, prefix: 1, start: 1004, duration: 2 },
  { lane: 1, prefix: 1, start: 1005, duration: 6, status: 1 },
  { lane: 1, prefix: 0, start: 1020, duration: 1 }
];
const MOVES: readonly Move[] = [
  { at: 1, kind: TRANSFER, start: 1001, duration: 2 },
  { at: 2, kind: TRANSFER, start: 1004, duration: 1 },
  { at: 2, kind: DISK, start: 1003, duration: 0.5 }
];

describe('the time of the selected tasks', () => {
  it('is an option; the default reads no single tasks and shows what it has always shown', () => {
    for (const plot of PLOTS) {
      expect([plot.topics, plot.choiceTopics]).toEqual([
        ['meta', 'prefixes'],
        [{ option: 'of', value: 'selected', topics: ['tasks'] }]
      ]);
      const run = made(TASKS, MOVES);
      const [without, initial] = [bare(), bare({ options: { of: 'run' } })];
      const before = JSON.stringify([plot.titleLine(run, without), plot.table(run, without), plot.notes(run, without)]);
      selectionOf(run).select({ period: { from: 1003, to: 1005 } });
      expect(JSON.stringify([plot.titleLine(run, initial), plot.table(run, initial), plot.notes(run, initial)])).toBe(before);
    }
  });

  it('is that of the selected period, with number, mean and p95 of each function', () => {
    const run = made(TASKS);
    selectionOf(run).select({ period: { from: 1003, to: 1008 } });
    expect(values(run)).toEqual([
      [theme().prefix(1).colour, 5],
      [theme().prefix(0).colour, 1]
    ]);
    expect(title(computeTimePerKey, run)).toBe('6.00 s of computing · 2 functions · of what is selected');
    // Name, time in the period, share, tasks; mean, median, p95, longest of whole tasks; erred.
    expect(rows(computeTimePerKey, run)).toEqual([
      ['add', '5.00 s', '83 %', '2', '4.00 s', '4.00 s', '5.80 s', '6.00 s', '1'],
      ['load', '1.00 s', '17 %', '1', '4.00 s', '4.00 s', '4.00 s', '4.00 s', '0']
    ]);
    const erred = computeTimePerKey.table(run, context()).rows.map(({ cells }) => cells.at(-1)?.opens);
    expect(erred).toEqual([{ plot: 'errors', args: { function: 'add', kind: 'all' } }, undefined]);
    expect(computeTimePerKey.summary(run, context())).toBe(
      'Of what is selected: 6.00 s of computing by 2 functions, the largest add with 5.00 s.'
    );
  });

  it('is that of the selected lanes, and of all tasks where none is selected, which the title says', () => {
    const run = made(TASKS);
    expect(title(computeTimePerKey, run)).toBe('13.0 s of computing · 2 functions · of all tasks: none is selected');
    selectionOf(run).select({ threads: [{ worker: 'tcp://10.0.0.0:40', thread: 1 }] });
    expect(title(computeTimePerKey, run)).toBe('6.00 s of computing · 2 functions · of what is selected');
    selectionOf(run).select({ workers: ['tcp://10.0.0.1:41'], erred: true });
    expect(rows(computeTimePerKey, run).map(row => row.slice(0, 2))).toEqual([['add', '6.00 s']]);
  });

  it('keeps the bars of functions that are not selected, so that a click on one does not empty the picture', () => {
    const run = made(TASKS);
    const period = { from: 1003, to: 1008 };
    selectionOf(run).select({ period });
    const before = values(run);
    selectionOf(run).change({ functions: ['load'] });
    expect(values(run)).toEqual(before);
    expect(title(computeTimePerKey, run)).toBe('1.00 s of computing · 1 function · of what is selected');
    expect(title(aggregateTimePerAction, run)).toBe('1.00 s computing · 0 s moving data · of what is selected');
  });

  it('sums each action of the selected tasks, and names their functions', () => {
    const run = made(TASKS, MOVES);
    selectionOf(run).select({ period: { from: 1002, to: 1004.5 } });
    expect(rows(aggregateTimePerAction, run)).toEqual([
      ['compute', '2.50 s', '56 %', '2', '3.00 s', '3.90 s'],
      ['transfer', '1.50 s', '33 %', '2', '1.50 s', '1.95 s'],
      ['disk read', '500 ms', '11 %', '1', '500 ms', '500 ms'],
      ['disk write', '0 s', '0 %', '0', '–', '–']
    ]);
    expect(title(aggregateTimePerAction, run)).toBe('2.50 s computing · 2.00 s moving data · of what is selected');
    const [, transfer] = dataOf(aggregateTimePerAction, run, context(), FRAME).hits;
    expect(transfer.tooltip).toMatchObject({
      rows: [
        ['Time, all threads', '1.50 s'],
        ['Number', '2'],
        ['Mean', '1.50 s'],
        ['p95', '1.95 s'],
        ['add', '1.50 s']
      ]
    });
    selectionOf(run).change({ erred: true });
    expect(rows(aggregateTimePerAction, run).map(row => row.slice(0, 2))).toEqual([
      ['compute', '0 s'],
      ['transfer', '500 ms'],
      ['disk read', '500 ms'],
      ['disk write', '0 s']
    ]);
  });

  it('follows the next selection with its order and its axis, and new tasks without moving rows', () => {
    const kept = new Kept();
    const run = made(TASKS);
    const names = (): unknown[] => values(run, { kept }).map(each => (each as unknown[])[0]);
    const [load, add] = [theme().prefix(0).colour, theme().prefix(1).colour];
    const end = (): unknown => paramsOf(computeTimePerKey, run, context({ kept }), FRAME).end;
    selectionOf(run).select({ period: { from: 1003, to: 1008 } });
    expect([names(), end()]).toEqual([[add, load], 6]);
    selectionOf(run).select({ period: { from: 1000, to: 1004 } });
    expect([names(), end()]).toEqual([[load], 4]);
    selectionOf(run).select({ period: { from: 1019, to: 1100 } });
    expect(names()).toEqual([load]);
    const more = tasksBody([{ lane: 0, prefix: 1, start: 1040, duration: 30 }], TASKS.length);
    run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1080, cursor: {}, names: {}, topics: { tasks: more } }, 0);
    expect(names()).toEqual([load, add]);
  });

  it('says why it is empty: no tasks yet, none selected, or none known', () => {
    const heads = (run: Run): unknown[] => PLOTS.map(plot => plot.empty(run, context())?.head);
    expect(heads(cluster({ prefixes: [{ name: 'f', memory: 3, compute: 3 }] }))).toEqual([
      'Single tasks are not here.',
      'Single tasks are not here.'
    ]);
    expect(heads(made([]))).toEqual(['No task has ended.', 'No task has ended.']);
    const run = made(TASKS);
    selectionOf(run).select({ period: { from: 1100, to: 1200 } });
    expect(heads(run)).toEqual(['No selected task has ended.', 'No selected task has ended.']);
    expect(PLOTS.map(plot => plot.summary(run, context()))).toEqual([
      'Of what is selected: 0 s of computing by 0 functions.',
      'Of what is selected: Time per action, compute 0 s, transfer 0 s, disk read 0 s, disk write 0 s.'
    ]);
    selectionOf(run).clear();
    expect(heads(run)).toEqual([undefined, undefined]);
  });

  it('says which tasks are missing', () => {
    const many = Array.from({ length: 4000 }, (_, i) => ({ lane: 0, prefix: 0, start: 1000 + i, duration: 0.5 }));
    const run = made(many);
    const notes = (): unknown => computeTimePerKey.notes(run, context());
    expect(notes()).toEqual([]);
    run.keepTasks(1000);
    const { kept, incompleteUntil } = run.tasks;
    const words = `only the newest ${kept} tasks: of older ones, only sums are kept`;
    expect(notes()).toEqual([words]);
    expect(rows(computeTimePerKey, run)[0][3]).toBe(String(kept));
    selectionOf(run).select({ period: { from: incompleteUntil + 1, to: 6000 } });
    expect(notes()).toEqual([]);
    selectionOf(run).select({ period: { from: 1010, to: 6000 } });
    expect(notes()).toEqual([words]);
  });

  it('computes figures of very many tasks less often while the cluster works, and says of when they are', () => {
    const body = (first: number, count: number) =>
      tasksBody(
        Array.from({ length: count }, (_, i) => ({ lane: i % 2, prefix: 0, start: 1000 + (first + i) / 1000, duration: 1 })),
        first
      );
    const run = made([]);
    const send = (first: number, count: number, time: number, idle: number | null = null): void => {
      const topics = { tasks: body(first, count), meta: { columns: {}, scalars: { idle_since: idle } } };
      run.apply({ feed: 'made-up', epoch: 0, seq: first, time, cursor: {}, names: {}, topics }, 0);
    };
    const seen = (): unknown => [rows(computeTimePerKey, run)[0][3], computeTimePerKey.notes(run, context())];
    send(0, 90_000, 1100);
    expect(seen()).toEqual(['90,000', []]);
    send(90_000, 5000, 1100.1);
    expect(seen()).toEqual(['95,000', []]);
    send(95_000, 25_000, 1200);
    expect(seen()).toEqual(['120,000', []]);
    send(120_000, 10, 1200.5);
    expect(seen()).toEqual(['120,000', ['as of 3:20.0']]);
    // Another selection, a picture of this moment, and the end of the work have figures of now.
    selectionOf(run).select({ workers: ['tcp://10.0.0.0:40'] });
    expect(seen()).toEqual(['60,005', []]);
    send(120_010, 10, 1200.6);
    expect(seen()).toEqual(['60,005', ['as of 3:20.5']]);
    const held = frozen(run);
    expect([rows(computeTimePerKey, held)[0][3], computeTimePerKey.notes(held, context())]).toEqual(['60,010', []]);
    run.apply(
      {
        feed: 'made-up',
        epoch: 0,
        seq: 9,
        time: 1200.7,
        cursor: {},
        names: {},
        topics: { meta: { columns: {}, scalars: { idle_since: 1200 } } }
      },
      0
    );
    expect(seen()).toEqual(['60,010', []]);
    run.apply(
      {
        feed: 'made-up',
        epoch: 0,
        seq: 9,
        time: 1200.8,
        cursor: {},
        names: {},
        topics: { meta: { columns: {}, scalars: { idle_since: null } } }
      },
      0
    );
    send(120_020, 10, 1201.5);
    expect(seen()).toEqual(['60,015', []]);
  });

  it('begins again with the next run at the same scheduler', () => {
    const run = made(TASKS);
    selectionOf(run).select({ period: { from: 1003, to: 1008 } });
    expect(rows(computeTimePerKey, run)).toHaveLength(2);
    const names = { prefixes: { from: 0, values: ['other'] }, lanes: { from: 0, values: [[0, 1] as const] } };
    const topics = { tasks: tasksBody([{ lane: 0, prefix: 0, start: 2000, duration: 3 }]) };
    run.apply({ feed: 'made-up', epoch: 1, seq: 0, time: 2010, cursor: {}, names, topics }, 0);
    expect(rows(computeTimePerKey, run).map(row => row.slice(0, 2))).toEqual([['other', '3.00 s']]);
    expect(title(computeTimePerKey, run)).toContain('of all tasks: none is selected');
  });

  it.each([
    [300, 120],
    [300, 400],
    [700, 300]
  ])('draws all of it at %d × %d, also odd names and tasks without time', async (width, height) => {
    const run = made([
      ...TASKS,
      { lane: 0, prefix: 2, start: 1010, duration: 0 },
      { lane: 1, prefix: 3, start: 1011, duration: 1e300 }
    ]);
    const names = { prefixes: { from: 2, values: ['\ud800<b>lone\nsurrogate', `long ${'x'.repeat(300)}`] } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1040, cursor: {}, names, topics: {} }, 0);
    for (const plot of PLOTS) {
      const { fault } = await render(plot, run, { width, height, choices: { of: 'selected' } });
      expect(fault).toBeNull();
    }
    const none = made([{ lane: 0, prefix: 0, start: 1010, duration: 0 }]);
    expect(PLOTS.map(plot => plot.empty(none, context()))).toEqual([null, null]);
    expect(rows(aggregateTimePerAction, none)[0]).toEqual(['compute', '0 s', '–', '1', '0 s', '0 s']);
  });
});
