// Charts of bars as data: every part is as long as its value, in its row, and nothing is invisible or beyond the axis.
import { beforeEach, describe, expect, it, test } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { mix } from '../../../src/base/theme';
import { durationTicks, niceByteEnd, niceDurationEnd, niceEnd, niceStep, ticksThatFit } from '../../../src/charts/axis';
import { barPicture, rowPicture } from '../../../src/charts/bars';
import { functionBars, functionSort, type FunctionValue } from '../../../src/charts/bars/function-bars';
import { hostBars } from '../../../src/charts/bars/host-bars';
import { barPlace } from '../../../src/charts/bars/layout';
import { barWithin, limitLines, memoryBar, thresholdMarks } from '../../../src/charts/bars/memory-parts';
import type { BarChart, BarRow } from '../../../src/charts/bars/model';
import { loadSegment, loadShown, loadSign } from '../../../src/charts/bars/worker-load';
import { byteRateTicks } from '../../../src/charts/byte-rates';
import { type OwnQuantity, schedulerPanels } from '../../../src/charts/scheduler';
import type { VegaPlot } from '../../../src/plot/plot';
import { textWidth } from '../../../src/plot/text';
import { Run } from '../../../src/run/run';
import { liveWorkers } from '../../../src/selectors/workers/worker-rows';
import { cluster, context, GiB, theme as themeOf } from '../plots/cluster';
import { dataOf, paramsOf } from '../plots/drawing';

const theme = themeOf();
const tooltip = { title: '', rows: [] };
type Rows = Record<string, Record<string, never>[]>;

beforeEach(() => setNumberLocale('en'));

function rowOf(change: Partial<BarRow> = {}): BarRow {
  return { label: { text: 'a' }, bars: [], figures: [], tooltip, ...change };
}

function drawn(
  rows: readonly BarRow[],
  change: Partial<BarChart> = {}
): { data: Rows; unit: number; params: Record<string, number> } {
  const chart = { end: 100, ticks: [], columns: [], gutter: 0, rows, place: barPlace({ top: 4, bottom: 18 }, 20), ...change };
  const size = { width: 416, height: 200 };
  const { data, params } = barPicture(theme, () => chart).draw({ ...size, firstRow: 0, endRow: rows.length });
  // 400 pixels between the edges.
  return { data: data as unknown as Rows, unit: 400 / chart.end, params: params as Record<string, number> };
}

