/** Causes that look alike: what is reported, and what is not, where something else has the same effect. */
import { describe, expect, it } from 'vitest';
import type { Frame, TopicBody } from '../../../src/feed/frame';
import { ATTEMPT_END, KIND } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import { adviceOf, EPOCH, type Made, made, tasks, verdict } from './made';

const ALL = [0, 1, 2, 3];

function numbers<T>(length: number, value: (i: number) => T): T[] {
  return Array.from({ length }, (_, i) => value(i));
}

function causes(run: Run): readonly string[] {
  return adviceOf(run).verdicts.map(({ cause }) => cause);
}

describe('a part of a table', () => {
  it('that is computed to find out the columns, and nothing else with it, needs them to be given', () => {
    const remedy = (second: string): string | undefined => {
      const what = made({
        functions: ['make_part', second],
        rows: [...tasks(0, 1, 2), ...ALL.flatMap(lane => tasks(lane, 2, 2, 2.1))],
        now: 6.1,
        computations: [
          { since: 0, last: 0, start: 0, stop: 2, tasks: 2, done: 2 },
          { since: 2.05, last: 2.05, start: 2.1, stop: 6.1, tasks: 8, done: 8 }
        ],
        shares: [0, 1].map(prefix => ({ computation: 0, prefix, tasks: 1, done: 1 }))
      });
      return verdict(adviceOf(what), 'little-parallelism')?.remedy;
    };
    expect(remedy('make_meta')).toMatch(/^Dask computes one part of the data to find out the columns/);
    expect(remedy('sum')).toMatch(/^Divide the work/);
  });

  it('are not what the same computation does with few threads afterwards', () => {
    const rows = [...tasks(0, 1, 0.2, 0, 0, 1), ...tasks(0, 6, 1, 0.2)];
    const computations = [{ since: 0, last: 0, start: 0, stop: 6.2, tasks: 7, done: 7 }];
    const shares = [0, 1].map(prefix => ({ computation: 0, prefix, tasks: 1, done: 1 }));
    const run = made({ functions: ['merge', 'make_meta'], rows, now: 6.2, computations, shares });
    expect(verdict(adviceOf(run), 'little-parallelism')?.remedy).toMatch(/^Divide the work/);
  });
});

describe('steps of a P2P shuffle of tables', () => {
  it('are not to be divided into more tasks, whatever needs the shuffle', () => {
    // The names of merge() and shuffle(): data is sent, all wait for it, and tables are put together.
    for (const name of ['hash-join-transfer', 'hashjoinp2p', 'shuffle-transfer', 'shuffle-barrier', 'p2pshuffle', 'sum']) {
      const rows = [...ALL.flatMap(lane => tasks(lane, 5, 0.2)), ...tasks(0, 1, 3, 1, 0, 1)];
      const found = verdict(adviceOf(made({ functions: ['load', name], rows, now: 4 })), 'little-parallelism');
      expect(found?.sentence.includes(`mostly on ${name}, a step of a shuffle (P2P) for which others wait.`)).toBe(
        name !== 'sum'
      );
      expect(found?.remedy).toContain(name === 'sum' ? 'Divide the work' : 'Change chunks or partitions less often');
    }
  });
});

