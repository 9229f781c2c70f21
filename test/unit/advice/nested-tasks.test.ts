/** Tasks that wait for tasks that they submitted: all threads are taken, and nothing goes on. */
import { describe, expect, it } from 'vitest';
import { adviceOf, EPOCH, type Made, made, verdict } from './made';

const FUNCTIONS = ['outer', 'part', 'other'];
const [OUTER, PART] = [0, 1];
const UUID = '0d2f8a4e-cae4-11f0-8b1c-0242ac110002';

/** Four threads run tasks of `outer`, which submitted tasks of `part` a moment later; seconds after the start of the run. */
function nested(more: Partial<Made> = {}): Made {
  return {
    functions: FUNCTIONS,
    running: [0, 1, 2, 3].map(id => ({ id, worker: id % 2, prefix: OUTER, start: 5 + id / 10, as_of: 30, key: `outer-${id}` })),
    computations: [
      { since: 4, last: 4, tasks: 8, left: 8, submissions: 1 },
      { since: 5.5, last: 6, tasks: 16, left: 16, submissions: 4 }
    ],
    clients: ['Client-a', `Client-worker-${UUID}`],
    shares: [
      { computation: 0, prefix: OUTER, tasks: 8, left: 8 },
      { computation: 1, prefix: PART, tasks: 16, left: 16 }
    ],
    now: 30,
    ...more
  };
}

const foundIn = (more: Partial<Made> = {}): ReturnType<typeof verdict> => verdict(adviceOf(made(nested(more))), 'nested-tasks');

describe('tasks that wait for tasks that they submitted', () => {
  it('are named once nothing has begun or ended for 10 s, with what all threads lost since', () => {
    const found = foundIn();
    expect(found?.sentence).toMatch(
      /^Tasks wait for tasks that they submitted: 4 running tasks such as outer take all threads, and 16 tasks that were submitted by tasks get none\. Nothing has begun or ended for 24\.0 s\. It costs 9\d % of the time\.$/
    );
    expect(found?.cost.seconds).toBeCloseTo(4 * 24, 0);
    expect(found?.evidence.selection.period).toEqual({ from: EPOCH + 6, to: EPOCH + 30 });
    // One thread is enough.
    const [one] = nested().running ?? [];
    const shares = [
      { computation: 0, prefix: OUTER, tasks: 1, left: 1 },
      { computation: 1, prefix: PART, tasks: 1, left: 1 }
    ];
    const computations = (nested().computations ?? []).map(each => ({ ...each, tasks: 1, left: 1 }));
    expect(foundIn({ workers: 1, threads: 1, running: [one], shares, computations })?.sentence).toContain(
      ': 1 running task of outer takes the only thread, and 1 task that was submitted by a task gets none. Nothing'
    );
    expect(foundIn({ now: 15.9 })).toBeUndefined();
    expect(foundIn({ now: 16.1 })).toBeDefined();
  });

  it('are none where something goes on: a task has ended, or a thread is free, or a task has seceded', () => {
    expect(foundIn({ rows: [{ lane: 0, prefix: PART, start: 20, duration: 2 }] })).toBeUndefined();
    expect(foundIn({ rows: [{ lane: 0, prefix: PART, start: 10, duration: 2 }] })).toBeDefined();
    expect(foundIn({ threads: 3 })).toBeUndefined();
    const [first, ...others] = nested().running ?? [];
    expect(foundIn({ running: [{ ...first, state: 2 }, ...others] })).toBeUndefined();
    expect(foundIn({ running: others })).toBeUndefined();
  });

  it('are none where tasks run that others have submitted, or that might be', () => {
    const running = (nested().running ?? []).map((each, i) => (i === 3 ? { ...each, prefix: PART } : each));
    expect(foundIn({ running })).toBeUndefined();
  });

  it('are none where all tasks are of clients of users, or all that tasks submitted have ended', () => {
    expect(foundIn({ clients: ['Client-a', 'Client-b'] })).toBeUndefined();
    expect(foundIn({ clients: ['Client-a', `Client-worker-pool-${UUID}`] })).toBeUndefined();
    expect(
      foundIn({
        computations: [
          { since: 4, last: 4, tasks: 8, left: 8, submissions: 1 },
          { since: 5.5, last: 6, tasks: 16, left: 0, stop: 7, submissions: 4 }
        ]
      })
    ).toBeUndefined();
  });

  it('are of the end of the run: an earlier period says nothing of what runs now', () => {
    expect(verdict(adviceOf(made(nested()), { from: 0, to: 25 }), 'nested-tasks')).toBeUndefined();
    expect(verdict(adviceOf(made(nested()), { from: 0, to: 30 }), 'nested-tasks')).toBeDefined();
  });
});