describe('bars', () => {
  const lengths = (rows: Record<string, never>[]): number[][] => rows.map(({ from, to }) => [Number(from), Number(to)]);

  it('are parts one after the other, as long as their values', () => {
    const segments = [10, 0, 25, -5].map(size => ({ size, fill: '#00ff00' }));
    const { data, params } = drawn([rowOf({ bars: [{ segments }] }), rowOf({ bars: [{ segments: segments.slice(0, 1) }] })]);
    expect(lengths(data.segments)).toEqual([
      [0, 10],
      [10, 35],
      [0, 10]
    ]);
    expect(data.segments.map(({ y0, y1, fill, stroke }) => [y0, y1, fill, stroke])).toEqual(
      [0, 0, 1].map(row => [expect.closeTo(row + 3 / 20), expect.closeTo(row + 16 / 20), '#00ff00', null])
    );
    expect(params).toMatchObject({ left: 8, right: 408, top: 4, bottom: 44, rows: 2, end: 100 });
    expect(data.hits.map(({ y0, y1, right }) => [y0, y1, right])).toEqual([
      [0, 1, 416],
      [1, 2, 416]
    ]);
  });

  it('end at the end of the axis', () => {
    const segments = [80, 40, 40].map(size => ({ size, fill: '#00ff00' }));
    expect(lengths(drawn([rowOf({ bars: [{ segments }], track: 300 })]).data.segments)).toEqual([
      [0, 80],
      [80, 100],
      [100, 100]
    ]);
    const { data } = drawn([rowOf({ track: 300 }), rowOf({ track: 40 }), rowOf()]);
    expect(data.tracks.map(({ from, to, fill }) => [from, to, fill])).toEqual([
      [0, 100, theme.track],
      [0, 40, theme.track]
    ]);
  });

  it('have a least width where they must be seen, and a pixel between parts that are not of one whole', () => {
    const parts = [
      { size: 0.01, fill: '#111111', least: 2 },
      { size: 10, fill: '#222222', apart: true }
    ];
    const { data, unit } = drawn([rowOf({ bars: [{ segments: parts }] }), rowOf({ bars: [{ segments: parts.slice(1) }] })]);
    expect(lengths(data.segments)).toEqual([
      [0, 2 / unit],
      // The bar ends where its values do.
      [3 / unit, expect.closeTo(0.01 + 1 / unit + 10, 9)],
      // There is nothing before it.
      [0, 10]
    ]);
    const nothing = drawn([rowOf({ bars: [{ segments: [{ size: 0, fill: '#111111', least: 2 }] }] })]);
    expect(nothing.data.segments).toEqual([]);
  });

  it('are not longer than their values by as much as they have parts', () => {
    const many = Array.from({ length: 60 }, () => ({ size: 1e-3, fill: '#111111', least: 1 }));
    const ends = (parts: BarRow['bars'][number]['segments']): number[] => {
      const { data, unit } = drawn([rowOf({ bars: [{ segments: parts }] })]);
      return [unit * Number(data.segments.at(-1)?.to), unit * Number(data.segments[0]?.to)];
    };
    // In pixels: the values are 0.24 long.
    expect(ends(many)[0]).toBeLessThan(1.24);
    expect(ends(many)[1]).toBe(1);
    // What follows is as long as before, or takes up what they are ahead.
    expect(ends([...many, { size: 50, fill: '#222222' }])[0]).toBeCloseTo(4 * 50.06);
  });

  it('have outlines half a pixel inside them, which never turn over', () => {
    const outlined = (size: number) => drawn([rowOf({ bars: [{ segments: [{ size, fill: '#111111', outline: '#333333' }] }] })]);
    const { data, unit } = outlined(10);
    const [fill, line] = data.segments;
    expect([Number(line.from), Number(line.to)]).toEqual([0.5 / unit, 10 - 0.5 / unit]);
    expect([Number(line.y0) - Number(fill.y0), Number(fill.y1) - Number(line.y1)]).toEqual([
      expect.closeTo(0.5 / 20),
      expect.closeTo(0.5 / 20)
    ]);
    expect([line.stroke, line.fill, fill.stroke]).toEqual(['#333333', 'transparent', null]);
    expect(lengths(outlined(0.1).data.segments)[1]).toEqual([0.5 / unit, 0.5 / unit]);
    const framed = (to: number) => drawn([rowOf({ bars: [{ segments: [], frame: { to, colour: '#444444' } }] })]).data.segments;
    expect(lengths(framed(30))).toEqual([[0.5 / unit, 30 - 0.5 / unit]]);
    expect(framed(0)).toEqual([]);
  });

  it('have patterns in their ink, as large as they are', () => {
    const hatched = (change: object) =>
      drawn([
        rowOf({
          bars: [
            {
              segments: [
                { size: 5, fill: '#111111' },
                { size: 10, fill: '#222222', ...change }
              ]
            }
          ]
        })
      ]).data.hatches;
    const [hatch] = hatched({ pattern: 'dark-bars', ink: '#555555' });
    expect([hatch.from, hatch.stroke]).toEqual([5, '#555555']);
    // 40 × 13 pixels, with lines each three pixels.
    expect(String(hatch.path).split('M').length - 1).toBe(14);
    expect(String(hatch.path)).toContain('L0.5,13');
    expect(hatched({ pattern: 'dark-bars' })[0].stroke).toBe('#222222');
    expect([hatched({}), hatched({ pattern: 'none' })]).toEqual([[], []]);
  });

  it('have lines across their rows, and ticks from the first row to the last', () => {
    const lines = [
      { value: 30, colour: '#666666' },
      { value: 60, colour: '#777777', dotted: true }
    ];
    const { data } = drawn([rowOf(), rowOf({ lines })], {
      ticks: [
        { value: 0, label: '0' },
        { value: 100, label: '100' }
      ]
    });
    expect(data.lines.map(({ at, stroke }) => [at, stroke])).toEqual([
      [30, '#666666'],
      [60, '#777777']
    ]);
    const [solid, dotted] = data.lines.map(({ dash }) => dash as unknown as number[]);
    expect([solid[1], dotted[0] > 0, dotted[1] > 0]).toEqual([0, true, true]);
    expect(data.lines.every(({ y0, y1 }) => Number(y0) >= 1 && Number(y1) <= 2)).toBe(true);
    expect(data.ticks.map(({ at, y0, y1, stroke }) => [at, y0, y1, stroke])).toEqual([
      [0, 0, 2, theme.grid],
      [100, 0, 2, theme.grid]
    ]);
  });

  it('are of the rows in view where they do not all fit', () => {
    const picture = rowPicture(
      theme,
      { width: 400, height: 100 },
      {
        ...{ items: [1, 2, 3, 4, 5, 6, 7, 8], end: 10, columns: [], gutter: 0 },
        parts: { heads: false, axis: false, title: false },
        row: size => rowOf({ label: { text: `${size}` }, bars: [{ segments: [{ size, fill: '#111111' }] }] })
      }
    );
    expect(picture.rows).toMatchObject({ count: 8, pitch: 14, margins: { top: 4, bottom: 4 } });
    const { data } = picture.draw({ width: 400, height: 100, firstRow: 2, endRow: 4 });
    expect((data as unknown as Rows).segments.map(({ to }) => to)).toEqual([3, 4]);
    expect((data as unknown as Rows).ticks).toEqual([]);
  });
});