describe('a live run whose long tasks have not ended', () => {
  const waiting = [{ since: 0, last: 0, start: 0, stop: Number.NaN, tasks: 2, left: 1 }];

  it('has too few of them, also where none has ended, and the one that takes the time is named', () => {
    for (const rows of [[], ALL.map(lane => ({ lane, prefix: 0, start: 0, duration: 0.2 }))]) {
      const run = made({ rows, computations: waiting, running: [{ id: 1, start: 0.3, prefix: 1, key: 'sum-1' }], now: 20 });
      const found = verdict(adviceOf(run), 'little-parallelism');
      expect(found?.sentence).toContain('1.0 of 4 threads worked, mostly on sum');
      expect(found?.confidence).toBe(rows.length === 0 ? 'low' : 'high');
    }
  });

  it('has uneven work if others wait for the same worker, which is named', () => {
    const running = [0, 1].map(id => ({ id, start: 1, prefix: 1, worker: 1 }));
    const series = {
      ...{ processing: numbers(20, () => 22), executing: numbers(20, () => 2) },
      ...{ assigned: numbers(20, () => 2), computing: numbers(20, () => 2) }
    };
    for (const rows of [[], tasks(0, 2, 0.1)]) {
      const found = verdict(adviceOf(made({ rows, computations: waiting, running, series, now: 20 })), 'uneven-workers');
      expect(found?.sentence).toContain('waited for workers such as w1 while');
      expect(found?.evidence.selection.workers).toEqual(['tcp://w1']);
    }
  });
});

describe('tasks that wait for one worker', () => {
  /** Lanes 0 and 2 are those of the first worker; each sample has the given number of tasks, and of tasks that run. */
  const run = (processing: number, executing: number, computing = 2): Run =>
    made({
      rows: [0, 2].flatMap(lane => tasks(lane, 40, 0.2, 0, 0.002)),
      series: {
        ...{ processing: numbers(9, () => processing), executing: numbers(9, () => executing) },
        ...{ assigned: numbers(9, () => 2), computing: numbers(9, () => computing) }
      }
    });

  it('while others have none are uneven work, not too little of it', () => {
    const found = verdict(adviceOf(run(22, 2)), 'uneven-workers');
    expect(found?.sentence).toContain('up to 20 tasks waited for workers such as w0 while threads of other workers had none');
    expect(found?.evidence.selection.workers).toEqual(['tcp://w0']);
    expect(found?.cost.share).toBeGreaterThan(0.4);
    expect(causes(run(22, 2))).toEqual(['uneven-workers']);
  });

  it('also wait in the seconds before and after such samples, while threads of others do nothing', () => {
    const waiting = run(22, 2);
    const processing = numbers(9, i => (i >= 2 && i <= 6 ? 22 : 2));
    const uneven = made({
      rows: [0, 2].flatMap(lane => tasks(lane, 40, 0.2, 0, 0.002)),
      series: {
        ...{ processing, executing: numbers(9, () => 2) },
        ...{ assigned: numbers(9, () => 2), computing: numbers(9, () => 2) }
      }
    });
    const all = verdict(adviceOf(waiting), 'uneven-workers')?.cost.seconds ?? 0;
    // From the sample before the first to the one after the last.
    expect(verdict(adviceOf(uneven), 'uneven-workers')?.cost.seconds).toBeCloseTo(2 * 6, 0);
    expect(all).toBeCloseTo(2 * 8, 0);
  });

  it('are seen in a single sample if they are many and threads have nothing until the next one', () => {
    // One thread of four works; what waits for it is moved, or done, between two samples.
    const alone = (waiting: number, length: number, before = 4): Run => {
      const all = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.25));
      const rows = [...all, ...tasks(0, length * 4, 0.25, 2.5)];
      const at = (value: number): number[] => [4, 4, 4, value, 1, 0];
      return made({
        rows,
        now: 5,
        series: {
          ...{ assigned: at(1), computing: at(1), executing: at(1), processing: at(1 + waiting) },
          threads: [before, before, before, 4, 4, 4]
        }
      });
    };
    const found = verdict(adviceOf(alone(6, 2)), 'uneven-workers');
    expect(found?.sentence).toMatch(/^Work is uneven: for 1\.\d+ s, up to 6 tasks waited for workers such as w0 while threads/);
    expect(found).toMatchObject({ confidence: 'medium', doubt: expect.stringMatching(/^It is seen in single samples only/) });
    expect(causes(alone(6, 2))).toEqual(['uneven-workers']);
    // Workers that have just come have no tasks yet.
    expect(causes(alone(6, 2, 2))).not.toContain('uneven-workers');
    // A task or two may wait for the end of the one before; and so may more, for less than a second.
    expect(causes(alone(1, 2))).toEqual(['little-parallelism']);
    expect(causes(alone(6, 0.75))).not.toContain('uneven-workers');
  });

  it('wait for the one whose threads are all busy, not for a larger one that does more', () => {
    const column = (value: number): number[] => numbers(11, () => value);
    const series = {
      threads: column(5),
      assigned: column(3),
      processing: column(23),
      executing: column(3),
      computing: column(3)
    };
    const uneven = made({ rows: [0, 1, 2].flatMap(lane => tasks(lane, 40, 0.25)), now: 10, series });
    const worker = (name: string, nthreads: number): object => ({ address: `tcp://${name}`, name, host: 'h', nthreads });
    const lanes = { from: 0, values: [0, 1, 1, 1, 1].map((id, thread) => [id, thread] as const) };
    const names = { workers: { from: 0, values: [worker('small', 1), worker('large', 4)] }, lanes } as Frame['names'];
    uneven.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 10, cursor: {}, names, topics: {} }, 0);
    const found = verdict(adviceOf(uneven), 'uneven-workers');
    expect(found?.sentence).toContain('waited for workers such as small while');
    expect(found?.evidence.selection.workers).toEqual(['tcp://small']);
  });

  it('and are small have threads between two of them, and others that have none', () => {
    const small = (waiting: number): Run =>
      made({
        rows: [0, 2].flatMap(lane => tasks(lane, 2000, 0.002, 0, 0.002)),
        now: 8,
        series: {
          ...{ assigned: numbers(9, () => 2), processing: numbers(9, () => 2 + waiting) },
          ...{ executing: numbers(9, () => 2), computing: numbers(9, () => 2) }
        }
      });
    const advice = adviceOf(small(1000));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['uneven-workers', 'small-tasks']);
    expect(advice.verdicts.map(({ cost }) => Number(cost.share.toFixed(1)))).toEqual([0.5, 0.2]);
    // Some that wait are with any worker at some time.
    expect(causes(small(3))).toEqual(['small-tasks']);
  });

  it('are none if there are no more than threads, or if they have seceded', () => {
    for (const each of [run(2, 2), run(22, 22)]) {
      expect(causes(each)).toEqual(['little-parallelism']);
    }
  });
});

