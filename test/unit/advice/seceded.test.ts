/**
 * Tasks that have seceded run beside the threads of their workers, and coroutines in one for all: a worker works in no more
 * threads than it has.
 */
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import type { Rule } from '../../../src/advice/rule';
import { RULES } from '../../../src/advice/rules';
import { claimOf } from '../../../src/advice/spans';
import { RUNNING_STATE } from '../../../src/feed/schema';
import type { TopicBody } from '../../../src/feed/frame';
import type { Run } from '../../../src/run/run';
import { NOTHING_SELECTED } from '../../../src/run/selection/selection';
import { type Row, tasksBody } from '../run/synthetic';
import { translate } from '../translate';
import { adviceOf, completed, EPOCH, made, profileOf, tasks } from './made';

/** Two workers with a thread each, of which the first has had another thread since a task seceded: lane 2. */
function withLane(rows: readonly Row[], more: readonly Row[], threads = 1): Run {
  const run = made({ rows, threads, now: 10 });
  const lanes = { from: 2 * threads, values: [[0, 99] as const] };
  const body = tasksBody(
    more.map(row => ({ ...row, lane: 2 * threads, start: row.start + EPOCH })),
    rows.length
  );
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 10, cursor: {}, names: { lanes }, topics: { tasks: body } }, 0);
  return run;
}

describe('a task that had seceded before it ended', () => {
  const coordinator: Row = { lane: 0, prefix: 1, start: 0, duration: 10 };
  const own = tasks(2, 10, 1);

  it('does not count for the idle threads of another worker while its own thread had others', () => {
    const advice = adviceOf(withLane([coordinator], own));
    expect(advice.capacity).toBeCloseTo(20, 1);
    expect(advice.parts.compute).toBeCloseTo(10, 1);
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['little-parallelism']);
    expect(advice.verdicts[0].cost.share).toBeCloseTo(0.5, 1);
  });

  it('changes nothing where threads come one after the other', () => {
    const advice = adviceOf(withLane(tasks(0, 5, 1), tasks(2, 5, 1, 5)));
    expect(advice.parts.compute).toBeCloseTo(10, 1);
  });

  it('leaves the time of other workers as it is', () => {
    const advice = adviceOf(withLane([coordinator, ...tasks(1, 10, 1)], own));
    expect(advice.parts.compute).toBeCloseTo(20, 1);
    expect(advice.verdicts).toEqual([]);
  });
});

describe('a task that has seceded and has not ended', () => {
  it('is not what threads work on', () => {
    const running = [{ id: 1, state: RUNNING_STATE.indexOf('long-running'), worker: 0, prefix: 1, start: 0 }];
    const rows = tasks(0, 20, 0.45, 0, 0.05);
    const [first] = adviceOf(made({ functions: ['inner', 'outer'], rows, running, now: 10 })).verdicts;
    expect(first.sentence).toMatch(/^Too few tasks can run at once: .* 0\.9 of 4 threads worked, mostly on inner\./);
    expect(first.evidence.figures.at(-1)?.value).toBe(20);
  });
});

