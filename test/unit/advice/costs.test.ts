/** What causes cost besides the time in which threads did nothing at all. */
import { describe, expect, it } from 'vitest';
import type { Cause, Verdict } from '../../../src/advice/advice';
import { factsOf } from '../../../src/advice/facts';
import { claimIn, claimOf, grant, lostIn } from '../../../src/advice/spans';

import type { TopicBody } from '../../../src/feed/frame';
import { ATTEMPT_END, WORKER_STATUS } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import type { Row } from '../run/synthetic';
import { translate } from '../translate';
import { adviceOf, EPOCH, made, PAUSES, PAUSES_BY, tasks, verdict } from './made';

const LANES = [0, 1, 2, 3];

function found(run: Run, cause: Cause): Verdict {
  const advice = adviceOf(run);
  const one = verdict(advice, cause);
  expect(one, `${advice.headline} ${JSON.stringify(advice.unknown)}`).toBeDefined();
  return one as Verdict;
}

describe('workers that are paused', () => {
  it('until their tasks are cancelled lose that time, too, though nothing ended in it', () => {
    const text = new Array<string>(2).fill(PAUSES[0]);
    const logs: TopicBody = {
      columns: { time: new Float64Array(2).fill(EPOCH + 2), level: new Uint8Array(2), server: Uint32Array.of(1, 2) },
      scalars: { first: 0, lost: 0, name: ['', ''], logger: [PAUSES_BY, PAUSES_BY], text }
    };
    const paused = new Uint8Array(2).fill(WORKER_STATUS.indexOf('paused'));
    const workers: TopicBody = {
      columns: { id: Uint32Array.of(0, 1), status: paused, nthreads: new Uint32Array(2).fill(2) },
      scalars: {}
    };
    const processing = Array.from({ length: 21 }, (_, i) => (i >= 1 && i <= 12 ? 8 : 0));
    const rows = LANES.flatMap(lane => tasks(lane, 10, 0.2));
    const computations = [{ since: 0, last: 0, start: 0, stop: 2, tasks: 60, done: 40, dropped: 20 }];
    const run = made({ rows, now: 20, series: { processing }, computations, topics: { logs, workers } });
    const one = found(run, 'paused');
    const { period, parts } = adviceOf(run);
    expect((period?.to ?? 0) - EPOCH).toBeCloseTo(12, 3);
    expect(one.cost.seconds).toBeCloseTo(4 * 10, 0);
    // They had been submitted.
    expect(parts.outside).toBeLessThan(0.1);
  });
});

describe('a second', () => {
  /** Tiny tasks while the scheduler is late, 12 s of 20 s lost between them; then 20 s of longer ones, 7 s between these. */
  const run = (): Run => {
    const rows = LANES.flatMap(lane => [...tasks(lane, 2000, 0.004, 0, 0.006), ...tasks(lane, 222, 0.06, 20, 0.03, 1)]);
    const [late, all] = [(i: number): number => (i >= 1 && i <= 20 ? 0.15 : 0.02), Array.from({ length: 41 }, (_, i) => i)];
    const columns = { scheduler_tick: all.map(late), scheduler_cpu: all.map(() => 90) };
    const computations = [
      { since: 0, last: 0, start: 0, stop: 20, tasks: 8000, cell: 1 },
      { since: 20, last: 20, start: 20, stop: 40, tasks: 888, cell: 2 }
    ];
    return made({ rows, now: 40, columns, computations, series: { processing: all.map(() => 8) } });
  };

  it('that one cause has is not given to another, though other seconds of the kind are left', () => {
    const advice = adviceOf(run());
    expect(verdict(advice, 'small-tasks')?.cost.seconds).toBeCloseTo(4 * 12, 0);
    // What was late is the same time, and what is left of the period has nothing to do with it.
    expect(verdict(advice, 'late-event-loops')).toBeUndefined();
    expect(advice.unexplained.seconds + advice.verdicts.reduce((sum, { cost }) => sum + cost.seconds, 0)).toBeCloseTo(
      4 * (12 + 222 * 0.03),
      -1
    );
  });

  it('is there for the next cause as far as the first has only some of its threads', () => {
    const spans = [{ from: EPOCH, to: EPOCH + 10, threads: 1 }];
    const facts = factsOf(run(), { from: EPOCH, to: EPOCH + 20 }, true, translate);
    const all = lostIn(facts, spans, ['overhead']).overhead ?? 0;
    const { byStep } = facts.partition;
    const first = grant(facts, byStep, [{ time: { overhead: all }, spans }]);
    expect(first.seconds).toBeCloseTo(all, 6);
    const [half] = [{ from: EPOCH, to: EPOCH + 10 }];
    expect(grant(facts, first.left, [claimIn(facts, [half], ['overhead'])]).seconds).toBeCloseTo(4 * 6 - all, 1);
    expect(grant(facts, first.left, [claimIn(facts, [half], ['overhead'], [half])]).seconds).toBe(0);
    // What has no time is taken from anywhere.
    expect(grant(facts, first.left, [{ time: { overhead: 1e9 } }]).seconds).toBeCloseTo(4 * 12 - all, 1);
    expect(byStep.overhead.every((seconds, i) => seconds >= first.left.overhead[i] && first.left.overhead[i] >= 0)).toBe(true);
  });
});

