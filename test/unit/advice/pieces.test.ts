/** Work that comes piece by piece: from a client that takes its time, or at the beat of a clock, which is nobody's fault. */
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import type { Advice } from '../../../src/advice/advice';
import { adviceOf, EPOCH, gathersAt, type Made, made, tasks, verdict } from './made';

function numbers<T>(length: number, value: (i: number) => T): T[] {
  return Array.from({ length }, (_, i) => value(i));
}

/** Between -1 and 1, without a pattern, the same each time. */
function noise(i: number): number {
  let x = Math.imul(i + 1, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 31 - 1;
}

function causes(run: Run): readonly string[] {
  return adviceOf(run).verdicts.map(({ cause }) => cause);
}

describe('a batch of four tasks after the other', () => {
  /** Each takes 150 ± 30 ms. */
  const took = (i: number): number => 0.15 + 0.03 * noise(i);
  const run = (begins: readonly number[], each = 4, taken = true): Run => {
    const rows = begins.flatMap((from, i) => numbers(each, lane => tasks(lane, 1, took(i), from)[0]));
    const computations = begins.map((since, i) => ({
      ...{ since, last: since, start: since, stop: since + took(i) },
      ...{ submissions: each, tasks: each }
    }));
    const now = begins[begins.length - 1] + 1;
    const events = (taken ? begins : []).map((from, i) => ({
      time: EPOCH + from + took(i) + 0.005,
      topic: 'all',
      action: 'gather',
      text: '{}'
    }));
    return step(made({ rows, computations, now }), { time: EPOCH + now, events });
  };
  /** The client needs 350 ms for the results of each. */
  const looped = (count: number): number[] => {
    let at = 0;
    return numbers(count, i => (at += took(i) + 0.35 + 0.005 * noise(100 + i)));
  };

  it('waits for a client that works with the results before it submits more', () => {
    for (const count of [5, 16, 40]) {
      expect(causes(run(looped(count))), String(count)).toEqual(['client-waits']);
    }
  });

  it('waits for a client that takes now long and now short, however near to a line that is in the sum', () => {
    let at = 0;
    const begins = numbers(20, i => (at += took(i) + 0.1 - 0.4 * Math.log((1 + noise(200 + i)) / 2)));
    expect(causes(run(begins))).toEqual(['client-waits']);
  });

  it('waits for nobody where each comes at its time, also if some do not come or there are few tasks', () => {
    const stream = numbers(40, i => 0.5 * i + 0.004 * noise(100 + i));
    const gaps = stream.filter((_, i) => i !== 7 && i !== 20 && i !== 21);
    for (const each of [run(stream), run(gaps), run(stream, 2)]) {
      const advice = adviceOf(each);
      expect(advice.verdicts).toEqual([]);
      expect(advice.headline).toMatch(
        /^No cause found: \d+ % of thread time computing, \d+ % not explained\. Work comes at equal intervals, as in a stream in real time or from a client that takes as long each time, and is done before there is more\.$/
      );
    }
  });

  it('is not known to keep time after a few, which is a doubt', () => {
    const [one, ...others] = adviceOf(run(numbers(10, i => 0.5 * i + 0.004 * noise(100 + i)))).verdicts;
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      ...{ cause: 'client-waits', confidence: 'medium' },
      doubt: expect.stringMatching(/^The rounds begin at about equal intervals: if a clock sets them/)
    });
    // The client takes longer for some results, by chance so that a clock would fit.
    let at = 0;
    const uneven = [0.288, 1.286, 1.169, 0.457, 0.794, 0.729, 1.012, 1.204, 0.231, 0.14].map((each, i) => (at += took(i) + each));
    expect(adviceOf(run(uneven)).verdicts[0]).toMatchObject({
      confidence: 'low',
      doubt: expect.stringMatching(/^If work comes at a pace/)
    });
  });

  it('may come when it comes, which is a doubt where pauses differ much, and none where they are alike', () => {
    const begins = (pauses: readonly number[]): number[] => {
      let at = 0;
      return pauses.map((pause, i) => (at += took(i) + pause));
    };
    const said = (pauses: readonly number[]): unknown => adviceOf(run(begins(pauses))).verdicts[0];
    // Pauses of a recorded stream of batches, and of a client that draws a picture after each.
    expect(said([0.84, 0.9, 0.64, 0.7, 0.77, 0.37, 0.65, 0.76, 0.97, 0.29])).toMatchObject({
      ...{ cause: 'client-waits', confidence: 'low' },
      doubt: 'If work comes at a pace of its own, as from a sensor or a queue, nothing can be gained.'
    });
    expect(adviceOf(run(looped(10))).verdicts[0].confidence).not.toBe('low');
  });
});

