/** Periods of the past, workers that have left, and times without news: what holds now, or later, is not said of them. */
import { describe, expect, it } from 'vitest';
import { newestPeriod } from '../../../src/advice/period';
import type { TopicBody } from '../../../src/feed/frame';
import { ERROR_KIND, WORKER_STATUS, type WorkerStatus } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';
import { type SeriesPoint, type Step, step } from '../plots/cluster';
import { adviceOf, EPOCH, type Made, made, PAUSES, PAUSES_BY, tasks, verdict } from './made';

const at = (point: SeriesPoint): SeriesPoint => ({
  ...point,
  time: EPOCH + point.time,
  until: EPOCH + (point.until ?? point.time)
});

/** A run with points of the series that hold for longer than a moment. */
function withPoints(what: Made, points: readonly SeriesPoint[]): Run {
  return step(made({ ...what, series: {} }), { time: EPOCH + (what.now ?? 100), series: points.map(at) });
}

const GONE = WORKER_STATUS.indexOf('closed');

const three = (value: number): [number, number, number] => [value, value, value];

describe('bytes on disk', () => {
  const rows = [...tasks(0, 10, 0.2), ...tasks(0, 50, 0.2, 200)];
  const points = [
    { time: 0, until: 199, spilled: three(0), threads: three(4) },
    { time: 200, spilled: three(0), threads: three(4) },
    { time: 205, until: 300, spilled: three(2 ** 30), threads: three(4) }
  ];

  it('began to grow after the last sample that had none, not after the first', () => {
    const quiet = withPoints({ rows, now: 300 }, [points[0], { ...points[2], time: 200 }]);
    expect(verdict(adviceOf(quiet), 'spilling')?.evidence.selection.period?.from).toBe(EPOCH + 199);
  });

  it('that have been there since before a period are there in it', () => {
    const one = verdict(
      adviceOf(withPoints({ rows: tasks(0, 1000, 0.2, 100), now: 300 }, points), { from: 250, to: 260 }),
      'spilling'
    );
    expect(one?.sentence).toContain('up to 1.00 GiB of results were on disk');
  });
});

describe('a part of a run', () => {
  it('between two samples does not show how much was on disk, only the waiting for it', () => {
    const slow = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.1, 0, 0.2));
    const moves = slow.map((row, at) => ({ at, kind: 2, start: row.start + 0.1, duration: 0.2 }));
    const run = made({ rows: slow, moves, series: { spilled: Array.from({ length: 4 }, () => 2 ** 30) } });
    const found = verdict(adviceOf(run, { from: 1.05, to: 1.95 }), 'spilling');
    expect(found?.sentence).toMatch(/^Threads waited 2\.\d\d s for inputs from disk\. It costs 6\d % of the time\.$/);
    expect(found?.evidence.figures.map(({ text }) => text)).not.toContain('–');
    expect(verdict(adviceOf(run), 'spilling')?.sentence).toContain('up to 1.00 GiB of results were on disk');
  });

  it('that has only the ends of long tasks has no small ones', () => {
    const long = [0, 1, 2, 3].flatMap(lane => tasks(lane, 1, 100));
    const small = [0, 1, 2, 3].flatMap(lane => tasks(lane, 60, 0.01, 100, 0.01, 1));
    const found = verdict(adviceOf(made({ rows: [...long, ...small], now: 102 }), { from: 99.99, to: 101.5 }), 'small-tasks');
    expect(found?.sentence).toContain('240 took 10.0 ms on average');
    expect(found?.evidence.selection.functions).toEqual(['sum']);
  });
});

