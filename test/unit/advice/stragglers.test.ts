/** Which of several long tasks is named: the one that threads waited for. */
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/advice/advice';
import { setNumberLocale } from '../../../src/base/format';
import type { Run } from '../../../src/run/run';
import { graphBody } from '../run/made-graph';
import { adviceOf, EPOCH, gathersAt, type Made, made, tasks, verdict } from './made';

const ALL = [0, 1, 2, 3];

function found(run: Run): Verdict {
  const advice = adviceOf(run);
  const one = verdict(advice, 'straggler');
  expect(one, advice.headline).toBeDefined();
  return one as Verdict;
}

describe('a task that takes much longer than the others of its function', () => {
  it('is seen among others that take as long as is usual for theirs', () => {
    const usual = ALL.flatMap(lane => tasks(lane, 3, 10, 0, 0, 1));
    const run = made({
      rows: [...usual, ...ALL.flatMap(lane => tasks(lane, 10, 0.1, 30)), { lane: 0, start: 31, duration: 8 }],
      now: 40
    });
    const one = found(run);
    expect(one.sentence).toMatch(/^A task of load took 8\.00 s, 80 times the median of its function \(100 ms\)\. Other threads/);
    expect(one.evidence.selection.rows?.numbers).toEqual([52]);
    expect(one.cost.seconds).toBeGreaterThan(23);
  });

  it('is uncertain where the function has no name: others have none, either', () => {
    const rows = [...ALL.flatMap(lane => tasks(lane, 10, 0.1)), { lane: 0, start: 1, duration: 8 }];
    const said = (name: string): unknown[] => {
      const { confidence, doubt } = found(made({ rows, functions: [name], now: 9 }));
      return [confidence, doubt];
    };
    expect(said('lambda')).toEqual(['low', expect.stringContaining('without a name')]);
    expect(said('load')).toEqual(['high', '']);
  });

  it('is compared in a figure like all others', () => {
    setNumberLocale('en');
    const rows = [...ALL.flatMap(lane => tasks(lane, 100, 0.005)), { lane: 0, start: 0.6, duration: 18 }];
    expect(found(made({ rows, now: 40 })).sentence).toContain(', 3,600 times the median of its function (5.00 ms)');
  });

  it('is not named if all threads had tasks meanwhile, and another is what they waited for', () => {
    const one = found(
      made({
        rows: [
          { lane: 0, start: 0, duration: 20 },
          ...[1, 2, 3].flatMap(lane => tasks(lane, 40, 0.5, 0, 0, 1)),
          ...ALL.flatMap(lane => tasks(lane, 20, 0.1, 20)),
          { lane: 1, prefix: 1, start: 22, duration: 12 }
        ],
        now: 40
      })
    );
    expect(one.sentence).toMatch(/^A task of sum took 12\.0 s, 24 times the median of its function \(500 ms\)\./);
    expect(one.evidence.selection.period?.from).toBeCloseTo(EPOCH + 22, 1);
    expect(one.evidence.figures[0].value).toBe(1);
  });

  it('is not named if it runs now and another one, which has ended, is what they waited for', () => {
    const usual = [...ALL.flatMap(lane => tasks(lane, 5, 0.2)), ...ALL.flatMap(lane => tasks(lane, 95, 0.2, 20))];
    const run = made({
      rows: [...usual, { lane: 0, start: 1, duration: 19 }, ...[1, 2, 3].flatMap(lane => tasks(lane, 5, 0.2, 39))],
      running: [{ id: 1, start: 39.2, prefix: 0, key: 'load-now' }],
      now: 40
    });
    expect(found(run).sentence).toMatch(/^A task of load took 19\.0 s, 95 times the median/);
  });

  it('is known to run until the last heartbeat of its worker, if that sends none since', () => {
    const run = (heartbeat: number): Run =>
      made({
        ...{ rows: ALL.flatMap(lane => tasks(lane, 20, 0.2)), now: 60 },
        running: [{ id: 1, start: 4, prefix: 0, worker: 1, key: 'load-now' }],
        computations: [{ since: 0, last: 0, left: 1, submissions: 1, tasks: 81 }],
        topics: {
          workers: {
            columns: {
              id: Uint32Array.of(0, 1),
              status: Uint8Array.of(2, 2),
              heartbeat: Uint8Array.of(0, heartbeat),
              nthreads: Uint32Array.of(2, 2),
              last_seen: Float64Array.of(EPOCH + 60, EPOCH + 40)
            },
            scalars: {}
          }
        }
      });
    const running = found(run(0));
    expect(running.sentence).toMatch(/^load-now has been running for 56.0 s\. Others/);
    expect(running.doubt).toBe('It has not ended yet.');
    const silent = found(run(1));
    expect(silent.sentence).toMatch(/^load-now has been running for 36.0 s\. Others/);
    expect(silent.doubt).toBe('Its worker sends no heartbeat: whether it has ended since is not known.');
  });

  it('is named with how many others cost the time beside it, also where it runs now', () => {
    const late = [0, 1, 2].flatMap(i => ({ lane: i, start: 2 + 3 * i, duration: 3 }));
    const run = made({
      rows: [...ALL.flatMap(lane => tasks(lane, 20, 0.1)), ...late],
      running: [{ id: 1, start: 11, prefix: 0, key: 'load-now' }],
      now: 16
    });
    const one = found(run);
    expect(one.sentence).toMatch(
      /^load-now has been running for 5\.00 s\. Others of its function take 100 ms\. 3 more took much longer than usual\. Other threads/
    );
    expect(one.cost.seconds).toBeCloseTo(3 * 14, 0);
    expect(one.evidence.figures.map(({ value }) => value)).toEqual([4, 5, expect.closeTo(0.1), expect.closeTo(one.cost.share)]);
  });

  it('is counted with the others that threads waited for', () => {
    const late = (start: number, duration: number, lane: number): object => ({ lane, start, duration });
    const rows = [...ALL.flatMap(lane => tasks(lane, 20, 0.1)), late(2, 4, 0), late(7, 2, 1), late(10, 9, 2)];
    expect(found(made({ rows: rows as ReturnType<typeof tasks>, now: 20 })).sentence).toMatch(
      /^A task of load took 9\.00 s, 90 times the median of its function \(100 ms\)\. 2 more took much longer than usual\. Other/
    );
  });
});

