/** What each of the further rules sees, and on what it is silent. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import type { Cause, Verdict } from '../../../src/advice/advice';
import { RULES } from '../../../src/advice/rules';
import { ADVICE_TOPICS } from '../../../src/advice/shown';
import { shareWords } from '../../../src/advice/headline/shares';
import type { Frame, TopicBody } from '../../../src/feed/frame';
import { PLOTS } from '../../../src/plots';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import { translate } from '../translate';
import { adviceOf, completed, EPOCH, type Made, made, PAUSES, PAUSES_BY, tasks, verdict } from './made';

const BUSY = [0, 1, 2, 3].flatMap(lane => tasks(lane, 40, 0.2, 0, 0.002));

function found(run: Run, cause: Cause): Verdict {
  const advice = adviceOf(run);
  const one = verdict(advice, cause);
  expect(one, `${advice.headline} ${JSON.stringify(advice.unknown)}`).toBeDefined();
  return one as Verdict;
}

function numbers(length: number, value: (i: number) => number): number[] {
  return Array.from({ length }, (_, i) => value(i));
}

const events = (run: Run, times: readonly number[], action = 'gather'): Run =>
  step(run, { time: EPOCH + 100, events: times.map(time => ({ time: time + EPOCH, topic: 'all', action, text: '{}' })) });

describe('every rule', () => {
  it.each(RULES.map(rule => [rule.cause, rule] as const))(
    '%s has texts, a link to documentation and a plot that exists',
    (_, rule) => {
      expect(rule.title(translate)).not.toMatch(/[.%]$/);
      expect(rule.remedy(translate)).toMatch(/[.)]$/);
      expect(rule.link).toMatch(/^https:\/\/(docs|distributed)\.dask\.org\//);
      expect(rule.thresholds).not.toEqual([]);
      expect(rule.thresholds.every(({ value, of, source }) => Number.isFinite(value) && of !== '' && source !== '')).toBe(true);
      expect(new Set(ADVICE_TOPICS)).toEqual(new Set([...ADVICE_TOPICS, ...rule.needs]));
    }
  );

  it('that throws is reported as not known, and the others go on', () => {
    const [first, ...others] = RULES;
    const broken = {
      ...first,
      find: () => {
        throw new Error('odd\nvalue');
      }
    };
    const advice = advise(completed(made({ rows: BUSY })), null, translate, { rules: [broken, ...others] });
    expect(advice.unknown[0]).toMatchObject({ cause: first.cause, why: 'The rule failed: odd value' });
    expect(advice.absent.length).toBeGreaterThan(5);
  });

  it('is silent on threads that work all the time', () => {
    const run = events(made({ rows: BUSY, series: { cpu: numbers(9, () => 390), computing: numbers(9, () => 4) } }), [4, 8.1]);
    expect(adviceOf(run).verdicts).toEqual([]);
  });
});

describe('a loop of the client', () => {
  const loop = (submissions: number, stop: number): Record<string, number> => ({
    ...{ since: 0, last: stop - 0.1, stop },
    ...{ submissions, tasks: 20 }
  });
  /** Twenty tasks after each other, with a result taken after each. */
  const oneByOne = (submissions: number): Run => {
    const rows = numbers(20, i => i).flatMap(i => tasks(i % 4, 1, 0.1, i * 0.13));
    return events(
      made({ rows, computations: [loop(submissions, 2.6)] }),
      numbers(20, i => i * 0.13 + 0.11)
    );
  };

  it('that asks for each result is seen, with what threads lost', () => {
    const one = found(oneByOne(20), 'client-waits');
    expect(one.cost.share).toBeGreaterThan(0.75);
    expect(one.sentence).toContain('results were requested 19 times');
    expect(one.sentence).toContain('(1 task each time');
    expect([one.confidence, one.doubt]).toEqual(['medium', expect.stringContaining('needs the result of the last one')]);
  });

  it('that works between rounds is seen, with these pauses only', () => {
    const rows = numbers(6, i => i).flatMap(i => [0, 1, 2, 3].flatMap(lane => tasks(lane, 3, 0.2, i)));
    const run = events(
      made({ rows, computations: [loop(6, 5.6)] }),
      numbers(6, i => i + 0.61)
    );
    const one = found(run, 'client-waits');
    expect([one.confidence, one.doubt]).toEqual(['medium', 'This is based on 5 rounds.']);
    expect(one.sentence).toContain('(12 tasks each time');
    const more = [0, 1, 2].flatMap(i => tasks(i, 1, 0.1, i + 0.6));
    const varying = events(
      made({ rows: [...rows, ...more], computations: [loop(6, 5.6)] }),
      numbers(6, i => i + 0.71)
    );
    expect(found(varying, 'client-waits').sentence).toMatch(/\(about 1[23] tasks each time/);
    expect(one.cost.share).toBeCloseTo(2 / 5.6, 1);
    expect(one.evidence.selection.period?.to).toBeCloseTo((one.evidence.selection.period?.from ?? 0) + 0.4, 1);
  });

  it('is not what other tasks of the period leave, of which too few can run at once', () => {
    const rows = numbers(20, i => i).flatMap(i => tasks(i % 4, 1, 0.1, i * 0.13));
    const chain = tasks(0, 5, 1, 3);
    const busy = [0, 1, 2, 3].flatMap(lane => tasks(lane, 32, 1, 8));
    const computations = [loop(20, 2.6), { since: 3, last: 3, stop: 40, submissions: 1, tasks: 133 }];
    const gathers = numbers(20, i => i * 0.13 + 0.11);
    expect(adviceOf(events(made({ rows: [...rows, ...chain, ...busy], computations }), gathers)).verdicts).toEqual([]);
    const longer = [...rows, ...tasks(0, 9, 1, 3), ...[0, 1, 2, 3].flatMap(lane => tasks(lane, 28, 1, 12))];
    const one = found(events(made({ rows: longer, computations }), gathers), 'little-parallelism');
    expect(one.cost.seconds).toBeGreaterThan(26);
    expect(one.cost.seconds).toBeLessThan(27);
    expect(one.evidence.selection.period?.from).toBeCloseTo(EPOCH + 3, 1);
  });

  it('is seen by its own submissions, not by those of others', () => {
    const rows = numbers(20, i => i).flatMap(i => tasks(i % 4, 1, 0.1, i * 0.13));
    const late = numbers(20, i => i).flatMap(i => tasks(i % 4, 1, 0.1, 5 + i * 0.13));
    const computations = [loop(20, 2.6), { since: 5, last: 5, stop: 7.6, submissions: 1, tasks: 20 }];
    const gathers = [0, 5].flatMap(from => numbers(20, i => from + i * 0.13 + 0.11));
    const one = found(events(made({ rows: [...rows, ...late], computations }), gathers), 'client-waits');
    expect(one.sentence).toContain('results were requested 19 times');
    expect(one.evidence.selection.period?.to).toBeLessThan(EPOCH + 3);
  });

  it('is not seen where all was submitted at once, and the cluster paused for another reason', () => {
    expect(verdict(adviceOf(oneByOne(1)), 'client-waits')).toBeUndefined();
  });

  it('is not seen where the client only collects while tasks run', () => {
    const run = events(
      made({ rows: BUSY }),
      numbers(40, i => i * 0.2)
    );
    expect(adviceOf(run).verdicts).toEqual([]);
  });
});