describe('tasks that had seceded, by samples', () => {
  /** Two parents that wait for their children, one after the other on the other threads. */
  const children = [2, 3].flatMap(lane => tasks(lane, 20, 0.5));
  const about = (...values: Parameters<typeof runAbout>) => adviceOf(runAbout(...values));
  const runAbout = (executing: number, processing = executing, computing = 2, assigned = 2, profile?: TopicBody, until = 0) =>
    made({
      topics: profile === undefined ? {} : { profile },
      columns: { until: Array.from({ length: 11 }, (_, i) => EPOCH + i + until) },
      rows: [...[0, 1].map(lane => ({ lane, prefix: 1, start: 0, duration: 10 })), ...children],
      now: 10,
      series: Object.fromEntries(
        Object.entries({ executing, computing, assigned, processing }).map(([name, value]) => [name, new Array(11).fill(value)])
      )
    });

  it('count as computing, which is said', () => {
    const words =
      'Tasks had left their threads (secede(), worker_client()). Their time counts as computing, so threads may have worked less.';
    expect(about(5, 5, 3).headline).toBe(
      `Nothing wrong found: 100 % of thread time computing. ${words} By samples, 3.0 of 4.0 threads had a task on average.`
    );
    // That half of the threads had nothing to do is not "nothing wrong".
    expect(about(4).headline).toBe(
      `No cause found: 100 % of thread time computing, < 1 % not explained. ${words} By samples, 2.0 of 4.0 threads had a task on average.`
    );
    expect(about(2).headline).toBe('Nothing wrong found: 100 % of thread time computing.');
    // The last report of a worker that is not heard of any more.
    expect(about(4, 2).headline).toBe('Nothing wrong found: 100 % of thread time computing.');
  });

  const WAITING = profileOf('sum', 50, 1500, ['result', 'distributed/client.py']);

  it('and wait for others, leave threads without a task: these are counted by samples', () => {
    const { verdicts, unexplained } = about(4, 4, 2, 2, WAITING);
    expect(verdicts.map(({ cause, confidence }) => [cause, confidence])).toEqual([['little-parallelism', 'medium']]);
    expect(verdicts[0].sentence).toBe(
      'Too few tasks can run at once: tasks of sum have left their threads and wait for others (Future.result), and by samples 2.0 of 4 threads had a task. It costs 50 % of the time.'
    );
    expect(verdicts[0].remedy).toMatch(/^Let a task submit all that it needs before it waits for any of it: /);
    expect(unexplained.share).toBeLessThan(0.01);
  });

  it('cost less where another cause has some of that time, which is said', () => {
    const littles = RULES.filter(({ cause }) => cause === 'little-parallelism');
    const other: Rule = {
      ...{ ...littles[0], cause: 'gil', title: () => 'Other', overlooked: () => null },
      find: ({ partition: { byStep } }) => ({
        ...{ claims: [claimOf('compute', byStep.compute.slice().fill(0, 0, byStep.compute.length / 2))], confidence: 'high' },
        ...{ sentence: () => '', evidence: { selection: NOTHING_SELECTED, plot: '', figures: [] } }
      })
    };
    const run = runAbout(4, 4, 2, 2, WAITING);
    const found = advise(completed(run), null, translate, { rules: [other, ...littles] }).verdicts;
    expect(found.find(({ cause }) => cause === 'little-parallelism')?.sentence).toMatch(
      /It costs 2\d % of the time\. The share is without what other causes explain\.$/
    );
  });

  it('cost nothing while all threads have a task, or where they compute themselves', () => {
    expect(about(6, 6, 4, 4, WAITING).verdicts).toEqual([]);
    expect(about(4, 4, 2, 2, profileOf('sum', 1500, 50, ['result', 'distributed/client.py'])).verdicts).toEqual([]);
    expect(about(4, 4, 2, 2, profileOf('sum', 50, 1500, ['result', 'mine/client.py'])).verdicts).toEqual([]);
  });

  it('leave it unknown how many threads had a task where only means of samples are kept', () => {
    const { verdicts, unknown } = about(4, 4, 2, 2, WAITING, 9);
    expect([verdicts, unknown.find(({ cause }) => cause === 'little-parallelism')?.why]).toEqual([
      [],
      expect.stringContaining('only means of samples are kept')
    ]);
    expect(about(4, 4, 2, 2, undefined, 9).unknown.map(({ cause }) => cause)).not.toContain('little-parallelism');
  });

  it('make it doubtful how many threads worked', () => {
    const run = made({
      ...{ rows: [{ lane: 0, prefix: 1, start: 0, duration: 10 }, ...tasks(2, 20, 0.5)], now: 10 },
      series: { executing: new Array(11).fill(2), computing: new Array(11).fill(1) }
    });
    const [one] = adviceOf(run).verdicts;
    expect([one.cause, one.confidence]).toEqual(['little-parallelism', 'medium']);
    expect(one.doubt).toMatch(/^Tasks had left their threads/);
  });
});

describe('coroutines', () => {
  /** Each worker runs two at once in the thread of its event loop. */
  const rows = [0, 1].flatMap(lane => [...tasks(lane, 50, 0.3), ...tasks(lane, 50, 0.3, 0.15)]);

  it('of a worker take as many of its threads as run at once', () => {
    const series = { assigned: new Array<number>(16).fill(4), processing: new Array<number>(16).fill(6) };
    const advice = adviceOf(made({ rows: rows.sort((a, b) => a.start - b.start), now: 15.2, series }));
    expect(advice.parts.compute / advice.capacity).toBeGreaterThan(0.97);
    expect(advice.verdicts).toEqual([]);
  });
});