describe('workers that have left', () => {
  /** As the collector sends it: with when, or without where that is not known. */
  const gone = (run: Run, ids: readonly number[], left = EPOCH + 3): Run => {
    const columns = {
      id: Uint32Array.from(ids),
      status: new Uint8Array(ids.length).fill(GONE),
      left: new Float64Array(ids.length).fill(left)
    };
    const topics = { workers: { columns, scalars: {} } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 9, time: EPOCH + 100, cursor: {}, names: {}, topics }, 0);
    return run;
  };
  const worked = [0, 1, 2, 3].flatMap(lane => tasks(lane, 40, 0.2, 0, 0.002));

  it('had their own thread each: the one that is left has not run theirs', () => {
    const points = Array.from({ length: 9 }, (_, time) => ({
      time,
      workers: 4,
      threads: three(4),
      cpu: three(99),
      gil: three(Number.NaN)
    }));
    const each = withPoints({ rows: worked, workers: 4, threads: 1 }, points);
    expect(verdict(adviceOf(gone(each, [1, 2, 3])), 'gil')).toBeUndefined();
  });

  it('had memory of their own: what all had is no share of the limits of one', () => {
    const points = Array.from({ length: 9 }, (_, time) => ({
      time,
      workers: 4,
      process: three(2 ** 28 * (time + 1)),
      threads: three(4)
    }));
    const run = withPoints({ rows: worked, workers: 4, threads: 1 }, points);
    expect(verdict(adviceOf(gone(run, [1, 2, 3])), 'unmanaged-memory')).toBeUndefined();
    expect(
      verdict(
        adviceOf(
          withPoints(
            { rows: worked, workers: 1, threads: 4 },
            points.map(each => ({ ...each, workers: 1 }))
          )
        ),
        'unmanaged-memory'
      )
    ).toBeDefined();
  });

  const logs: TopicBody = {
    columns: { time: Float64Array.of(EPOCH + 1), level: new Uint8Array(1), server: Uint32Array.of(2) },
    scalars: { first: 0, lost: 0, name: [''], logger: [PAUSES_BY], text: [PAUSES[0]] }
  };
  const pausing = (): Run => made({ rows: [0, 2].flatMap(lane => tasks(lane, 40, 0.2)), topics: { logs } });

  it('were paused until they left, and not forever', () => {
    expect(verdict(adviceOf(gone(pausing(), [1])), 'paused')?.sentence).toContain('1 worker paused for 2.00 s');
    expect(verdict(adviceOf(gone(pausing(), [1], Number.NaN)), 'paused')).toBeUndefined();
  });
});

describe('pauses of workers, where logs are not read', () => {
  const change = (time: number, from: string, to: string): object => ({
    ...{ time: EPOCH + time, topic: 'tcp://w0', action: 'worker-status-change' },
    text: `{"action": "worker-status-change", "prev-status": "${from}", "status": "${to}"}`
  });
  // Lanes 0 and 2 are those of the worker.
  const rows = [...[0, 2].flatMap(lane => [...tasks(lane, 5, 0.2), ...tasks(lane, 15, 0.2, 5)])];
  const what = { rows: [...rows, ...[1, 3].flatMap(lane => tasks(lane, 40, 0.2))] };

  it('are known from the events of their status', () => {
    const events = [change(1, 'running', 'paused'), change(5, 'paused', 'running')] as Step['events'];
    const advice = adviceOf(step(made(what), { time: EPOCH + 100, events }), null, false);
    const found = verdict(advice, 'paused');
    expect(found?.sentence).toContain('1 worker paused for 4.00 s');
    expect(found?.cost.seconds).toBeCloseTo(8, 0);
    expect(found?.evidence.selection.workers).toEqual(['tcp://w0']);
  });

  it('are not said to be for memory where Dask does not pause for it, or logs that are read do not say so', () => {
    const events = [change(1, 'running', 'paused'), change(5, 'paused', 'running')] as Step['events'];
    const lines = (times: readonly number[]): TopicBody => ({
      columns: {
        time: Float64Array.from(times, time => EPOCH + time),
        level: new Uint8Array(times.length),
        server: Uint32Array.from(times, () => 1)
      },
      scalars: {
        first: 0,
        lost: 0,
        name: times.map(() => ''),
        logger: times.map(() => PAUSES_BY),
        text: PAUSES.slice(0, times.length)
      }
    });
    const said = (topics: Made['topics'], now = 100): string[] => {
      const run = step(made({ ...what, topics, now }), { time: EPOCH + now, events });
      const found = verdict(adviceOf(run, null, false), 'paused');
      return [found?.title ?? '', found?.sentence ?? ''];
    };
    const meta = { columns: {}, scalars: { thresholds: { target: 0.6, spill: 0.7, pause: null, terminate: 0.95 } } };
    const other = ['Workers are paused', '1 worker was paused for 4.00 s. It costs 25 % of the time.'];
    expect(said({ meta })).toEqual(other);
    expect(said({ logs: lines([]) })).toEqual(other);
    const full = [expect.stringMatching(/memory/), expect.stringMatching(/^1 worker paused for 4.0\d s because its memory/)];
    expect(said({ logs: lines([0.98, 4.98]) })).toEqual(full);
    // The line may not have been read yet.
    expect(said({ logs: lines([]) }, 5.5)).toEqual(full);
  });

  it('are not known without events, either', () => {
    const { unknown } = adviceOf(made(what), null, false);
    expect(unknown.find(({ cause }) => cause === 'paused')?.why).toBe('Not received: logs');
  });
});