describe('too few tasks at once', () => {
  const pauses = (alone: readonly (readonly [from: number, to: number])[]): string => {
    const busy = [0, 10, 20].flatMap(from => [0, 1, 2, 3].flatMap(lane => tasks(lane, 4, 1, from)));
    const few = alone.flatMap(([from, to]) => tasks(0, to - from, 1, from));
    return found(made({ rows: [...busy, ...few], now: 24 }), 'little-parallelism').sentence;
  };

  it('say what they cost in all, where the longest stretch is not all of it', () => {
    expect(pauses([[4, 10]])).toMatch(
      /for up to 6\.0\d s, 1\.0 of 4 threads worked, mostly on load\. It costs \d+ % of the time\.$/
    );
    expect(
      pauses([
        [4, 10],
        [14, 18]
      ])
    ).toMatch(/for up to 6\.0\d s, 1\.0 of 4 threads worked, .* With other such times, that is 30\.0 s of thread time\.$/);
  });
});

describe('failures', () => {
  it('are reported with what they took', () => {
    const rows = BUSY.map((row, i) => ({ ...row, status: i % 2 }));
    const one = found(made({ rows }), 'failures');
    expect(one.sentence).toBe('80 of 160 executions ended with an error (load). That wasted 16.0 s of computing.');
    expect(one.cost.share).toBeCloseTo(0.5, 1);
    expect(one.evidence.selection.erred).toBe(true);
  });

  it('are reported with the time of what failed, and when that was', () => {
    const failed = [2, 2.5].map(start => ({ lane: 0, start, duration: 0.1, status: 1 }));
    const run = made({ rows: [...failed, ...[1, 2, 3].flatMap(lane => tasks(lane, 6, 1.5))] });
    const one = found(run, 'failures');
    expect(one.evidence.figures[2].value).toBeCloseTo(0.2, 3);
    expect(one.evidence.selection.period?.from).toBeCloseTo(EPOCH + 2, 3);
    expect(one.evidence.selection.period?.to).toBeCloseTo(EPOCH + 2.6, 3);
  });

  it('are reported with the tasks of the same computations that were never run, which no execution shows', () => {
    const rows = [...tasks(0, 16, 0.1), ...tasks(1, 2, 0.1).map(row => ({ ...row, status: 1 }))];
    const said = (erred: number): Verdict => {
      const values = { since: 0, last: 0, start: 0, stop: 1.6, tasks: 41, done: 16, erred, failed: erred, dropped: 23 };
      return found(made({ rows, computations: [values] }), 'failures');
    };
    expect(said(2).sentence).toMatch(/^2 of 18 executions ended .* 23 tasks of the same computations were never run\.$/);
    expect(said(2).evidence.figures).toContainEqual(expect.objectContaining({ label: 'Tasks that were never run', value: 23 }));
    expect(said(0).sentence, 'of another computation').not.toContain('never run');
  });

  it('of tasks that were all tried again and succeeded leave nothing that does not run', () => {
    const rows = [...tasks(0, 16, 0.1), ...tasks(1, 2, 0.1).map(row => ({ ...row, status: 1 }))];
    const said = (values: Record<string, number>): Verdict => {
      const all = { since: 0, last: 0, start: 0, stop: 1.6, tasks: 16, done: 16, erred: 2, failed: 0, ...values };
      return found(made({ rows, computations: [all] }), 'failures');
    };
    const one = said({});
    expect([one.title, one.sentence]).toEqual([
      'Tasks erred at first',
      expect.stringMatching(/^2 of 18 executions ended .* All of these tasks were tried again and have succeeded\.$/)
    ]);
    expect(one.remedy).not.toContain('do not run');
    const others: readonly Record<string, number>[] = [{ failed: 1 }, { failed: Number.NaN }, { left: 1 }, { erred: 1 }];
    for (const values of others) {
      const other = said(values);
      expect(other.title).toBe('Tasks end with an error');
      expect(other.sentence).not.toContain('succeeded');
    }
  });

  const attempts = (counts: Record<string, number>): TopicBody => ({
    columns: {
      id: Uint32Array.of(0),
      ...Object.fromEntries(['retried', 'rescheduled', 'lost'].map(name => [name, Uint32Array.of(counts[name] ?? 0)]))
    },
    scalars: {}
  });

  it('of attempts that were repeated cost as long as those that succeeded', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.2, 0, 0.4));
    const one = found(made({ rows, topics: { attempts: attempts({ retried: 80 }) } }), 'retries');
    expect(one.sentence).toContain('80 attempts of load failed and were retried.');
    expect(one.evidence.figures[1].value).toBeCloseTo(16, 3);
    expect(one.cost.seconds).toBeLessThanOrEqual(16);
    expect(one.doubt).not.toBe('');
  });

  it('of attempts that were repeated are mostly of a function only if these are more than half', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.5, 0, 0.1, lane % 3));
    const said = (first: number): string => {
      const columns = { id: Uint32Array.of(0, 1, 2), retried: Uint32Array.of(first, 4, 4), lost: new Uint32Array(3) };
      return found(made({ rows, topics: { attempts: { columns, scalars: {} } } }), 'retries').sentence;
    };
    expect(said(5)).toContain('13 attempts of load and others failed and were retried.');
    expect(said(9)).toContain('17 attempts failed and were retried, mostly of load.');
  });

  const gone = (run: Run, time: number, had: string, expected = false): Run =>
    step(run, {
      time: EPOCH + 100,
      events: [
        {
          time: EPOCH + time,
          topic: 'all',
          action: 'remove-worker',
          text: `{"expected": ${expected}, "worker": "tcp://w${time}", "processing-tasks": ${had}}`
        }
      ]
    });

  it('of workers are reported with the tasks that they had', () => {
    const run = gone(made({ rows: BUSY, topics: { attempts: attempts({ lost: 3 }) } }), 2, '["a", "b", "c"]');
    const one = found(run, 'lost-worker');
    expect(one.sentence).toBe('A worker ended unexpectedly with 3 tasks: what is still needed runs again.');
    expect(one.evidence.selection.period?.from).toBe(EPOCH + 2);
    // Its events have been dropped.
    const events = { columns: { time: new Float64Array(0) }, scalars: { first: 5, lost: 5 } };
    const without = found(made({ rows: BUSY, topics: { attempts: attempts({ lost: 1 }), events } }), 'lost-worker');
    expect(without).toMatchObject({ sentence: '1 task was on a worker that ended.', confidence: 'low' });
    // They say that no worker ended unexpectedly.
    const stopped = adviceOf(made({ rows: BUSY, topics: { attempts: attempts({ lost: 1 }) } }));
    expect(verdict(stopped, 'lost-worker')).toBeUndefined();
  });

  it('of workers are reported for a part of a run, too, by its events', () => {
    const run = gone(gone(made({ rows: BUSY }), 2, '["a", "\\u2026 40 more"]'), 3, '["b"]');
    const within = (from: number, to: number): Verdict | undefined => verdict(adviceOf(run, { from, to }), 'lost-worker');
    expect(within(0, 4)?.sentence).toContain('2 workers ended unexpectedly with 42 tasks:');
    expect(within(2.5, 4)?.sentence).toContain('A worker ended unexpectedly with 1 task:');
    expect(within(4, 6)).toBeUndefined();
    expect(adviceOf(run, { from: 0, to: 4 }).unknown.map(each => each.cause)).not.toContain('lost-worker');
  });

  it('of workers are not reported where they left without tasks, or as was expected', () => {
    const run = gone(gone(made({ rows: BUSY }), 2, '[]'), 3, '["b"]', true);
    expect(verdict(adviceOf(run, { from: 0, to: 6 }), 'lost-worker')).toBeUndefined();
    expect(verdict(adviceOf(run), 'lost-worker')).toBeUndefined();
  });
});