describe('bars of functions', () => {
  const values: readonly (FunctionValue & { more: number })[] = [
    { id: 0, label: 'short', value: 3, more: 0 },
    { id: 1, label: 'a name that is longer', value: 9, more: 2 },
    { id: 2, label: 'f-10', value: 1, more: 0 },
    { id: 3, label: 'f-9', value: Number.NaN, more: 0 }
  ];
  const plot: VegaPlot = functionBars({
    ...({ id: 'f', title: 'F', axisTitle: 'n' } as unknown as VegaPlot),
    ...{ sort: functionSort('name', 'by use'), axisTitle: 'n', figureWidth: 50 },
    values: () => values,
    scale: (_run, _context, greatest) => ({ end: greatest, ticks: () => [] }),
    beside: value => (value as (typeof values)[number]).more,
    figure: ({ value }) => `${value}`,
    tooltip: () => []
  });
  const frame = { width: 600, height: 300, firstRow: 0, endRow: 4 };

  it('are by name as people count, or by size', () => {
    const order = (options: Record<string, string>): unknown[] =>
      dataOf(plot, new Run(), context({ options }), frame).hits.map(
        ({ tooltip: tip }) => (tip as unknown as { title: string }).title
      );
    expect(order({})).toEqual(['a name that is longer', 'f-9', 'f-10', 'short']);
    expect(order({ sort: 'size' }).slice(0, 3)).toEqual(['a name that is longer', 'short', 'f-10']);
  });

  it('have room for the longest label, and an axis for the longest bar with what is beside it', () => {
    const { left, end } = paramsOf(plot, new Run(), context(), frame) as Record<string, number>;
    expect([left, end]).toEqual([8 + textWidth('a name that is longer') + 8, 11]);
    const pale = (dataOf(plot, new Run(), context(), frame) as unknown as Rows).segments.filter(({ stroke }) => stroke !== null);
    expect(pale.map(({ stroke }) => stroke)).toEqual([theme.prefix(1).colour]);
  });
});