describe('threads that were not there', () => {
  /** An adaptive cluster: its first worker comes after a minute. */
  const series = { threads: Array.from({ length: 81 }, (_, i) => (i < 60 ? 0 : 4)) };
  const computations = [{ since: 0, last: 0, start: 60, stop: 80, tasks: 400, left: 0, done: 400 }];
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 100, 0.2, 60));

  it('lost no time, and what ran before the next sample had one', () => {
    const advice = adviceOf(made({ rows, computations, series, now: 80 }));
    expect(advice.capacity).toBeCloseTo(80, 0);
    expect(advice.headline).toMatch(
      /^There was no worker for 1 m 0 s\. Nothing else wrong found: (99|100) % of thread time computing\.$/
    );
    const early = adviceOf(made({ rows: tasks(0, 10, 1, 50), computations, series, now: 80 }), { from: 50, to: 59 });
    expect(early.parts.compute).toBeCloseTo(9, 1);
  });

  it('are none that compute', () => {
    expect(adviceOf(made({ rows, computations, series, now: 80 }), { from: 0, to: 50 }).headline).toBe('There was no worker.');
  });
});

describe('tasks that no worker may run', () => {
  const waiting = (rows: Made['rows'], ...others: number[]): Run =>
    step(made({ rows, now: 60 }), {
      time: EPOCH + 60,
      prefixes: [10, ...others].map((count, i) => ({ name: `f${i}`, no_worker: count, since: EPOCH + 1 }))
    });
  const said = (run: Run): string | undefined => verdict(adviceOf(run), 'no-worker-fits')?.sentence;

  it('may have had one while others of their function ran: since when there is none is not known', () => {
    expect(said(waiting([]))).toBe('10 tasks of f0 wait for a worker that they may run on; there has been none for 59.0 s.');
    expect(said(waiting(tasks(0, 50, 1, 1)))).toBe('10 tasks of f0 wait for a worker that they may run on.');
  });

  it('may have had one that left: since then there is none, at least', () => {
    const gone = { time: EPOCH + 40, topic: 'all', action: 'remove-worker', text: '{"worker": "tcp://w1"}' };
    const left = step(waiting([]), { time: EPOCH + 60, events: [gone] });
    expect(said(left)).toBe('10 tasks of f0 wait for a worker that they may run on; there has been none for at least 20.0 s.');
    const before = step(waiting([]), { time: EPOCH + 60, events: [{ ...gone, time: EPOCH + 0.5 }] });
    expect(said(before)).toContain('there has been none for 59.0 s.');
  });

  it('have one while others of their function are with a worker', () => {
    const some = step(made({ now: 60 }), {
      time: EPOCH + 60,
      prefixes: [{ name: 'f0', no_worker: 2, processing: 1, since: EPOCH + 1 }]
    });
    expect(said(some)).toBe('2 tasks of f0 wait for a worker that they may run on.');
  });

  it('have some that are paused: that is the reason, or may be', () => {
    const halted = (ids: readonly number[], topics: Made['topics'] = {}, how: WorkerStatus = 'paused'): Run => {
      const run = step(made({ now: 60, computations: [{ since: 1, last: 1, tasks: 10, left: 10 }] }), {
        time: EPOCH + 60,
        prefixes: [{ name: 'f0', no_worker: 10, since: EPOCH + 1 }]
      });
      const status = Uint8Array.from([0, 1], id => WORKER_STATUS.indexOf(ids.includes(id) ? how : 'running'));
      const workers = { columns: { id: Uint32Array.of(0, 1), status, nthreads: Uint32Array.of(2, 2) }, scalars: {} };
      const frame = { feed: 'made-up', epoch: 0, seq: 9, time: EPOCH + 60, cursor: {}, names: {} };
      run.apply({ ...frame, topics: { workers, ...topics } }, 0);
      return run;
    };
    const logs: TopicBody = {
      columns: { time: new Float64Array(2).fill(EPOCH + 5), level: new Uint8Array(2), server: Uint32Array.of(1, 2) },
      scalars: { first: 0, lost: 0, name: ['', ''], logger: [PAUSES_BY, PAUSES_BY], text: [PAUSES[0], PAUSES[0]] }
    };
    const advice = adviceOf(halted([0, 1], { logs }));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['paused']);
    expect(advice.verdicts[0].cost.seconds).toBeCloseTo(4 * 55, 0);
    // Where the logs are not read, only that they wait is known.
    const unread = adviceOf(halted([0, 1]), null, false).verdicts[0];
    expect(unread.sentence).toBe('10 tasks of f0 wait for a worker that they may run on.');
    expect(unread.remedy).toMatch(/^Use less memory per task/);
    // Workers that retire are no pause, which would be reported instead.
    expect(verdict(adviceOf(halted([0, 1], {}, 'closing_gracefully')), 'no-worker-fits')?.doubt).toContain('retire');
    const one = verdict(adviceOf(halted([1])), 'no-worker-fits');
    expect(one?.sentence).toBe('10 tasks of f0 wait for a worker that they may run on.');
    expect(one?.doubt).toContain('paused');
    expect(one?.remedy).toMatch(/^Start workers/);
  });

  it('are of all functions that have some, of which the one with most is named', () => {
    expect(said(waiting([], 20))).toContain('30 tasks of f1 and others wait');
  });
});