describe('tasks that wait', () => {
  it('for a worker that does not exist are reported as long as they wait', () => {
    const waiting = (count: number): Run =>
      step(made({ rows: tasks(0, 4, 0.2), now: 20, computations: [{ since: 1, last: 1, tasks: 10, left: 10 }] }), {
        time: EPOCH + 20,
        prefixes: [{ name: 'fit', no_worker: count, waiting: 0, since: EPOCH + 1 }]
      });
    const one = found(waiting(10), 'no-worker-fits');
    expect(one.sentence).toContain('10 tasks of fit wait for a worker that they may run on; there has been none for 19.0 s');
    expect(one.cost.share).toBeGreaterThan(0.8);
    expect(verdict(adviceOf(waiting(0)), 'no-worker-fits')).toBeUndefined();
  });

  it('for paused workers are reported from the logs, until the workers resume', () => {
    const lines = [
      { time: 1, logger: PAUSES_BY, text: PAUSES[0] },
      // What a task logs.
      { time: 2, logger: 'distributed.worker', text: PAUSES[1] },
      { time: 3, logger: PAUSES_BY, text: 'Pausing worker, Resuming worker' },
      { time: 5, logger: PAUSES_BY, text: PAUSES[1] },
      { time: 6, logger: 'distributed.worker', text: PAUSES[0] }
    ];
    const logs: TopicBody = {
      columns: {
        time: Float64Array.from(lines, each => EPOCH + each.time),
        level: new Uint8Array(lines.length),
        server: new Uint32Array(lines.length).fill(1)
      },
      scalars: {
        first: 0,
        lost: 0,
        name: lines.map(() => ''),
        logger: lines.map(each => each.logger),
        text: lines.map(each => each.text)
      }
    };
    // Lanes 0 and 2 are those of the worker.
    const rows = [0, 2].flatMap(lane => [...tasks(lane, 5, 0.2), ...tasks(lane, 15, 0.2, 5)]);
    const run = made({ rows: [...rows, ...[1, 3].flatMap(lane => tasks(lane, 40, 0.2))], topics: { logs } });
    const one = found(run, 'paused');
    expect(one.sentence).toContain('1 worker paused for 4.00 s');
    expect(one.cost.seconds).toBeCloseTo(8, 0);
    expect(one.evidence.selection.workers).toEqual(['tcp://w0']);
  });
});

