/** A client that takes results one after the other when nothing is left to compute, and a user who looks at some. */
import { describe, expect, it } from 'vitest';
import { newestPeriod, wholePeriod } from '../../../src/advice/period';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import { adviceOf, EPOCH, type Made, made, tasks, verdict } from './made';

function numbers<T>(length: number, value: (i: number) => T): T[] {
  return Array.from({ length }, (_, i) => value(i));
}

/** Ten seconds of work of all threads, and the times at which results were taken. */
function taken(times: readonly number[], more: Partial<Made> = {}): Run {
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 50, 0.2));
  const computations = [{ since: 0, last: 0, start: 0, stop: 10, submissions: 1, tasks: 200, done: 200 }];
  return step(made({ rows, computations, now: 100, ...more }), {
    time: EPOCH + 100,
    events: times.map(time => ({ time: time + EPOCH, topic: 'all', action: 'gather', text: '{"action": "gather", "count": 1}' }))
  });
}

/** Of a program that computes with each result for so long, from the first on. */
const slowly = (count: number, seconds: number): number[] => numbers(count, i => 0.3 + i * seconds);

describe('a client that works with one result after the other', () => {
  it('keeps a cluster that has nothing to do, from the last task to the last result', () => {
    const run = taken(slowly(200, 0.2));
    const advice = adviceOf(run);
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['client-waits']);
    const [first] = advice.verdicts;
    expect(first.title).toBe('The client takes results one by one');
    expect(first.sentence).toBe(
      'When all tasks had ended, the client took results one after the other: 151 times in 30.1 s. There was nothing to compute meanwhile. It costs 75 % of the time.'
    );
    expect(first.evidence.selection.period).toEqual({ from: EPOCH + 10, to: EPOCH + 40.1 });
    expect(advice.capacity).toBeCloseTo(4 * 40.1, 0);
    expect(advice.pauses).toBe(0);
    expect(newestPeriod(run)?.to).toBeCloseTo(EPOCH + 40.1, 5);
    // More than there are have been read before: something shows them.
    expect(adviceOf(taken(slowly(400, 0.2))).period?.to).toBeCloseTo(EPOCH + 40.1, 5);
    // A part of it.
    const part = verdict(adviceOf(run, { from: 20, to: 30 }), 'client-waits');
    expect(part?.sentence).toContain('50 times in 10.0 s. There was nothing to compute meanwhile. It costs 100 % of the time');
  });

  it('may take seconds for each, if there are many', () => {
    expect(verdict(adviceOf(taken(numbers(21, i => 8 + 6 * i))), 'client-waits')?.sentence).toContain('20 times in 1 m 58 s');
    // Of a loop that asks for each, the first comes while others still run.
    expect(verdict(adviceOf(taken(numbers(60, i => 9.95 + i / 10))), 'client-waits')?.sentence).toContain('59 times in 5.85 s');
  });
});

describe('a user who looks at results', () => {
  it.each([
    ['a few', [11, 14, 20, 25, 30, 38]],
    ['some, in one cell after the other', numbers(15, i => 12 + 5 * i)],
    ['all of them, but later', numbers(200, i => 30 + i / 10)],
    ['one, as a page that shows it does again and again', numbers(60, i => 12 + i)],
    ['one, as soon as it is there', [10.01]],
    ['all of them at once', numbers(200, i => 10 + i / 1000)]
  ])('keeps nothing waiting: %s', (_, times) => {
    const advice = adviceOf(taken(times));
    expect(advice.verdicts).toEqual([]);
    expect(advice.headline).toMatch(/^Nothing wrong found: (9[89]|100) % of thread time computing\.$/);
  });

  it('does not make the work longer', () => {
    expect(wholePeriod(taken([11, 14, 20]))).toEqual({ from: EPOCH, to: EPOCH + 10 });
  });
});

it('what another client computes meanwhile is no time without work', () => {
  // Tasks of a client that the collector does not follow: they are in no computation.
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 200, 0.2));
  expect(adviceOf(taken(slowly(200, 0.2), { rows })).verdicts).toEqual([]);
});