describe('a claim', () => {
  // All four threads are between two tasks at the same time.
  const run = made({ rows: LANES.flatMap(lane => tasks(lane, 250, 0.05, 0, 0.03)), now: 20 });
  const facts = factsOf(run, { from: EPOCH, to: EPOCH + 20 }, true, translate);
  const { byStep, parts } = facts.partition;
  const all = [{ from: EPOCH, to: EPOCH + 20 }];

  it('without the threads of others gets what is its own, also where an earlier one has had the time of those', () => {
    const one = [{ ...all[0], threads: 1 }];
    const [first, second] = [claimIn(facts, one, ['overhead']), claimIn(facts, all, ['overhead'], one)];
    const before = grant(facts, byStep, [first]);
    const after = grant(facts, before.left, [second]);
    expect(before.seconds + after.seconds).toBeCloseTo(parts.overhead, 6);
    expect(after.seconds / before.seconds).toBeCloseTo(3, 1);
    // In the other order, too.
    expect(grant(facts, byStep, [second]).seconds).toBeCloseTo(after.seconds, 6);
  });

  it('of which the time of each step is known leaves to others all that is theirs', () => {
    const half = byStep.overhead.length / 2;
    // More of the first half.
    const own = byStep.overhead.map((seconds, i) => seconds * (i < half ? 0.9 : 0.1));
    const rest = byStep.overhead.map((seconds, i) => seconds - own[i]);
    const [first, second] = [
      claimOf('overhead', own),
      claimOf(
        'overhead',
        rest.map((seconds, i) => (i < half ? 0 : seconds))
      )
    ];
    const before = grant(facts, byStep, [first]);
    const after = grant(facts, before.left, [second]);
    expect([before.seconds, after.seconds]).toEqual([first, second].map(({ time }) => expect.closeTo(time.overhead ?? 0, 6)));
    expect(after.left.overhead.slice(half).every(seconds => Math.abs(seconds) < 1e-9)).toBe(true);
  });
});

describe('attempts that are retried beside tasks that were cancelled', () => {
  it('have their own time, and leave theirs to the others', () => {
    const attempts: TopicBody = {
      columns: Object.fromEntries(
        ['id', 'retried', 'rescheduled', 'lost'].map(name => [name, Uint32Array.of(name === 'retried' ? 4 : 0)])
      ),
      moves: {
        number: Uint32Array.of(0, 1, 2, 3),
        prefix: new Uint32Array(4),
        how: new Uint8Array(4).fill(ATTEMPT_END.indexOf('retried')),
        // One beside three cancelled tasks, then three.
        begin: Float64Array.of(5, 15, 15, 15).map(time => EPOCH + time),
        end: Float64Array.of(15, 25, 25, 25).map(time => EPOCH + time)
      },
      scalars: { first: 0 }
    };
    const cell = (since: number, stop: number): Record<string, number> => ({ since, last: since, start: since, stop, tasks: 20 });
    const cancelled = Array.from({ length: 31 }, (_, i) => (i >= 5 && i < 15 ? 3 : 0));
    const run = made({
      rows: [0, 25].flatMap(from => LANES.flatMap(lane => tasks(lane, 5, 1, from))),
      computations: [cell(0, 30)],
      series: { cancelled },
      topics: { attempts },
      now: 30
    });
    const costs = ['retries', 'cancelled-tasks'].map(cause => found(run, cause as Cause).cost.seconds);
    expect(costs).toEqual([40, 30].map(seconds => expect.closeTo(seconds, 0)));
  });
});