describe('memory that is not of results', () => {
  const grows = (process: readonly number[]): Made => ({ rows: BUSY, series: { process, managed: process.map(() => 0) } });

  it('is reported where it grows all the time, though it costs nothing yet', () => {
    const one = found(made(grows(numbers(9, i => 2 ** 28 * (i + 1)))), 'unmanaged-memory');
    expect(one.cost.seconds).toBe(0);
    expect(one.sentence).toContain('grew from 256 MiB to 2.25 GiB');
  });

  it('has cost time if workers pause, spill or end meanwhile', () => {
    const memory = grows(numbers(9, i => 2 ** 28 * (i + 1)));
    const logs: TopicBody = {
      columns: { time: Float64Array.of(EPOCH + 2, EPOCH + 6), level: new Uint8Array(2), server: Uint32Array.of(1, 1) },
      scalars: { first: 0, lost: 0, name: ['', ''], logger: [PAUSES_BY, PAUSES_BY], text: [...PAUSES] }
    };
    const said = (run: Run): string => found(run, 'unmanaged-memory').sentence;
    expect(said(made(memory))).toContain('It has cost no time yet.');
    expect(said(made({ ...memory, topics: { logs } }))).toMatch(/of their limits\.$/);
    expect(said(made({ ...memory, series: { ...memory.series, spilled: [0, 0, 2 ** 20] } }))).toMatch(/of their limits\.$/);
    const text = '{"expected": false, "worker": "tcp://w1", "processing-tasks": ["a"]}';
    const events = [{ time: EPOCH + 8, topic: 'all', action: 'remove-worker', text }];
    expect(said(step(made(memory), { time: EPOCH + 100, events }))).toMatch(/of their limits\.$/);
  });

  it('is not reported where it comes and goes', () => {
    expect(adviceOf(made(grows(numbers(9, i => 2 ** 30 * (1 + (i % 2) + i / 9))))).verdicts).toEqual([]);
  });

  it('is not reported where it grew at first only, as packages are loaded, and hardly since then', () => {
    const loaded = numbers(30, i => 2 ** 30 * Math.min(1, 0.2 * (i + 1)) * 2 + i * 2 ** 16);
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 150, 0.2));
    expect(adviceOf(made({ ...grows(loaded), rows })).verdicts).toEqual([]);
    const leaking = numbers(30, i => 2 ** 26 * (i + 1));
    expect(found(made({ ...grows(leaking), rows }), 'unmanaged-memory').confidence).toBe('high');
  });

  it('is not reported where it was returned after the work', () => {
    const kept = (end: number): Run => made(grows([...numbers(9, i => 2 ** 28 * (i + 1)), end, end]));
    expect(found(kept(2 ** 31), 'unmanaged-memory').sentence).toContain('grew from 256 MiB to 2.25 GiB');
    expect(adviceOf(kept(2 ** 29)).verdicts).toEqual([]);
  });

  it('is not known, and not nothing, while results are counted that the memory of processes does not have yet', () => {
    const { series, ...others } = grows(numbers(9, i => 2 ** 28 * (i + 1)));
    const managed = numbers(9, i => (i < 1 ? 2 ** 32 : 0));
    const one = found(made({ ...others, series: { ...series, managed } }), 'unmanaged-memory');
    expect(one.sentence).toContain('grew from 512 MiB to 2.25 GiB');
  });
});