describe('rounds with more tasks than threads', () => {
  /** Eight rounds of six tasks on four threads, 0.3 s of the client after each; without it all would take 0.75 s a round. */
  const run = (each: number): Run => {
    const rows = numbers(8, i => i).flatMap(i =>
      numbers(each, k => ({ lane: k % 4, prefix: 0, start: 1.3 * i + 0.5 * Math.floor(k / 4), duration: 0.5, nbytes: 8 }))
    );
    const computations = [{ since: 0, last: 9.1, start: 0, stop: 10.1, submissions: 8, tasks: 8 * each }];
    return step(made({ rows, computations, now: 12 }), {
      time: EPOCH + 12,
      events: numbers(8, i => ({ time: EPOCH + 1.3 * i + 1.01, topic: 'all', action: 'gather', text: '{}' }))
    });
  };

  it('also cost what threads without a task lost at the end of each, as the work of the next had not been submitted', () => {
    const [first] = adviceOf(run(6)).verdicts;
    expect(first.cause).toBe('client-waits');
    // In each of seven rounds 4 × 0.3 s without any work, and 2 × 0.5 s beside the last two tasks.
    expect(first.cost.seconds).toBeCloseTo(7 * (1.2 + 1), 0);
    const even = adviceOf(run(8)).verdicts[0];
    expect(even.cost.seconds).toBeCloseTo(7 * 1.2, 0);
  });
});

it('a round is one, also if by the clock of the worker its task ends after the result was taken', () => {
  const rows = numbers(15, i => ({ lane: i % 4, start: 1.2 * i, duration: 1, nbytes: 8 }));
  const computations = [{ since: 0, last: 16.8, start: 0, stop: 17.8, submissions: 15, tasks: 15 }];
  const run = (late: number): Run =>
    step(made({ rows, computations, now: 18 }), {
      time: EPOCH + 18,
      events: numbers(15, i => ({ time: EPOCH + 1.2 * i + 1 + late, topic: 'all', action: 'gather', text: '{}' }))
    });
  for (const late of [0.005, -0.03]) {
    expect(verdict(adviceOf(run(late)), 'client-waits')?.sentence).toContain('results were requested 14 times');
  }
});

it.each([1, 20])(
  'a round whose task fails is one, though the client gets the exception without taking a result: every %i s',
  scale => {
    // Every fifth fails. Steps of a long period are longer than those of a short one.
    const fails = (i: number): boolean => i % 5 === 2;
    const rows = numbers(20, i => ({
      lane: i % 4,
      start: scale * i,
      duration: 0.8 * scale,
      nbytes: 8,
      status: Number(fails(i))
    }));
    const gathers = numbers(20, i => i).filter(i => !fails(i));
    const computations = [{ since: 0, last: 19 * scale, start: 0, stop: 19.8 * scale, submissions: 20, tasks: 20 }];
    const run = step(made({ rows, computations, now: 20 * scale }), {
      time: EPOCH + 20 * scale,
      events: gathers.map(i => ({ time: EPOCH + scale * (i + 0.8) + 0.01, topic: 'all', action: 'gather', text: '{}' }))
    });
    const loop = verdict(adviceOf(run), 'client-waits');
    expect(loop?.sentence).toContain('results were requested 19 times before the next work was submitted (1 task each time');
    // One of four computes for 0.8 of the time.
    const idle = loop?.evidence.figures.find(({ label }) => label === 'Threads that ran nothing in these rounds');
    expect(idle?.value).toBeCloseTo(0.8, 1);
  }
);

it('rounds are found in a long period, also where many tasks of each fail', () => {
  // Three of four threads have only such tasks.
  const rows = numbers(20, i => 20 * i).flatMap(begin =>
    numbers(80, k => ({
      lane: k % 4,
      start: begin + 0.8 * Math.floor(k / 4),
      duration: 0.8,
      nbytes: 8,
      status: Number(k % 4 > 0)
    }))
  );
  const computations = [{ since: 0, last: 380, start: 0, stop: 396, submissions: 20, tasks: 1600 }];
  const run = step(made({ rows, computations, now: 400 }), {
    time: EPOCH + 400,
    events: numbers(20, i => ({ time: EPOCH + 20 * i + 16.01, topic: 'all', action: 'gather', text: '{}' }))
  });
  expect(verdict(adviceOf(run), 'client-waits')?.sentence).toContain('results were requested 19 times');
});
