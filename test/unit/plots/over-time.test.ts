import { beforeEach, describe, expect, it, vi } from 'vitest';
import { formatElapsed, setNumberLocale } from '../../../src/base/format';
import { periodNotes } from '../../../src/charts/over-time/span';
import { cpuTimeseries } from '../../../src/plots/time/cpu-timeseries';
import { activityTimeseries } from '../../../src/plots/time/fine-metrics/over-time';
import { diskTimeseries } from '../../../src/plots/time/disk-timeseries';
import { memoryTimeseries } from '../../../src/plots/time/memory-timeseries';
import { system } from '../../../src/plots/system/system';
import { networkTimeseries } from '../../../src/plots/time/network-timeseries';
import { TimeScale, timeTicks } from '../../../src/charts/over-time/time-scale';
import { Kept } from '../../../src/plot/kept';
import type { VegaPlot } from '../../../src/plot/plot';
import { Folding } from '../../../src/run/folded-time';
import { workersNetwork } from '../../../src/plots/transfers/workers-network';
import { cpu } from '../../../src/plots/workers/cpu';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { windowOf } from '../../../src/run/time-window';
import { render } from '../views/render';
import { cluster, context, GiB, type SeriesPoint, step, type Worker } from './cluster';
import { dataOf, paramsOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;
const FRAME = { width: 500, height: 240, firstRow: 0, endRow: 0 };
const PLOTS = [cpuTimeseries, memoryTimeseries, networkTimeseries, diskTimeseries];

const cpuAt = (time: number, sum: number, more: Partial<SeriesPoint> = {}): SeriesPoint => ({
  time,
  workers: 2,
  cpu: [sum, sum / 4, sum / 2],
  ...more
});
const made = (series: readonly SeriesPoint[], now: number): Run => cluster({ time: now, workers: [{}, {}], series });

interface Drawn {
  at: number;
  value: number;
  low: number;
  high: number;
  group: string;
}

function drawn(plot: VegaPlot, run: Run, dataset: string, options: Record<string, string> = {}, hidden: string[] = []): Drawn[] {
  const rows = dataOf(plot, run, context({ options, hidden: new Set(hidden) }), FRAME)[dataset];
  return rows.map(row => ({ ...row }) as unknown as Drawn);
}
const line = (run: Run, options?: Record<string, string>): [number, number][] =>
  drawn(cpuTimeseries, run, 'lines', options).map(({ at, value }) => [at, value]);
const texts = (plot: VegaPlot, run: Run): unknown[] => dataOf(plot, run, context(), FRAME).texts.map(row => row.text);
const title = (plot: VegaPlot, run: Run): string =>
  plot
    .titleLine(run, context())
    .map(part => part.text)
    .join(' · ');

/** An hour at 1 s after a day at 10 s: what the collector holds at most. */
function day(): SeriesPoint[] {
  const coarse = Array.from({ length: 8640 }, (_, i) => i * 10);
  const fine = Array.from({ length: 3600 }, (_, i) => 86_400 + i);
  return [...coarse, ...fine].map((time, i) => {
    const value = i === 5000 ? 900 : (i * 7) % 50;
    return { time, until: i < 8640 ? time + 9 : time, workers: 2, cpu: [value, 0, value], net_read: [value, 0, value] };
  });
}

describe.each(PLOTS.map(plot => [plot.id, plot] as const))('%s', (_, plot) => {
  const series: Record<string, SeriesPoint[]> = {
    'no point': [],
    'one point': [cpuAt(1000, 80)],
    'a gap': [cpuAt(1000, 80), cpuAt(1001, 90), cpuAt(1031, 20)],
    'nobody there': [cpuAt(1000, 0, { workers: 0 }), cpuAt(1001, 0, { workers: 0 })],
    'a day': day()
  };

  it.each(Object.keys(series))('draws %s without a fault, with and without code from text', async name => {
    const warn = vi.spyOn(console, 'warn');
    const run = made(series[name], name === 'a day' ? 90_000 : 1031);
    const compiled = await render(plot, run);
    const interpreted = await render(plot, run, { interpret: true });
    expect(compiled.fault).toBeNull();
    expect(warn).not.toHaveBeenCalled();
    expect(compiled.svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(interpreted.svg).toBe(compiled.svg);
    expect(Object.values(compiled.data).flat().length).toBeLessThanOrEqual(1000);
  });

  it.each([
    [90, 30],
    [200, 80],
    [2000, 900]
  ])('has a picture at %d × %d', async (width, height) => {
    const { svg, fault } = await render(plot, made(series['a gap'], 1031), { width, height, dark: true });
    expect(fault).toBeNull();
    expect(svg).not.toMatch(/NaN|undefined|width="-/);
  });

  it('says what there is without data', () => {
    const run = made([], 1000);
    expect(plot.empty(run, context())?.head).toBe('No measurements.');
    expect(plot.table(run, context()).rows).toEqual([]);
  });
});

it('does not wait for measurements of what no worker measures', () => {
  const unknown = [Number.NaN, Number.NaN, Number.NaN] as const;
  const run = made([cpuAt(1000, 80, { disk_read: unknown, disk_write: unknown, net_read: [5, 5, 5] })], 1001);
  expect(diskTimeseries.empty(run, context())?.head).toBe('No measurements.');
  expect(networkTimeseries.empty(run, context())).toBeNull();
});

describe('the axes of a chart over time', () => {
  const ends = (plot: VegaPlot, run: Run, options: Record<string, string>): unknown[] => {
    const { from, to, end } = paramsOf(plot, run, context({ options }), FRAME);
    return [from, to, end];
  };

  it('show the time of a visible task stream if that is chosen, and say nothing of missing measurements in it', () => {
    const run = made([cpuAt(1000, 80), cpuAt(1001, 120), cpuAt(1060, 20)], 1060);
    const stream = {};
    const [from, to] = ends(cpuTimeseries, run, { span: 'stream' }) as number[];
    expect(to - from).toBe(60);
    windowOf(run).show(stream, { from: run.origin + 10, to: run.origin + 30 }, 'person');
    expect(ends(cpuTimeseries, run, { span: 'stream' })).toEqual([10, 30, 400]);
    expect(cpuTimeseries.empty(run, context({ options: { span: 'stream' } }))).toBeNull();
    expect(ends(cpuTimeseries, run, {})).toEqual([from, to, 400]);
    windowOf(run).release(stream);
  });

  it('show the period that the user has gone to, whatever is chosen, and say so', () => {
    const run = made([cpuAt(1000, 80), cpuAt(1001, 120), cpuAt(1002, 40), cpuAt(1003, 40)], 1060);
    windowOf(run).go({ from: 1001.25, to: 1001.75 });
    for (const span of ['whole', '60', 'stream']) {
      const [from, to] = ends(cpuTimeseries, run, { span }) as number[];
      expect([from + run.origin, to + run.origin]).toEqual([1001.25, 1001.75]);
    }
    // The line from a measurement to the next one is there also where neither is.
    expect(line(run).map(([at, value]) => [at + run.origin, value])).toEqual([
      [1001.25, 50],
      [1001.75, 30]
    ]);
    expect(cpuTimeseries.table(run, context()).rows).toEqual([]);
    // The figures are those of the measurement before.
    expect(title(cpuTimeseries, run)).toBe(`60 % mean · 30 % to 60 % · at ${formatElapsed(1001 - run.origin, 1)}`);
    windowOf(run).go({ from: 1000.5, to: 1001.5 });
    expect(title(cpuTimeseries, run)).toBe(`60 % mean · 30 % to 60 % · at ${formatElapsed(1001.5 - run.origin, 1)}`);
    expect(cpuTimeseries.summary(run, context())).toContain('at most 60 % in the visible time');
    expect(periodNotes(run, context().trans)).toHaveLength(1);
    windowOf(run).go({ from: 1020, to: 1040 });
    expect(line(run)).toEqual([]);
    expect(title(cpuTimeseries, run)).toBe('');
    expect(cpuTimeseries.empty(run, context())).toBeNull();
    // The clock of a recording was moved back to before the period.
    windowOf(run).go({ from: 1060.5, to: 1061 });
    expect(title(cpuTimeseries, run)).toBe(`this period is later than ${formatElapsed(1060 - run.origin, 1)}`);
    windowOf(run).go(null);
    expect(title(cpuTimeseries, run)).toBe('20 % mean · 10 % to 20 %');
    expect(periodNotes(run, context().trans)).toEqual([]);
  });

  it('end at what there is room for, or, if that is chosen, at the highest value', () => {
    const run = made([cpuAt(1000, 20), cpuAt(1001, 26)], 1001);
    expect(ends(cpuTimeseries, run, {})[2]).toBe(400);
    expect(ends(cpuTimeseries, run, { scale: 'fit' })[2]).toBe(15);
    expect(networkTimeseries.options?.map(({ id }) => id)).toEqual(['span', 'worker', 'pauses']);
  });
});

describe('the end of the values', () => {
  const MiB = 1024 ** 2;
  const traffic = (time: number, bytes: number): SeriesPoint => ({ time, net_read: [bytes, bytes, bytes] });
  const run = made([traffic(1000, 2 * MiB), traffic(1010, 800 * MiB), traffic(1020, 2 * MiB), traffic(1040, 3 * MiB)], 1060);
  const endOf = (kept: Kept): unknown => paramsOf(networkTimeseries, run, context({ kept }), FRAME).end;

  it('fits the period that the user has gone to at once, although no time passes, so that one peak does not flatten the rest', () => {
    const kept = new Kept();
    expect(endOf(kept)).toBe(1024 * MiB);
    windowOf(run).go({ from: 1020, to: 1050 });
    expect(endOf(kept)).toBe(3 * MiB);
    windowOf(run).go({ from: 1000, to: 1050 });
    expect(endOf(kept)).toBe(1024 * MiB);
    windowOf(run).go({ from: 1021, to: 1030 });
    expect(Number(endOf(kept))).toBeLessThanOrEqual(3 * MiB);
    windowOf(run).go(null);
    expect(endOf(kept)).toBe(1024 * MiB);
  });

  it('does not fall at once while time goes on, but after a while', () => {
    const kept = new Kept();
    const live = made([traffic(1000, 800 * MiB)], 1000);
    const at = context({ kept, options: { span: '60' } });
    const ends: unknown[] = [];
    for (const time of [1000, 1050, 1062, 1069, 1073]) {
      step(live, { time, series: [traffic(time, 2 * MiB)], firstPoint: time });
      ends.push(paramsOf(networkTimeseries, live, at, FRAME).end);
    }
    expect(ends.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => 1024 * MiB));
    expect(ends[4]).toBe(2 * MiB);
  });
});

describe('folded pauses', () => {
  /** Two minutes of work before and after an hour of nothing, which the task stream folds to 64 of its 500 columns. */
  const PAUSE = { from: 120, to: 3720 };
  const folding = new Folding([PAUSE], 500, [64]);
  const folded = folding.at(0, folding.perColumnFor(0, 3840, 500));
  const run = (): Run => {
    const times = Array.from({ length: 3841 }, (_, time) => cpuAt(time, time < 120 || time >= 3720 ? 100 + (time % 20) : 2));
    const found = made(times, 3840);
    found.anchor = 0;
    windowOf(found).show({}, { from: 0, to: 3840, folded }, 'person');
    return found;
  };
  const STREAM = { span: 'stream' };
  /** Columns of the stream that has the same edges, for each axis time. */
  const columnOf = (at: number): number => at / folded.perColumn;

  it('are where the task stream has them, with their length, and labels stay true times', () => {
    const { bands, texts } = dataOf(cpuTimeseries, run(), context({ options: STREAM }), FRAME);
    const edges = bands
      .filter(({ group }) => String(group).startsWith('folded'))
      .map(({ at }) => Math.round(columnOf(Number(at))));
    expect(edges).toEqual([folded.columnOf(PAUSE.from), folded.columnOf(PAUSE.to)].map(Math.round));
    const words = texts.map(({ text }) => text);
    expect(words).toContain('⋯ 1 h 00 m');
    expect(words).toContain('1:00');
    expect(words).toContain('1:03:00');
    const { from, to } = paramsOf(cpuTimeseries, run(), context({ options: STREAM }), FRAME);
    expect([Number(from), Number(to)].map(columnOf)).toEqual([0, 500].map(each => expect.closeTo(each, 6)));
  });

  it('leave the resolution to the work', () => {
    const points = line(run(), STREAM).filter(([at]) => columnOf(at) < folded.columnOf(PAUSE.from));
    expect(points.length).toBeGreaterThan(60);
    const even = run();
    windowOf(even).show({}, { from: 0, to: 3840 }, 'person');
    expect(line(even, STREAM).filter(([at]) => at < 120).length).toBeLessThan(20);
  });

  it('are not folded where another time than that of the task stream is shown', () => {
    const { bands } = dataOf(cpuTimeseries, run(), context({ options: { span: 'whole' } }), FRAME);
    expect(bands.some(({ group }) => String(group).startsWith('folded'))).toBe(false);
  });

  it('take the time cursor, the brush and tooltips along, forth and back, in order', () => {
    const scale = new TimeScale({ from: 0, to: 3840, folded }, 0, 50, 450);
    const axis = scale.axis(0, 100);
    let last = Number.NEGATIVE_INFINITY;
    for (let time = 0; time <= 3840; time += 7) {
      const x = axis.at(time);
      expect(x).toBeGreaterThan(last);
      expect(axis.timeAt(x)).toBeCloseTo(time, 6);
      expect((x - 50) / 400).toBeCloseTo(folded.columnOf(time) / 500, 9);
      last = x;
    }
    expect([axis.at(0), axis.at(3840)]).toEqual([50, expect.closeTo(450, 6)]);
  });
});

describe('a line over time', () => {
  it('is the mean of the workers with a band from least to greatest, and counts from the start', () => {
    const run = made([cpuAt(1000, 80), cpuAt(1001, 120)], 1001);
    expect(drawn(cpuTimeseries, run, 'lines')).toMatchObject([
      { at: -1, value: 40 },
      { at: 0, value: 60 }
    ]);
    expect(drawn(cpuTimeseries, run, 'bands')).toMatchObject([
      { low: 20, high: 40 },
      { low: 30, high: 60 }
    ]);
    expect(title(cpuTimeseries, run)).toBe('60 % mean · 30 % to 60 %');
    expect(cpuTimeseries.summary(run, context())).toBe(
      'CPU over time, mean of workers 60 %, minimum of workers 30 %, maximum of workers 60 %, at most 60 % so far.'
    );
    const peak = made([cpuAt(900, 900), cpuAt(1000, 120)], 1000);
    expect(cpuTimeseries.summary(peak, context({ options: { span: '60' } }))).toContain('at most 60 % in the visible time.');
    expect(cpuTimeseries.table(run, context()).rows.map(row => row.cells.map(cell => cell.text))).toEqual([
      ['0:01.0 before', '40 %', '20 %', '40 %'],
      ['0:00.0', '60 %', '30 %', '60 %']
    ]);
  });

  it('is the sum of hosts, whose number is not in the series', () => {
    const point = { time: 1000, workers: 8, net_read: [3 * MiB, MiB, 2 * MiB], net_write: [MiB, 0, MiB] } as const;
    const run = made([point], 1000);
    expect(title(networkTimeseries, run)).toBe('in 3.00 MiB/s · out 1.00 MiB/s');
    expect(drawn(networkTimeseries, run, 'dots').map(({ value }) => value)).toEqual([3 * MiB, MiB]);
    const rows = dataOf(networkTimeseries, made([point, { ...point, time: 1001 }], 1001), context(), FRAME).lines;
    expect(new Set(rows.map(row => JSON.stringify(row.dash))).size).toBe(2);
    expect(new Set(rows.map(row => row.stroke)).size).toBe(2);
    expect(texts(networkTimeseries, run)).toContain('3 MiB/s');
  });

  it('is of the process of the worker alone, and says so: psutil does not count what its tasks start', () => {
    for (const { howToRead } of [cpuTimeseries, memoryTimeseries, cpu]) {
      expect(howToRead).toMatch(/programs that tasks start as processes of their own do not count/i);
    }
  });

  it('may be traffic without a network, as of a LocalCluster: the loopback interface is one of those that are counted', () => {
    for (const { howToRead } of [networkTimeseries, workersNetwork, system]) {
      expect(howToRead).toContain('what programs on one host send each other');
    }
  });

  it('has times of its columns with as many decimals as tell them apart', () => {
    const quick = [1000.1, 1000.4, 1000.7, 1001.1, 1001.5, 1001.9].map(time => cpuAt(time, 80));
    const run = made([...quick, cpuAt(1060, 80)], 1060);
    windowOf(run).go({ from: 1000, to: 1003 });
    const hits = dataOf(cpuTimeseries, run, context(), FRAME).hits as unknown as { tooltip: { title: string } }[];
    const titles = hits.map(({ tooltip }) => tooltip.title);
    expect(titles.length).toBeGreaterThan(5);
    expect(new Set(titles).size).toBe(titles.length);
    const times = cpuTimeseries.table(run, context()).rows.map(({ cells }) => cells[0].text);
    expect(new Set(times).size).toBe(times.length);
    windowOf(run).go({ from: 900, to: 1060 });
    expect(cpuTimeseries.table(run, context()).rows[0].cells[0].text).not.toMatch(/[.,]/);
  });

  it('is broken where nothing was measured or no worker was there', () => {
    const run = made(
      [cpuAt(1000, 80), cpuAt(1001, 80), cpuAt(1031, 20), cpuAt(1032, 20), cpuAt(1033, 0, { workers: 0 }), cpuAt(1040, 60)],
      1040
    );
    const groups = drawn(cpuTimeseries, run, 'lines').map(({ group }) => group);
    expect(new Set(groups).size).toBe(3);
    expect(groups[0]).toBe(groups[1]);
    expect(groups[1]).not.toBe(groups[2]);
    expect(drawn(cpuTimeseries, run, 'dots')).toMatchObject([{ at: 0, value: 30 }]);
  });

  it('is level over the time that a point covers', () => {
    const run = made([cpuAt(0, 40, { until: 500 }), cpuAt(501, 80)], 501);
    expect(line(run)).toEqual([
      [-501, 20],
      [-1, 20],
      [0, 40]
    ]);
    const [slot] = dataOf(cpuTimeseries, run, context(), FRAME).hits;
    expect(slot).toMatchObject({ at: -501, until: -1 });
  });

  it('has at most 300 points of a day, and the greatest among them', () => {
    const run = made(day(), 90_000);
    const points = line(run);
    expect(points.length).toBeLessThanOrEqual(300);
    expect(points.length).toBeGreaterThan(150);
    expect(Math.max(...points.map(([, value]) => value))).toBe(450);
    expect(Math.max(...drawn(cpuTimeseries, run, 'bands').map(({ high }) => high))).toBe(900);
    expect(drawn(networkTimeseries, run, 'lines').length).toBeLessThanOrEqual(600);
    expect(points.every(([at], i) => i === 0 || at >= points[i - 1][0])).toBe(true);
  });

  it('is a mean over time in each column, also where one measurement of an idle cluster held for long', () => {
    const busy = Array.from({ length: 9 }, (_, i) => cpuAt(91 + i, 200));
    const run = made([cpuAt(0, 4, { until: 90 }), ...busy, cpuAt(14_000, 4)], 14_000);
    const [first] = cpuTimeseries.table(run, context()).rows;
    // 2 % for 91 s and 100 % for 9 s.
    expect(first.cells.map(cell => cell.value)).toEqual([0, expect.closeTo(10.82, 6), 1, 100]);
    const tip = dataOf(cpuTimeseries, run, context(), FRAME).hits[0].tooltip as { rows: string[][] };
    expect(tip.rows[0]).toEqual(['mean of workers', '11 %']);
  });

  it('says in the title what was measured last, however wide a column is', () => {
    const steady = Array.from({ length: 3000 }, (_, i) => cpuAt(i, 40));
    const run = made([...steady, cpuAt(3000, 200)], 3000);
    expect(title(cpuTimeseries, run)).toBe('100 % mean · 50 % to 100 %');
    expect(cpuTimeseries.summary(run, context())).toContain('mean of workers 100 %');
  });

  it('says when it was measured last where all workers have left since', () => {
    const run = made([cpuAt(1000, 80), cpuAt(1010, 120), cpuAt(1015, 0, { workers: 0 })], 1060);
    const at = `at ${formatElapsed(1010 - run.origin, 1)}`;
    expect(title(cpuTimeseries, run)).toBe(`60 % mean · 30 % to 60 % · ${at}`);
    expect(cpuTimeseries.summary(run, context())).toContain(`CPU over time, ${at}, mean of workers 60 %`);
    // They have come back, and an idle cluster sends nothing while they stay as they are.
    step(run, { time: 1070, series: [cpuAt(1061, 80)], firstPoint: 3 });
    expect(title(cpuTimeseries, run)).toBe('40 % mean · 20 % to 40 %');
    // No machine can be measured any more, but workers are there.
    const unknown = [Number.NaN, Number.NaN, Number.NaN] as const;
    const read = (time: number, disk: SeriesPoint['cpu']): SeriesPoint => cpuAt(time, 80, { disk_read: disk, disk_write: disk });
    const lost = made([read(1000, [MiB, MiB, MiB]), read(1001, unknown)], 1010);
    expect(title(diskTimeseries, lost)).toContain(`at ${formatElapsed(1000 - lost.origin, 1)}`);
  });

  it('shows the end of the run where that is chosen', () => {
    const run = made(
      Array.from({ length: 200 }, (_, i) => cpuAt(i, 40)),
      199
    );
    expect(line(run, { span: '60' })[0][0]).toBe(-60);
    expect(line(run)[0][0]).toBe(-199);
  });

  it('ends where a view was paused', () => {
    const run = made([cpuAt(1000, 40)], 1000);
    const held = frozen(run);
    step(run, { time: 1003, series: [cpuAt(1000, 40, { until: 1002 }), cpuAt(1003, 90)] });
    expect(title(cpuTimeseries, held)).toBe('20 % mean · 10 % to 20 %');
    expect(title(cpuTimeseries, run)).toBe('45 % mean · 23 % to 45 %');
  });

  it('leaves out what was switched off', () => {
    const run = made([cpuAt(1000, 40), cpuAt(1001, 50)], 1001);
    expect(drawn(cpuTimeseries, run, 'bands', {}, ['band'])).toEqual([]);
    expect(drawn(cpuTimeseries, run, 'lines', {}, ['band'])).toHaveLength(2);
    expect(drawn(networkTimeseries, run, 'lines', {}, ['net_read'])).toHaveLength(2);
  });

  it('says up to when it has means only, while that is visible', () => {
    const hours = 6 * 3600;
    const run = made(
      Array.from({ length: hours }, (_, i) => cpuAt(1000 + i, i % 200)),
      1000 + hours
    );
    const [note, ...others] = cpuTimeseries.notes(run, context());
    expect(note).toBe('before −1:30:01: means of several seconds');
    expect(others).toEqual([]);
    expect(cpuTimeseries.notes(run, context({ options: { span: '300' } }))).toEqual([]);
  });

  it('says that a worker reported nothing for long, while that is visible', () => {
    const silent = [cpuAt(1000, 80, { unheard: [9, 0, 8.5] }), cpuAt(1100, 80, { unheard: [1, 0.2, 0.5] })];
    const run = made(silent, 1100);
    const note = 'a worker sent no heartbeat for 8.50 s until −1:40 (stopped or blocked)';
    expect(cpuTimeseries.notes(run, context())).toEqual([`${note}: its figures are older`]);
    // Another worker of the host may have reported.
    expect(networkTimeseries.notes(run, context())).toEqual([note]);
    // Of rates, nothing stays: they are 0 and then a peak.
    expect(activityTimeseries.notes(run, context())).toEqual([]);
    expect(cpuTimeseries.notes(run, context({ options: { span: '60' } }))).toEqual([]);
    // With more workers, Dask asks for heartbeats less often.
    const many = made([cpuAt(1000, 80, { workers: 1000, unheard: [9000, 0, 20] })], 1000);
    expect(cpuTimeseries.notes(many, context())).toEqual([]);
  });

  it('says what was not kept', () => {
    const run = cluster({ workers: [{}], series: [cpuAt(1000, 1)], lostPoints: 7 });
    expect(cpuTimeseries.notes(run, context())).toEqual(['7 earlier measurements not kept']);
  });
});

describe('memory over time', () => {
  const point: SeriesPoint = { time: 1000, workers: 2, process: [2 * GiB, 0.5 * GiB, 1.5 * GiB] };

  it('is below the mean limit of the workers', () => {
    const run = cluster({ workers: [{ memory_limit: 2 * GiB }, { memory_limit: 6 * GiB }], series: [point] });
    expect(paramsOf(memoryTimeseries, run, context(), FRAME).end).toBe(4 * GiB);
    expect(dataOf(memoryTimeseries, run, context(), FRAME).limits).toMatchObject([{ value: 4 * GiB }]);
    expect(texts(memoryTimeseries, run)).toContain('mean limit');
    expect(title(memoryTimeseries, run)).toBe('1.00 GiB mean · 512 MiB to 1.50 GiB');
  });

  it('has the limit of the workers that are there, and says so where others had another one', () => {
    const words = (limits: readonly number[], counts: readonly number[], last: Partial<Worker> = {}): unknown[] => {
      const workers = limits.map((limit, i) => ({ memory_limit: limit * GiB, ...(i === limits.length - 1 ? last : {}) }));
      const series = counts.map((count, i) => ({ ...point, time: 1000 + i, workers: count }));
      return texts(memoryTimeseries, cluster({ time: 1000 + counts.length, workers, series })).filter(
        text => typeof text === 'string' && text.includes('limit')
      );
    };
    expect(words([2, 6], [0, 2, 2])).toEqual(['mean limit']);
    // Before the second came, the mean was another one.
    expect(words([2, 6], [1, 2, 2])).toEqual(['latest mean limit']);
    expect(words([4, 4], [1, 2, 2])).toEqual(['mean limit']);
    expect(words([4, 8], [2, 2, 1], { status: 'lost' })).toEqual(['latest mean limit']);
  });

  it('has no limit that a worker does not have', () => {
    const run = cluster({ workers: [{}, { memory_limit: 0 }], series: [point] });
    expect(dataOf(memoryTimeseries, run, context(), FRAME).limits).toEqual([]);
    expect(paramsOf(memoryTimeseries, run, context(), FRAME).end).toBe(1.5 * GiB);
  });
});

it('has ticks at round values', () => {
  const labels = (from: number, to: number, most: number): string[] => timeTicks(from, to, most).map(tick => tick.label);
  expect(labels(-3, 12, 4)).toEqual(['0:00', '0:05', '0:10']);
  expect(labels(0, 3600, 5)).toEqual(['0:00', '15:00', '30:00', '45:00', '1:00:00']);
  expect(labels(0, 10 * 86_400, 5)).toHaveLength(6);
  expect(labels(5, 5, 5)).toEqual([]);
});

describe('one worker', () => {
  const address = 'tcp://10.0.0.1:41';
  const options = { worker: address };
  const run = (): Run =>
    cluster({
      time: 1010,
      workers: [{ name: 'a' }, { name: '<b>b</b>', address, memory_limit: 2 * GiB, nthreads: 2 }],
      series: [cpuAt(1000, 100), cpuAt(1010, 100)]
    });
  const answered = (made: Run, answer: Record<string, number[]>): Run => {
    cpuTimeseries.question?.(made, context({ options }))?.take(answer);
    return made;
  };
  const words = (plot: VegaPlot, made: Run): string[] => plot.titleLine(made, context({ options })).map(part => part.text);

  it('is asked for by its number, and offered by its name', () => {
    const made = run();
    expect(cpuTimeseries.question?.(made, context())).toBeNull();
    expect(cpuTimeseries.question?.(made, context({ options }))).toMatchObject({ name: 'series', args: { worker: 1, after: 0 } });
    const [, workers] = cpuTimeseries.options ?? [];
    expect(workers?.found?.(made).map(choice => choice.label)).toEqual(['<b>b</b>', 'a']);
  });

  it('has a quantity that is kept for all workers together only: the pane says so', () => {
    const made = answered(run(), { time: [1000, 1005], process: [GiB, GiB] });
    const [note] = cpuTimeseries.notes(made, context({ options }));
    expect(note).toContain('not known for single workers');
    expect(memoryTimeseries.notes(made, context({ options }))).toEqual([]);
    expect(cpuTimeseries.notes(made, context())).toEqual([]);
    // Nothing has arrived yet.
    expect(cpuTimeseries.notes(run(), context({ options }))).toEqual([]);
  });

  it('is a line without a band, of its own limit and threads', () => {
    const made = answered(run(), { time: [1000, 1005, 1010], cpu: [10, 50, 30], process: [GiB, GiB, GiB] });
    expect(drawn(cpuTimeseries, made, 'lines', options).map(({ value }) => value)).toEqual([10, 50, 30]);
    expect(drawn(cpuTimeseries, made, 'bands', options)).toEqual([]);
    expect(words(cpuTimeseries, made)).toEqual(['30 %']);
    expect(cpuTimeseries.legend(made, context({ options })).map(({ label }) => label)).toEqual(['<b>b</b>']);
    expect(paramsOf(cpuTimeseries, made, context({ options }), FRAME).end).toBe(200);
    expect(drawn(memoryTimeseries, made, 'limits', options).map(({ value }) => value)).toEqual([2 * GiB]);
    expect(cpuTimeseries.table(made, context({ options })).columns.map(({ label }) => label)).toEqual(['Time', '<b>b</b>']);
    expect(cpuTimeseries.summary(made, context({ options }))).toContain('<b>b</b> 30 %');
  });

  it('says that it sends no heartbeats, so that its figures are old', () => {
    const made = answered(run(), { time: [1000, 1005], cpu: [10, 50] });
    const notes = (): readonly string[] => cpuTimeseries.notes(made, context({ options }));
    expect(notes()).toEqual([]);
    step(made, {
      time: 1030,
      workers: [
        { name: 'a', heartbeat: 1 },
        { name: '<b>b</b>', address, heartbeat: 0 }
      ]
    });
    expect(notes()).toEqual([]);
    step(made, { time: 1040, workers: [{ name: 'a' }, { name: '<b>b</b>', address, heartbeat: 1, last_seen: 1006 }] });
    expect(notes()).toEqual([expect.stringMatching(/^no heartbeat since [\d:]+: its figures stay those of the last one$/)]);
    // In a period before, they are those of their time.
    step(made, { time: 1040, series: [cpuAt(1000, 40), cpuAt(1040, 40)] });
    expect(notes()).toHaveLength(1);
    windowOf(made).show(made, { from: 1000, to: 1005 }, 'person', true);
    expect(notes()).toEqual([]);
  });

  it('has no present figure once it has left', () => {
    const made = answered(run(), { time: [1000, 1005], cpu: [10, 50] });
    expect(words(cpuTimeseries, made)).toEqual(['50 %']);
    step(made, { time: 1020, workers: [{ name: 'a' }, { name: '<b>b</b>', address, status: 'lost' }] });
    expect(words(cpuTimeseries, made)).toEqual(['50 %', `at ${formatElapsed(1005 - made.origin, 1)}`]);
  });

  it('is asked only for what came since, and an answer that comes twice counts once', () => {
    const made = answered(run(), { time: [1000, 1005], cpu: [10, 50] });
    expect(cpuTimeseries.question?.(made, context({ options }))?.args).toEqual({ worker: 1, after: 1005 });
    answered(answered(answered(made, { time: [1010], cpu: [30] }), { time: [1010], cpu: [30] }), {});
    expect(drawn(cpuTimeseries, made, 'lines', options).map(({ value }) => value)).toEqual([10, 50, 30]);
  });

  it('joins samples that are far apart because there are many workers', () => {
    const made = answered(run(), { time: [1000, 1008, 1016], cpu: [1, 2, 3] });
    step(made, { time: 1020 });
    expect(new Set(drawn(cpuTimeseries, made, 'lines', options).map(({ group }) => group)).size).toBe(1);
  });

  it('holds while the cluster stays as it is, since an idle cluster is not sampled anew', () => {
    const idle = (until: number) => [cpuAt(1000, 100), cpuAt(1010, 100, { until }), cpuAt(1011, 80)];
    const pieces = (made: Run, choices = options): number =>
      new Set(drawn(cpuTimeseries, made, 'lines', choices).map(({ group }) => group)).size;
    const made = answered(run(), { time: [1005, 1010], cpu: [10, 30] });
    step(made, { time: 1300, series: idle(1300).slice(1, 2), firstPoint: 1 });
    const last = { ...options, span: '60', pauses: 'even' };
    const seen = (): number[][] => drawn(cpuTimeseries, made, 'lines', last).map(({ at, value }) => [at + made.origin, value]);
    expect(seen()).toEqual([
      [1240, 30],
      [1300, 30]
    ]);
    expect(cpuTimeseries.titleLine(made, context({ options: last })).map(({ text }) => text)).toEqual(['30 %']);
    // It goes on, and ends with the next sample.
    step(made, { time: 1400, series: idle(1390).slice(1, 2), firstPoint: 1 });
    expect(seen().at(-1)).toEqual([1390, 30]);
    step(made, { time: 1401, series: [cpuAt(1391, 80)], firstPoint: 2 });
    answered(made, { time: [1391], cpu: [5] });
    expect(pieces(made)).toBe(1);
    expect(drawn(cpuTimeseries, made, 'lines', { ...options, pauses: 'even' }).map(({ value }) => value)).toEqual([
      10, 30, 30, 5
    ]);
  });

  it('does not hold for longer than it was there', () => {
    const made = answered(run(), { time: [1000, 1005], cpu: [10, 30] });
    step(made, {
      time: 1300,
      series: [cpuAt(1000, 80, { until: 1005 }), cpuAt(1006, 80, { until: 1300, workers: 1 })],
      firstPoint: 0
    });
    step(made, { time: 1300, workers: [{ name: 'a' }, { name: '<b>b</b>', address, status: 'lost' }] });
    const choices = context({ options: { ...options, span: '60', pauses: 'even' } });
    expect(dataOf(cpuTimeseries, made, choices, FRAME).lines).toEqual([]);
    expect(cpuTimeseries.notes(made, choices)).toEqual(['nothing was measured of this worker in the visible time']);
  });

  it('is a line also where samples were nearer to each other before', () => {
    const fine = Array.from({ length: 500 }, (_, i) => 1000 + i);
    const rare = Array.from({ length: 20 }, (_, i) => 1500 + 16 * i);
    const made = answered(run(), { time: [...fine, ...rare], cpu: [...fine, ...rare].map(() => 7) });
    step(made, { time: 1810 });
    expect(new Set(drawn(cpuTimeseries, made, 'lines', options).map(({ group }) => group)).size).toBe(1);
    expect(drawn(cpuTimeseries, made, 'dots', options)).toEqual([]);
    // One interval that is longer than the others was not measured.
    const blocked = answered(run(), { time: [...fine, 1560], cpu: [...fine, 1560].map(() => 7) });
    step(blocked, { time: 1560 });
    expect(drawn(cpuTimeseries, blocked, 'dots', options)).toHaveLength(1);
  });

  it('says when it cannot be asked for, and when the run has no such worker', () => {
    const made = run();
    cpuTimeseries.question?.(made, context({ options }))?.fail('The client is closed.');
    expect(cpuTimeseries.notes(made, context({ options }))).toEqual(['as of the last answer: The client is closed.']);
    expect(cpuTimeseries.empty(made, context({ options }))).toBeNull();
    const gone = context({ options: { worker: 'tcp://gone' } });
    expect(cpuTimeseries.notes(made, gone)).toEqual(['the chosen worker is not in this run: all workers are shown']);
    expect(cpuTimeseries.titleLine(made, gone)).toEqual(cpuTimeseries.titleLine(made, context()));
  });

  it('stays as it is while paused', () => {
    const made = answered(run(), { time: [1000, 1005], cpu: [10, 50] });
    const paused = frozen(made);
    step(made, { time: 1020 });
    answered(made, { time: [1015], cpu: [30] });
    answered(paused, { time: [1015], cpu: [30] });
    expect(drawn(cpuTimeseries, paused, 'lines', options).map(({ value }) => value)).toEqual([10, 50]);
  });

  it.each(PLOTS.map(plot => [plot.id, plot] as const))('%s is drawn', async (_, plot) => {
    const made = answered(run(), {
      time: [1000, 1010],
      cpu: [1, 2],
      process: [1, 2],
      net_read: [1, 2],
      net_write: [3, 4],
      disk_read: [0, 0],
      disk_write: [1, 1]
    });
    const { fault } = await render(plot, made, { choices: options });
    expect(fault).toBeNull();
    expect(plot.table(made, context({ options })).rows.length).toBeGreaterThan(0);
  });
});