describe('threads of one process', () => {
  const work = (cpu: number, max = cpu, held = Number.NaN): Run =>
    step(made({ rows: BUSY, workers: 1, threads: 4 }), {
      time: EPOCH + 100,
      series: numbers(9, i => i).map(i => ({
        ...{ time: EPOCH + i, threads: [4, 4, 4], cpu: [cpu, cpu, i === 4 ? max : cpu], gil: [held, held, held] }
      }))
    });

  it('that never take more than a core wait for its lock', () => {
    const one = found(work(99), 'gil');
    expect(one.sentence).toContain('no worker uses more than 99 % of one core. They wait for the GIL');
    expect(one.cost.share).toBeCloseTo(0.74, 1);
    expect(one.confidence).toBe('low');
    const advice = adviceOf(work(99));
    expect(advice.computedInVain).toBeCloseTo(one.cost.seconds, 6);
    const [computing, unexplained] = shareWords(advice, translate);
    expect([computing, unexplained]).toEqual([
      '25 % computing (another 74 % is in the costs of causes)',
      expect.stringMatching(/^(< )?1 % not/)
    ]);
  });

  it('wait for it, too, where something else releases it for moments, such as reading Parquet', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 80, 0.5));
    const run = (cpu: (i: number) => number): Run =>
      step(made({ rows, workers: 1, threads: 4, now: 40 }), {
        time: EPOCH + 100,
        series: numbers(41, i => i).map(i => ({
          ...{ time: EPOCH + i, threads: [4, 4, 4], gil: [Number.NaN, Number.NaN, Number.NaN] },
          cpu: [cpu(i), cpu(i), cpu(i)]
        }))
      });
    const one = found(
      run(i => (i === 2 ? 180 : 101)),
      'gil'
    );
    expect(one.sentence).toContain('but in 98 % of the samples no worker uses more than 101 % of one core');
    expect(one.cost.share).toBeCloseTo(0.75 * (39 / 40), 1);
    // More often, or with less otherwise, it is no lock that keeps a worker at one core.
    for (const cpu of [(i: number) => (i % 8 === 0 ? 180 : 101), (i: number) => (i === 2 ? 180 : i % 3 === 0 ? 101 : 70)]) {
      expect(verdict(adviceOf(run(cpu)), 'gil')).toBeUndefined();
    }
  });

  it('are certain to wait if the lock is measured and held, and do not if it is free', () => {
    const one = found(work(99, 99, 0.97), 'gil');
    expect([one.confidence, one.doubt]).toEqual(['high', '']);
    expect(adviceOf(work(99, 99, 0.3)).verdicts).toEqual([]);
  });

  it('wait for a core and not for the lock where the machine has no more, or for no more threads than it has cores for', () => {
    const two = (
      cores: number | undefined,
      address = 'tcp://w0:8786',
      cpu: readonly number[] = [196, 97, 99]
    ): Verdict | undefined => {
      const meta = { columns: {}, scalars: { address, ...(cores === undefined ? {} : { cores }) } };
      const run = step(made({ rows: BUSY, topics: { meta }, names: ['tcp://w0:1', 'tcp://w0:2'] }), {
        time: EPOCH + 100,
        series: numbers(9, i => i).map(i => ({
          ...{ time: EPOCH + i, workers: 2, threads: [4, 2, 2], executing: [4, 2, 2] },
          ...{ cpu: [...cpu] as [number, number, number], gil: [Number.NaN, Number.NaN, Number.NaN] }
        }))
      });
      return verdict(adviceOf(run), 'gil');
    };
    expect(two(2)).toBeUndefined();
    expect(two(3)?.cost.share).toBeCloseTo(0.33, 1);
    expect(two(8)?.cost.share).toBeCloseTo(0.5, 1);
    // Where it is not known how many cores they have, it may be the lock.
    expect(two(undefined)?.cost.share).toBeCloseTo(0.5, 1);
    expect(two(2, 'tcp://elsewhere:8786')?.cost.share).toBeCloseTo(0.5, 1);
    expect(two(1)?.cost.share).toBeCloseTo(0.5, 1);
  });

  it('that wait for a store do not, while another worker takes a core with one thread', () => {
    const many = [0, 2, 4, 6].flatMap(lane => tasks(lane, 8, 1));
    const two = (rows: Made['rows'], cpu: readonly [number, number, number]): Run =>
      step(made({ rows, workers: 2, threads: 4 }), {
        time: EPOCH + 100,
        series: numbers(9, i => i).map(i => ({
          ...{ time: EPOCH + i, workers: 2, threads: [8, 4, 4], executing: [5, 1, 4] },
          ...{ cpu, gil: [Number.NaN, Number.NaN, Number.NaN] }
        }))
      });
    expect(verdict(adviceOf(two([...many, ...tasks(1, 8, 1)], [100, 1, 99])), 'gil')).toBeUndefined();
    // Both do, or the only one that works does.
    const both = [...many, ...[1, 3, 5, 7].flatMap(lane => tasks(lane, 8, 1))];
    expect(found(two(both, [197, 98, 99]), 'gil').cost.share).toBeCloseTo(0.75, 1);
    expect(found(two(many, [100, 1, 99]), 'gil').cost.share).toBeGreaterThan(0.2);
  });

  it('are as many at a time as while tasks run, whatever lies between these', () => {
    // Four threads for half of the time.
    const rows = [0, 1, 2, 3].flatMap(lane => [...tasks(lane, 4, 1), ...tasks(lane, 4, 1, 8)]);
    const run = step(made({ rows, workers: 1, threads: 4 }), {
      time: EPOCH + 100,
      series: numbers(13, i => i).map(i => ({
        ...{ time: EPOCH + i, threads: [4, 4, 4], gil: [Number.NaN, Number.NaN, Number.NaN] },
        cpu: i > 4 && i <= 8 ? [2, 2, 2] : [99, 99, 99]
      }))
    });
    const one = found(run, 'gil');
    expect(one.sentence).toContain('4.0 threads work in each worker at the same time');
    expect(one.cost.seconds).toBeCloseTo(0.75 * 32, 0);
  });

  it('of some workers of several wait for it: the sentence is about these', () => {
    const rows = [0, 2, 4, 6, 1, 3, 5].flatMap(lane => tasks(lane, 8, 1));
    const run = step(made({ rows, workers: 2, threads: 4 }), {
      time: EPOCH + 100,
      series: numbers(9, i => i).map(i => ({
        ...{ time: EPOCH + i, workers: 2, threads: [8, 4, 4], executing: [7, 3, 4] },
        ...{ cpu: [100, 1, 99], gil: [Number.NaN, Number.NaN, Number.NaN] }
      }))
    });
    const one = found(run, 'gil');
    expect(one.sentence).toMatch(
      /^3\.0 threads work in 1 worker at the same time, but no worker uses more than 99 % of one core\. /
    );
    // How many cores each may use is not known.
    expect([one.confidence, one.doubt]).toEqual(['low', expect.stringContaining('fewer cores than they have threads')]);
  });

  it('wait for it before and after the workers were restarted', () => {
    const half = (workers: readonly number[], from: number): Made['rows'] =>
      workers.flatMap(worker => [0, 1].flatMap(thread => tasks(worker + 4 * thread, 8, 1, from)));
    const run = step(made({ rows: [...(half([0, 1], 0) ?? []), ...(half([2, 3], 8) ?? [])], workers: 4, threads: 2, now: 16 }), {
      time: EPOCH + 100,
      series: numbers(17, i => i).map(i => ({
        ...{ time: EPOCH + i, workers: 2, threads: [4, 2, 2], executing: [4, 2, 2] },
        ...{ cpu: [198, 99, 99], gil: [Number.NaN, Number.NaN, Number.NaN] }
      }))
    });
    expect(found(run, 'gil').sentence).toContain('2.0 threads work in each worker at the same time');
  });

  it('of which each is a worker of its own wait for it, too', () => {
    const one = (protocol: string, cores = 0): Verdict | undefined => {
      const meta = { columns: {}, scalars: { address: `${protocol}://10.0.0.1/77/0`, cores } };
      const run = step(made({ rows: BUSY, workers: 4, threads: 1, topics: { meta } }), {
        time: EPOCH + 100,
        series: numbers(9, i => i).map(i => ({
          ...{ time: EPOCH + i, workers: 4, threads: [4, 1, 1], executing: [4, 1, 1] },
          ...{ cpu: [396, 99, 99], gil: [Number.NaN, Number.NaN, Number.NaN] }
        }))
      });
      const workers = [1, 2, 3, 4].map(id => ({ address: `${protocol}://10.0.0.1/77/${id}`, name: `${id}`, host: 'h' }));
      const names = {
        workers: { from: 0, values: workers.map(each => ({ ...each, nthreads: 1, memory_limit: 2 ** 32 })) }
      } as Frame['names'];
      run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 100, cursor: {}, names, topics: {} }, 0);
      return verdict(adviceOf(run), 'gil');
    };
    expect(one('inproc')?.cost.share).toBeCloseTo(0.74, 1);
    expect(one('inproc', 4)?.cost.share).toBeCloseTo(0.74, 1);
    expect(one('inproc', 1)).toBeUndefined();
    expect(one('tcp')).toBeUndefined();
  });

  it('do not wait for it where tasks take little of the core: the scheduler in the same process does, or its client', () => {
    const metered = (on: number): Verdict | undefined => {
      const run = work(99);
      const names = [
        [0, 'execute', 'load', 'thread-cpu', 'seconds'],
        [1, 'execute', 'load', 'thread-noncpu', 'seconds']
      ];
      const columns = { id: Uint32Array.of(0, 1), value: Float64Array.of(on, 32 - on) };
      const activities = { columns, scalars: { names, base: [], transitions: 1 } };
      run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: EPOCH + 100, cursor: {}, names: {}, topics: { activities } }, 0);
      return verdict(adviceOf(run), 'gil');
    };
    expect(metered(7)).toBeDefined();
    expect(metered(0.2)).toBeUndefined();
  });

  it('that take more, or next to nothing, do not', () => {
    expect(adviceOf(work(390)).verdicts).toEqual([]);
    expect(adviceOf(work(99, 150)).verdicts).toEqual([]);
    expect(adviceOf(work(5)).verdicts).toEqual([]);
  });
});

