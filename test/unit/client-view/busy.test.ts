import { describe, expect, it } from 'vitest';
import { busiest, busyThreads, presentThreads } from '../../../src/client-view/history/busy';
import { WORKER_STATUS } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';
import { runningBody } from '../run/synthetic';
import { frame, tasks } from './fakes';

function run(...list: (readonly [number, number, number, number])[]): Run {
  const made = new Run();
  made.apply(frame(100, { tasks: tasks(0, ...list) }), 0);
  return made;
}

describe('busyThreads', () => {
  it('spreads each execution over the stretches that it touches', () => {
    const busy = busyThreads(run([0, 0, 100.5, 2], [1, 0, 101, 1]), 100, 104, 4);
    expect([...(busy.byPrefix.get(0) ?? [])]).toEqual([0.5, 2, 0.5, 0]);
  });

  it('keeps functions apart, in order of their colours', () => {
    const busy = busyThreads(run([0, 3, 100, 1], [1, 1, 100, 0.5]), 100, 101, 1);
    expect([...busy.byPrefix].map(([prefix, shares]) => [prefix, ...shares])).toEqual([
      [1, 0.5],
      [3, 1]
    ]);
  });

  it('cuts what reaches over the ends and leaves out what is outside', () => {
    const busy = busyThreads(run([0, 0, 95, 6], [0, 1, 103, 100], [1, 2, 97, 1], [1, 2, 150, 1]), 100, 104, 4);
    expect([...(busy.byPrefix.get(0) ?? [])]).toEqual([1, 0, 0, 0]);
    expect([...(busy.byPrefix.get(1) ?? [])]).toEqual([0, 0, 0, 1]);
    expect(busy.byPrefix.has(2)).toBe(false);
  });

  it('counts tasks that have not ended up to the end, and none that has left its thread', () => {
    const made = run([0, 0, 100, 1]);
    const rows = [
      { id: 0, prefix: 1, start: 98 },
      { id: 1, prefix: 1, start: 102.5 },
      { id: 2, prefix: 2, start: 98, state: 2 },
      { id: 3, prefix: 3, start: 105 }
    ];
    made.apply(frame(104, { running: runningBody(rows) }), 0);
    const busy = busyThreads(made, 100, 104, 4);
    expect([...busy.byPrefix.keys()]).toEqual([0, 1]);
    expect([...(busy.byPrefix.get(1) ?? [])]).toEqual([1, 1, 1.5, 2]);
  });

  it('says the mean number of threads, which may be less than one', () => {
    const busy = busyThreads(run([0, 0, 100, 3], [1, 1, 100, 3], [2, 0, 110, 90], [1, 1, 110, 0.5]), 100, 200, 50);
    expect(busiest(busy, ['f', 'g'])).toBe('f 0.9, g < 0.1');
  });

  it('adds up to the busy time', () => {
    const list = Array.from({ length: 5000 }, (_, i) => [i % 4, i % 3, 100 + i * 0.01, 0.02] as const);
    const busy = busyThreads(run(...list), 100, 151, 17);
    const sum = [...busy.byPrefix.values()].flatMap(shares => [...shares]).reduce((total, share) => total + share, 0);
    expect(sum * 3).toBeCloseTo(5000 * 0.02, 2);
  });
});

describe('presentThreads', () => {
  const span = { from: 100, to: 104, byPrefix: new Map() };
  const threads = (rows: readonly object[], names: readonly object[] = []): number[] => {
    const get = (id: number, name: string): number => (rows[id] as Record<string, number>)[name] ?? Number.NaN;
    return [...presentThreads({ workers: { ids: [...rows.keys()], get }, workerNames: names } as never, span, 4)];
  };
  const [running, lost] = [WORKER_STATUS.indexOf('running'), WORKER_STATUS.indexOf('lost')];

  it('are those of each time, not the current ones', () => {
    const rows = [
      { status: running, nthreads: 2 },
      { status: lost, nthreads: 4, left: 102 },
      { status: running, nthreads: 1 }
    ];
    expect(threads(rows, [{}, {}, { joined: 103 }])).toEqual([6, 6, 2, 3]);
  });

  it('stay where all workers have left', () => {
    expect(threads([{ status: lost, nthreads: 4, left: 102 }])).toEqual([4, 4, 4, 4]);
    expect(threads([{ status: lost, nthreads: 4, last_seen: 101 }])).toEqual([4, 4, 4, 4]);
    expect(threads([])).toEqual([1, 1, 1, 1]);
  });
});
