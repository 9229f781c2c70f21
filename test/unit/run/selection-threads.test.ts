import { describe, expect, it } from 'vitest';
import type { WorkerName } from '../../../src/feed/frame';
import { WORKER_STATUS } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';
import { NOTHING_SELECTED, type Selection, type ThreadName } from '../../../src/run/selection/selection';
import { comparedSelections } from '../../../src/selectors/compare/selections';
import { type SelectionStatistics, selectionStatistics } from '../../../src/selectors/selection/statistics';
import { headWords, noteWords } from '../../../src/selectors/selection/statistics-text';
import { skewWords, threadUseWords, threadWords } from '../../../src/selectors/selection/statistics-words';
import { threadTime } from '../../../src/plots/time/costs/thread-time';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import { context } from '../plots/cluster';
import { translate as trans } from '../translate';
import { type Move, randomOf, type Row, runningBody, tasksBody } from './synthetic';

const EPOCH = 1_700_000_000;
const NOW = EPOCH + 100;

interface Made {
  readonly threads?: number;
  readonly joined?: number;
  readonly left?: number;
  readonly lost?: boolean;
  readonly seen?: number;
}

/** Lanes are of the worker `lane % workers.length`. */
function runOf(
  workers: readonly Made[],
  rows: readonly Row[],
  running: Parameters<typeof runningBody>[0] = [],
  moves: readonly Move[] = []
): Run {
  const run = new Run();
  const lanes = Math.max(-1, ...rows.map(row => row.lane ?? 0)) + 1;
  const names = workers.map(({ threads = 2, joined }, i) => ({
    ...{ address: `w${i}`, name: `w${i}`, host: 'h', nthreads: threads, memory_limit: 0 },
    ...(joined === undefined ? {} : { joined: EPOCH + joined })
  })) satisfies WorkerName[];
  const body = {
    columns: {
      id: Uint32Array.from(workers, (_, i) => i),
      status: Uint8Array.from(workers, each => WORKER_STATUS.indexOf(each.lost || each.left !== undefined ? 'lost' : 'running')),
      last_seen: Float64Array.from(workers, each => EPOCH + (each.seen ?? 0)),
      left: Float64Array.from(workers, each => (each.left === undefined ? Number.NaN : EPOCH + each.left))
    },
    scalars: {}
  };
  const topics = { tasks: tasksBody(rows, 0, moves), workers: body, running: runningBody(running) };
  const dictionaries = {
    prefixes: { from: 0, values: ['f'] },
    workers: { from: 0, values: names },
    lanes: { from: 0, values: Array.from({ length: lanes }, (_, lane) => [lane % workers.length, lane] as const) }
  };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: NOW, cursor: {}, names: dictionaries, topics }, 0);
  return run;
}

function statistics(run: Run, from: number, to: number, conditions: Partial<Selection> = {}): SelectionStatistics {
  const period = { from: EPOCH + from, to: EPOCH + to };
  return selectionStatistics(run, { ...NOTHING_SELECTED, ...conditions, period });
}