describe('rounds after which no results are taken, as of persist() and wait()', () => {
  /** Sixteen tasks of 80 ms on four threads, with 8 ms between two of a thread; the client needs about 400 ms after each round. */
  const length = 4 * 0.088;
  const run = (begins: readonly number[], graphs = begins.length, last = begins[begins.length - 1] - 0.01): Run => {
    const rows = begins.flatMap(from => [0, 1, 2, 3].flatMap(lane => tasks(lane, 4, 0.08, from, 0.008)));
    const stop = begins[begins.length - 1] + length;
    const computations = [{ since: 0, last, start: 0.01, stop, submissions: graphs, tasks: rows.length, done: rows.length }];
    return made({ rows, now: stop + 1, computations });
  };
  const looped = (count: number, pause: (i: number) => number): number[] => {
    let at = 0.01 - length;
    return numbers(count, i => (at += length + (i === 0 ? 0 : pause(i))));
  };

  it('wait for the client', () => {
    const [one, ...others] = adviceOf(run(looped(40, i => 0.4 + 0.02 * noise(i)))).verdicts;
    expect(others).toEqual([]);
    expect(one.sentence).toMatch(
      /^The cluster waits for the client: all work had been done 39 times before the next was submitted \(16 tasks each time, 15\.\d+ s without any work in all\)\. It costs 5\d % of the time\.$/
    );
    expect(one).toMatchObject({ confidence: 'medium', doubt: expect.stringMatching(/^If work comes at a pace of its own/) });
    const [irregular] = adviceOf(run(looped(40, i => 0.4 + 0.3 * noise(i)))).verdicts;
    expect(irregular).toMatchObject({ cause: 'client-waits', confidence: 'low' });
  });

  it('are none where all had been submitted before, in one graph, or where pauses are as long as those between tasks', () => {
    const begins = looped(20, i => 0.4 + 0.02 * noise(i));
    for (const each of [run(begins, 20, 0.02), run(begins, 1), run(begins, 40), run(looped(20, () => 0.012))]) {
      expect(causes(each)).not.toContain('client-waits');
    }
  });

  /** Rounds of two tasks of 2 s, after pauses. */
  const few = (pauses: readonly number[]): Run => {
    let at = 0;
    const begins = pauses.map(pause => {
      at += pause + 2;
      return at - 2;
    });
    const rows = begins.flatMap(from => [0, 1].map(lane => tasks(lane, 1, 2, from)[0]));
    const computations = [
      { since: 0, last: at - 2, start: 0, stop: at, submissions: begins.length, tasks: rows.length, done: rows.length }
    ];
    return made({ rows, now: at, computations });
  };

  it('of fewer tasks than there are threads have too few tasks: only pauses are the time of the client', () => {
    const advice = adviceOf(few(numbers(6, i => (i === 0 ? 0 : 0.15))));
    expect(advice.verdicts).toMatchObject([{ cause: 'little-parallelism', cost: { share: expect.closeTo(0.48, 1) } }]);
    const both = adviceOf(few(numbers(12, i => (i === 0 ? 0 : 1.5 + 0.05 * noise(300 + i)))));
    expect(verdict(both, 'client-waits')).toMatchObject({
      ...{ confidence: 'medium', cost: { share: expect.closeTo(0.41, 1) } },
      doubt: expect.stringMatching(/^(If work comes at a pace of its own|The rounds begin at about equal intervals)/)
    });
    expect(verdict(both, 'little-parallelism')?.cost.share).toBeCloseTo(0.3, 1);
    // Pauses as of a stream make it uncertain also where its tasks take longer.
    const stream = adviceOf(few(numbers(12, i => (i === 0 ? 0 : 1.5 + 1.2 * noise(i)))));
    expect(verdict(stream, 'client-waits')?.confidence).toBe('low');
  });

  it('wait for nobody where each comes at its time, also in a period of which times are known to a tenth of a second', () => {
    const rows = numbers(3600, i => tasks(i % 4, 1, 0.2 + 0.02 * noise(i), i + 0.004 * noise(9000 + i))[0]);
    const computations = [{ since: 0, last: 3599, start: 0, stop: 3599.2, submissions: 3600, tasks: 3600, done: 3600 }];
    expect(causes(made({ rows, now: 3600, computations }))).toEqual([]);
  });

  it('wait for nobody where each comes at its time', () => {
    const advice = adviceOf(run(numbers(40, i => 0.01 + 0.8 * i + 0.004 * noise(i))));
    expect(advice.headline).toContain('Work comes at equal intervals');
  });
});