describe('nothing that runs', () => {
  const rows = ALL.flatMap(lane => tasks(lane, 20, 0.1, 4));
  const computations = [{ since: 0.5, last: 0.5, start: 4, stop: 6, tasks: 80 }];
  const assigned = (count: number): Run =>
    made({ rows, computations, now: 7, series: { assigned: numbers(8, i => (i < 4 ? count : 4)) } });

  it('although workers have tasks is a late start', () => {
    const found = verdict(adviceOf(assigned(4)), 'late-start');
    expect(found?.sentence).toContain(
      'workers had tasks for 3.50 s and started none. Most often they import packages or unpack tasks. It costs 64 % of the time.'
    );
    expect(found?.doubt).not.toBe('');
  });

  it('while they have none is something else, and so are small tasks that came much later', () => {
    expect(causes(assigned(0))).toEqual([]);
    const small = ALL.flatMap(lane => tasks(lane, 40, 0.004, 4, 0.001));
    expect(causes(made({ rows: small, computations }))).not.toContain('small-tasks');
    const many = ALL.flatMap(lane => tasks(lane, 400, 0.004, 0, 0.01));
    expect(causes(made({ rows: many }))).toEqual(['small-tasks']);
  });

  it('is what tasks leave that are too short to be seen at once, not too few of them', () => {
    const tiny = ALL.flatMap(lane => tasks(lane, 200, 0.0001, lane * 0.003, 0.012));
    expect(causes(made({ rows: tiny }))).toEqual(['small-tasks']);
  });

  it('is not reported until it is known what workers wait for', () => {
    const run = made({ computations: [{ since: 0, last: 0, left: 9 }], now: 7, series: { assigned: numbers(8, () => 4) } });
    expect(causes(run)).not.toContain('late-start');
  });
});