describe('tasks that take longer while results are spilled', () => {
  /** Ten tasks a thread before the first bytes are on disk at 3 s, and ten after it. */
  const run = (longer: number, nbytes = 100): Run => {
    const later = (row: Row): Row => ({ ...row, nbytes });
    const rows = LANES.flatMap(lane => [...tasks(lane, 10, 0.3), ...tasks(lane, 10, 0.3 * longer, 3).map(later)]);
    const spilled = Array.from({ length: 14 }, (_, i) => (i < 4 ? 0 : i * 2 ** 20));
    return made({ rows, now: 14, series: { spilled } });
  };

  it('cost by how much', () => {
    const one = found(run(3), 'spilling');
    // What ended after the last change of the bytes does not count, nor what began before the first.
    expect(one.cost.seconds).toBeGreaterThan(4 * 10 * 0.6 * 0.9);
    expect(one.cost.seconds).toBeLessThanOrEqual(4 * 10 * 0.6 + 0.1);
    expect(one.confidence).toBe('medium');
    expect(one.doubt).toContain('other reasons');
  });

  it('do not by chance, nor where they make more', () => {
    for (const other of [run(1.2), run(3, 200)]) {
      expect(found(other, 'spilling').cost.seconds).toBeCloseTo(0, 3);
      expect(found(other, 'spilling').confidence).toBe('high');
    }
  });
});

it('waiting for disk is as long as was measured, also where a part of it has another cause', () => {
  const rows = LANES.flatMap(lane => tasks(lane, 10, 0.1, 0, 0.2));
  const moves = rows.map((row, at) => ({ at, kind: 2, start: row.start + 0.1, duration: 0.2 }));
  const logs: TopicBody = {
    columns: { time: Float64Array.of(EPOCH), level: new Uint8Array(1), server: Uint32Array.of(2) },
    scalars: { first: 0, lost: 0, name: [''], logger: [PAUSES_BY], text: [PAUSES[0]] }
  };
  const status = Uint8Array.of(2, WORKER_STATUS.indexOf('paused'));
  const workers: TopicBody = { columns: { id: Uint32Array.of(0, 1), status, nthreads: Uint32Array.of(2, 2) }, scalars: {} };
  const one = found(made({ rows, moves, series: { spilled: [0, 2 ** 30, 2 ** 30] }, topics: { logs, workers } }), 'spilling');
  expect(one.cost.share).toBeLessThan(0.4);
  expect(one.sentence).toMatch(
    /, and threads waited 8\.00 s for disk\. It costs 3\d % of the time\. The share is without what other causes explain\.$/
  );
});

describe('results that are written while few tasks can run', () => {
  const written = (bytes: number): Run =>
    made({
      rows: tasks(0, 100, 1),
      now: 100,
      series: { spilled: Array.from({ length: 101 }, (_, i) => i * bytes) },
      computations: [{ since: 0, last: 0, start: 0, stop: 100, tasks: 100 }]
    });

  it('cost no longer than it takes to write them', () => {
    expect(adviceOf(written(1e5)).verdicts[0].cause).toBe('little-parallelism');
    expect(found(written(1e5), 'spilling').cost.seconds).toBeCloseTo(4, 0);
    expect(found(written(1e7), 'spilling').cost.seconds).toBeGreaterThan(290);
  });
});

describe('a graph that is large', () => {
  const rows = LANES.flatMap(lane => tasks(lane, 10, 0.1, 5, 0.2));
  const graph = (values: Readonly<Record<string, number>>): Run =>
    made({ rows, computations: [{ since: 4, last: 4, start: 5, stop: 7.9, submissions: 1, graph: 3e5, ...values }] });

  it('costs the time until its first task starts, but no longer than it was read', () => {
    expect(found(graph({ reading: 2, tasks: 20_000 }), 'large-graph').cost.seconds).toBeCloseTo(4 * (2 + 1), 1);
    expect(found(graph({ reading: 0.75, tasks: 20_000 }), 'large-graph').cost.seconds).toBeCloseTo(4 * (0.75 + 0.75), 1);
  });

  it('costs what threads lose between tasks if these are large, too: workers unpack them', () => {
    const idle = 1 + 9 * 0.2;
    expect(found(graph({ reading: 2, tasks: 40 }), 'large-graph').cost.seconds).toBeCloseTo(4 * (2 + Math.min(2, idle)), 1);
  });
});