describe('a task that has seceded', () => {
  const short = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.1));

  it('holds no thread, and is not what the others wait for', () => {
    const running = [
      { id: 0, start: 0.1, prefix: 0, key: 'coordinator', state: 2 },
      { id: 1, start: 1, prefix: 0, key: 'long' }
    ];
    expect(adviceOf(made({ rows: short, running, now: 6 })).headline).toMatch(/^long has been running for 5\.00 s/);
  });

  it('is what may take the time that nothing else explains', () => {
    const computations = [{ since: 0, last: 0, start: 0, tasks: 2, left: 1 }];
    const running = [{ id: 0, start: 0.1, prefix: 1, key: 'outer', state: 2 }];
    expect(adviceOf(made({ rows: tasks(0, 1, 0.1), running, computations, now: 30 })).headline).toMatch(
      /^No cause found: .* 1 task that has seceded runs beside the threads: its time is not counted\.$/
    );
  });
});

describe('tasks that erred with their workers', () => {
  const rows = [0, 1, 2, 3].flatMap(lane => [...tasks(lane, 20, 0.2), ...tasks(lane, 25, 0.2, 58)]);
  /** Of six failures, the first was in the first computation and the last in the second. */
  const errors: TopicBody = {
    columns: {
      ...{ id: Uint32Array.of(0), kind: Uint8Array.of(ERROR_KIND.indexOf('erred')), prefix: Uint32Array.of(1) },
      ...{ count: Uint32Array.of(6), first: Float64Array.of(EPOCH + 2), last: Float64Array.of(EPOCH + 60) }
    },
    scalars: { texts: [{ id: 0, type: 'KilledWorker', deaths: 4 }] }
  };
  const said = (from: number, to: number): string | undefined =>
    verdict(adviceOf(made({ rows, now: 64, topics: { errors } }), { from, to }), 'failures')?.sentence;

  it('are not all of a part of the run, of which only the first and the last have a time', () => {
    expect(said(0, 64)).toBe('6 tasks erred because workers that had them ended (KilledWorker).');
    expect(said(58, 63)).toBe('At least 1 task erred because workers that had it ended (KilledWorker).');
    expect(said(20, 40)).toBeUndefined();
  });
});

it('a computation of which times are not known changes nothing about the others', () => {
  const rows = [0, 10, 17].flatMap(from => [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.2, from)));
  const computations = [
    { since: 0, last: 0, start: 0, stop: 2, tasks: 40 },
    { since: 10, last: 10, start: 10, stop: 19, tasks: 80 }
  ];
  const odd = { last: Number.NaN, start: Number.NaN, stop: Number.NaN };
  const { parts } = adviceOf(made({ rows, now: 20, computations }));
  for (const since of [-5, Number.NaN]) {
    const run = made({ rows, now: 20, computations: [{ since, ...odd }, ...computations] });
    expect(adviceOf(run, { from: 0, to: 19 }).parts.quiet).toBeCloseTo(parts.quiet, 1);
    expect(newestPeriod(run)?.to).toBeCloseTo(EPOCH + 19, 3);
  }
});