describe('pauses between computations', () => {
  const rows = numbers(6, i => i).flatMap(i => ALL.flatMap(lane => tasks(lane, 3, 0.2, 3 * i)));
  const events = numbers(6, i => ({ time: EPOCH + 3 * i + 0.61, topic: 'all', action: 'gather', text: '{}' }));
  const run = (cell: (i: number) => number, client: (i: number) => string = () => 'Client-a'): Run =>
    step(
      made({
        rows,
        clients: numbers(6, client),
        computations: numbers(6, i => i).map(i => ({
          ...{ since: 3 * i, last: 3 * i, start: 3 * i, stop: 3 * i + 0.6 },
          ...{ submissions: 1, tasks: 12, cell: cell(i) }
        }))
      }),
      { time: EPOCH + 100, events }
    );

  it('of a program are those of a client that the cluster waits for', () => {
    expect(causes(run(() => 0))).toEqual(['client-waits']);
  });

  it('of a user who runs cells have no cause', () => {
    const advice = adviceOf(run(i => i + 1));
    expect(advice.verdicts).toEqual([]);
    expect(advice.capacity).toBeCloseTo(4 * 6 * 0.6, 0);
    expect(advice.headline).toMatch(/^Nothing wrong found: 9\d % of thread time computing\.$/);
  });

  it('of a user who moves a slider that a cell has made have none, either: its callbacks are of no cell', () => {
    const advice = adviceOf(run(i => (i === 0 ? 1 : 0)));
    expect(advice.verdicts).toEqual([]);
    expect(advice.capacity).toBeCloseTo(4 * 6 * 0.6, 0);
    // Another client may be a program.
    const both = run(
      i => (i === 0 ? 1 : 0),
      i => (i === 0 ? 'Client-a' : 'Client-b')
    );
    expect(causes(both)).toEqual(['client-waits']);
  });
});

describe('a loop of the client that goes on for long', () => {
  const ROUNDS = 6000;
  /** So many tasks a round at the same time, and 20 ms between two rounds, for a quarter of an hour. */
  const loop = (each: number, cell = 0, running: Made['running'] = []): Run => {
    const rows = numbers(ROUNDS, i => i).flatMap(i => numbers(each, lane => tasks(lane, 1, 0.13, 0.15 * i)[0]));
    const computations = [
      { since: 0, last: 899, start: 0, stop: 900, submissions: ROUNDS, tasks: rows.length, cell, left: running.length }
    ];
    const gathers = numbers(ROUNDS, i => ({ time: EPOCH + 0.15 * i + 0.132, topic: 'all', action: 'gather', text: '{}' }));
    return step(made({ rows, computations, running, now: 900 }), { time: EPOCH + 900, events: gathers });
  };

  it('is seen, though its pauses are shorter than the steps of so long a period', () => {
    const one = verdict(adviceOf(loop(1)), 'client-waits');
    expect(one?.sentence).toMatch(
      /results were requested 5,999 times .*\(1 task each time, (1 m 59|2 m 0) s without any work in all\)/
    );
    expect(one?.cost.share).toBeGreaterThan(0.75);
    expect(causes(loop(1))).not.toContain('little-parallelism');
    // With as many tasks as threads, only the pauses are lost.
    expect(adviceOf(loop(4)).verdicts).toEqual([]);
  });

  it('has no rounds while another task runs all the time, but submits one task after the other', () => {
    const { verdicts } = adviceOf(loop(1, 0, [{ id: 1, start: 0, prefix: 1, worker: 1 }]));
    expect(verdicts.map(({ cause }) => cause)).toEqual(['client-waits']);
    expect(verdicts[0].sentence).toContain(
      'it submitted tasks 6,000 times, a few at a time, and meanwhile 1.9 of 4 threads worked'
    );
  });
});

