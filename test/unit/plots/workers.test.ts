import { beforeEach, describe, expect, it } from 'vitest';
import { formatWallClock, setNumberLocale } from '../../../src/base/format';
import type { TablePlot, VegaPlot } from '../../../src/plot/plot';
import { PLOTS, plotById } from '../../../src/plots';
import { clusterMemory } from '../../../src/plots/memory/cluster-memory';
import { cpu } from '../../../src/plots/workers/cpu';
import { nprocessing } from '../../../src/plots/workers/nprocessing';
import { occupancy } from '../../../src/plots/workers/occupancy';
import { busyThreadsOf, cancelledWords, keptThreads } from '../../../src/selectors/workers/cancelled';
import { allWorkers, liveWorkers, memoryLevel, workerLabel, workerWord } from '../../../src/selectors/workers/worker-rows';
import { metricFacts, workFacts } from '../../../src/selectors/workers/worker-words';
import { threadsText } from '../../../src/selectors/workers/running-count';
import { orderWorkers } from '../../../src/selectors/workers/worker-order';
import { worker } from '../../../src/plots/workers/worker';
import { workers as workersTable } from '../../../src/plots/workers/workers';
import { workersMemory } from '../../../src/plots/memory/workers-memory';
import { cpuTimeseries } from '../../../src/plots/time/cpu-timeseries';
import { memoryTimeseries } from '../../../src/plots/time/memory-timeseries';
import { networkTimeseries } from '../../../src/plots/time/network-timeseries';
import { textWidth } from '../../../src/plot/text';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { Kept } from '../../../src/plot/kept';
import { cluster, context, GiB, step, THRESHOLDS, theme, type Worker } from './cluster';
import { dataOf, rowCountOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const trans = context().trans;
const title = (plot: VegaPlot | TablePlot, run: Run): string =>
  plot
    .titleLine(run, context())
    .map(part => part.text)
    .join(' · ');
const FRAME = { width: 400, height: 400, firstRow: 0, endRow: 12 };
const texts = (plot: VegaPlot, run: Run): unknown[] => dataOf(plot, run, context(), FRAME).texts.map(row => row.text);
const cell = (run: Run, column: string, row = 0): { text: string; value: unknown } => {
  const data = workersTable.table(run, context());
  return data.rows[row].cells[data.columns.findIndex(each => each.id === column)];
};

describe("memory levels follow Dask with the cluster's own thresholds", () => {
  it.each([
    ['running', 0.59, 'blue'],
    ['running', 0.6, 'orange'],
    ['running', 0.94, 'orange'],
    ['running', 0.95, 'red'],
    ['paused', 0.1, 'red'],
    ['closing_gracefully', 0.1, 'red'],
    ['init', 0.1, 'blue']
  ] as const)('%s at %d of its limit is %s', (status, share, level) => {
    expect(memoryLevel(status, share * GiB, GiB, THRESHOLDS)).toBe(level);
  });

  it('has no hue for thresholds that are switched off, nor without a limit', () => {
    const off = { target: null, spill: null, pause: null, terminate: null };
    expect(memoryLevel('running', 0.99 * GiB, GiB, off)).toBe('blue');
    expect(memoryLevel('running', 1.01 * GiB, GiB, off)).toBe('red');
    expect(memoryLevel('running', 50 * GiB, Number.NaN, THRESHOLDS)).toBe('blue');
    expect(memoryLevel('running', Number.NaN, GiB, THRESHOLDS)).toBe('blue');
    expect(memoryLevel('running', 0.65 * GiB, GiB, { ...THRESHOLDS, target: null })).toBe('blue');
  });
});

describe('rows', () => {
  it('leave out lost workers but still know them', () => {
    const run = cluster({ workers: [{ status: 'lost' }, {}, { status: 'closed' }, { status: 'paused' }] });
    expect(liveWorkers(run).map(row => row.id)).toEqual([1, 3]);
    expect(allWorkers(run)).toHaveLength(4);
  });

  it('sort names in natural order', () => {
    const run = cluster({ workers: ['10', '9', 'w2', 'w10', '1'].map(name => ({ name })) });
    expect(liveWorkers(run).map(row => row.label)).toEqual(['1', '9', '10', 'w2', 'w10']);
  });

  it('never execute more than they were given: the scheduler knows before the next heartbeat', () => {
    const run = cluster({
      workers: [
        { processing: 0, executing: 4 },
        { processing: 9, executing: 4 },
        { executing: 4, processing: Number.NaN }
      ]
    });
    expect(liveWorkers(run).map(row => row.executing)).toEqual([0, 4, 4]);
  });

  it('call a worker without a name by its address', () => {
    const address = 'tcp://10.0.0.1:41';
    const facts = { address, host: '', nthreads: 1, memory_limit: 0 };
    expect(workerLabel({ ...facts, name: address })).toBe('10.0.0.1:41');
    expect(workerLabel({ ...facts, name: 'two\nlines' })).toBe('two lines');
    expect(workerLabel(undefined)).toBe('–');
  });

  it('keep the order by use that was chosen, new ones last, also when paused', () => {
    const sizes = [3, 9, 5];
    const make = (cpu: readonly number[]): Worker[] => cpu.map(each => ({ cpu: each }));
    const run = cluster({ workers: make(sizes) });
    const kept = new Kept();
    const order = (shown: Run, sort = 'use'): number[] =>
      orderWorkers(shown, { kept }, liveWorkers(shown), sort, row => row.cpu).map(row => row.id);
    expect(order(run)).toEqual([1, 2, 0]);
    step(run, { workers: make([90, 1, 50, 99]) });
    expect(order(run)).toEqual([1, 2, 0, 3]);
    expect(order(frozen(run))).toEqual([1, 2, 0, 3]);
    expect(order(run, 'name')).toEqual([0, 1, 2, 3]);
    expect(order(run)).toEqual([3, 0, 2, 1]);
  });

  it('have every state in a word and a sign of its own', () => {
    const states: Worker[] = [
      { status: 'paused' },
      { status: 'closing_gracefully' },
      { status: 'lost' },
      { load: 'saturated' },
      { load: 'idle' },
      { load: 'busy' },
      { status: 'init' }
    ];
    const words = allWorkers(cluster({ workers: states })).map(row => workerWord(row, theme(), trans));
    expect(words.map(each => each.word)).toEqual(['paused', 'retiring', 'has left', 'saturated', 'idle', 'busy', 'starting']);
    expect(new Set(words.map(each => each.sign)).size).toBe(states.length);
  });

  it('are not idle with a task: Dask calls a worker with a free thread idle', () => {
    const run = cluster({
      workers: [
        { load: 'idle', processing: 1, executing: 1 },
        { load: 'idle', processing: 0 }
      ]
    });
    expect(liveWorkers(run).map(row => workerWord(row, theme(), trans).word)).toEqual(['busy', 'idle']);
    expect(cell(run, 'status').text).toBe('busy');
    expect(nprocessing.summary(run, context())).toContain('0 saturated, 1 idle');
    const others = cluster({
      workers: [
        { load: 'idle' },
        { load: 'idle', cancelled: 2 },
        { load: 'idle', status: 'paused' },
        { load: 'saturated', processing: 90, status: 'closing_gracefully' }
      ]
    });
    expect(nprocessing.summary(others, context())).toContain('0 saturated, 1 idle');
  });
});

describe('bytes stored', () => {
  const run = (): Run =>
    cluster({
      workers: [
        { process: 2 * GiB, managed: GiB, unmanaged_old: 0.5 * GiB, unmanaged_recent: 0.5 * GiB },
        { process: 1 * GiB, managed: GiB, spilled: 0.5 * GiB, status: 'paused' }
      ]
    });

  it('sums the cluster and says that a worker is paused', () => {
    expect(title(clusterMemory, run())).toBe('3.00 / 8.00 GiB · 1 worker paused · 512\u00a0MiB on disk');
    expect(clusterMemory.titleLine(run(), context()).map(({ cut }) => cut === true)).toEqual([false, false, true]);
    expect(clusterMemory.summary(run(), context())).toBe(
      '3.00 GiB of 8.00 GiB stored in memory, 512 MiB spilled to disk, 1 worker paused.'
    );
    expect(clusterMemory.legend(run(), context())[0].colour).toBe(theme().memory('red')[0]);
  });

  it('has the thresholds of the cluster on the axis, and none that are off', () => {
    expect(texts(clusterMemory, run())).toEqual(expect.arrayContaining(['target', 'spill', 'pause', 'limit', '8 GiB']));
    const off = step(run(), { thresholds: { target: null, spill: null, pause: 0.8, terminate: null } });
    expect(texts(clusterMemory, off)).toContain('pause');
    expect(texts(clusterMemory, off)).not.toContain('target');
  });

  it('draws its parts in bytes, without those that are switched off', () => {
    const sizes = (hidden: string[]): unknown[] =>
      dataOf(clusterMemory, run(), context({ hidden: new Set(hidden) }), FRAME).segments.flatMap(row =>
        row.value === undefined ? [] : [row.value]
      );
    expect(sizes([])).toEqual([2 * GiB, 0.5 * GiB, 0.5 * GiB, 0.5 * GiB]);
    expect(sizes(['unmanaged', 'spilled'])).toEqual([2 * GiB, 0.5 * GiB]);
  });

  it('is not against a limit that a worker does not have', () => {
    const free = cluster({ workers: [{ process: GiB }, { process: GiB, memory_limit: 0 }] });
    expect(title(clusterMemory, free)).toBe('2.00 GiB');
    expect(texts(clusterMemory, free)).not.toContain('limit');
    expect(clusterMemory.notes(free, context())).toEqual(['1 worker has no limit']);
  });

  it('has for each worker its own limit as a line', () => {
    const mixed = cluster({ workers: [{ memory_limit: 4 * GiB }, { memory_limit: 2 * GiB }, { memory_limit: 0 }] });
    const lines = dataOf(workersMemory, mixed, context(), FRAME).lines.filter(row => JSON.stringify(row.dash) === '[1,0]');
    expect(lines.map(row => row.at)).toEqual([4 * GiB, 2 * GiB]);
  });

  it('ends with the greatest limit, and marks what lies beyond', () => {
    const spilling = cluster({
      workers: [
        { process: 3 * GiB, managed: 3 * GiB, spilled: 6 * GiB },
        { process: GiB, managed: GiB }
      ]
    });
    const { segments } = dataOf(workersMemory, spilling, context(), FRAME);
    // Three of the first worker in memory, one of its six on disk, one of the second: the axis ends at four.
    expect(segments.reduce((all, row) => all + (typeof row.value === 'number' ? row.value : 0), 0)).toBe(5 * GiB);
    expect(texts(workersMemory, spilling)).toContain('4 GiB');
    expect(texts(workersMemory, spilling)).toContain('»▲');
    expect(texts(workersMemory, cluster({ workers: [{ process: GiB }] })).join(' ')).not.toContain('»');
  });

  it.each([257, 280, 300, 400, 640])('has labels at its axis that do not touch, %i pixels wide', width => {
    for (const limit of [1.49, 5.875, 6, 16, 25.6]) {
      const run = cluster({ workers: [{ process: GiB, memory_limit: limit * GiB }] });
      const written = dataOf(clusterMemory, run, context(), { ...FRAME, width }).texts;
      const labels = written.filter(({ text }) => /^[\d.]+( GiB)?$/.test(String(text)));
      expect(labels.length).toBeGreaterThan(1);
      const ends = labels.map(({ text, x }) => [
        Number(x) - textWidth(String(text)) / 2,
        Number(x) + textWidth(String(text)) / 2
      ]);
      for (const [i, [left]] of ends.entries()) {
        expect(left).toBeGreaterThan(ends[i - 1]?.[1] ?? Number.NEGATIVE_INFINITY);
      }
    }
  });

  it('filters workers by what the legend has switched off', () => {
    const hot = cluster({ workers: [{ process: 3 * GiB }, { process: GiB }, { status: 'paused' }] });
    expect(rowCountOf(workersMemory, hot, context())).toBe(3);
    expect(rowCountOf(workersMemory, hot, context({ hidden: new Set(['level:orange', 'level:red']) }))).toBe(1);
    expect(title(workersMemory, hot)).toBe('1 near spilling · 1 worker paused');
  });

  it('says spilling of what has spilled, and how much lies on disk', () => {
    const run = cluster({ workers: [{ process: 3 * GiB, spilled: GiB }, { process: 3 * GiB }, { process: GiB, spilled: GiB }] });
    expect(title(workersMemory, run)).toBe('1 spilling · 1 near spilling · 2.00 GiB on disk');
    expect(workersMemory.summary(run, context())).toContain('2.00 GiB on disk, 1 spilling, 1 near spilling');
    const rested = cluster({ workers: [{ process: GiB, spilled: GiB }] });
    expect(title(workersMemory, rested)).toBe('1 worker under target · 1.00 GiB on disk');
    const full = { process: 3.9 * GiB };
    expect(title(workersMemory, cluster({ workers: [full] }))).toBe('1 worker at its limit');
    expect(title(workersMemory, cluster({ workers: [full, full] }))).toBe('2 workers at their limits');
    expect(title(workersMemory, cluster({ workers: [] }))).toBe('no workers');
    expect(title(workersMemory, cluster({ workers: [{ memory_limit: 0 }, {}] }))).toBe('2 workers');
    const off = { ...THRESHOLDS, target: null, spill: null };
    expect(title(workersMemory, cluster({ workers: [{}], thresholds: off }))).toBe('1 worker');
    const legend = (thresholds: Readonly<Record<string, number | null>>): string[] =>
      workersMemory.legend(cluster({ workers: [full], thresholds }), context()).map(({ label }) => label);
    expect(legend(THRESHOLDS).slice(0, 3)).toEqual(['under target', '▲ over target', '‖ paused, → retiring, ▲ at limit']);
    expect(legend(off).slice(0, 2)).toEqual(['none of these', '‖ paused, → retiring, ▲ at limit']);
    // Without a target, Dask spills from another threshold on.
    const late = { ...THRESHOLDS, target: null };
    expect(legend(late).slice(0, 2)).toEqual(['under spill threshold', '▲ over spill threshold']);
    expect(title(workersMemory, cluster({ workers: [{}], thresholds: late }))).toBe('1 worker under spill threshold');
  });
});

it('says that thresholds are not known, where a scheduler that takes no plugin does not report them', () => {
  const run = cluster({ workers: [{}] });
  expect([clusterMemory, workersMemory].map(plot => plot.notes(run, context()))).toEqual([[], []]);
  const { thresholds: _, ...meta } = run.meta;
  run.facts.meta = { ...meta, unknown: ['thresholds'] };
  const note = 'at which share of its limit a worker spills or is paused is not known';
  expect([clusterMemory, workersMemory].map(plot => plot.notes(run, context()))).toEqual([[note], [note]]);
  expect(texts(clusterMemory, run)).not.toContain('pause');
});

it('says of workers of one process that each reports all of it', () => {
  const own = (count: number): Worker[] => Array.from({ length: count }, (_, i) => ({ address: `inproc://10.0.0.1/17/${i}` }));
  const plots = [clusterMemory, workersMemory, cpu, cpuTimeseries, memoryTimeseries];
  const notes = (workers: Worker[]): unknown[] => plots.map(plot => plot.notes(cluster({ workers }), context()).at(-1));
  expect(notes(own(3))).toEqual(plots.map(() => expect.stringMatching(/^the workers share one process: each reports the CPU/)));
  expect(notes(own(1))).toEqual(plots.map(() => undefined));
  expect(notes([{}, {}])).toEqual(plots.map(() => undefined));
  expect(networkTimeseries.notes(cluster({ workers: own(3) }), context())).toEqual([]);
});

describe('load', () => {
  it('distinguishes running from ready tasks against the threads', () => {
    const run = cluster({
      workers: [
        { processing: 9, executing: 4 },
        { processing: 2, executing: 4, load: 'idle' }
      ]
    });
    expect(title(nprocessing, run)).toBe('11 processing · 8 threads');
    expect(texts(nprocessing, run)).toEqual(expect.arrayContaining(['9 / 4', '2 / 4', '4 threads']));
    expect(texts(cpu, run)).toContain('of 400 %');
    const { segments } = dataOf(nprocessing, run, context(), FRAME);
    expect(segments.flatMap(row => (row.value === undefined ? [] : [row.value]))).toEqual([4, 5, 2]);
  });

  it('says paused where there is nothing to count', () => {
    const run = cluster({ workers: [{ processing: 0, status: 'paused' }] });
    expect(texts(nprocessing, run)).toEqual(expect.arrayContaining(['paused', '‖']));
  });

  it('draws the whole occupancy, and divides it by the threads that take tasks', () => {
    const run = cluster({ workers: [{ occupancy: 30 }, { occupancy: 10 }, { occupancy: 0, status: 'paused' }] });
    expect(title(occupancy, run)).toBe('40.0 s of work · ≈ 5.00 s wall time');
    const { segments } = dataOf(occupancy, run, context(), FRAME);
    expect(segments.flatMap(row => (row.value === undefined ? [] : [[row.from, row.to]]))).toEqual([
      [0, 30],
      [0, 10]
    ]);
  });
});

it('a mean number of busy threads is not more than there are', () => {
  expect([2048, 2047.6, 99.96, 99.94, 12.34, 0.01, 0].map(threadsText)).toEqual([
    ...['2,048', '2,048', '100', '99.9', '12.3', '< 0.1', '0']
  ]);
  // One separator of decimals in all figures.
  setNumberLocale('de');
  expect([12.34, 0.01].map(threadsText)).toEqual(['12,3', '< 0,1']);
});

describe('the table of workers', () => {
  it('has user metrics as columns, and lost workers only when asked', () => {
    const run = cluster({ workers: [{ status: 'lost' }, { cpu: 372.4 }], user: [[1, { 'gpu <b>': 44.5 }]] });
    expect(workersTable.table(run, context()).rows).toHaveLength(1);
    const all = context({ options: { lost: 'shown' } });
    expect(workersTable.table(run, all).rows).toHaveLength(2);
    // Also where all have left, as after the end of a cluster.
    const left = cluster({ workers: [{ status: 'lost' }, { status: 'closed' }] });
    expect([workersTable.empty(left, all), workersTable.empty(left, context())?.head]).toEqual([null, 'No workers.']);
    expect(workersTable.empty(cluster({ workers: [] }), all)?.head).toBe('No workers.');
    expect(cell(run, 'cpu').text).toBe('372 %');
    expect(cell(run, 'user:gpu <b>')).toEqual({ text: '44.5', value: 44.5 });
    const figures = { rows: 12_345, steps: 123_456, many: 1_234_567, part: 1234.5, loss: 0.0004, small: -2e-7, huge: 1e300 };
    const user = cluster({ workers: [{}], user: [[0, figures]] });
    expect(Object.fromEntries(Object.keys(figures).map(name => [name, cell(user, `user:${name}`).text]))).toEqual({
      ...{ rows: '12,345', steps: '123,456', many: '1.23 M', part: '1,235', loss: '0.0004', small: '-2e-7', huge: '–' }
    });
    const facts = metricFacts(liveWorkers(user)[0], user).map(({ name, text }) => `${name} ${text}`);
    expect(facts.slice(0, 2)).toEqual(['rows 12,345', 'steps 123,456']);
  });

  it('has no figures of workers that have left, whatever zeros the feed has', () => {
    const run = cluster({ workers: [{ status: 'lost', nthreads: 3, memory_limit: GiB, last_seen: 990, host: 'h' }] });
    const { columns, rows } = workersTable.table(run, context({ options: { lost: 'shown' } }));
    const known = columns.flatMap(({ id }, i) => (rows[0].cells[i].text === '–' ? [] : [[id, rows[0].cells[i].text]]));
    // When it was seen, not how long ago: that would stand still with the clock of a cluster that is idle.
    expect(Object.fromEntries(known)).toEqual({
      ...{ name: '0', status: 'has left', host: 'h', threads: '3', limit: '1.00 GiB', seen: formatWallClock(990) },
      ...{ version: '2026.8.0', address: 'tcp://10.0.0.0:40' }
    });
  });

  it('has no metrics of its own and no line of CPU for a worker that has left', () => {
    const both: readonly Worker[] = [
      { address: 'x', cpu: 100 },
      { address: 'y', cpu: 50 }
    ];
    const run = cluster({ workers: both, user: [[0, { depth: 7 }]] });
    step(run, { time: 1001, workers: both, user: [[0, { depth: 8 }]] });
    expect(cell(run, 'user:depth').text).toBe('8');
    step(run, { time: 1002, workers: [{ address: 'x', status: 'lost' }, both[1]] });
    const { columns, rows } = workersTable.table(run, context({ options: { lost: 'shown' } }));
    expect(columns.map(({ id }) => id)).not.toContain('user:depth');
    const at = columns.findIndex(({ id }) => id === 'cpu');
    expect(rows.map(({ cells }) => cells[at].spark?.length)).toEqual([undefined, 3]);
  });

  it('has the parts of memory that worker details and the plots of memory have', () => {
    const parts = { process: 2 * GiB, managed: GiB, unmanaged_old: 0.75 * GiB, unmanaged_recent: 0.25 * GiB };
    const run = cluster({ workers: [{ address: 'x', ...parts }] });
    const details = worker
      .table(run, context({ options: { worker: 'x' } }))
      .rows.map(({ cells }) => cells.map(({ text }) => text));
    for (const [id, name] of [
      ['managed', 'Managed'],
      ['unmanaged', 'Unmanaged'],
      ['recent', 'Unmanaged, recent']
    ]) {
      expect(details).toContainEqual([name, cell(run, id).text]);
    }
  });

  it('does not call open files none where they are not counted, as on Windows', () => {
    const run = cluster({ workers: [{ address: 'x', num_fds: 0 }] });
    expect(cell(run, 'fds').text).toBe('–');
    expect(workersTable.table(run, context()).columns.find(({ id }) => id === 'fds')?.tooltip).toContain(
      'not count them on Windows'
    );
    expect(cell(cluster({ workers: [{ num_fds: 24 }] }), 'fds').text).toBe('24');
    const details = worker.table(run, context({ options: { worker: 'x' } }));
    expect(details.rows.map(({ cells }) => cells.map(({ text }) => text))).toContainEqual(['Open files', 'not known']);
  });

  it('is where plots of workers lead to those that have left', () => {
    const run = cluster({ workers: [{ status: 'lost' }, {}, { status: 'closed' }] });
    const left = { text: '2 workers have left', opens: { plot: 'workers', args: { lost: 'shown' } } };
    for (const plot of [workersTable, nprocessing]) {
      expect(plot.titleLine(run, context()).at(-1)).toEqual(left);
      expect(JSON.stringify(plot.titleLine(cluster({ workers: [{}] }), context()))).not.toContain('left');
    }
    expect(workersTable.options?.map(({ id, choices }) => [id, choices.map(({ value }) => value)])).toEqual([
      ['lost', ['hidden', 'shown']]
    ]);
  });

  it('collects the last minute of CPU while it is shown', () => {
    const run = cluster({ time: 100, workers: [{ cpu: 10 }] });
    for (const time of [100, 130, 170]) {
      step(run, { time, workers: [{ cpu: time }] });
      workersTable.table(run, context());
    }
    expect(cell(run, 'cpu')).toMatchObject({ spark: [130, 170] });
  });

  it("says how long ago a worker was seen by the scheduler's clock", () => {
    const run = cluster({ time: 100, workers: [{ last_seen: 86.96 }] });
    expect(cell(run, 'seen').text).toBe('13.0 s');
  });

  it('distinguishes missed heartbeats from those that an idle cluster does not report', () => {
    const run = cluster({
      time: 1_700_000_100,
      idleSince: 1_700_000_000,
      workers: [
        { last_seen: 1_700_000_010, heartbeat: 0 },
        { last_seen: 1_700_000_010, heartbeat: 1, status: 'paused' },
        { last_seen: 1_700_000_010 },
        { last_seen: 1_700_000_010, heartbeat: 1, status: 'closing' }
      ]
    });
    expect([0, 1, 2, 3].map(row => cell(run, 'seen', row).text.replace(/\d+:\d+:\d+.*/, 'then'))).toEqual([
      'on time',
      'none since then',
      '1 m 30 s',
      'none since then'
    ]);
    expect([0, 1, 2, 3].map(row => cell(run, 'status', row).text)).toEqual(['busy', 'no heartbeat', 'busy', 'retiring']);
    expect(title(workersTable, run)).toContain('2 workers without heartbeat');
    step(run, { time: 1_700_000_101, idleSince: null, workers: [{ last_seen: 1_700_000_100, heartbeat: 0 }] });
    expect(cell(run, 'seen').text).toBe('1.00 s');
  });
});

describe('every plot', () => {
  it.each(PLOTS.map(plot => [plot.id, plot] as const))('%s says what there is without data', (_, plot) => {
    const before = cluster({});
    expect(plot.table(before, context()).rows).toEqual([]);
    const none = cluster({ workers: [], prefixes: [] });
    expect(plot.summary(none, context())).not.toMatch(/NaN|undefined/);
    expect(plotById(plot.id)).toBe(plot);
    if (plot.view !== 'timeline') {
      // A topic with nothing in it is never sent: the words must not wait for it.
      expect(plot.empty(before, context())?.head).toMatch(/^No /);
      expect(plot.empty(none, context())?.head).toMatch(/^No /);
    }
  });

  it('of workers says so where all of them have left', () => {
    expect(workersTable.empty(cluster({}), context())?.body).toContain('no workers yet');
    const left = cluster({ workers: [{ status: 'lost' }] });
    expect(workersTable.empty(left, context())?.body).toContain('have left');
    // A recording that was moved back to a time before the first worker.
    const early = cluster({});
    early.learn({ workers: { from: 0, values: cluster({ workers: [{}] }).workerNames } });
    expect(workersTable.empty(early, context())?.body).toContain('no workers yet');
  });

  it('has an id of its own', () => {
    expect(new Set(PLOTS.map(plot => plot.id)).size).toBe(PLOTS.length);
    expect(plotById('from-a-later-version')).toBeUndefined();
  });
});

describe('threads that still run cancelled tasks', () => {
  const kept = cluster({
    workers: [
      { name: 'a', nthreads: 2, load: 'idle', cancelled: 2 },
      { name: 'b', nthreads: 2, load: 'busy', executing: 1, processing: 1, cancelled: 5 },
      { name: 'c', nthreads: 2, load: 'idle' }
    ]
  });

  it('are busy, not free, in the table, the titles and the state of the worker', () => {
    expect(['status', 'executing', 'cancelled'].map(id => cell(kept, id).text)).toEqual(['cancelled tasks', '0', '2']);
    expect(['status', 'executing', 'cancelled'].map(id => cell(kept, id, 1).text)).toEqual(['busy', '1', '1']);
    expect(cell(kept, 'status', 2).text).toBe('idle');
    for (const plot of [workersTable, nprocessing, occupancy]) {
      expect(title(plot, kept)).toContain('3 threads still run cancelled tasks');
    }
    expect(nprocessing.summary(kept, context())).toContain('3 threads still run cancelled tasks.');
    expect(liveWorkers(kept).map(busyThreadsOf)).toEqual([2, 2, 0]);
  });

  it('are apart from tasks that have left the threads of their worker, which keep none', () => {
    const parents = cluster({
      workers: [
        { name: 'a', nthreads: 2, executing: 3, processing: 3, seceded: 2, cancelled: 5 },
        { name: 'b', nthreads: 2, executing: 2, processing: 2, seceded: 2 },
        // The scheduler knows of their ends before the next heartbeat.
        { name: 'c', nthreads: 2, executing: 5, processing: 1, seceded: 4 }
      ]
    });
    expect(liveWorkers(parents).map(keptThreads)).toEqual([1, 0, 0]);
    expect(liveWorkers(parents).map(busyThreadsOf)).toEqual([2, 0, 0]);
    expect(cell(parents, 'executing', 1).text).toBe('2');
    // Of those that run, no more than these have left their threads.
    const running = workFacts(liveWorkers(parents)[2], trans).filter(({ id }) => ['executing', 'seceded'].includes(id));
    expect(running.map(({ value }) => value)).toEqual([1, 1]);
    const [row] = liveWorkers(parents);
    // A recording from before that column: a task may keep a thread.
    expect(busyThreadsOf({ ...row, cancelled: 0, seceded: Number.NaN })).toBe(2);
  });

  it('are not mentioned where there are none, or where the collector does not report them', () => {
    const none = cluster({ workers: [{ nthreads: 2 }] });
    expect(workersTable.table(none, context()).columns.map(({ id }) => id)).not.toContain('cancelled');
    const [row] = liveWorkers(none);
    expect([keptThreads(row), keptThreads({ ...row, cancelled: Number.NaN })]).toEqual([0, 0]);
    expect(busyThreadsOf({ ...row, executing: Number.NaN })).toBeNaN();
    expect(cancelledWords([row], trans)).toEqual([]);
  });
});