describe('bars of hosts', () => {
  const plot = hostBars({
    ...({ id: 'h', title: 'H', caption: '', group: 'workers', synonyms: [], howToRead: '' } as unknown as VegaPlot),
    colour: each => each.worker.busy,
    bars: [
      { id: 'in', name: 'in', of: () => row => row.workers.length },
      { id: 'out', name: 'out', of: () => row => (row.label === 'a' ? Number.NaN : 2 * row.workers.length) }
    ],
    ...{ format: value => `${value} u`, end: greatest => greatest, ticks: () => [], figure: 76 }
  } as Parameters<typeof hostBars>[0]);
  const run = cluster({ workers: [{ host: 'b' }, { host: 'b' }, { host: 'a' }] });
  const frame = { width: 600, height: 300, firstRow: 0, endRow: 2 };
  const labels = (options: Record<string, string>): unknown[] =>
    (dataOf(plot, run, context({ options }), frame) as unknown as Rows).hits.map(
      ({ tooltip: tip }) => (tip as unknown as { title: string }).title
    );

  it('are by name, or those of the greatest sum first', () => {
    expect([labels({}), labels({ sort: 'use' })]).toEqual([
      ['a', 'b'],
      ['b', 'a']
    ]);
  });

  it('have one axis for all of their values, of which hidden ones leave out theirs', () => {
    expect(paramsOf(plot, run, context(), frame).end).toBe(4);
    const sizes = (hidden: string[]): unknown[] =>
      (dataOf(plot, run, context({ hidden: new Set(hidden) }), frame) as unknown as Rows).segments
        .filter(({ fill }) => String(fill) !== 'transparent')
        .map(({ value }) => value);
    expect([sizes([]), sizes(['out'])]).toEqual([
      [1, 2, 4],
      [1, 2]
    ]);
  });

  it('say their sums, of what is known', () => {
    expect(plot.titleLine(run, context()).map(({ text }) => text)).toEqual(['3 u in', '4 u out']);
    expect(plot.summary(run, context())).toBe('H, 3 u in, 4 u out, 2 hosts.');
    expect(plot.table(run, context()).rows.map(({ cells }) => cells.map(({ value }) => value))).toEqual([
      ['b', 2, 4, 2],
      ['a', 1, Number.NaN, 1]
    ]);
    expect(plot.legend(run, context()).map(item => [item.id, 'outlined' in item])).toEqual([
      ['in', false],
      ['out', true]
    ]);
  });
});

test('a worker is hollow while it is idle, but not while it is halted, whatever its bar would be', () => {
  const run = cluster({
    workers: [{ load: 'idle' }, { load: 'busy' }, { load: 'saturated' }, { load: 'idle', status: 'paused' }]
  });
  const [idle, busy, saturated, paused] = liveWorkers(run);
  const plain = context();
  const { background, worker } = theme;
  expect(loadSegment(idle, 5, 'full', plain)).toEqual({ size: 5, fill: background, outline: worker.idle });
  expect(loadSegment(busy, 5, 'full', plain)).toEqual({ size: 5, fill: worker.busy });
  expect(loadSegment(saturated, 5, 'pale', plain)).toEqual({
    size: 5,
    fill: mix(worker.saturated, background, 0.6),
    outline: worker.saturated
  });
  expect(loadSegment(busy, 5, 'hollow', plain)).toEqual({ size: 5, fill: background, outline: worker.busy });
  expect(loadSegment(paused, 5, 'full', plain)).toEqual({ size: 5, fill: worker.paused });
  expect([loadSign(busy, plain).text, loadSign(idle, plain).text !== ''].map(Boolean)).toEqual([false, true]);
  const without = context({ hidden: new Set(['load:busy']) });
  expect([loadShown(busy, without), loadShown(idle, without)]).toEqual([false, true]);
});

describe('parts of memory', () => {
  const parts = { managed: 4 * GiB, unmanaged: 2 * GiB, recent: GiB, spilled: 3 * GiB };

  it('are one bar with an outline around what is in memory', () => {
    const sizes = (hidden: string[], of = parts): unknown[] => {
      const { segments, frame } = memoryBar(of, 'blue', context({ hidden: new Set(hidden) }));
      return [...segments.map(({ size }) => size / GiB), (frame?.to ?? 0) / GiB];
    };
    expect([sizes([]), sizes(['unmanaged', 'spilled'])]).toEqual([
      [4, 2, 1, 3, 7],
      [4, 0, 1, 0, 5]
    ]);
    expect(sizes([], { ...parts, recent: -1, managed: Number.NaN })).toEqual([0, 2, 0, 3, 2]);
  });

  it('are cut off at the end of the axis', () => {
    const bar = barWithin(memoryBar(parts, 'blue', context()), 5 * GiB);
    expect([...bar.segments.map(({ size }) => size / GiB), (bar.frame?.to ?? 0) / GiB]).toEqual([4, 1, 0, 0, 5]);
    expect(barWithin({ segments: [] }, 5)).toEqual({ segments: [] });
  });

  it('have lines at the limit and at the thresholds that are within it', () => {
    const { trans } = context();
    const thresholds = { target: 0.6, spill: 0, pause: 1, terminate: 0.95 } as Parameters<typeof thresholdMarks>[0];
    expect(thresholdMarks(thresholds, trans).map(({ share }) => share)).toEqual([0.6]);
    expect(thresholdMarks({ ...thresholds, target: null, spill: 0.7, pause: 0.8 }, trans).map(({ text }) => text)).toEqual([
      'spill',
      'pause'
    ]);
    expect(limitLines(10, thresholds, context())).toEqual([
      { value: 6, colour: theme.textSecondary, dotted: true },
      { value: 10, colour: theme.text }
    ]);
    expect([limitLines(0, thresholds, context()), limitLines(Number.NaN, thresholds, context())]).toEqual([[], []]);
  });
});