it('a time that lies in a pause has no cause, and is not one without workers', () => {
  const rows = [0, 60].flatMap(from => ALL.flatMap(lane => tasks(lane, 20, 0.2, from)));
  const computations = [0, 60].map(since => ({ since, last: since, start: since, stop: since + 4, tasks: 80 }));
  const advice = adviceOf(made({ rows, now: 64, computations }), { from: 10, to: 50 });
  expect(advice.verdicts).toEqual([]);
  expect(advice.headline).toBe('There was nothing to compute in this time.');
});

describe('threads that still run cancelled tasks', () => {
  const cell = (since: number, stop: number, number: number): Record<string, number> => ({
    ...{ since, last: since, start: since, stop },
    ...{ submissions: 1, tasks: 20, cell: number }
  });
  const run = (cancelled: (i: number) => number): Run =>
    made({
      rows: [0, 20].flatMap(from => ALL.flatMap(lane => tasks(lane, 5, 1, from))),
      computations: [cell(0, 5, 1), cell(20, 25, 2)],
      series: { cancelled: numbers(26, cancelled) },
      now: 25
    });

  it('are no pause of the user, and have no time', () => {
    const advice = adviceOf(run(i => (i >= 5 && i < 20 ? 3 : 0)));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['cancelled-tasks']);
    expect(advice.pauses).toBeLessThan(0.1);
    expect(advice.verdicts[0].cost.seconds).toBeCloseTo(45, 0);
    expect(advice.verdicts[0].evidence.figures[0].value).toBe(3);
  });

  it('are one at least, also on average of more time', () => {
    const rows = [0, 40].flatMap(from => [0, 1].flatMap(lane => tasks(lane, 5, 1, from)));
    const cancelled = numbers(46, i => (i >= 5 && i < 40 ? 0.4 : 0));
    const computations = [cell(0, 5, 1), cell(40, 45, 2)];
    const [{ sentence }] = adviceOf(
      made({ workers: 1, threads: 2, rows, computations, series: { cancelled }, now: 45 })
    ).verdicts;
    expect(sentence).toMatch(/^A thread worked on tasks that were cancelled, for 1[34](\.\d)? s in all/);
  });

  it('are not reported while other tasks have all threads, nor without any, and a pause stays one', () => {
    for (const cancelled of [() => 0, (i: number) => (i < 4 ? 4 : 0)]) {
      const advice = adviceOf(run(cancelled));
      expect(advice.verdicts).toEqual([]);
      expect(advice.pauses).toBeCloseTo(15, 0);
    }
  });

  it('may be unknown to an older recording', () => {
    const { unknown } = adviceOf(made({ rows: tasks(0, 9, 1) }));
    expect(unknown.map(({ cause }) => cause)).toContain('cancelled-tasks');
  });
});

describe('a worker that sends no heartbeat', () => {
  /** One worker of two threads, which run tasks since 1 s; its last heartbeat came after 4 s. */
  const run = (heartbeat: number): Run =>
    made({
      ...{ workers: 1, threads: 2, now: 14, rows: [] },
      running: [0, 1].map(id => ({ id, start: 1, worker: 0 })),
      computations: [{ since: 1, last: 1, left: 2, submissions: 1, tasks: 2 }],
      topics: {
        workers: {
          columns: {
            id: Uint32Array.of(0),
            status: Uint8Array.of(2),
            heartbeat: Uint8Array.of(heartbeat),
            nthreads: Uint32Array.of(2),
            memory_limit: Float64Array.of(2 ** 32),
            last_seen: Float64Array.of(EPOCH + 4)
          },
          scalars: {}
        }
      }
    });

  it('is not said to compute', () => {
    expect(adviceOf(run(0)).headline).toMatch(/^Nothing wrong found: (9\d|100) % of thread time computing\.$/);
    const silent = adviceOf(run(1));
    expect(silent.verdicts).toEqual([]);
    expect(silent.headline).toBe(
      '1 worker sends no heartbeat: what it does is not known. 23 % of thread time computing, 77 % not explained.'
    );
  });
});

