import { describe, expect, it } from 'vitest';
import type { Frame, TopicBody } from '../../../src/feed/frame';
import { PLOTS } from '../../../src/plots';
import { contentsOf } from '../../../src/report/sections';
import { Totals } from '../../../src/report/totals';
import type { Topic } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';
import { cluster } from '../plots/cluster';

function frame(topics: Record<string, TopicBody>, epoch = 0): Frame {
  return { feed: 'f', epoch, seq: 0, time: 100, cursor: {}, names: {}, topics };
}

function tasks(first: number, rows: readonly (readonly [start: number, duration: number, status: number])[]): TopicBody {
  return {
    columns: {
      lane: new Uint16Array(rows.length),
      prefix: new Uint16Array(rows.length),
      start: Float64Array.from(rows, row => row[0]),
      duration: Float32Array.from(rows, row => row[1]),
      status: Uint8Array.from(rows, row => row[2]),
      nbytes: new Float32Array(rows.length)
    },
    scalars: { first, lost: 0 },
    moves: {
      at: Uint32Array.of(0, 0),
      kind: Uint8Array.of(1, 3),
      start: Float64Array.of(9, 8),
      duration: Float32Array.of(0.5, 0.25),
      peer: Uint16Array.of(0, 0)
    }
  };
}

describe('contents of a report', () => {
  it('has the plots whose topics were recorded, the task stream alone and first', () => {
    const run = new Run();
    run.apply(frame({ tasks: tasks(0, [[10, 1, 0]]), workers: { columns: {}, scalars: {} } }), 0);
    const { sections, absent } = contentsOf(PLOTS, run, []);
    expect(sections[0].plots.map(plot => plot.id)).toEqual(['task-stream']);
    // What later versions added, a plot can do without.
    const there = (topic: Topic): boolean => run.has(topic) || ['running', 'attempts', 'computations', 'events'].includes(topic);
    const plots = sections.flatMap(section => section.plots);
    const whole = plots.filter(({ view }) => view !== 'advice' && view !== 'worker' && view !== 'timeline');
    expect(whole.every(plot => plot.topics.every(there))).toBe(true);
    expect(plots.map(plot => plot.id)).toContain('advice');
    expect(absent.map(plot => plot.id)).toEqual(expect.arrayContaining(['events', 'computations']));
  });

  it('has every plot of the catalogue once', () => {
    const run = new Run();
    for (const topic of new Set(PLOTS.flatMap(plot => plot.topics))) {
      const scalars: TopicBody['scalars'] = topic === 'meta' ? { local: { scheduler: 'threads' } } : {};
      const body = topic === 'tasks' ? tasks(0, [[10, 1, 0]]) : { columns: {}, scalars };
      run.apply(frame({ [topic]: body }), 0);
    }
    const { sections, absent } = contentsOf(PLOTS, run, []);
    const shown = sections.flatMap(section => section.plots.map(plot => plot.id));
    const drawable = PLOTS.filter(plot => !plot.needsScheduler && plot.needs !== 'gpu').map(plot => plot.id);
    expect([...shown].sort()).toEqual([...drawable].sort());
    expect(absent).toEqual([]);
    expect(new Set(sections.map(section => section.id)).size).toBe(sections.length);
  });

  it('has plots of local schedulers only where one ran', () => {
    const run = new Run();
    for (const topic of new Set(PLOTS.flatMap(plot => plot.topics))) {
      run.apply(frame({ [topic]: { columns: {}, scalars: {} } }), 0);
    }
    const { sections, absent } = contentsOf(PLOTS, run, []);
    expect(sections.map(section => section.id)).not.toContain('local');
    expect(absent).toEqual([]);
  });

  it('has plots of GPUs where a worker reported one, or where one was asked for', () => {
    const ids = (run: Run, wanted: readonly string[] = []): string[] =>
      contentsOf(PLOTS, run, wanted).sections.flatMap(({ plots }) =>
        plots.filter(({ group }) => group === 'gpu').map(({ id }) => id)
      );
    const [bare, equipped] = [cluster({ workers: [{}] }), cluster({ workers: [{}, { gpu_memory: 1e9 }] })];
    expect(ids(bare)).toEqual([]);
    expect(ids(equipped)).toContain('gpu-memory');
    expect(ids(bare, ['gpu-memory'])).toEqual(['gpu-memory']);
  });

  it('has only the plots that were asked for', () => {
    const run = new Run();
    run.apply(frame({ tasks: tasks(0, [[10, 1, 0]]), workers: { columns: {}, scalars: {} } }), 0);
    const { sections, absent } = contentsOf(PLOTS, run, ['task-stream', 'nothing']);
    expect(sections.map(section => section.id)).toEqual(['task-stream']);
    expect(absent).toEqual([]);
  });
});

describe('totals', () => {
  it('count rows, errors and seconds by action', () => {
    const totals = new Totals();
    totals.add(
      tasks(5, [
        [10, 1, 0],
        [11, 2, 1]
      ])
    );
    totals.add(tasks(7, [[12, 0.5, 0]]));
    expect([totals.tasks, totals.erred, totals.lost]).toEqual([3, 1, 0]);
    expect(totals.seconds).toEqual({ compute: 3.5, transfer: 1, 'disk-read': 0, 'disk-write': 0.5, deserialize: 0 });
    expect([totals.firstStart, totals.lastEnd]).toEqual([8, 13]);
  });

  it('count tasks without a time, and take no seconds from them', () => {
    const totals = new Totals();
    totals.add({ ...tasks(0, [[0, 0, 0], [Number.NaN, 3, 1]]), moves: undefined }); // biome-ignore format: one row each
    expect([totals.tasks, totals.erred, totals.seconds.compute]).toEqual([2, 1, 0]);
  });
});