it('counts of long tasks have separators, as all others', () => {
  const rows = [...tasks(0, 1501, 0.9), ...tasks(1, 3000, 0.01)];
  const found = verdict(adviceOf(made({ rows, now: 1351 })), 'straggler');
  expect(found?.sentence).toMatch(/ 1,4\d\d more took much longer than usual/);
});

it('counts of threads have them, too', () => {
  const run = made({ workers: 2, threads: 1000, rows: tasks(0, 4, 5), now: 20 });
  expect(verdict(adviceOf(run), 'little-parallelism')?.sentence).toContain('1.0 of 2,000 threads worked');
});

describe('tasks that take longer than those of another cell with the same function', () => {
  const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];
  const first = EIGHT.flatMap(lane => tasks(lane, 25, 0.1, 0, 0.001));
  const share = { prefix: 0, again: 0, left: 0, dropped: 0, failed: 0 };
  const shares = [{ ...share, computation: 0, tasks: 200, done: 200, compute: 20, longest: 0.1 }];
  const computations = [{ since: 0, last: 0, start: 0, stop: 2.53, tasks: 200, done: 200, compute: 20, submissions: 1, cell: 1 }];

  it('are no stragglers if they take as long as those of their own: there are too few', () => {
    const now = 17;
    const on = Array.from({ length: now + 1 }, (_, i) => (i < 2.6 || (i >= 6.5 && i < 11.5) ? 8 : i > 11 && i < 16.5 ? 1 : 0));
    const run = made({
      ...{ workers: 4, threads: 2, now },
      rows: [...first, ...EIGHT.flatMap(lane => tasks(lane, 1, 5, 6.5)), ...tasks(0, 1, 5, 11.501)],
      series: { assigned: on, processing: on, executing: on, computing: on },
      computations: [
        ...computations,
        { since: 6.49, last: 6.49, start: 6.5, stop: 16.5, tasks: 9, done: 9, compute: 45, submissions: 1, cell: 2 }
      ],
      shares: [...shares, { ...share, computation: 1, tasks: 9, done: 9, compute: 45, longest: 5 }]
    });
    expect(adviceOf(run).verdicts.map(({ cause }) => cause)).toEqual(['little-parallelism']);
  });

  /** Some seconds after 13 tasks of the second cell began, of which the short ones have ended. */
  const live = (ended: number): Run =>
    made({
      ...{ workers: 4, threads: 2, now: 12 },
      rows: [...first, ...EIGHT.slice(0, ended).flatMap(lane => tasks(lane, 1, 0.4, 6.5))],
      running: EIGHT.slice(0, 5).map(id => ({ id, worker: id % 4, prefix: 0, start: 7, key: `load-${id}` })),
      computations: [...computations, { since: 6.49, last: 6.49, tasks: 13, left: 5, done: ended, submissions: 1, cell: 2 }],
      shares: [...shares, { ...share, computation: 1, tasks: 13, left: 5, done: ended, compute: 0.4 * ended, longest: 0.4 }]
    });

  it('are none while they run if none of their own has ended', () => {
    expect(verdict(adviceOf(live(0)), 'straggler')).toBeUndefined();
  });

  it('are stragglers if they take much longer than those of their own, running or not', () => {
    expect(found(live(8)).sentence).toMatch(/^load-\d has been running for 5\.00 s\. Others of its function take 100 ms\./);
    const rows = [...ALL.flatMap(lane => tasks(lane, 10, 0.1, 0, 0.001)), ...tasks(0, 1, 8, 1.1)];
    const run = made({
      ...{ rows, now: 10 },
      computations: [{ since: 0, last: 0, start: 0, stop: 9.1, tasks: 41, done: 41, compute: 12, submissions: 1 }],
      shares: [{ ...share, computation: 0, tasks: 41, done: 41, compute: 12, longest: 8 }]
    });
    expect(found(run).sentence).toMatch(/^A task of load took 8\.00 s, 80 times the median of its function/);
  });
});