describe('the scheduler', () => {
  it('that takes long for a small graph has no large one: what it unpacks takes long', () => {
    const rows = ALL.flatMap(lane => tasks(lane, 10, 0.2, 4));
    const read = (tasksOf: number, graph: number): readonly string[] =>
      causes(made({ rows, computations: [{ since: 4, last: 4, stop: 6, reading: 4, submissions: 1, tasks: tasksOf, graph }] }));
    expect(read(40, 8000)).toEqual(['late-start']);
    expect(read(40, 800_000)).toContain('large-graph');
    expect(read(4000, 8000)).toContain('large-graph');
    expect(read(40, Number.NaN)).toContain('large-graph');
  });

  it('has not read graphs in a period that it had read before', () => {
    const rows = ALL.flatMap(lane => [...tasks(lane, 20, 1, 10), ...tasks(lane, 24, 1, 36)]);
    const first = { since: 10, last: 10, start: 10, stop: 60, reading: 5, submissions: 1, tasks: 10_000, graph: 1e6 };
    const small = { since: 36, last: 36, start: 36, stop: 60, reading: 6, submissions: 1, tasks: 40, graph: 8000 };
    const of = (what: Made): string =>
      adviceOf(made({ rows, now: 60, ...what }), { from: 20, to: 60 })
        .verdicts.map(({ sentence }) => sentence)
        .join('\n');
    expect(of({ computations: [first, small] })).toMatch(
      /^Tasks start late: the scheduler took 6\.00 s to read small graphs\. Most often [^\n]*$/
    );
    const assigned = numbers(61, () => 4);
    expect(of({ computations: [{ ...first, tasks: 40, graph: 8000 }], series: { assigned, processing: assigned } })).toMatch(
      /^Tasks start late: workers had tasks for 6\.\d\d s and started none\. Most often [^\n]*$/
    );
  });

  it('that waits for data which is on its way waits for it, not for the next round', () => {
    const rows = numbers(6, i => i).flatMap(i => tasks(i % 4, 1, 0.1, 2 * i + 1.5));
    const computations = numbers(6, i => ({
      ...{ since: 2 * i + 1.4, last: 2 * i + 1.4, start: 2 * i + 1.5, stop: 2 * i + 1.6 },
      ...{ submissions: 1, tasks: 1, graph: 3e7 }
    }));
    const found = verdict(adviceOf(made({ rows, computations })), 'data-by-value');
    expect(found?.cost.share).toBeGreaterThan(0.9);
  });
});

describe('attempts', () => {
  it('that ask to be rescheduled have not failed: the shuffles of Dask do so', () => {
    const attempts: TopicBody = {
      columns: {
        id: Uint32Array.of(0),
        retried: Uint32Array.of(0),
        rescheduled: Uint32Array.of(17),
        lost: Uint32Array.of(0)
      },
      scalars: {}
    };
    expect(causes(made({ rows: ALL.flatMap(lane => tasks(lane, 40, 0.2, 0, 0.002)), topics: { attempts } }))).toEqual([]);
  });

  it('that ask to be rescheduled computed nothing, however long they had been in the queue of their worker', () => {
    const count = 17;
    const attempts: TopicBody = {
      columns: {
        id: Uint32Array.of(0),
        retried: Uint32Array.of(0),
        rescheduled: Uint32Array.of(count),
        lost: Uint32Array.of(0)
      },
      moves: {
        number: Uint32Array.from({ length: count }, (_, i) => i),
        prefix: new Uint32Array(count),
        how: new Uint8Array(count).fill(ATTEMPT_END.indexOf('rescheduled')),
        begin: new Float64Array(count).fill(EPOCH + 4),
        end: new Float64Array(count).fill(EPOCH + 6)
      },
      scalars: { first: 0 }
    };
    const rows = ALL.flatMap(lane => [...tasks(lane, 4, 1), ...tasks(lane, 4, 1, 6)]);
    const { parts } = adviceOf(made({ rows, computations: [{ since: 0, last: 0, start: 0, stop: 10 }], topics: { attempts } }));
    // What Dask counts: `TaskGroup.all_durations['compute']`.
    expect(parts.compute + parts.running).toBeCloseTo(ALL.length * 8, 1);
  });
});