describe('the threads of a selection', () => {
  it('count although they executed nothing', () => {
    const run = runOf(
      [
        { threads: 4, joined: 0 },
        { threads: 2, joined: 0 }
      ],
      [{ start: EPOCH + 1, duration: 2 }]
    );
    const { threads, use } = statistics(run, 0, 10);
    expect(threads).toMatchObject({ count: 6, moved: 0, unknown: 0 });
    expect(use).toMatchObject({ capacity: 60, compute: 2, idle: 58 });
    expect(statistics(run, 0, 10, { workers: ['w1'] }).use).toMatchObject({ capacity: 20, compute: 0, idle: 20 });
    expect(statistics(run, 0, 10, { workers: ['gone'] }).threads.count).toBe(0);
  });

  it('are those that were brushed, with the ones that have no number', () => {
    const run = runOf([{ threads: 4, joined: 0 }], [{ start: EPOCH + 1, duration: 2 }]);
    const of = (...threads: ThreadName[]): number => statistics(run, 0, 10, { threads }).threads.count;
    const unused = { worker: 'w0', thread: null };
    expect(of({ worker: 'w0', thread: 0 })).toBe(1);
    expect(of({ worker: 'w0', thread: 0 }, unused, unused)).toBe(3);
    expect(of(unused)).toBe(1);
    // Three have executed nothing, whatever was brushed when it was more.
    expect(of(unused, unused, unused, unused, unused)).toBe(3);
  });

  it('count as long as their workers were there, and it says so', () => {
    const run = runOf(
      [{ joined: 0 }, { joined: 4 }, { joined: 0, left: 7 }, { joined: 20 }, { joined: 0, left: 1 }],
      [{ lane: 0, start: EPOCH + 1, duration: 2 }]
    );
    const { threads, use } = statistics(run, 2, 10);
    expect(threads).toMatchObject({ count: 6, moved: 2, unknown: 0 });
    expect(use.capacity).toBeCloseTo(2 * (8 + 6 + 5), 9);
    expect(use.idle).toBeCloseTo(2 * (8 + 6 + 5) - 1, 9);
    expect(threadWords(threads, trans)).toBe('2 workers came or left in this period: their threads count while they were there.');
    expect(threadWords(statistics(run, 4, 6).threads, trans)).toBe('');
    // As in advice, the product of both is the time of which the shares are.
    const [moved, whole] = [statistics(run, 2, 10), statistics(run, 4, 6)];
    expect([moved, whole].map(each => headWords(each, trans))).toEqual(['8.00 s × 4.8 threads', '2.00 s × 6 threads']);
    const { rows } = comparedSelections(run, moved, whole, trans);
    expect(
      rows
        .find(({ id }) => id === 'threads')
        ?.cells.map(({ text }) => text)
        .slice(1, 3)
    ).toEqual(['4.8', '6']);
  });

  it('does not call a time idle in which an adaptive cluster had no workers', () => {
    const run = runOf(
      [
        { joined: 0, left: 12 },
        { joined: 60, left: 72 }
      ],
      [
        { lane: 0, start: EPOCH, duration: 10 },
        { lane: 1, start: EPOCH + 60, duration: 10 }
      ]
    );
    const found = statistics(run, 0, 70);
    expect([found.use.capacity, found.use.idle]).toEqual([expect.closeTo(44), expect.closeTo(24)]);
    expect(noteWords(run, found, trans)).toContain(
      'Nothing ran for 50.0 s of it: that counts as idle for the threads that were there then.'
    );
    const stayed = runOf(
      [{ joined: 0 }, { joined: 0 }],
      [0, 60].map((start, lane) => ({ lane, start: EPOCH + start, duration: 10 }))
    );
    expect(noteWords(stayed, statistics(stayed, 0, 70), trans)).toContain('Nothing ran for 50.0 s of it: that counts as idle.');
  });

  it('does not call a time idle in which the scheduler did not answer', () => {
    const run = runOf(
      [{ joined: 0 }],
      [0, 60].map(start => ({ lane: 0, start: EPOCH + start, duration: 10 }))
    );
    expect(statistics(run, 0, 70).use).toMatchObject({ compute: 20, unobserved: 0, idle: 120 });
    const topics = { meta: { columns: {}, scalars: { unobserved: [[EPOCH + 20, EPOCH + 50]] } } };
    run.apply({ feed: 'f', epoch: 0, seq: 1, time: NOW, cursor: {}, names: {}, topics }, 0);
    const found = statistics(run, 0, 70);
    expect(found.use).toMatchObject({ capacity: 140, compute: 20, unobserved: 60, idle: 60 });
    expect(threadUseWords(run, found.use, trans)).toContain('43 % not observed');
    expect(noteWords(run, found, trans).join(' ')).toContain('Nothing ran for 20.0 s of it: that counts as idle.');
    expect(noteWords(run, found, trans).join(' ')).toContain('The scheduler did not answer for 30.0 s of it');
    expect(taskStream.notes(run, context()).join()).toContain(
      '1 period in which nothing ran (50.0 s) folded; busy shares leave it out; 30.0 s of it were not observed'
    );
  });

  it.each<[what: string, worker: Made, running: readonly number[], unobserved: number, idle: number]>([
    ['of a worker that joined meanwhile, since then', { joined: 35 }, [], 30, 40],
    ['of a worker that left meanwhile, until then', { joined: 0, left: 30 }, [], 20, 20],
    ['where a task does not run through it', { joined: 0 }, [15], 30, 35]
  ])('does not know what threads did while the scheduler did not answer, %s', (_, worker, running, unobserved, idle) => {
    const run = runOf(
      [worker],
      [],
      running.map((start, id) => ({ id, worker: 0, start: EPOCH + start }))
    );
    const topics = { meta: { columns: {}, scalars: { unobserved: [[EPOCH + 20, EPOCH + 50]] } } };
    run.apply({ feed: 'f', epoch: 0, seq: 1, time: NOW, cursor: {}, names: {}, topics }, 0);
    expect(statistics(run, 10, 70).use).toMatchObject({ unobserved, idle });
    // The same in the time of all threads.
    const values = { time: EPOCH, until: EPOCH, threads_sum: 2, assigned_sum: 0 };
    const columns = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Float64Array.of(value)]));
    const series = { columns, scalars: { first: 0, lost: 0 } };
    run.apply({ feed: 'f', epoch: 0, seq: 2, time: NOW, cursor: {}, names: {}, topics: { series } }, 0);
    expect(threadTime(run, { from: EPOCH + 10, to: EPOCH + 70, whole: false }).unseen).toBeCloseTo(unobserved);
  });

  it('knows that threads waited for a transfer while the scheduler did not answer', () => {
    const moves = [{ at: 0, kind: 1, start: EPOCH + 30, duration: 15 }];
    const run = runOf([{ joined: 0 }], [{ lane: 0, start: EPOCH + 45, duration: 10 }], [], moves);
    const topics = { meta: { columns: {}, scalars: { unobserved: [[EPOCH + 20, EPOCH + 50]] } } };
    run.apply({ feed: 'f', epoch: 0, seq: 1, time: NOW, cursor: {}, names: {}, topics }, 0);
    expect(statistics(run, 10, 70).use).toMatchObject({
      compute: 10,
      transfer: 15,
      unobserved: expect.closeTo(40),
      idle: expect.closeTo(55)
    });
  });

  it('says of which workers it is not known', () => {
    const run = runOf(
      [{}, { threads: 0, joined: 0 }, { joined: 0, lost: true, seen: 5 }],
      [{ lane: 0, start: EPOCH + 3, duration: 1 }]
    );
    const { threads } = statistics(run, 2, 10);
    expect(threads).toMatchObject({ count: 4, moved: 1, unknown: 2 });
    expect(threadWords(threads, trans)).toContain('For 2 workers it is not known');
    // What it executed shows that it was there.
    expect(statistics(run, 3.5, 10, { workers: ['w0'] }).threads.unknown).toBe(0);
    expect(statistics(run, 2, 4, { workers: ['w2'] }).threads).toMatchObject({ count: 2, unknown: 0 });
  });

  it('are no more than its worker has where tasks secede', () => {
    const rows = [0, 1, 2].map(lane => ({ lane, start: EPOCH + 1, duration: 8 }));
    const { threads, use } = statistics(runOf([{ threads: 1, joined: 0 }], rows), 0, 10);
    expect(threads.count).toBe(1);
    expect(use).toMatchObject({ capacity: 24, compute: 24, idle: 0 });
  });

  it('run tasks although they have ended none', () => {
    const run = runOf([{ joined: 0 }], [], [{ id: 1, worker: 0, start: EPOCH + 4 }]);
    expect(statistics(run, 0, 10).use).toMatchObject({ capacity: 20, running: 6, idle: 14 });
  });

  it('are of workers that did nothing, too, when the work is compared', () => {
    const run = runOf([{ joined: 0 }, { joined: 0 }, { joined: 0 }, { joined: 50 }], [{ start: EPOCH + 1, duration: 2 }]);
    expect(skewWords(run, statistics(run, 0, 10), trans)).toContain('w0, 3.0 × the mean');
  });

  it.each([1, 2, 3, 4, 5, 6])('have the time that brute force finds (seed %i)', seed => {
    const random = randomOf(seed);
    const whole = (most: number): number => Math.floor(random() * most);
    const workers = Array.from({ length: 1 + whole(6) }, () => {
      const joined = whole(40);
      return { threads: 1 + whole(4), joined, ...(whole(2) === 0 ? { left: joined + 1 + whole(60) } : {}) };
    });
    const rows = workers.flatMap(({ joined, left = 100 }, lane) =>
      Array.from({ length: whole(4) }, () => {
        const start = joined + random() * (left - joined);
        return { lane, start: EPOCH + start, duration: random() * (left - start) };
      })
    );
    const from = whole(50);
    const to = from + 1 + whole(49);
    const chosen = whole(2) === 0 ? null : workers.map((_, i) => `w${i}`).filter(() => whole(2) === 0);
    const { threads, use } = statistics(runOf(workers, rows), from, to, { workers: chosen });
    let [count, time, moved] = [0, 0, 0];
    for (const [i, { threads: own, joined, left = Infinity }] of workers.entries()) {
      // Moments halfway between whole seconds: workers come and go at whole ones.
      const there = Array.from({ length: to - from }, (_, s) => from + s + 0.5).filter(at => at > joined && at < left).length;
      if (there > 0 && (chosen?.includes(`w${i}`) ?? true)) {
        count += own;
        time += own * there;
        moved += there < to - from ? 1 : 0;
      }
    }
    expect(threads).toMatchObject({ count, moved, unknown: 0 });
    const { capacity, compute, running, idle } = use;
    expect(compute + running + idle).toBeCloseTo(capacity, 4);
    // Where tasks overlap in one thread they are counted once, so no worker is busier than its threads are there.
    expect(capacity).toBeCloseTo(time, 4);
  });
});