describe('data that is sent with the graph', () => {
  const chain = (graph: number): Run => {
    const values = { since: 0, last: 0, start: 0, stop: 600, submissions: 1, tasks: 20, reading: 0.1, graph };
    return made({ rows: tasks(0, 20, 30), computations: [values], now: 600 });
  };

  it('costs no longer than it takes to send it: a chain of tasks takes as long without it', () => {
    const small = chain(12 * 2 ** 20);
    expect(adviceOf(small).verdicts[0].cause).toBe('little-parallelism');
    expect(found(small, 'data-by-value').sentence).toContain('12.0 MiB were sent with the graphs of 20 tasks');
    expect(found(small, 'data-by-value').cost.share).toBeLessThan(0.02);
    expect(found(chain(2 ** 30), 'data-by-value').cost.share).toBeGreaterThan(0.5);
  });

  it('is not what threads wait for while workers run all that they have, and none is on its way', () => {
    // A table of 500 MB from the client, then one group of it that takes 50 s.
    const rows = [...LANES.flatMap(lane => tasks(lane, 12, 0.8, 0.2, 0.01)), { lane: 0, prefix: 1, start: 10, duration: 50 }];
    const values = { since: 0, last: 0, start: 0, stop: 60, submissions: 1, tasks: 49, reading: 0.5, graph: 5e8 };
    const run = (waiting: number): Run => {
      const running = Array.from({ length: 61 }, (_, i) => (i < 10 ? 4 : i < 60 ? 1 : 0));
      const had = running.map(each => (each === 1 ? each + waiting : each));
      const series = { processing: had, executing: running, computing: running, assigned: running };
      return made({ rows, computations: [values], now: 60, series });
    };
    const { verdicts } = adviceOf(run(0));
    expect(verdicts.map(({ cause }) => cause)).toEqual(['little-parallelism', 'data-by-value']);
    expect(verdicts[1].cost.share).toBeLessThan(0.05);
    // Where tasks are on their way, threads may wait for their data.
    expect(adviceOf(run(3)).verdicts[0].cause).toBe('data-by-value');
  });

  it('is reported from the size on of which Dask warns', () => {
    const reported = (graph: number): boolean => verdict(adviceOf(chain(graph)), 'data-by-value') !== undefined;
    expect([reported(9_999_999), reported(10_000_000)]).toEqual([false, true]);
  });

  it('is not what a client does between the rounds of its loop, except for what is measured', () => {
    // 1 MB each time, and half a second of thought.
    const rows = Array.from({ length: 30 }, (_, i) => tasks(i % 4, 1, 0.1, 0.6 * i + 0.02)).flat();
    const values = { since: 0.01, last: 17.41, start: 0.02, stop: 17.52, submissions: 30, tasks: 30, graph: 3e7, reading: 0.3 };
    const events = rows.map(({ start }) => ({ time: EPOCH + start + 0.11, topic: 'all', action: 'gather', text: '{}' }));
    const loop = (more: Record<string, number> = {}): Run =>
      step(made({ rows, computations: [{ ...values, ...more }] }), { time: EPOCH + 100, events });
    const { verdicts } = adviceOf(loop());
    expect(verdicts.map(({ cause }) => cause)).toEqual(['client-waits', 'data-by-value']);
    expect(verdicts[0].cost.share).toBeGreaterThan(0.9);
    expect(verdicts[1].cost.seconds).toBeLessThan(4 * 0.3 + 0.5);
    // Packing it took a third of the time.
    expect(found(loop({ packing: 6 }), 'data-by-value').cost.seconds).toBeCloseTo(4 * 6.3, -1);
  });

  it('is not reported of a time long after it was sent', () => {
    const part = (from: number): Verdict | undefined =>
      verdict(adviceOf(chain(12 * 2 ** 20), { from, to: from + 10 }), 'data-by-value');
    expect(part(0)?.cost.share).toBeGreaterThan(0.2);
    expect(part(300)).toBeUndefined();
  });
});