describe('tasks that are computed again', () => {
  it('cost what their own function takes, not the mean of all', () => {
    const rows = numbers(2, i => i).flatMap(i =>
      ALL.flatMap(lane => [...tasks(lane, 5, 0.4, 3 * i), ...tasks(lane, 15, 0.02, 3 * i + 2, 0, 1)])
    );
    const times = (i: number): Record<string, number> => ({ since: 3 * i, last: 3 * i, start: 3 * i, stop: 3 * i + 2.3 });
    const run = made({
      rows,
      computations: numbers(2, i => i).map(i => ({ ...times(i), tasks: 80, compute: 9.2, again: 20 * i })),
      shares: [0, 1].flatMap(computation => [
        { computation, prefix: 0, tasks: 20, again: 20 * computation, done: 20, compute: 8 },
        { computation, prefix: 1, tasks: 60, again: 0, done: 60, compute: 1.2 }
      ])
    });
    const found = verdict(adviceOf(run), 'computed-again');
    expect(found?.evidence.figures.at(-1)?.value).toBeCloseTo(8, 3);
  });

  it('are seen where graphs come so quickly that the scheduler still knows the tasks: they ran more often than there are tasks', () => {
    const rows = ALL.flatMap(lane => tasks(lane, 12, 0.2));
    const again = (submissions: number, topics: Readonly<Record<string, TopicBody>> = {}): ReturnType<typeof verdict> =>
      verdict(
        adviceOf(
          made({
            rows,
            computations: [{ since: 0, last: 2, start: 0, stop: 2.5, submissions, tasks: 12, done: 48, compute: 9.6 }],
            topics
          })
        ),
        'computed-again'
      );
    expect(again(4)?.sentence).toContain('36 tasks had been computed before');
    expect(again(4)?.evidence.figures.at(-1)?.value).toBeCloseTo(7.2, 3);
    expect(again(1)).toBeUndefined();
    for (const name of ['retried', 'rescheduled', 'lost']) {
      const columns = Object.fromEntries(
        ['id', 'retried', 'rescheduled', 'lost'].map(each => [each, Uint32Array.of(each === name ? 36 : 0)])
      );
      expect(again(4, { attempts: { columns, scalars: {} } })).toBeUndefined();
    }
  });
});

describe('tasks that compute in threads of their own, as those of XGBoost do', () => {
  /** Four workers of four threads: what is trained is loaded by all of them, and has one task on each. */
  const training = (cpu: number, workers = 4): Run => {
    const load = numbers(4 * workers, lane => lane).flatMap(lane => tasks(lane, 3, 1));
    const train = numbers(workers, lane => ({ lane, prefix: 1, start: 4, duration: 60 }));
    const of = (loading: number, now: number): number[] => numbers(67, i => (i < 4 ? loading : i < 64 ? now : 0));
    const had = of(4 * workers, workers);
    return made({
      ...{ functions: ['load', 'dispatched_train'], workers, threads: 4, now: 66, rows: [...load, ...train] },
      series: { cpu: of(400 * workers, cpu * workers), assigned: had, processing: had, executing: had, computing: had },
      columns: { cpu_max: of(400, cpu) },
      computations: [{ since: 0, last: 0, start: 0, stop: 64, submissions: 1, tasks: load.length + train.length, cell: 1 }]
    });
  };

  it('are not too few, however many threads have none: the cores are in use', () => {
    for (const cpu of [390, 300]) {
      const advice = adviceOf(training(cpu));
      expect(advice.verdicts).toEqual([]);
      expect(advice.headline).toMatch(
        cpu === 390
          ? /not explained\. Most of the time that is not explained, workers took 15\.6 cores while 4\.0 threads worked: tasks compute in threads of their own\.$/
          : /workers took 12\.0 cores while 4\.0 threads worked/
      );
    }
  });

  it('are too few where they take a core each, and what their processes do besides', () => {
    for (const cpu of [100, 130]) {
      expect(causes(training(cpu))).toEqual(['little-parallelism']);
    }
  });
});