describe('tasks that are submitted one by one while others run', () => {
  /** Each takes 300 ms; the first thread that is free has it. */
  const run = (starts: readonly number[], submissions = starts.length, last = starts[starts.length - 1], client = ''): Run => {
    const rows = starts.map((start, i) => tasks(i % 4, 1, 0.3, start)[0]);
    const stop = starts[starts.length - 1] + 0.3;
    const computations = [{ since: 0, last, start: 0, stop, submissions, tasks: starts.length }];
    return made({ rows, now: stop, computations, clients: [client] });
  };
  /** A client that needs 200 ms for each result before it submits the next task. */
  const followed = (count: number): number[] => {
    let at = 0;
    return numbers(count, i => (at += 0.2 + 0.02 * noise(i)));
  };

  it('wait for the client: it is not said that too few can run at once', () => {
    const advice = adviceOf(run(followed(60)));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['client-waits']);
    const [one] = advice.verdicts;
    expect(one.sentence).toMatch(
      /^The cluster waits for the client: it submitted tasks 60 times, a few at a time, and meanwhile 1\.5 of 4 threads worked\. It costs 6\d % of the time\.$/
    );
    expect(one.remedy).toMatch(/^The client submits tasks one by one while others run/);
    expect(one).toMatchObject({ confidence: 'medium', doubt: expect.stringContaining('at a pace of its own') });
    expect(one.cost.share).toBeGreaterThan(0.55);
  });

  it('in three batches of one cell are submitted one by one in each of them', () => {
    // The first task of a batch comes when the client has the results of the batch before.
    let at = 0;
    const begins = numbers(120, i => (at += 0.2 + 0.02 * noise(i) + (i === 40 || i === 80 ? 0.5 : 0)));
    const rows = begins.map((start, i) => tasks(i % 4, 1, 0.3, start)[0]);
    const [last, stop] = [begins[119], begins[119] + 0.3];
    const computations = [{ since: 0, last, start: 0, stop, submissions: 120, tasks: 120, cell: 3 }];
    const events = gathersAt([39, 79, 119].map(i => begins[i] + 0.31));
    const advice = adviceOf(made({ rows, now: stop + 0.1, computations, topics: { events } }));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['client-waits']);
    expect(advice.verdicts[0].sentence).toContain('it submitted tasks 120 times, a few at a time');
  });

  it('three at a time, of which each needs the one before, are rounds of a loop that asks for the last result', () => {
    const steps = (counts: readonly number[]): Run => {
      let at = 0;
      const ends: number[] = [];
      const rows = counts.flatMap((count, round) => {
        const length = 0.1 + 0.03 * noise(round);
        const chain = numbers(count, i => tasks(i % 4, 1, length, at + (length + 0.01) * i)[0]);
        at += (length + 0.01) * count + 0.1;
        ends.push(at - 0.1);
        return chain;
      });
      const computations = [{ since: 0, last: at - 0.3, start: 0, stop: at, submissions: rows.length, tasks: rows.length }];
      const events = ends.map(end => ({ time: EPOCH + end, topic: 'all', action: 'gather', text: '{}' }));
      return step(made({ rows, now: at, computations }), { time: EPOCH + at, events });
    };
    const [one] = adviceOf(steps(numbers(20, () => 3))).verdicts;
    expect(one.sentence).toMatch(/^The cluster waits for the client: results were requested 19 times .* \(3 tasks each time, /);
    expect(one.doubt).toMatch(/^If each round needs the result of the last one/);
    // A client that submits the next task when one has ended runs out of tasks now and then.
    const [other] = adviceOf(steps([3, 7, 2, 9, 5, 4, 8, 12, 6, 4])).verdicts;
    expect(other.sentence).toContain('it submitted tasks 60 times, a few at a time');
  });

  it('and of which as many are under way as there are threads wait for nobody: at the end there are fewer of them', () => {
    // A search: as_completed().add() of a new trial of 0.5 to 2 s whenever one has ended, on four threads.
    const search = (seed: number): Run => {
      const free = [0, 0, 0, 0];
      const rows = numbers(24, i => {
        const lane = free.indexOf(Math.min(...free));
        const start = free[lane] + (i < 4 ? 0 : 0.01);
        const [row] = tasks(lane, 1, 1.25 + 0.75 * noise(seed + i), start);
        free[lane] = start + row.duration;
        return row;
      });
      const [stop, last] = [Math.max(...free), Math.max(...rows.map(({ start }) => start)) - 0.005];
      return made({ rows, now: stop, computations: [{ since: 0, last, start: 0, stop, submissions: 24, tasks: 24, cell: 1 }] });
    };
    const seeds = numbers(20, i => 100 * i);
    expect(seeds.filter(seed => causes(search(seed)).includes('client-waits'))).toEqual([]);
    // What is lost at the end is said to be that.
    expect(seeds.some(seed => causes(search(seed)).includes('little-parallelism'))).toBe(true);
  });

  it('have no cause where they come at their time for long enough to know it', () => {
    const stream = (count: number): Run => run(numbers(count, i => 0.2 * i + 0.01 * noise(i) + 0.01));
    // Of fewer, it is uncertain: cards and marks do not say it.
    for (const count of [16, 50]) {
      expect(adviceOf(stream(count)).verdicts).toMatchObject([{ cause: 'client-waits', confidence: 'low' }]);
    }
    const advice = adviceOf(stream(80));
    expect(advice.verdicts).toEqual([]);
    expect(advice.headline).toContain('Work comes at equal intervals');
  });

  it('may come when they come, unless each comes when another one has ended', () => {
    let at = 0;
    const irregular = numbers(40, i => (at += 0.05 - 0.2 * Math.log((1 + noise(300 + i)) / 2)));
    expect(adviceOf(run(irregular)).verdicts[0]).toMatchObject({ cause: 'client-waits', confidence: 'low' });
    // Two at a time, of now long and now short tasks.
    const free = [0, 0];
    const rows = numbers(40, i => {
      const lane = free.indexOf(Math.min(...free));
      const [row] = tasks(lane, 1, 0.3 + 0.2 * noise(400 + i), free[lane] + 0.01);
      free[lane] = row.start + row.duration;
      return row;
    });
    const [last, stop] = [Math.min(...free), Math.max(...free)];
    const following = made({ rows, now: stop, computations: [{ since: 0, last, start: 0, stop, submissions: 40, tasks: 40 }] });
    expect(adviceOf(following).verdicts[0]).toMatchObject({ cause: 'client-waits', confidence: 'medium' });
  });

  it('wait for a client that does something with each result before it submits the next, now long and now short', () => {
    // as_completed() of three tasks of 300 ms, from a client that needs 20 to 220 ms for a result.
    const rows = [0, 1, 2].flatMap(lane => tasks(lane, 1, 0.3));
    const ends = [0.3, 0.3, 0.3];
    const taken: number[] = [];
    let at = 0;
    for (let i = 0; i < 60; i++) {
      const end = Math.min(...ends);
      taken.push(Math.max(at, end) + 0.005);
      at = taken[i] + 0.12 + 0.1 * noise(i);
      const lane = ends.indexOf(end);
      rows.push(...tasks(lane, 1, 0.3, at));
      ends[lane] = at + 0.3;
    }
    const computations = [{ since: 0, last: at, start: 0, stop: at + 0.3, submissions: 63, tasks: 63 }];
    const one = (times: readonly number[]) =>
      verdict(adviceOf(made({ rows, now: at + 0.3, computations, topics: { events: gathersAt(times) } })), 'client-waits');
    expect(one(taken)?.confidence).toBe('medium');
    // What callbacks take, they take whenever something ends.
    const whenever = taken.map((time, i) => time + 0.3 * Math.abs(noise(i)));
    expect([one(whenever)?.confidence, one([])?.confidence]).toEqual(['low', 'low']);
  });

  it('are too few at once where other tasks submit them: no client is waited for', () => {
    const of = (client: string): readonly string[] => causes(run(followed(60), 60, undefined, client));
    expect(of('Client-worker-0b0c0d0e-0000-11f0-8000-000000000000')).toEqual(['little-parallelism']);
    expect(of('Client-0b0c0d0e-0000-11f0-8000-000000000000')).toEqual(['client-waits']);
  });

  it('are too few at once where they were submitted long before, or with the graphs of others', () => {
    expect(causes(run(followed(60), 60, 1))).toEqual(['little-parallelism']);
    expect(causes(run(followed(60), 4))).toEqual(['little-parallelism']);
    expect(causes(run(followed(8)))).toEqual(['little-parallelism']);
  });

  it('are not what the others wait for that came with one graph', () => {
    const chain = numbers(60, i => tasks(0, 1, 0.3, 20 + 0.3 * i)[0]);
    const pieces = followed(20).map((start, i) => tasks(i % 4, 1, 0.3, start)[0]);
    const computations = [
      { since: 0, last: 4, start: 0, stop: 4.4, submissions: 20, tasks: 20 },
      { since: 20, last: 20, start: 20, stop: 38, submissions: 1, tasks: 60 }
    ];
    const advice = adviceOf(made({ rows: [...pieces, ...chain], now: 38, computations }));
    expect(verdict(advice, 'client-waits')).toBeUndefined();
    expect(verdict(advice, 'little-parallelism')?.sentence).toContain('for up to 18.0 s, 1.0 of 4 threads worked');
  });
});

