import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { TopicBody } from '../../../src/feed/frame';
import { RUNNING_STATE } from '../../../src/feed/schema';
import type { PlotContext } from '../../../src/plot/plot';
import { groupProgress } from '../../../src/plots/time/group-progress';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { windowOf } from '../../../src/run/time-window';
import { busyThreads, mostThreads, sumOf } from '../../../src/selectors/tasks/busy-threads';
import { runningBody, randomOf, type Row, type RunningRow, tasksBody } from '../run/synthetic';
import { render } from '../views/render';
import { context, theme } from './cluster';
import { dataOf, paramsOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const T0 = 1_700_000_000;
const FRAME = { width: 500, height: 240, firstRow: 0, endRow: 0 };

interface Made {
  rows?: readonly Row[];
  running?: readonly RunningRow[];
  names?: readonly string[];
  now?: number;
  threads?: number;
  first?: number;
}

/** Two workers with two threads each; times count from `T0`. */
function put(run: Run, { rows = [], running, names = ['load', 'sum'], now = 10, threads, first = 0 }: Made): Run {
  const at = (row: Row): Row => ({ ...row, start: T0 + row.start });
  const topics: Record<string, TopicBody> = { tasks: tasksBody(rows.map(at), first) };
  if (running) {
    topics.running = runningBody(running.map(row => ({ ...row, start: T0 + row.start, as_of: T0 + now })));
  }
  if (threads !== undefined) {
    const column = (...values: number[]): Float64Array => Float64Array.from(values);
    const columns = { time: column(T0, T0 + now), until: column(T0, T0 + now), workers: column(2, 2) };
    const sums = Object.fromEntries(['sum', 'min', 'max'].map(what => [`threads_${what}`, column(threads, threads)]));
    topics.series = { columns: { ...columns, ...sums }, scalars: { first: 0 } };
  }
  const worker = (i: number) => ({
    address: `tcp://w${i}`,
    name: String(i),
    host: 'h',
    nthreads: 2,
    memory_limit: 1,
    version: ''
  });
  const lanes: [number, number][] = [0, 1, 2, 3].map(i => [i >> 1, i & 1]);
  const frame = {
    ...{ feed: 'made', epoch: 0, seq: 0, time: T0 + now, cursor: {}, topics },
    names: {
      prefixes: { from: 0, values: [...names] },
      workers: { from: 0, values: [worker(0), worker(1)] },
      lanes: { from: 0, values: lanes }
    }
  };
  run.apply(frame, (T0 + now) * 1000);
  return run;
}
const made = (change: Made): Run => put(new Run(), change);
const inPane = (run: Run): PlotContext => context({ selection: selectionOf(run).current });
const title = (run: Run): string =>
  groupProgress
    .titleLine(run, inPane(run))
    .map(part => part.text)
    .join(' · ');
const cells = (run: Run): string[][] => groupProgress.table(run, context()).rows.map(row => row.cells.map(cell => cell.text));
const times = (run: Run): string[][] => cells(run).map(row => row.slice(0, 2));
const bands = (run: Run, hidden: string[] = []) =>
  dataOf(groupProgress, run, context({ hidden: new Set(hidden) }), FRAME).bands as unknown as Record<
    'at' | 'low' | 'high',
    number
  >[];

const WORK: readonly Row[] = [
  { lane: 0, prefix: 0, start: 0, duration: 4 },
  { lane: 1, prefix: 0, start: 0, duration: 2 },
  { lane: 2, prefix: 1, start: 2, duration: 2.5 },
  { lane: 3, prefix: 1, start: 8, duration: 2 }
];

describe('threads that compute each function', () => {
  it('are never more than one of a thread, where the clock of its worker was corrected between two tasks', () => {
    const rows: Row[] = Array.from({ length: 3000 }, (_, i) => ({
      lane: i % 4,
      prefix: (i >> 2) % 2,
      start: (i >> 2) * 0.01 - (i % 40 === 0 ? 0.006 : 0),
      duration: 0.01
    }));
    const run = made({ rows });
    const spans = [
      [0, 7.5],
      [2, 2.3]
    ].map(([from, to]) => ({ from: T0 + from, to: T0 + to }));
    for (const span of spans) {
      for (const width of [0.01, 0.1, 1]) {
        const busy = busyThreads(run, span, width);
        expect(mostThreads(busy, sumOf(busy).seconds)).toBeLessThan(4.000_1);
        expect(sumOf(busy).total).toBeGreaterThan(3.8 * (span.to - span.from));
        expect(sumOf(busy).total).toBeLessThan(4.000_1 * (busy.count * width));
      }
    }
    expect(sumOf(busyThreads(run, { from: T0 - 1, to: T0 + 8 }, 0.1)).time).toBeCloseTo(30, 3);
    selectionOf(run).select({ functions: ['load'] });
    const selected = busyThreads(run, spans[0], 0.01);
    expect(mostThreads(selected, sumOf(selected).seconds)).toBeLessThan(4.000_1);
  });

  it('are thread-seconds in periods, whatever the order of arrival', () => {
    const span = { from: T0, to: T0 + 10 };
    const busy = busyThreads(made({ rows: WORK }), span, 2);
    expect(busy.functions.map(({ prefix, seconds }) => [prefix, ...seconds])).toEqual([
      [0, 4, 2, 0, 0, 0],
      [1, 0, 2, 0.5, 0, 2]
    ]);
    expect(mostThreads(busy, sumOf(busy).seconds)).toBe(2);
    expect(busyThreads(made({ rows: [...WORK].reverse() }), span, 2).functions).toEqual(busy.functions);
  });

  it('add up to the time of all executions, in any zoom, again after more has arrived', () => {
    const random = randomOf(7);
    const rows = Array.from({ length: 9000 }, (_, i) => ({
      ...{ lane: i % 4, prefix: Math.floor(random() * 12), start: i / 100, duration: 0.02 * random() }
    }));
    const run = made({ rows: rows.slice(0, 6000), now: 95 });
    for (const all of [rows.slice(0, 6000), rows]) {
      if (all === rows) {
        put(run, { rows: rows.slice(6000), first: 6000, now: 95 });
      }
      for (const [from, to, width] of [
        [0, 96, 2],
        [0, 96, 1],
        [10, 12, 0.05]
      ]) {
        const busy = busyThreads(run, { from: T0 + from, to: T0 + to }, width);
        const begin = Math.floor((T0 + from) / width) * width - T0;
        const end = begin + busy.count * width;
        const expected = all.reduce((sum, { start, duration }) => {
          const part = Math.min(end, start + duration) - Math.max(begin, start);
          return sum + Math.max(0, part);
        }, 0);
        expect(sumOf(busy).total).toBeCloseTo(expected, 2);
      }
    }
  });

  it('are reported in title, table, picture and summary', () => {
    const run = made({ rows: WORK, threads: 4 });
    expect(title(run)).toBe('1.1 threads busy, mean · at most 2 · means of 200 ms');
    expect(cells(run)).toEqual([
      ['load', '6.00 s', '57 %', '0.6', '2', '0:00.0', '0:04.0'],
      ['sum', '4.50 s', '43 %', '0.5', '1', '0:02.0', '0:10.0']
    ]);
    expect(groupProgress.summary(run, context())).toMatch(/^Busy threads by function, 1\.1 threads busy/);
    expect(paramsOf(groupProgress, run, context(), FRAME).end).toBe(4);
    expect(dataOf(groupProgress, run, context(), FRAME).lines.every(row => row.value === 4)).toBe(true);
  });

  it('are stacked: the area of a function stands on those of the functions before it', () => {
    const run = made({ rows: WORK });
    const at3 = bands(run).filter(({ at }) => Math.abs(at - 3) < 1e-3);
    expect(at3.map(({ low, high }) => [low, high])).toEqual(
      expect.arrayContaining([
        [0, 1],
        [1, 2]
      ])
    );
    expect(bands(run, ['prefix:0']).every(({ low }) => low === 0)).toBe(true);
  });

  it('count running tasks until now, and what is past does not change with them', () => {
    const running = [{ id: 1, worker: 1, prefix: 1, start: 6 }];
    const busy = busyThreads(made({ rows: WORK.slice(0, 3), running }), { from: T0, to: T0 + 10 }, 2);
    expect([...busy.functions[1].seconds]).toEqual([0, 2, 0.5, 2, 2]);
  });

  it('are not kept busy by tasks that have left them (seceded)', () => {
    const running = [{ id: 1, worker: 1, prefix: 1, start: 6, state: RUNNING_STATE.indexOf('long-running') }];
    const busy = busyThreads(made({ rows: WORK.slice(0, 3), running }), { from: T0, to: T0 + 10 }, 2);
    expect([...busy.functions[1].seconds]).toEqual([0, 2, 0.5, 0, 0]);
  });

  it('are those of the selection, and the texts say so', () => {
    const run = made({ rows: WORK, running: [{ id: 1, worker: 1, prefix: 1, start: 6 }] });
    selectionOf(run).select({ functions: ['load'] });
    expect(cells(run).map(row => row[0])).toEqual(['load']);
    expect(title(run)).toContain('of what is selected');
    selectionOf(run).select({ threads: [{ worker: 'tcp://w1', thread: 0 }] });
    // It is not known in which thread the running task runs.
    expect(times(run)).toEqual([['sum', '2.50 s']]);
    selectionOf(run).select({ workers: ['tcp://w1'] });
    expect(times(run)).toEqual([['sum', '8.50 s']]);
    selectionOf(run).select({ period: { from: T0 + 1, to: T0 + 2 } });
    const marks = dataOf(groupProgress, run, inPane(run), FRAME).grid.filter(row => row.stroke === theme().brand);
    expect(marks).toHaveLength(2);
  });

  it('are those of the visible time, whatever period is selected, and the texts say so', () => {
    const run = made({ rows: WORK });
    const all = title(run);
    const tooltip = (): string | undefined => groupProgress.table(run, inPane(run)).columns[1].tooltip;
    expect(tooltip()).toBe('of all tasks, in the visible time');
    selectionOf(run).select({ period: { from: T0 + 1, to: T0 + 2 } });
    expect(title(run)).toBe(`${all} · over the whole visible time`);
    expect(tooltip()).toBe('of all tasks, in the visible time');
    selectionOf(run).select({ functions: ['load'], period: { from: T0 + 1, to: T0 + 2 } });
    expect(title(run)).toBe(
      '0.6 threads busy, mean · at most 2 · means of 200 ms · of what is selected · over the whole visible time'
    );
    expect(tooltip()).toBe('of the selected tasks, in the visible time');
  });

  it('have no running task among those that have ended', () => {
    const run = made({ rows: WORK, running: [{ id: 1, worker: 1, prefix: 1, start: 6 }] });
    expect(times(run)).toEqual([
      ['sum', '8.50 s'],
      ['load', '6.00 s']
    ]);
    selectionOf(run).select({ finished: true });
    expect(times(run)).toEqual([
      ['load', '6.00 s'],
      ['sum', '4.50 s']
    ]);
  });

  it('share the time of a visible task stream unless another time is chosen', () => {
    const run = made({ rows: WORK });
    windowOf(run).show(run, { from: T0 + 2, to: T0 + 4 }, 'person');
    expect(paramsOf(groupProgress, run, context({ options: { span: 'stream' } }), FRAME)).toMatchObject({
      from: 2,
      to: 4,
      left: 84
    });
    expect(paramsOf(groupProgress, run, context({ options: { span: 'whole' } }), FRAME)).toMatchObject({ from: 0, to: 10 });
  });

  it('say that the period is later than the moment of a recording, and that no task has begun', () => {
    const run = put(new Run(), { rows: [{ lane: 0, prefix: 0, start: 1, duration: 4 }] });
    windowOf(run).go({ from: T0 + 11, to: T0 + 12 });
    expect(groupProgress.titleLine(run, context()).map(({ text }) => text)).toEqual(['this period is later than 0:09.0']);
    windowOf(run).go(null);
    const { tasks } = run;
    run.tasks = tasks.until(T0 + 2);
    expect(groupProgress.empty(run, context())).toBeNull();
    run.tasks = tasks.until(T0);
    expect(groupProgress.empty(run, context())?.head).toBe('No task has finished.');
  });

  it('have labels that fit left of the axis of a narrow task stream', () => {
    const run = put(new Run(), { rows: [{ lane: 0, prefix: 0, start: 1, duration: 4 }], threads: 4 });
    const unit = (width: number): boolean =>
      /"\d threads"/.test(JSON.stringify(dataOf(groupProgress, run, context(), { ...FRAME, width })));
    expect([unit(500), unit(216)]).toEqual([true, true]);
    windowOf(run).show(run, { from: T0 + 2, to: T0 + 4 }, 'person');
    expect([unit(500), unit(216)]).toEqual([true, false]);
  });

  it('have one area for the functions with little time, and a row for each in the table', () => {
    const names = Array.from({ length: 40 }, (_, i) => `f${i}<img src=x>\u202e`);
    const rows = names.map((_, i) => ({ lane: i % 4, prefix: i, start: i, duration: 1 + i / 100 }));
    const run = made({ rows, names, now: 42 });
    const legend = groupProgress.legend(run, context());
    expect(legend).toHaveLength(9);
    expect(legend.map(item => item.label)).toContain('32 other functions');
    expect(new Set(legend.map(item => item.colour)).size).toBe(9);
    expect(cells(run)).toHaveLength(40);
    expect(cells(run)[0][0]).toBe('f39<img src=x>');
    // One that the legend hides has little time in another period: it stays in the legend, and out of the others.
    const without = context({ hidden: new Set(['prefix:0']) });
    const labels = groupProgress.legend(run, without).map(item => item.label);
    expect([labels[0], labels.at(-1)]).toEqual(['f0<img src=x>', '31 other functions']);
    const tips = dataOf(groupProgress, run, without, FRAME).hits as readonly { tooltip: { rows: string[][] } }[];
    expect(tips[0].tooltip.rows.some(([name]) => name.startsWith('31 other'))).toBe(false);
  });

  it('stay in the legend where they are hidden, also in a time without them', () => {
    const run = made({ rows: WORK });
    windowOf(run).show(run, { from: T0 + 8, to: T0 + 10 }, 'person');
    const of = (...hidden: string[]) => context({ options: { span: 'stream' }, hidden: new Set(hidden) });
    const labels = (...hidden: string[]): string[] => groupProgress.legend(run, of(...hidden)).map(item => item.label);
    expect([labels(), labels('prefix:0'), labels('prefix:7')]).toEqual([['sum'], ['load', 'sum'], ['sum']]);
    const seen = (...hidden: string[]): unknown => dataOf(groupProgress, run, of(...hidden), FRAME);
    expect(seen('prefix:0')).toEqual(seen());
  });

  it('keep what they were in a paused view', () => {
    const run = made({ rows: WORK });
    const copy = frozen(run);
    put(run, { rows: [{ lane: 0, prefix: 1, start: 9, duration: 1 }], first: 4 });
    expect(times(copy)).toEqual([
      ['load', '6.00 s'],
      ['sum', '4.50 s']
    ]);
  });

  it.each([
    ['nothing', {}],
    ['one task', { rows: WORK.slice(0, 1) }],
    ['a task without duration', { rows: [{ start: 1, duration: 0 }] }],
    ['a clock that is ahead', { rows: [{ start: 50, duration: 4 }] }],
    ['a year', { rows: [...WORK, { start: 3e7, duration: 1 }], now: 3.1e7, threads: 4 }]
  ])('have a picture of %s', async (name, change) => {
    const run = made(change);
    expect(groupProgress.empty(run, context()) === null).toBe(name !== 'nothing');
    for (const [width, height] of [
      [90, 30],
      [300, 160],
      [2000, 900]
    ]) {
      const { svg, fault, data } = await render(groupProgress, run, { width, height, dark: true });
      expect(fault).toBeNull();
      expect(svg).not.toMatch(/NaN|undefined|Infinity|width="-/);
      expect(Object.values(data).flat().length).toBeLessThanOrEqual(2500);
    }
  });
});
