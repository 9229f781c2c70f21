import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { aggregateTimePerAction } from '../../../src/plots/time/aggregate-time-per-action';
import { computeTimePerKey } from '../../../src/plots/time/compute-time-per-key';
import type { VegaPlot } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { isClearable } from '../../../src/plot/options';
import { clearHistory } from '../../../src/run/cleared';
import { render } from '../views/render';
import { cluster, context, type Prefix, step, theme } from './cluster';
import { dataOf, paramsOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const FRAME = { width: 700, height: 300, firstRow: 0, endRow: 12 };
const title = (plot: VegaPlot, run: Run): string =>
  plot
    .titleLine(run, context())
    .map(part => part.text)
    .join(' · ');
const drawn = (plot: VegaPlot, run: Run): unknown[] =>
  dataOf(plot, run, context(), FRAME).segments.map(({ fill, value }) => [fill, value]);

const run = (): Run =>
  cluster({
    prefixes: [
      { name: 'load', memory: 4, compute: 10, transfer: 1, deserialize: 0.25 },
      { name: 'add', memory: 100, compute: 30, transfer: 2, disk_read: 4, disk_write: 3 },
      { name: 'waiting', waiting: 3 },
      { name: '<b>none</b>', forgotten: 3, transfer: 0.5 }
    ]
  });

describe('compute time per function', () => {
  it('is a bar for each function that computed, the longest first, with all of it in the title', () => {
    expect(drawn(computeTimePerKey, run())).toEqual([
      [theme().prefix(1).colour, 30],
      [theme().prefix(0).colour, 10]
    ]);
    expect(title(computeTimePerKey, run())).toBe('40.0 s of computing · 2 functions');
    expect(computeTimePerKey.summary(run(), context())).toBe('40.0 s of computing by 2 functions, the largest add with 30.0 s.');
  });

  it('has shares and counts in its table, and no mean that Dask does not have', () => {
    const [load] = computeTimePerKey.table(run(), context()).rows;
    expect(load.cells.map(cell => cell.text)).toEqual(['load', '10.0 s', '25 %', '4', '–']);
  });

  it('counts the tasks whose time it has: Dask has none of those that failed, or never ran since another one did', () => {
    const [load] = computeTimePerKey.table(
      cluster({ prefixes: [{ name: 'load', memory: 4, erred: 3, compute: 10 }] }),
      context()
    ).rows;
    expect(load.cells.map(cell => cell.text)).toEqual(['load', '10.0 s', '100 %', '4', '–']);
  });

  it('keeps the time of a function whose newest tasks were all cancelled', () => {
    const sum = { name: 'sum', forgotten: 3, done_before: 3, cancelled: 7, compute: 90 };
    const made = cluster({ prefixes: [{ name: 'load', memory: 4, compute: 10 }, sum] });
    expect(title(computeTimePerKey, made)).toBe('1 m 40 s of computing · 2 functions');
    expect(title(aggregateTimePerAction, made)).toContain('1 m 40 s computing');
    expect(dataOf(aggregateTimePerAction, made, context(), FRAME).hits[0].tooltip).toMatchObject({
      rows: [
        ['Time, all threads', '1 m 40 s'],
        ['sum', '1 m 30 s'],
        ['load', '10.0 s']
      ]
    });
  });

  it('says that it counts from the start of the scheduler, or its last restart', () => {
    expect(computeTimePerKey.notes(run(), context())).toEqual([
      'since the scheduler or the recording started, or the last restart'
    ]);
  });

  it('says that tasks may be missing beside the time that they took, where they ended before anybody observed them', () => {
    const late = run();
    late.facts.meta = { ...late.meta, earlier_tasks: 1200 };
    expect(computeTimePerKey.notes(late, context())[1]).toMatch(/^the times of up to 1,200 tasks that ended before/);
    const cleared = clearHistory(late, 0, computeTimePerKey.sums?.(late));
    expect(computeTimePerKey.notes(late, context({ cleared }))).toEqual([]);
    // A scheduler that takes no collector: executions are read from the first request on, counts are of all tasks.
    late.facts.meta = { ...late.meta, unknown: ['queued', 'no_worker'] };
    const since =
      'since Dask Panes first asked or the recording started: this scheduler does not report the times of earlier tasks';
    expect(computeTimePerKey.notes(late, context())).toEqual([
      since,
      '1,200 tasks that ended before may be among the tasks done, without their times'
    ]);
    expect(aggregateTimePerAction.notes(late, context())).toEqual([since]);
  });
});

describe('time per action', () => {
  it('sums each action over all functions, in its reserved colour', () => {
    const shown = theme();
    expect(drawn(aggregateTimePerAction, run())).toEqual([
      [shown.worker.busy, 40],
      [shown.kind('transfer').colour, 3.5],
      [shown.kind('disk-read').colour, 4],
      [shown.kind('disk-write').colour, 3],
      [shown.kind('deserialize').colour, 0.25]
    ]);
    expect(title(aggregateTimePerAction, run())).toBe('40.0 s computing · 10.8 s moving data');
  });

  it('does not say that deserializing took no time: newer versions of Dask do not measure it', () => {
    const made = cluster({ prefixes: [{ name: 'load', memory: 4, compute: 10, transfer: 1 }] });
    expect(aggregateTimePerAction.summary(made, context())).toBe(
      'Time per action, compute 10.0 s, transfer 1.00 s, disk read 0 s, disk write 0 s.'
    );
    expect(dataOf(aggregateTimePerAction, made, context(), FRAME).hits).toHaveLength(4);
  });

  it('calls nothing disk while no worker has had anything on disk', () => {
    const words = (spilled: number): string =>
      JSON.stringify(
        dataOf(aggregateTimePerAction, step(run(), { series: [{ time: 1, spilled: [spilled, 0, spilled] }] }), context(), FRAME)
          .hits
      );
    expect(words(0)).toContain('get data');
    expect(words(0)).toContain('store data');
    expect(words(0)).not.toContain('disk read');
    expect(words(1)).toContain('disk read');
    expect(words(1)).not.toContain('slow');
  });

  it('names the functions that took most, as text', () => {
    const { hits } = dataOf(aggregateTimePerAction, run(), context(), FRAME);
    expect(hits[1].tooltip).toMatchObject({
      title: 'transfer',
      rows: [
        ['Time, all threads', '3.50 s'],
        ['add', '2.00 s'],
        ['load', '1.00 s'],
        ['<b>none</b>', '500 ms']
      ]
    });
  });

  it.each([30, 80, 120, 400])('has all its bars at a height of %d', async height => {
    const { data, fault } = await render(aggregateTimePerAction, run(), { width: 300, height });
    const { top, bottom } = paramsOf(aggregateTimePerAction, run(), context(), { ...FRAME, width: 300, height }) ?? {};
    expect(fault).toBeNull();
    expect(data.segments).toHaveLength(5);
    expect(top).toBeGreaterThan(0);
    expect(bottom).toBeLessThanOrEqual(height);
  });
});

describe('a history that was cleared', () => {
  const prefixes: readonly Prefix[] = [
    { name: 'load', memory: 4, compute: 10, transfer: 1 },
    { name: 'add', memory: 100, compute: 30, disk_read: 4 }
  ];
  const later = [{ name: 'load', memory: 6, compute: 12.5, transfer: 1 }, prefixes[1], { name: 'sum', memory: 1, compute: 2 }];
  const titleOf = (plot: VegaPlot, run: Run, cleared: ReturnType<typeof clearHistory>): string =>
    plot
      .titleLine(run, context({ cleared }))
      .map(({ text }) => text)
      .join(' · ')
      .replace(/\d+:\d\d:\d\d/, 'TIME');
  const texts = (plot: VegaPlot, run: Run, cleared: ReturnType<typeof clearHistory>): string[][] =>
    plot.table(run, context({ cleared })).rows.map(({ cells }) => cells.map(({ text }) => text));

  it('is not counted: what has come since is, and the title says since when', () => {
    const made = cluster({ prefixes });
    const sums = (plot: VegaPlot) => clearHistory(made, 0, plot.sums?.(made));
    const [times, actions] = [sums(computeTimePerKey), sums(aggregateTimePerAction)];
    for (const [plot, cleared] of [[computeTimePerKey, times] as const, [aggregateTimePerAction, actions] as const]) {
      expect(plot.empty(made, context({ cleared }))?.head).toMatch(/^Nothing since \d+:\d\d:\d\d\.$/);
      expect(plot.empty(made, context())).toBeNull();
    }
    step(made, { prefixes: later, time: 1060 });
    expect(titleOf(computeTimePerKey, made, times)).toBe('4.50 s of computing · 2 functions · since TIME');
    expect(texts(computeTimePerKey, made, times)).toEqual([
      ['load', '2.50 s', '56 %', '2', '–'],
      ['sum', '2.00 s', '44 %', '1', '–']
    ]);
    expect(computeTimePerKey.notes(made, context({ cleared: times }))).toEqual([]);
    expect(computeTimePerKey.summary(made, context({ cleared: times }))).toMatch(/^Since \d+:\d\d:\d\d: 4\.50 s of computing/);
    expect(titleOf(aggregateTimePerAction, made, actions)).toBe('4.50 s computing · 0 s moving data · since TIME');
    const [{ tooltip }] = dataOf(aggregateTimePerAction, made, context({ cleared: actions }), FRAME).hits;
    expect(tooltip).toMatchObject({
      rows: [
        ['Time, all threads', '4.50 s'],
        ['load', '2.50 s'],
        ['sum', '2.00 s']
      ]
    });
    // "Show cleared history again".
    expect(title(computeTimePerKey, made)).toBe('44.5 s of computing · 3 functions');
  });

  it('is that of one run, and nothing at an earlier moment of a recording', () => {
    const made = cluster({ prefixes });
    const cleared = clearHistory(made, 0, computeTimePerKey.sums?.(made));
    expect(titleOf(computeTimePerKey, made, { ...cleared, run: 'other 0' })).toBe('40.0 s of computing · 2 functions');
    step(made, { prefixes: [{ name: 'load', memory: 1, compute: 3 }] });
    expect(texts(computeTimePerKey, made, cleared)).toEqual([]);
  });

  it('can be cleared of the whole run only: of selected tasks, the period is selected', () => {
    for (const plot of [computeTimePerKey, aggregateTimePerAction]) {
      expect([isClearable(plot, {}), isClearable(plot, { of: 'selected' })]).toEqual([true, false]);
    }
  });
});