describe('time that no cause explains', () => {
  const headline = (what: Made): string => adviceOf(made(what)).headline;

  it('is said to be between tasks, or outside of all computations, where most of it is', () => {
    expect(
      headline({ rows: ALL.flatMap(lane => tasks(lane, 4, 0.4, lane / 5, 0.4)), series: { assigned: numbers(4, () => 4) } })
    ).toMatch(
      /^No cause found: 4\d % of thread time computing, 5\d % not explained\. Most of the time that is not explained is between two tasks\.$/
    );
    const rows = [0, 9].flatMap(from => ALL.flatMap(lane => tasks(lane, 10, 0.2, from)));
    const computations = [0, 9].map(since => ({ since, last: since, start: since, stop: since + 2, tasks: 40 }));
    expect(headline({ rows, computations, now: 11 })).toMatch(
      / not explained\. Most of the time that is not explained, nothing had been submitted for 7\.00 s\. What the client did meanwhile is not recorded\.$/
    );
    // Three rounds are no loop.
    const three = [0, 6, 10].map(since => ({ since, last: since, start: since, stop: since + 2, tasks: 40 }));
    const work = three.flatMap(({ since }) => ALL.flatMap(lane => tasks(lane, 10, 0.2, since)));
    expect(headline({ rows: work, computations: three, now: 12 })).toMatch(
      / nothing had been submitted, 2 times for up to 4\.00 s\. What the client did meanwhile/
    );
  });

  it('is not said to be outside of all computations where threads waited for something of their own', () => {
    // Each task is deserialized for as long as it runs; Dask measures that for the whole run only.
    const rows = numbers(10, i => i).flatMap(i =>
      ALL.map(lane => ({ lane, prefix: 0, start: i + 0.5, duration: 0.5, nbytes: 100 }))
    );
    const moves = rows.map(({ start }, at) => ({ at, kind: KIND.indexOf('deserialize'), start: start - 0.5, duration: 0.5 }));
    const computations = [{ since: 0, last: 0, start: 0, stop: 10, tasks: 40 }];
    const { headline: words } = adviceOf(made({ rows, moves, computations, now: 10 }), { from: 2, to: 8 });
    expect(words).toBe('No cause found: 50 % of thread time computing, 50 % not explained.');
  });

  it('may be of tasks that a worker has and does not start', () => {
    const held = (computing: number, time = 4): string =>
      headline({
        ...{ workers: 1, threads: 4, rows: tasks(0, time, 1), now: time },
        series: { assigned: numbers(41, () => 4), computing: numbers(41, () => computing), processing: numbers(41, i => 41 - i) }
      });
    expect(held(1)).toMatch(
      /75 % not explained\. Most of the time that is not explained, workers had tasks that they did not start: resources= may allow few/
    );
    expect(held(4)).toMatch(/75 % not explained\.$/);
    // For longer, it is a verdict, unless heartbeats report tasks that have no record yet.
    expect(held(1, 40)).toMatch(/^Workers hold back tasks: /);
    expect(held(4, 40)).toMatch(/75 % not explained\.$/);
  });
});