describe('axes', () => {
  it('of minutes and hours have the steps of a clock', () => {
    const steps = (end: number, most: number): number => {
      const [first, second] = durationTicks(end, most);
      return second.value - first.value;
    };
    const minutes = [1, 2, 5, 10, 15, 30, 60].map(step => 60 * step);
    for (const [i, step] of minutes.slice(0, 6).entries()) {
      expect([steps(7200, 7200 / step), steps(7200, 7200 / (step + 1))]).toEqual([step, minutes[i + 1]]);
    }
    const hours = [1, 2, 3, 6, 12, 24].map(step => 3600 * step);
    for (const [i, step] of hours.slice(0, 5).entries()) {
      expect([steps(100 * 3600, (100 * 3600) / step), steps(100 * 3600, (100 * 3600) / (step + 1))]).toEqual([
        step,
        hours[i + 1]
      ]);
    }
    const unit = (end: number): string => durationTicks(end, 4).at(-1)?.label.split(' ')[1] ?? '';
    expect([0.9, 1, 120, 121, 7200, 7201].map(unit)).toEqual(['ms', 's', 's', 'm', 'm', 'h']);
  });

  it('end at a round value that is not below the greatest, and not far above it', () => {
    for (const greatest of [0.003, 0.4, 1, 3, 7.2, 99, 100, 101, 3599, 3600, 40_000]) {
      for (const nice of [niceEnd, niceDurationEnd]) {
        const end = nice(greatest);
        expect(end).toBeGreaterThanOrEqual(greatest * (1 - 1e-8));
        expect(end).toBeLessThanOrEqual(Math.max(greatest * 1.6));
      }
      const bytes = niceByteEnd(greatest * 1024);
      expect([bytes >= greatest * 1024, bytes <= greatest * 2048 + 1]).toEqual([true, true]);
    }
    expect([niceEnd(0), niceDurationEnd(0), niceByteEnd(0), niceStep(0), niceStep(Number.NaN)]).toEqual([1, 1, 1024, 1, 1]);
    expect([niceStep(1), niceStep(1.1), niceStep(2.1), niceStep(5.1), niceStep(0.02), niceStep(70)]).toEqual([
      1, 2, 5, 10, 0.02, 100
    ]);
    expect([ticksThatFit(41), ticksThatFit(83), ticksThatFit(84)]).toEqual([1, 1, 2]);
  });

  it('of rates say per second, once', () => {
    expect(byteRateTicks(4 * GiB, 4).map(({ label }) => label)).toEqual(['0', '1', '2', '3', '4 GiB/s']);
  });
});