describe('long tasks that follow each other', () => {
  /** 40 short tasks, then four of 2 s, each on another thread. */
  const rows = [
    ...ALL.flatMap(lane => tasks(lane, 10, 0.1)),
    ...ALL.map(i => ({ lane: i, start: 1.02 + 2.02 * i, duration: 2 }))
  ];
  const number = Uint32Array.from(rows, (_, i) => i);
  const about = (needs: (long: number) => readonly number[]): Run =>
    made({
      ...{ rows, now: 9.2 },
      topics: {
        graph: graphBody(rows.map((_, i) => ({ group: 0, needs: i >= 40 ? needs(i) : [] }))),
        executed: { columns: { number }, scalars: { first: 0 } }
      }
    });

  it('and need the results of each other, are a chain, which no other data would make shorter', () => {
    const [first, ...others] = adviceOf(about(i => (i > 40 ? [i - 1] : []))).verdicts;
    expect([first.cause, others]).toEqual(['little-parallelism', []]);
    expect(first.cost.seconds).toBeCloseTo(3 * 8, 0);
    expect(first.sentence).toContain('1.0 of 4 threads worked, mostly on load.');
  });

  it('and put results of their own function together, are a narrow end: all of a name are one function, as those without one', () => {
    // After each ten short tasks one that needs all of them.
    const inTurn = (i: number): number[] => (i < 40 ? [] : Array.from({ length: 10 }, (_, k) => 10 * (i - 40) + k));
    expect(adviceOf(about(inTurn)).verdicts.map(({ cause }) => cause)).toEqual(['little-parallelism']);
    // Where all need as many, one that takes longer has more data.
    const alike = made({
      ...{ rows, now: 9.2 },
      topics: {
        graph: graphBody(
          rows.map((_, i) => ({ group: 0, needs: i > 10 ? [i - 10, i - 9, i - 8].filter(each => each < 40) : [] }))
        ),
        executed: { columns: { number }, scalars: { first: 0 } }
      }
    });
    expect(adviceOf(alike).verdicts.map(({ cause }) => cause)).toEqual(['straggler']);
  });

  it('and do not need each other, are stragglers; without a graph that is not certain', () => {
    const said = (run: Run): unknown[] => [found(run).confidence, found(run).doubt.slice(0, 10)];
    expect(said(about(i => [i - 40]))).toEqual(['high', '']);
    expect(said(made({ rows, now: 9.2 }))).toEqual(['medium', 'Some began']);
  });
});

describe('a long task that is submitted alone when all results of others have been taken', () => {
  const before = ALL.flatMap(lane => tasks(lane, 10, 0.4));
  const events = gathersAt([4.05]);
  const causes = (more: Partial<Made>): readonly string[] =>
    adviceOf(
      made({ rows: [...before, { lane: 0, start: 4.2, duration: 6 }], now: 10.2, topics: { events }, ...more })
    ).verdicts.map(({ cause }) => cause);

  it('leaves threads idle since there is nothing else, whether or not it has ended', () => {
    expect(causes({})).toEqual(['little-parallelism']);
    expect(causes({ rows: before, running: [{ id: 1, start: 4.2, prefix: 0, key: 'load-all' }] })).toEqual([
      'little-parallelism'
    ]);
  });

  it('is a straggler where others of its batch begin with it, or nobody had taken results', () => {
    const one = { lane: 0, start: 4.2, duration: 6 };
    expect(causes({ rows: [...before, one, ...[1, 2, 3].flatMap(lane => tasks(lane, 1, 0.4, 4.2))] })).toEqual(['straggler']);
    expect(causes({ topics: {} })).toEqual(['straggler']);
    expect(causes({ topics: { events: gathersAt([3]) } })).toEqual(['straggler']);
  });
});