describe('a few rounds with seconds between them', () => {
  const LANES = [0, 1, 2, 3];
  const of = (begins: readonly number[], each: number, cells: readonly number[], graph = 0, series: Made['series'] = {}) => {
    const rows = begins.flatMap(begin => LANES.flatMap(lane => tasks(lane, 2, each / 2, begin)));
    const now = begins[begins.length - 1] + each;
    const graphs = { tasks: 8, done: 8, submissions: 1 };
    // What one cell submits is one computation.
    const computations =
      cells.length === 1
        ? [
            {
              ...{ since: begins[0], last: begins[begins.length - 1], start: 0, stop: now },
              submissions: begins.length,
              ...{ tasks: 24, graph, cell: cells[0] }
            }
          ]
        : begins.map((begin, i) => ({
            ...graphs,
            since: begin,
            last: begin,
            start: begin,
            stop: begin + each,
            cell: cells[i] ?? 0
          }));
    const events = gathersAt(begins.map(begin => begin + each + 0.02));
    return adviceOf(made({ rows, computations, now, series, topics: { events } }));
  };

  it('of one cell wait for its program', () => {
    const advice = of([0, 6, 12], 2, [3]);
    // Such a cell looks the same as one that asks its user for something twice.
    const doubt =
      'This is based on 2 rounds. If the cell asks its user for something between them, as with input(), it waits for that.';
    expect(advice.verdicts).toMatchObject([{ cause: 'client-waits', confidence: 'medium', doubt }]);
    const [{ sentence, cost }] = advice.verdicts;
    expect(sentence).toMatch(/^The cluster waits for the client: results were requested 2 times before the next work/);
    expect(cost.seconds).toBeCloseTo(4 * 8, 0);
  });

  it('are said not to have had any work between them where they are one computation and no cause', () => {
    expect(of([0, 6, 12], 2, [0]).headline).toMatch(
      /^No cause found: .* nothing had been submitted, 2 times for up to 4\.0\d s\. What the client did meanwhile is not recorded\.$/
    );
  });

  it('wait for workers that have tasks and do not start them', () => {
    // From a second after each round on, they import something.
    const had = numbers(15, second => (second % 6 === 1 || second % 6 === 2 ? 0 : 4));
    const { verdicts } = of([0, 6, 12], 2, [3], 0, { processing: had, assigned: had });
    expect(verdicts[0]?.cause).toBe('late-start');
    expect(verdict({ verdicts } as Advice, 'client-waits')?.cost.share ?? 0).toBeLessThan(0.2);
  });

  it('have no work until workers have tasks, whenever these start', () => {
    // In pauses of 8 s workers have nothing for about 4 s.
    const had = numbers(25, second => ([2, 3, 4, 5].includes(second % 10) ? 0 : 4));
    const found = verdict(of([0, 10, 20], 2, [3], 0, { processing: had, assigned: had }), 'client-waits');
    expect(found?.sentence).toMatch(/ 8\.0\d s without any work in all\)/);
    expect(found?.evidence.figures[2].value).toBeCloseTo(8, 1);
  });

  it('in which large data is sent wait for that', () => {
    expect(of([0, 6, 12], 2, [3], 300_000_000).verdicts.map(({ cause }) => cause)).toEqual(['data-by-value']);
  });

  it('are not of a cell of another client, during which a script has paused', () => {
    const begins = [0, 6, 12];
    const rows = begins.flatMap(begin => LANES.flatMap(lane => tasks(lane, 2, 1, begin)));
    const rounds = begins.map(since => ({
      since,
      last: since,
      start: since,
      stop: since + 2,
      submissions: 1,
      tasks: 7,
      cell: 0
    }));
    // A notebook submits a task with the first round and with the last one.
    const notebook = { since: 0.1, last: 12.1, start: 0.1, stop: 14, submissions: 2, tasks: 2, cell: 3 };
    const events = gathersAt(begins.map(begin => begin + 2.02));
    const of = (computations: Made['computations'], clients: readonly string[]): readonly string[] =>
      causes(made({ rows, computations, clients, now: 14, topics: { events } }));
    const [script, other] = ['Client-0b0c0d0e', 'Client-1b1c1d1e'];
    expect(of([...rounds, notebook], [script, script, script, other])).toEqual([]);
    // Other clients that do not submit then, and tasks that do, change nothing.
    const loop = { ...notebook, since: 0, last: 12, submissions: 3, tasks: 21 };
    const nested = { ...rounds[1], since: 6.02 };
    const clients = [other, script, 'Client-worker-2b2c2d2e'];
    expect(of([loop, { ...rounds[0], since: 0.1, last: 0.1 }, nested], clients)).toEqual(['client-waits']);
  });

  it("are nobody's fault where a user may have paused, or where one follows the other", () => {
    for (const cells of [[0], [3, 4, 5], [0, 0, 0]]) {
      expect(of([0, 6, 12], 2, cells).verdicts, String(cells)).toEqual([]);
    }
    expect(of([0, 6], 2, [3]).verdicts, 'one pause').toEqual([]);
    expect(of([0, 2.1, 4.2], 2, [3]).verdicts, 'short pauses').toEqual([]);
  });
});
