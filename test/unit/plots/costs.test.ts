import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Scalar, TopicBody } from '../../../src/feed/frame';
import { costs } from '../../../src/plots/time/costs';
import { measuredCosts } from '../../../src/plots/time/costs/measured';
import { rangeOf, type ThreadTime, threadTime } from '../../../src/plots/time/costs/thread-time';
import { textWidth } from '../../../src/plot/text';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { runningBody, tasksBody } from '../run/synthetic';
import { render } from '../views/render';
import { cluster, context } from './cluster';
import { dataOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;
const [TRANSFER, DISK] = [1, 2];
let seq = 0;

function send(run: Run, topics: Record<string, TopicBody>, time: number): Run {
  run.apply({ feed: 'made-up', epoch: 0, seq: seq++, time, cursor: {}, names: {}, topics }, time * 1000);
  return run;
}

function activities(run: Run, metrics: readonly (readonly [string, string, string, string, number])[], base: Scalar = []): Run {
  const names: Scalar = metrics.map(([context, prefix, activity, unit], i) => [i, context, prefix, activity, unit]);
  const columns = { id: Uint16Array.from(metrics.keys()), value: Float64Array.from(metrics, ([, , , , value]) => value) };
  const scalars = { names, base, scheduler_cpu: 12, scheduler_tick: 0.02, transitions: 50 };
  return send(run, { activities: { columns, scalars } }, 1020);
}

/** Two threads for 20 s of clock; tasks from second 1000 to 1010. */
function made(): Run {
  const series = Array.from({ length: 21 }, (_, i) => ({
    time: 1000 + i,
    threads: [2, 2, 2] as const,
    assigned: [i < 10 ? 2 : 0, 0, 2] as const
  }));
  const run = cluster({ time: 1020, workers: [{ nthreads: 2 }], prefixes: [{ name: 'f' }], series });
  // Lane 0 computes 4 s, waits 2 s for a transfer of 3 s of which it computed one, computes 4 s; lane 1 computes 3 s.
  const tasks = tasksBody(
    [
      { lane: 0, prefix: 0, start: 1000, duration: 4 },
      { lane: 0, prefix: 0, start: 1006, duration: 4 },
      { lane: 1, prefix: 0, start: 1005, duration: 3 }
    ],
    0,
    [
      { at: 1, kind: TRANSFER, start: 1003, duration: 3 },
      { at: 2, kind: DISK, start: 1004, duration: 1 }
    ]
  );
  return send(run, { tasks }, 1020);
}

function time(run: Run, choice: string): ThreadTime {
  const range = rangeOf(run, choice);
  if (range === null) {
    throw new Error('no range');
  }
  return threadTime(run, range);
}

const sum = ({ compute, others, running, transfer, disk, serialise, unobserved, waiting, idle }: ThreadTime): number =>
  compute + (others || 0) + running + transfer + disk + (serialise || 0) + unobserved + waiting + idle;

describe('where time goes', () => {
  it('has room for every label in a column of 300 pixels, and figures that stay off them', () => {
    const run = made();
    const { texts } = dataOf(costs, run, context(), { width: 300, height: 500, firstRow: 0, endRow: 40 });
    const labels = texts.filter(({ x, align }) => x === 8 && align === 'left');
    expect(labels.map(({ text }) => text)).toContain('running, not ended yet');
    const widest = Math.max(...labels.map(({ text, limit }) => Math.min(Number(limit), textWidth(String(text)))));
    for (const { text, limit } of labels) {
      expect(Number(limit)).toBeGreaterThanOrEqual(textWidth(String(text)));
    }
    for (const { x, limit } of texts.filter(({ align }) => align === 'right')) {
      expect(Number(x) - Number(limit)).toBeGreaterThanOrEqual(8 + widest);
    }
  });

  it('adds up to wall time by threads, from the first task to the last', () => {
    const found = time(made(), 'work');
    expect(found.capacity).toBe(20);
    // Durations travel in single precision.
    expect(found.compute).toBeCloseTo(11);
    expect(found.transfer).toBeCloseTo(2);
    expect(found.disk).toBeCloseTo(1);
    expect(found.serialise).toBe(0);
    // Both threads had tasks for ten seconds.
    expect(found.waiting).toBeCloseTo(6);
    expect(found.idle).toBeCloseTo(0);
    expect(sum(found)).toBeCloseTo(found.capacity);
  });

  it('counts what comes after the last task as idle, to now', () => {
    const found = time(made(), 'whole');
    expect(found.capacity).toBe(40);
    expect(found.idle).toBeCloseTo(20);
    expect(sum(found)).toBeCloseTo(40);
  });

  it('is of the selected period, as far as there is work in it', () => {
    const run = made();
    const select = (from: number, to: number): void => selectionOf(run).select({ period: { from, to } });
    select(1007, 1009);
    expect(time(run, 'work')).toMatchObject({ capacity: 4, compute: 3, transfer: 0 });
    const title = (): string[] => costs.titleLine(run, context({ options: { range: 'work' } })).map(({ text }) => text);
    expect(title()).toEqual(['75 % computing', '4.00 s of threads in 2.00 s', 'in the selected period']);
    selectionOf(run).select({ period: { from: 1007, to: 1009 }, functions: ['f'] });
    expect(title()).toEqual([
      '75 % computing',
      '4.00 s of threads in 2.00 s',
      'in the selected period, of all threads and tasks'
    ]);
    // Another one at the same moment.
    select(1007.02, 1009.02);
    expect(time(run, 'work').range).toMatchObject({ from: 1007.02, to: 1009.02 });
    select(990, 1001);
    expect(time(run, 'whole').range).toMatchObject({ from: 1000, to: 1001, whole: false });
    select(990, 1000);
    expect(time(run, 'work').capacity).toBe(20);
    const outside = (words: string): void => {
      expect(title()[2]).toBe(`not in the selected period, ${words}`);
      // The title may have no room for it.
      expect(costs.notes(run, context())[0]).toBe(`not in the selected period, ${words}`);
      expect(costs.summary(run, context())).toContain('not in the selected period');
    };
    outside('which is before the first task');
    select(1020, 1030);
    outside('which is later than 0:20.0');
    run.tasks.incompleteUntil = 1004;
    select(1001, 1004);
    outside('of which only sums are kept');
    run.tasks.incompleteUntil = Number.NEGATIVE_INFINITY;
    selectionOf(run).select({ functions: ['f'] });
    expect(title()).toHaveLength(2);
  });

  it('says of the six costs that they are of the whole run where only a part is looked at', () => {
    const run = made();
    const of = (): unknown[] =>
      costs
        .table(run, context())
        .rows.slice(-6)
        .map(({ cells }) => cells[0].text);
    expect(new Set(of())).toEqual(new Set(['costs']));
    selectionOf(run).select({ period: { from: 1007, to: 1009 } });
    expect(new Set(of())).toEqual(new Set(['costs of the whole run']));
    expect(costs.notes(run, context())).toContain('(de)serializing and the six costs are known for the whole run only');
  });

  it('cuts intervals at the edges of a range', () => {
    const run = made();
    const found = threadTime(run, { from: 1007, to: 1009, whole: false });
    expect(found).toMatchObject({ capacity: 4, compute: 3, transfer: 0, disk: 0 });
    expect(found.serialise).toBeNaN();
    expect(sum(found)).toBeCloseTo(4);
  });

  it('takes serializing from the fine metrics, of tasks only', () => {
    const run = activities(made(), [
      ['execute', 'f', 'deserialize', 'seconds', 1],
      ['execute', 'f', 'decompress', 'seconds', 0.5],
      ['get-data', '', 'serialize', 'seconds', 9],
      ['execute', 'f', 'deserialize', 'bytes', 77]
    ]);
    expect(time(run, 'work').serialise).toBe(1.5);
    expect(sum(time(run, 'work'))).toBeCloseTo(20);
  });

  it('never says that more was done than there was', () => {
    const run = cluster({ time: 1020, workers: [{ nthreads: 1 }], prefixes: [{ name: 'f' }] });
    const both = [0, 0].map(lane => ({ lane, prefix: 0, start: 1000, duration: 10 }));
    send(run, { tasks: tasksBody(both) }, 1020);
    const found = time(run, 'work');
    expect(found.capacity).toBe(10);
    expect(found.compute).toBe(10);
    expect(found.idle).toBe(0);
  });

  /** Eight threads with samples each second from 1000 on; `computing` of them ran something at the last heartbeat. */
  function eight(seconds: number, assigned: number, computing: number): Run {
    const series = Array.from({ length: seconds + 1 }, (_, i) => ({
      time: 1000 + i,
      threads: [8, 8, 8] as const,
      assigned: [assigned, assigned, assigned] as const,
      computing: [computing, computing, computing] as const
    }));
    return cluster({
      time: 1000 + seconds,
      workers: [{ nthreads: 8, executing: computing }],
      prefixes: [{ name: 'fit' }],
      series
    });
  }

  it('blames nobody for eight long tasks on eight threads', () => {
    const run = eight(300, 8, 8);
    send(run, { running: runningBody(Array.from({ length: 8 }, (_, id) => ({ id, start: 1000 }))) }, 1300);
    for (const choice of ['work', 'whole', '60']) {
      const found = time(run, choice);
      expect(found.running).toBe(found.capacity);
      expect(found).toMatchObject({ compute: 0, waiting: 0, unobserved: 0, idle: 0 });
    }
    expect(costs.summary(run, context())).toContain('running, not ended yet 100 %');
    expect(costs.titleLine(run, context())[0].text).toBe('100 % computing');
    // Those that have seceded hold no thread.
    const free = eight(300, 0, 0);
    send(free, { running: runningBody(Array.from({ length: 8 }, (_, id) => ({ id, start: 1000, state: 2 }))) }, 1300);
    expect(time(free, '60')).toMatchObject({ running: 0, waiting: 0, unobserved: 0, idle: 480 });
  });

  it('says of attempts that were retried that they were not observed', () => {
    const run = eight(180, 8, 8);
    // Three attempts of a minute failed and left no record; the last one of each runs.
    send(run, { running: runningBody(Array.from({ length: 8 }, (_, id) => ({ id, start: 1120 }))) }, 1180);
    send(run, { tasks: tasksBody([{ start: 1000, duration: 0 }]) }, 1180);
    const found = time(run, 'whole');
    expect(found).toMatchObject({ capacity: 1440, running: 480, unobserved: 960, waiting: 0, idle: 0 });
    expect(sum(found)).toBe(found.capacity);
  });

  it('are not called idle while the scheduler did not answer', () => {
    const series = [1000, 1010].map(at => ({ time: at, threads: [2, 2, 2] as const, assigned: [0, 0, 0] as const }));
    const run = cluster({ time: 1070, workers: [{ nthreads: 2 }], prefixes: [{ name: 'f' }], series });
    const ran = [1000, 1060].map(start => ({ lane: 0, prefix: 0, start, duration: 10 }));
    send(run, { tasks: tasksBody(ran), meta: { columns: {}, scalars: { unobserved: [[1020, 1050]] } } }, 1070);
    expect(time(run, 'work')).toMatchObject({ capacity: 140, unobserved: 60, unseen: 60, idle: expect.closeTo(60) });
    const part = costs.table(run, context()).rows.find(({ id }) => id === 'unobserved');
    expect(JSON.stringify(part)).toContain('the scheduler did not answer');
  });

  it('has attempts without a record of the fine metrics, also those between two samples', () => {
    const quiet = made();
    expect(time(quiet, 'work')).toMatchObject({ unobserved: 0 });
    expect(time(quiet, 'work').idle).toBeCloseTo(0);
    // Tasks that no sample has seen: 0.5 of 2 s are an error that is among the tasks.
    const series = [1000, 1010].map(at => ({ time: at, threads: [2, 2, 2] as const, assigned: [0, 0, 0] as const }));
    const run = cluster({ time: 1010, workers: [{ nthreads: 2 }], prefixes: [{ name: 'f' }], series });
    const ran = [
      { lane: 0, prefix: 0, start: 1000, duration: 9.5 },
      { lane: 0, prefix: 0, start: 1009.5, duration: 0.5, status: 1 }
    ];
    send(run, { tasks: tasksBody(ran) }, 1010);
    expect(time(run, 'work')).toMatchObject({ compute: 10, unobserved: 0, idle: 10 });
    const tried = activities(run, [
      ['execute', 'f', 'failed', 'seconds', 1.75],
      ['execute', 'f', 'cancelled', 'seconds', 0.25],
      ['execute', 'f', 'failed', 'count', 7],
      ['gather-dep', '', 'failed', 'seconds', 9]
    ]);
    expect(threadTime(tried, { from: 1000, to: 1010, whole: true })).toMatchObject({ compute: 10, unobserved: 1.5, idle: 8.5 });
    // What they were of a part of the work is not known.
    expect(threadTime(tried, { from: 1000.5, to: 1010, whole: false })).toMatchObject({ unobserved: 0 });
  });

  it('says of cancelled tasks that still run that they were not observed, in any range', () => {
    // Eight tasks of ten minutes were cancelled after one: Dask does not count them as assigned any more.
    const series = Array.from({ length: 301 }, (_, i) => {
      const [before, after] = [i < 60 ? 8 : 0, i < 60 ? 0 : 8];
      const same = (value: number) => [value, value, value] as const;
      return { time: 1000 + i, threads: same(8), assigned: same(before), computing: same(before), cancelled: same(after) };
    });
    const run = cluster({ time: 1300, workers: [{ nthreads: 8 }], prefixes: [{ name: 'fit' }], series });
    send(run, { tasks: tasksBody([{ lane: 0, start: 1000, duration: 0 }]) }, 1300);
    expect(time(run, '60')).toMatchObject({ capacity: 480, unobserved: 480, waiting: 0, idle: 0 });
    expect(time(run, 'whole')).toMatchObject({ capacity: 2400, unobserved: 2400, waiting: 0, idle: 0 });
    // Those that have ended are in the fine metrics as well, and others that failed.
    const ended = activities(run, [
      ['execute', 'fit', 'cancelled', 'seconds', 1900],
      ['execute', 'fit', 'failed', 'seconds', 100]
    ]);
    expect(threadTime(ended, { from: 1000, to: 1299, whole: true })).toMatchObject({ unobserved: 2392, idle: 0 });
  });

  it('does not say of threads that run cancelled tasks that they wait, nor of the others that they do not', () => {
    const of = (assigned: number, computing: number, cancelled: number): ThreadTime => {
      const same = (value: number) => [value, value, value] as const;
      const points = { threads: same(8), assigned: same(assigned), computing: same(computing), cancelled: same(cancelled) };
      const series = Array.from({ length: 61 }, (_, i) => ({ time: 1000 + i, ...points }));
      const run = cluster({ time: 1060, workers: [{ nthreads: 8 }], prefixes: [{ name: 'fit' }], series });
      return time(
        send(
          run,
          {
            tasks: tasksBody(
              Array.from({ length: computing || 1 }, (_, lane) => ({ lane, start: 1000, duration: computing ? 60 : 0 }))
            )
          },
          1060
        ),
        'whole'
      );
    };
    expect(of(8, 0, 8)).toMatchObject({ unobserved: 480, waiting: 0, idle: 0 });
    expect(of(8, 2, 2)).toMatchObject({ compute: 120, unobserved: 120, waiting: 240, idle: 0 });
    // Tasks stand behind the cancelled ones of their worker, and other workers have none.
    expect(of(2, 0, 2)).toMatchObject({ compute: 0, unobserved: 120, waiting: 0, idle: 360 });
    expect(of(4, 2, 4)).toMatchObject({ compute: 120, unobserved: 240, waiting: 0, idle: 120 });
  });

  it('says of threads with tasks that run none that they wait for the scheduler', () => {
    const run = eight(60, 8, 2);
    send(run, { tasks: tasksBody([0, 1].map(lane => ({ lane, start: 1000, duration: 60 }))) }, 1060);
    const found = time(run, 'whole');
    expect(found).toMatchObject({ capacity: 480, compute: 120, unobserved: 0, waiting: 360, idle: 0 });
  });

  it('leaves serializing of earlier work out, and never takes more than there is', () => {
    const metrics = [['execute', 'f', 'deserialize', 'seconds', 900]] as const;
    const old = activities(made(), metrics, [[0, 899]]);
    expect(time(old, 'work').serialise).toBe(1);
    const absurd = activities(made(), metrics);
    expect(sum(time(absurd, 'work'))).toBeCloseTo(20);
    // What left the browser or the ring has no row: the sum is of more than the rows.
    old.tasks.apply({ ...tasksBody([{ start: 1009, duration: 1 }], 20), scalars: { first: 20, lost: 17 } });
    expect(time(old, 'whole').serialise).toBeNaN();
  });

  it('shows six costs with the figures of Dask, and none where Dask has none', () => {
    const run = activities(made(), [
      ['execute', 'f', 'thread-cpu', 'seconds', 3],
      ['execute', 'g', 'thread-noncpu', 'seconds', 1],
      ['gather-dep', '', 'network', 'seconds', 2],
      ['memory-monitor', '', 'disk-write', 'seconds', 2],
      ['memory-monitor', '', 'disk-write', 'bytes', 40 * MiB],
      ['get-data', '', 'serialize', 'seconds', 0.5],
      ['gather-dep', '', 'deserialize', 'seconds', 0.25]
    ]);
    const figures = measuredCosts(run, context().trans).map(({ label, figure }) => [label, figure]);
    expect(figures).toEqual([
      ['Compute time', '75 % on CPU'],
      ['Memory bandwidth', 'not measured'],
      // Nothing was above 1 MB: what Dask assumes is no measurement.
      ['Network bandwidth', '–'],
      ['Disk bandwidth', '20.0 MiB/s'],
      ['Scheduler overhead', '12 % of a core'],
      ['Serialization', '750 ms']
    ]);
    expect(measuredCosts(run, context().trans)[0].facts[1]).toEqual(['Not on a CPU', '1.00 s']);
    // Of its process is also what the notebook computes.
    run.facts.meta = { ...run.meta, address: 'tcp://127.0.0.1:8786' };
    expect(measuredCosts(run, context().trans)[4].facts[1]).toEqual([
      'Its process',
      "with a LocalCluster, the kernel's own work counts as well"
    ]);
    const bare = measuredCosts(made(), context().trans).map(({ figure }) => figure);
    expect(bare).toEqual(['–', 'not measured', '–', '–', '–', '–']);
  });

  it('has what shuffles read from disk, of which Dask measures no time', () => {
    const run = activities(made(), [
      ['p2p background-disk', '', 'disk-write', 'seconds', 2],
      ['p2p background-disk', '', 'disk-write', 'bytes', 40 * MiB],
      ['execute', 'shuffle-p2p', 'p2p-disk-read', 'bytes', 30 * MiB]
    ]);
    const disk = measuredCosts(run, context().trans).find(({ id }) => id === 'disk');
    expect(disk?.figure).toBe('20.0 MiB/s');
    expect(disk?.facts).toContainEqual(['Also read by shuffles, time not measured', '30.0 MiB']);
  });

  it('says that the network is at most as fast as Dask’s averages, which add up transfers', () => {
    const run = made();
    const columns = Object.fromEntries(
      Object.entries({ id: [1, 2], sender: [0, 1], receiver: [1, 0], rate: [30 * MiB, 10 * MiB] }).map(([name, values]) => [
        name,
        Float64Array.from(values)
      ])
    );
    run.bandwidth.apply({ columns, scalars: {} });
    const network = measuredCosts(run, context().trans).find(({ id }) => id === 'network');
    expect(network?.figure).toBe('at most 20.0 MiB/s');
    expect(network?.facts[0][1]).toBe('at most 20.0 MiB/s');
  });

  it('has threads and costs in one table', () => {
    const { rows } = costs.table(made(), context());
    expect(rows).toHaveLength(14);
    expect(rows[0].cells.map(({ text }) => text).slice(0, 4)).toEqual(['threads', 'computing', '11.0 s', '55 %']);
    expect(costs.summary(made(), context())).toContain('computing 55 %, running, not ended yet 0 %, waiting for transfers 10 %');
    // Of a part of the run it is not known.
    const part = made();
    selectionOf(part).select({ period: { from: 1002, to: 1008 } });
    expect(costs.summary(part, context())).toContain('(de)serializing –,');
    const shown = (run: Run): string => JSON.stringify(measuredCosts(run, context().trans));
    expect(shown(made())).not.toMatch(/"0 s"|0 B in 0 s/);
    expect(shown(activities(made(), [['execute', 'f', 'thread-cpu', 'seconds', 1]]))).toContain('0 B in 0 s');
    expect(costs.titleLine(made(), context())[0].text).toBe('55 % computing');
  });

  it('waits for a task, and is a spec that Vega takes', async () => {
    expect(costs.empty(cluster({ workers: [{}] }), context())?.head).toBe('No task has finished.');
    for (const interpret of [false, true]) {
      const { svg, fault } = await render(costs, made(), { interpret, dark: interpret, height: 420, width: 700 });
      expect(fault).toBeNull();
      expect(svg).toContain('Memory bandwidth');
    }
  });
});