describe('event loops', () => {
  it('that do not report running tasks are blocked', () => {
    const series = { executing: numbers(12, i => (i > 0 && i < 7 ? 0 : 2)) };
    const rows = [0, 1].map(lane => ({ lane, start: 0.2, duration: 6.5 }));
    const one = found(made({ rows, series }), 'event-loop-blocked');
    expect(one.sentence).toContain('Event loops of workers were blocked for');
    expect(one.cost.share).toBeGreaterThan(0.3);
    expect(verdict(adviceOf(made({ rows, series: { executing: numbers(12, () => 2) } })), 'event-loop-blocked')).toBeUndefined();
  });

  it('that tick late are reported with what is busy, for the seconds in which they do', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 30, 0.1, 0, 0.1));
    const late = (cpu: number, tick: number, protocol = 'tcp', address = 'tcp://10.0.0.1:8786'): Run => {
      const run = made({ rows, now: 7, topics: { meta: { columns: {}, scalars: { address } } } });
      const times = numbers(7, i => EPOCH + i);
      const columns = {
        time: Float64Array.from(times),
        until: Float64Array.from(times),
        scheduler_cpu: new Float64Array(7).fill(cpu),
        scheduler_tick: Float64Array.from(times, (_, i) => (i > 2 ? tick : 0.02)),
        threads_sum: new Float64Array(7).fill(4)
      };
      const topics = { series: { columns, scalars: { first: 0, lost: 0 } } };
      const facts = { host: 'h', nthreads: 2, memory_limit: 2 ** 32 };
      const workers = [0, 1].map(id => ({ address: `${protocol}://w${id}`, name: `w${id}`, ...facts }));
      const names = { workers: { from: 0, values: workers } } as Frame['names'];
      run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 7, cursor: {}, names, topics }, 0);
      return run;
    };
    const one = found(late(98, 0.2), 'late-event-loops');
    expect(one.sentence).toContain('The scheduler is the bottleneck: its process takes 98 % of a core');
    expect(one.cost.share).toBeCloseTo((0.5 * 4) / 6, 1);
    expect(one.evidence.selection.period?.from).toBe(EPOCH + 2);
    expect(found(late(5, 0.2), 'late-event-loops').sentence).toContain('although its process uses 5 % of a core');
    // Of a cluster in one process it is not known who uses the core, and fewer tasks would not help.
    const shared = found(late(98, 0.2, 'inproc'), 'late-event-loops');
    expect(shared.sentence).toContain('It has one process with the workers');
    expect(shared.remedy).toContain('processes=True');
    // That of a LocalCluster is a part of the kernel, whose notebook may compute.
    const kernel = found(late(98, 0.2, 'tcp', 'tcp://127.0.0.1:40001'), 'late-event-loops');
    expect(kernel.sentence).toMatch(
      /^The scheduler answers late: its process takes 98 % of a core and its event loop ticks every 200 ms\./
    );
    expect(`${kernel.doubt} ${kernel.remedy}`).toMatch(
      /also the process of the notebook.* let workers do that, or start the scheduler in/
    );
    expect(found(late(5, 0.2, 'tcp', 'tcp://127.0.0.1:40001'), 'late-event-loops').sentence).toContain(
      'although its process uses 5 %'
    );
    const unknown = found(late(Number.NaN, 0.2), 'late-event-loops');
    expect(unknown.sentence).toContain('How much CPU its process uses is not known.');
    expect(unknown.evidence.figures).toHaveLength(2);
    expect(verdict(adviceOf(late(98, 0.02)), 'late-event-loops')).toBeUndefined();
    expect(adviceOf(made({ rows, now: 7 })).unknown.map(({ cause }) => cause)).toContain('late-event-loops');
  });
});

describe('graphs', () => {
  const later = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.2, 4));

  it('that take long to read are reported with their size', () => {
    const computations = [{ since: 4, last: 4, stop: 6, reading: 4, submissions: 1, tasks: 200_000, graph: 3e7 }];
    const one = found(made({ rows: later, computations }), 'large-graph');
    expect(one.sentence).toContain('took 4.00 s to read graphs of 200,000 tasks');
    // Before, the client packed it for two seconds.
    const packed = computations.map(each => ({ ...each, since: 8, last: 8, stop: 10, packing: 2 }));
    const advice = adviceOf(made({ rows: later.map(row => ({ ...row, start: row.start + 4 })), computations: packed }));
    expect((advice.period?.from ?? 0) - EPOCH).toBeCloseTo(2, 5);
    const both = verdict(advice, 'large-graph');
    expect(both?.sentence).toContain(
      'The client took 2.00 s to pack graphs of 200,000 tasks (28.6 MiB), and the scheduler took 4.00 s to read them.'
    );
    expect(both?.cost.share).toBeCloseTo(6 / 8, 1);
    const single = [{ since: 4, last: 4, stop: 6, reading: 4, submissions: 1, tasks: 1, graph: 3e5 }];
    expect(found(made({ rows: later, computations: single }), 'large-graph').sentence).toContain(
      'to read graphs of 1 task (293 KiB)'
    );
    expect(one.cost.share).toBeCloseTo(0.66, 1);
  });

  it('that hold data are reported with its size, or with a note that the size is not known', () => {
    const computations = (graph: number): Made['computations'] => [
      { since: 1, last: 4, stop: 6, reading: 0.1, submissions: 20, tasks: 20, graph }
    ];
    const one = found(made({ rows: later, computations: computations(3e8) }), 'data-by-value');
    expect(one.sentence).toContain('286 MiB were sent with the graphs of 20 tasks');
    const sent = (own: number): string =>
      found(
        made({ rows: later, computations: [{ since: 1, last: 4, stop: 6, submissions: 1, tasks: own, graph: 2e7 }] }),
        'data-by-value'
      ).sentence;
    expect(sent(1)).toContain('19.1 MiB were sent with the graphs of 1 task, from the client');
    // A cell that persists the same data again.
    expect(sent(0)).toContain('19.1 MiB were sent with the graphs of tasks that had been asked for before, from the client');
    const unknown = adviceOf(made({ rows: later, computations: computations(Number.NaN) })).unknown;
    expect(unknown.map(each => each.cause)).toContain('data-by-value');
  });
});