describe('panels of the scheduler', () => {
  const quantity = (change: Partial<OwnQuantity> = {}): OwnQuantity => ({
    ...{ id: 'cpu', name: 'CPU', axisTitle: '', own: 'scheduler_cpu', workers: 'cpu' },
    format: value => `${value} %`,
    end: greatest => Math.max(1, greatest),
    ticks: (end, most) => Array.from({ length: most }, (_, i) => ({ value: (end * (i + 1)) / most, label: `t${i}` })),
    ...change
  });
  const plotOf = (...quantities: OwnQuantity[]): VegaPlot =>
    schedulerPanels({ ...({ id: 's', title: 'S' } as unknown as VegaPlot), quantities });
  const runOf = (): Run => {
    const run = cluster({ time: 1010, workers: [{}, {}] });
    const columns = {
      ...{ time: [1000, 1005, 1010], until: [1000, 1005, 1010], workers: [2, 2, 2], scheduler_cpu: [10, 40, 20] },
      ...{ cpu_sum: [100, 100, 120], cpu_min: [10, 40, 50], cpu_max: [90, 60, 70] }
    };
    const typed = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)]));
    const topics = { series: { columns: typed, scalars: { first: 0 } } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1010, cursor: {}, names: {}, topics }, 1_010_000);
    return run;
  };
  const frame = { width: 500, height: 240, firstRow: 0, endRow: 0 };
  const labels = (plot: VegaPlot, run = runOf()): unknown[] => dataOf(plot, run, context(), frame).texts.map(({ text }) => text);

  it('have the ticks of their quantity, or at least both ends of the axis', () => {
    expect(labels(plotOf(quantity()))).toContain('t1');
    expect(labels(plotOf(quantity()))).not.toContain('90 %');
    for (const ticks of [
      () => [{ value: 0, label: 'alone' }],
      (end: number) => [0, end * 1.01].map(value => ({ value, label: 'beyond' }))
    ]) {
      const shown = labels(plotOf(quantity({ ticks })));
      expect(shown).toEqual(expect.arrayContaining(['0', '90 %']));
      expect([shown.includes('alone'), shown.includes('beyond')]).toEqual([false, false]);
      const [zero] = dataOf(plotOf(quantity({ ticks })), runOf(), context(), frame).texts.filter(({ text }) => text === '0');
      expect(zero.y).toBe(216);
    }
  });

  it('have an axis up to what is shown of the scheduler, the mean and the band', () => {
    const end = (hidden: string[], change: Partial<OwnQuantity> = {}): unknown => {
      let found = 0;
      const recording = quantity({ ...change, end: greatest => (found = greatest) });
      dataOf(plotOf(recording), runOf(), context({ hidden: new Set(hidden) }), frame);
      return found;
    };
    expect([
      end([]),
      end(['band']),
      end(['band', 'workers']),
      end(['band', 'scheduler']),
      end(['band', 'scheduler', 'workers'])
    ]).toEqual([90, 60, 40, 60, 0]);
    expect([end(['band'], { hosts: true }), end(['scheduler'])]).toEqual([40, 90]);
  });

  it('say what the scheduler and the workers took, column by column', () => {
    const { rows, columns } = plotOf(quantity()).table(runOf(), context());
    expect(columns.map(({ label }) => label).slice(1)).toEqual([
      'CPU, scheduler',
      'CPU, mean of workers',
      'CPU, minimum of workers',
      'CPU, maximum of workers'
    ]);
    expect(rows.map(({ cells }) => cells.slice(1).map(({ value }) => value))).toEqual([
      [10, 50, 10, 90],
      [40, 50, 40, 60],
      [20, 60, 50, 70]
    ]);
    const hosts = plotOf(quantity({ hosts: true }))
      .table(runOf(), context())
      .columns.map(({ label }) => label);
    expect(hosts.slice(2)).toEqual(['CPU, minimum of hosts', 'CPU, maximum of hosts']);
    expect(
      plotOf(quantity())
        .titleLine(runOf(), context())
        .map(({ text }) => text)
    ).toEqual(['scheduler: CPU 20 %']);
  });

  it('say what is not known, and have a span before the first measurement', () => {
    expect(labels(plotOf(quantity({ own: 'scheduler_memory' as never, workers: 'process' })))).toContain(
      'not known: Dask does not measure it here'
    );
    const empty = plotOf(quantity());
    expect(empty.empty(new Run(), context())?.head).toBe('No measurements.');
    const { from, to } = paramsOf(empty, new Run(), context(), frame) as Record<string, number>;
    expect([from, to]).toEqual([0, 1]);
    expect(empty.empty(runOf(), context())).toBeNull();
  });
});

test('an axis with nothing but its zero is left out: "0 m" says nothing', () => {
  const zero = { value: 0, label: '0 m' };
  expect(drawn([rowOf()], { ticks: [zero], axisTitle: 'time' }).data.texts.map(({ text }) => text)).not.toContain('0 m');
  const texts = drawn([rowOf()], { ticks: [zero, { value: 100, label: '1 m' }] }).data.texts.map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining(['0 m', '1 m']));
});