describe('what is computed again', () => {
  /** A profile in which tasks of each function are in a function of the user. */
  const profile = (prefixes: readonly string[], file: string): TopicBody => ({
    columns: {
      at: Uint32Array.from(prefixes, () => 1000),
      span: Uint32Array.from(prefixes, () => 1000),
      worker: Uint32Array.from(prefixes, () => 1),
      prefix: Uint32Array.from(prefixes.keys()),
      stack: Uint32Array.from(prefixes, () => 2),
      samples: Uint32Array.from(prefixes, () => 50)
    },
    moves: { parent: Uint32Array.of(0, 1), frame: Uint32Array.of(1, 2) },
    scalars: {
      ...{ first: 0, since: EPOCH, prefixes: [...prefixes], interval: 0.01, cycle: 1 },
      frames: [
        ['apply', '/lib/distributed/worker.py', 1, 1, ''],
        ['read_block', file, 1, 2, '']
      ]
    }
  });
  /** The same, where each function calls a helper from a function of its own. */
  const shared = (prefixes: readonly string[]): TopicBody => {
    const all = profile(prefixes, '/home/me/work.py');
    const each = Uint32Array.from(prefixes.keys());
    return {
      columns: { ...all.columns, stack: each.map(i => 2 + prefixes.length + i) },
      // Frames 2 and 3 and so on are their own, called by that of Dask; the last one is the helper, below each of them.
      moves: {
        parent: Uint32Array.of(0, ...each.map(() => 1), ...each.map(i => 2 + i)),
        frame: Uint32Array.of(1, ...each.map(i => 2 + i), ...each.map(() => 2 + prefixes.length))
      },
      scalars: {
        ...all.scalars,
        frames: [
          ['apply', '/lib/distributed/worker.py', 1, 1, ''],
          ...prefixes.map((name, i) => [name, '/home/me/work.py', 10 * i, 10 * i + 2, '']),
          ['simulate', '/home/me/work.py', 1, 2, '']
        ]
      }
    };
  };
  const functions = ['sum', 'mean_chunk', 'var'];
  const rows = functions.flatMap((_, prefix) => [0, 1, 2, 3].flatMap(lane => tasks(lane, 5, 0.2, prefix * 2, 0, prefix)));
  const computations = functions.map((_, i) => ({ since: i * 2, last: i * 2, start: i * 2, stop: i * 2 + 1, tasks: 20 }));

  it('by computations after each other is seen in the profile', () => {
    const run = made({ functions, rows, computations, topics: { profile: profile(functions, '/home/me/work.py') } });
    const one = found(run, 'computed-again');
    expect(one.sentence).toContain(
      'read_block was called again by 2 more computations, in 20 tasks each time. If their data were the same, 8.00 s'
    );
    expect(one.doubt).not.toBe('');
  });

  it('is no helper that different functions call', () => {
    const run = made({ functions, rows, computations, topics: { profile: shared(functions) } });
    const advice = adviceOf(run);
    expect(verdict(advice, 'computed-again')).toBeUndefined();
    expect(advice.absent.map(each => each.cause)).toContain('computed-again');
  });

  it('by graphs of one computation is seen, if they ran after each other', () => {
    const one = (submissions: number, all = rows): Made => ({
      ...{ functions, rows: all, computations: [{ since: 0, last: 4, start: 0, stop: 5, tasks: 60, submissions, compute: 12 }] },
      topics: { profile: profile(functions, '/home/me/work.py') }
    });
    expect(found(made(one(3)), 'computed-again').sentence).toContain(
      'again by 2 more graphs, in 20 tasks each time. If their data were the same, 8.00 s'
    );
    expect(found(made(one(2)), 'computed-again').sentence).toContain(
      'again by 1 more graph, in 20 tasks. If its data were the same, 4.00 s'
    );
    expect(verdict(adviceOf(made(one(1))), 'computed-again')).toBeUndefined();
    // At the same time it is one graph that shares nothing, or other data.
    const together = rows.map(row => ({ ...row, start: row.start - 1.99 * (row.prefix ?? 0) }));
    expect(verdict(adviceOf(made(one(3, together))), 'computed-again')).toBeUndefined();
  });

  it('is not known where the same function of Dask ran again under other keys', () => {
    const same = rows.map(row => ({ ...row, prefix: 0 }));
    const why = (what: Partial<Made>): string | undefined =>
      adviceOf(
        made({ functions, rows: same, topics: { profile: profile(functions, '/home/me/work.py') }, ...what })
      ).unknown.find(({ cause }) => cause === 'computed-again')?.why;
    const words = 'sum ran in 3 graphs under other keys each time: whether they computed the same again is not recorded.';
    expect(why({ computations })).toBe(words);
    // Some keys were the same, or that is not known.
    const unsure = 'sum ran in 3 graphs: whether they computed the same again is not recorded.';
    expect(why({ computations: computations.map((each, i) => ({ ...each, again: i })) })).toBe(unsure);
    expect(why({ computations: computations.map(each => ({ ...each, again: Number.NaN })) })).toBe(unsure);
    const one = { since: 0, last: 4, start: 0, stop: 5, tasks: 60, compute: 12 };
    const shares = [{ computation: 0, prefix: 0, tasks: 60, again: 0, done: 60, compute: 12 }];
    expect(why({ computations: [{ ...one, submissions: 3 }], shares })).toBe(words);
    expect(why({ computations: [{ ...one, submissions: 3 }] }), 'functions of graphs are not known').toBeUndefined();
    expect(why({ computations: [{ ...one, submissions: 1 }], shares })).toBeUndefined();
    expect(why({ computations: [{ ...one, submissions: 60 }], shares }), 'tasks one by one').toBeUndefined();
    const more = [...shares, { computation: 0, prefix: 1, tasks: 1, again: 0, done: 1, compute: 0 }];
    expect(why({ computations: [{ ...one, submissions: 2 }], shares: more }), 'a graph and one task').toBeUndefined();
  });

  it('is not said of keys that were the same, though another cause has their time', () => {
    const same = rows.map(row => ({ ...row, prefix: 0, status: 1 }));
    const repeated = computations.map((each, i) => ({ ...each, compute: 4, again: i === 0 ? 0 : 20 }));
    const advice = adviceOf(
      made({ functions, rows: same, computations: repeated, topics: { profile: profile(functions, '/w.py') } })
    );
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['failures']);
    expect(advice.unknown.map(({ cause }) => cause)).not.toContain('computed-again');
  });

  it('is not known without a profile, unless keys show it', () => {
    const why = (again: number): string | undefined =>
      adviceOf(made({ functions, rows, computations: computations.map(each => ({ ...each, compute: 4, again })) })).unknown.find(
        ({ cause }) => cause === 'computed-again'
      )?.why;
    expect(why(0)).toBe('There is no profile of the tasks.');
    expect(why(20)).toBeUndefined();
  });

  it('by the same keys is certain', () => {
    const repeated = computations.map((each, i) => ({ ...each, compute: 4, again: i === 0 ? 0 : 20 }));
    const one = found(made({ functions, rows, computations: repeated }), 'computed-again');
    expect(one.confidence).toBe('high');
    expect(one.sentence).toContain(
      '40 tasks of 2 computations had been computed before, and their results had been released. Computing them again took 8.00 s'
    );
    expect(one.sentence).toMatch(/8\.00 s\. It costs \d+ % of the time\.$/);
    // Half of them failed, which is a cause of its own.
    const failed = rows.map(row => ({ ...row, status: (row.lane ?? 0) % 2 }));
    expect(found(made({ functions, rows: failed, computations: repeated }), 'computed-again').sentence).toMatch(
      /8\.00 s\. It costs \d+ % of the time\. The share is without what other causes explain\.$/
    );
    // The scheduler still knew the tasks when the next graph came: they belong to the first that asked for them.
    const known = computations.map((each, i) => ({
      ...each,
      tasks: 20,
      done: i === 0 ? 60 : 20,
      again: 0,
      compute: i === 0 ? 12 : 0
    }));
    const later = found(made({ functions, rows, computations: known }), 'computed-again');
    expect(later.sentence).toContain('40 tasks had been computed before');
    const once = computations.map(each => ({ ...each, compute: 4, again: 0 }));
    expect(verdict(adviceOf(made({ functions, rows, computations: once })), 'computed-again')).toBeUndefined();
  });

  it('costs what threads did not do meanwhile, too: the computations would have been shorter', () => {
    const cost = (stop: number): number => {
      const repeated = computations.map((each, i) => ({ ...each, stop: i * 2 + stop, compute: 4, again: i === 0 ? 0 : 20 }));
      return found(made({ functions, rows, computations: repeated }), 'computed-again').cost.seconds;
    };
    expect(cost(1)).toBeCloseTo(8, 1);
    const sparse = [0, 1, 2].flatMap(i => [0, 1, 2, 3].flatMap(lane => tasks(lane, 5, 0.2, 2 * i, 0.2, i)));
    const values = computations.map((each, i) => ({ ...each, stop: i * 2 + 1.9, compute: 4, again: i === 0 ? 0 : 20 }));
    expect(found(made({ functions, rows: sparse, computations: values }), 'computed-again').confidence).toBe('high');
    const sparser = [0, 1, 2].flatMap(i => [0, 1, 2, 3].flatMap(lane => tasks(lane, 5, 0.1, 2 * i, 0.3, i)));
    const fewer = values.map(each => ({ ...each, compute: 2 }));
    expect(found(made({ functions, rows: sparser, computations: fewer }), 'computed-again')).toMatchObject({
      confidence: 'medium',
      sentence: expect.stringContaining(
        ' took 4.00 s. Meanwhile threads were idle for 11.2 s, which may be saved, too. Together it costs 64 % of the time.'
      ),
      doubt: expect.stringMatching(/^Most of it is idle time/)
    });
    // In a longer time, of which its computing is little, it is a cause while it costs enough.
    const longer = [...sparser, ...[0, 1, 2, 3].flatMap(lane => tasks(lane, 30, 1, 6, 0, 0))];
    expect(found(made({ functions, rows: longer, computations: fewer, now: 36 }), 'computed-again')).toMatchObject({
      cost: { share: expect.closeTo(0.1, 1) },
      sentence: expect.stringContaining(
        'took 4.00 s. Meanwhile threads were idle for 11.2 s, which may be saved, too. Together it costs 11 % of the time.'
      )
    });
    // Of the pause after the second one: the last ends with its tasks.
    expect(cost(2)).toBeGreaterThan(11);
  });

  it('costs no idle time in which nothing ran that repeats', () => {
    // The first half of a computation was asked for before; then one new task leaves three threads idle for as long.
    const known = { since: 0, last: 0, start: 0, stop: 2, tasks: 40, done: 40, compute: 8, submissions: 1 };
    const next = { since: 2, last: 2, start: 2, stop: 12, tasks: 41, done: 41, again: 40, compute: 16, submissions: 1 };
    const shares = [
      { computation: 0, prefix: 0, tasks: 40, again: 0, done: 40, compute: 8 },
      { computation: 1, prefix: 0, tasks: 40, again: 40, done: 40, compute: 8 },
      { computation: 1, prefix: 1, tasks: 1, again: 0, done: 1, compute: 8 }
    ];
    const repeats = [0, 1, 2, 3].flatMap(lane => [...tasks(lane, 10, 0.2), ...tasks(lane, 10, 0.2, 2)]);
    const run = made({ rows: [...repeats, ...tasks(0, 1, 8, 4, 0, 1)], computations: [known, next], shares, now: 12 });
    const { cost, sentence } = found(run, 'computed-again');
    expect(cost.seconds).toBeCloseTo(8, 1);
    expect(sentence).toMatch(/took 8\.00 s\. It costs 17 % of the time\.$/);
  });

  it('costs what of it is in the period', () => {
    const values = { since: 0, last: 0, start: 0, stop: 100, tasks: 400, done: 400, again: 100, compute: 400, submissions: 1 };
    const run = made({ rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 100, 1)), computations: [values] });
    for (const period of [null, { from: 0, to: 20 }]) {
      expect(verdict(adviceOf(run, period), 'computed-again')?.cost.share).toBeCloseTo(0.25, 2);
    }
  });

  it('is not what only Dask itself has in common, nor the same function on and on', () => {
    const dask = made({ functions, rows, computations, topics: { profile: profile(functions, '/lib/dask/array/core.py') } });
    expect(verdict(adviceOf(dask), 'computed-again')).toBeUndefined();
    const same = rows.map(row => ({ ...row, prefix: 0 }));
    const loop = made({ functions, rows: same, computations, topics: { profile: profile(functions, '/home/me/work.py') } });
    expect(verdict(adviceOf(loop), 'computed-again')).toBeUndefined();
  });
});

it('names plots of the catalogue, whatever it finds', () => {
  const known = new Set(PLOTS.map(plot => plot.id));
  const folder = 'src/advice/rules';
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(`${folder}/${file}`, 'utf8'));
  const named = sources.flatMap(source =>
    [...source.matchAll(/^ *plot: (.*)$/gm)].flatMap(([, value]) => [...value.matchAll(/'([^']*)'/g)].map(([, id]) => id))
  );
  expect(named.length).toBeGreaterThanOrEqual(RULES.length);
  expect(named.filter(id => !known.has(id))).toEqual([]);
});
