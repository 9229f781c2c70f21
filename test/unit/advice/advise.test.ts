import { describe, expect, it } from 'vitest';
import { CAUSES, type Verdict } from '../../../src/advice/advice';
import { LEAST_SHARE } from '../../../src/advice/facts';
import { RULES } from '../../../src/advice/rules';
import { PARTS } from '../../../src/advice/time/parts';
import { newestPeriod } from '../../../src/advice/period';
import { Run } from '../../../src/run/run';
import { randomOf, type Move, type Row } from '../run/synthetic';
import { adviceOf, EPOCH, made, tasks, verdict } from './made';

/** Four threads that work all the time. */
const BUSY = [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.2, 0, 0.002));

describe('a healthy run', () => {
  it('has no verdict, and says how much was computed', () => {
    const advice = adviceOf(made({ rows: BUSY }));
    expect(advice.verdicts).toEqual([]);
    expect(advice.headline).toBe('Nothing wrong found: 99 % of thread time computing.');
    expect(advice.absent.length + advice.unknown.length).toBe(RULES.length);
    expect(advice.capacity).toBeCloseTo(4 * 4.038, 1);
  });

  it('has each cause once', () => {
    expect(RULES.map(rule => rule.cause).sort()).toEqual([...CAUSES].sort());
  });
});

describe('what has no verdict', () => {
  it('is a run without anything', () => {
    const advice = adviceOf(new Run());
    expect(advice).toMatchObject({ period: null, capacity: 0, verdicts: [], headline: 'Nothing has run.' });
    expect(advice.unknown).toHaveLength(RULES.length);
  });

  it('is a cluster that has done nothing, and a period in which nothing ran', () => {
    expect(adviceOf(made({})).headline).toBe('Nothing has run.');
    expect(adviceOf(made({ rows: BUSY, now: 5 }), { from: -100, to: -50 }).period).toBeNull();
  });

  it('is not known where a topic is missing', () => {
    const run = new Run();
    const { tasks: _, ...topics } = { tasks: null, meta: { columns: {}, scalars: {} } };
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH, cursor: {}, names: {}, topics }, 0);
    expect(
      adviceOf(run)
        .unknown.map(each => each.cause)
        .sort()
    ).toEqual([...CAUSES].sort());
  });
});

describe('a period', () => {
  const bad = tasks(0, 10, 0.5, 20);

  it('is that of the run by default, and of the asked part else', () => {
    const run = made({ rows: [...BUSY, ...bad], computations: [{ since: 0, last: 0, stop: 25, tasks: 90 }] });
    expect(verdict(adviceOf(run), 'little-parallelism')).toBeDefined();
    expect(adviceOf(run, { from: 0, to: 4 }).verdicts).toEqual([]);
    const second = verdict(adviceOf(run, { from: 20, to: 25 }), 'little-parallelism');
    expect(second?.cost.share).toBeCloseTo(0.75, 1);
    expect(second?.evidence.selection.period?.from).toBeGreaterThanOrEqual(EPOCH + 20);
  });

  it('of a live cluster is what came after the last pause of the user', () => {
    const computations = [
      { since: 0, last: 0, stop: 4.04 },
      { since: 1000, last: 1000, stop: 1004.04 },
      { since: 1006, last: 1006, stop: 1007 }
    ];
    const again = BUSY.map(row => ({ ...row, start: row.start + 1000 }));
    const run = made({ rows: [...BUSY, ...again], computations, now: 1010 });
    expect(newestPeriod(run)).toEqual({ from: EPOCH + 1000, to: EPOCH + 1007 });
    expect(newestPeriod(new Run())).toBeNull();
  });

  it('that is short makes every verdict doubtful, and less than half a second is not reported', () => {
    const short = adviceOf(made({ rows: tasks(0, 12, 0.1) }));
    expect(short.verdicts[0]).toMatchObject({
      cause: 'little-parallelism',
      confidence: 'low',
      doubt: 'The period is only 1.20 s long.'
    });
    expect(adviceOf(made({ rows: tasks(0, 3, 0.1) })).verdicts).toEqual([]);
  });

  it('does not count a pause of the user between two runs', () => {
    const computations = [
      { since: 0, last: 0, stop: 4.04, tasks: 80 },
      { since: 1000, last: 1000, stop: 1004.04, tasks: 80 }
    ];
    const again = BUSY.map(row => ({ ...row, start: row.start + 1000 }));
    const advice = adviceOf(made({ rows: [...BUSY, ...again], computations, now: 1010 }));
    expect(advice.headline).toMatch(/^Nothing wrong found: 9\d % of thread time computing\.$/);
    expect(advice.capacity).toBeLessThan(40);
  });
});

describe('the first rules', () => {
  it('see tasks that are too small', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 500, 0.001, 0, 0.004));
    const found = verdict(adviceOf(made({ rows })), 'small-tasks');
    expect(found?.cost.share).toBeCloseTo(0.8, 1);
    expect(found?.sentence).toMatch(/^Tasks are too small: 2,000 took 1\.0* ms on average, and threads waited 80 % of the time/);
    expect(found?.evidence.selection.functions).toEqual(['load']);
  });

  it('see a chain, and what ran', () => {
    const found = adviceOf(made({ rows: tasks(0, 30, 0.1, 0, 0.002, 2) }));
    expect(found.verdicts.map(each => each.cause)).toEqual(['little-parallelism']);
    expect(found.headline).toContain('1.0 of 4 threads worked, mostly on store');
  });

  it('see a task that takes much longer than the others of its function, ended or not', () => {
    const short = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.1));
    const ended = adviceOf(made({ rows: [...short, { lane: 1, start: 1, duration: 5 }] }));
    expect(ended.verdicts[0]).toMatchObject({ cause: 'straggler', confidence: 'high' });
    expect(ended.headline).toContain('A task of load took 5.00 s, 50 times the median of its function (100 ms)');
    expect(ended.verdicts[0].evidence.selection.rows?.numbers).toEqual([40]);
    const running = adviceOf(made({ rows: short, running: [{ id: 0, start: 1, prefix: 0, key: 'load-17' }], now: 6 }));
    expect(running.headline).toContain('load-17 has been running for 5.00 s. Others of its function take 100 ms');
  });

  it('see spilling before it costs time: nothing else would warn', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.5));
    const { verdicts, headline } = adviceOf(made({ rows, now: 10, series: { spilled: [0, 0, 2 ** 20] } }));
    expect(verdicts.map(({ cause }) => cause)).toEqual(['spilling']);
    expect(headline).toBe('Memory was short: up to 1.00 MiB of results were on disk. No thread has waited for them.');
    expect(adviceOf(made({ rows, now: 10 })).headline).toMatch(/^Nothing wrong found/);
  });

  it('see spilling, and what threads wait for', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.1, 0, 0.2));
    const moves = rows.map((row, at) => ({ at, kind: 2, start: row.start + 0.1, duration: 0.2 }));
    const spilled = [0, 2 ** 30, 2 ** 30];
    const found = verdict(adviceOf(made({ rows, moves, series: { spilled } })), 'spilling');
    expect(found?.cost.share).toBeGreaterThan(0.6);
    expect(found?.sentence).toBe(
      'Memory was short: up to 1.00 GiB of results were on disk, and threads waited 8.00 s for disk. It costs 67 % of the time.'
    );
    expect(found?.confidence).toBe('high');
  });

  it('see what was spilled until the workers had written it, and when', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.5));
    const run = made({ rows, now: 12, series: { spilled: [0, 0, 0, 0, 0, 2 ** 20, 2 ** 21, 2 ** 21] } });
    const { sentence, evidence } = verdict(adviceOf(run), 'spilling') as Verdict;
    expect(sentence).toContain('up to 2.00 MiB of results were on disk');
    const { period } = evidence.selection;
    expect(period?.from).toBe(EPOCH + 4);
    expect(period?.to).toBeCloseTo(EPOCH + 5, 3);
  });

  it('see no spilling where nothing was on disk: inputs may be long in coming from memory', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.1, 0, 0.2));
    const moves = rows.map((row, at) => ({ at, kind: 2, start: row.start + 0.1, duration: 0.2 }));
    const zeros = new Array<number>(4).fill(0);
    expect(verdict(adviceOf(made({ rows, moves, series: { spilled: zeros } })), 'spilling')).toBeUndefined();
    expect(verdict(adviceOf(made({ rows, moves, series: { spilled: [] } })), 'spilling')).toBeDefined();
  });

  it('see transfers that nothing overlaps', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.1, 0, 0.2));
    const moves = rows.map((row, at) => ({ at, kind: 1, start: row.start + 0.05, duration: 0.25 }));
    const found = verdict(adviceOf(made({ rows, moves })), 'transfers');
    expect(found?.cost.share).toBeCloseTo(0.65, 1);
  });

  it('say that more may have been moved where not all transfers are known', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.1, 0, 0.2));
    const moves = rows.map((row, at) => ({ at, kind: 1, start: row.start + 0.1, duration: 0.2 }));
    const columns = {
      ...{ sender: Uint32Array.of(1), receiver: Uint32Array.of(2), keys: Uint32Array.of(1), total: Float64Array.of(2 ** 20) },
      ...{ start: Float64Array.of(EPOCH + 1), stop: Float64Array.of(EPOCH + 1.5) }
    };
    const moved = (known: Record<string, number>): readonly string[] => {
      const transfers = { columns, scalars: { first: 0, ...known } };
      const figures = verdict(adviceOf(made({ rows, moves, topics: { transfers } })), 'transfers')?.evidence.figures ?? [];
      return figures.slice(-2).map(({ text }) => text);
    };
    expect(moved({})).toEqual(['1', '1.00 MiB']);
    for (const name of ['lost', 'dropped', 'silent']) {
      expect(moved({ [name]: 1 })).toEqual(['≥ 1', '≥ 1.00 MiB']);
    }
  });
});

describe('odd input', () => {
  it('is shown as text in one line', () => {
    const name = `a\u0000\n<b>${'x'.repeat(5000)}\ud800`;
    const { headline } = adviceOf(made({ rows: tasks(0, 30, 0.1), functions: [name] }));
    expect(headline).not.toContain('\n');
    expect(headline.length).toBeLessThan(400);
  });

  it('changes no rule', () => {
    const odd = [Number.NaN, 1e300, -1, Number.POSITIVE_INFINITY, 2 ** 32];
    const rows = [
      ...BUSY,
      ...odd.flatMap(value => [
        { lane: 0, start: value, duration: 1 },
        { lane: 1, start: 1, duration: value }
      ])
    ];
    const run = made({
      rows,
      series: { threads: odd, spilled: odd },
      computations: [{ since: Number.NaN, stop: 1e300, last: -1e9 }]
    });
    for (const period of [null, { from: 0, to: 4 }, { from: -1e9, to: 1e9 }]) {
      const advice = adviceOf(run, period);
      for (const each of advice.verdicts) {
        expect(each.cost.seconds).toBeGreaterThanOrEqual(0);
        expect(each.sentence).not.toMatch(/NaN|Infinity/);
      }
    }
  });
});

/** Everything at random: overlapping tasks, transfers, spilling, running tasks, computations. */
function randomRun(seed: number) {
  const random = randomOf(seed);
  const [workers, threads] = [1 + Math.floor(random() * 4), 1 + Math.floor(random() * 4)];
  const long = 10 ** (random() * 4 - 3);
  const rows: Row[] = Array.from({ length: Math.floor(random() * 400) }, () => ({
    lane: Math.floor(random() * workers * threads),
    prefix: Math.floor(random() * 3),
    start: random() * 20,
    duration: random() < 0.02 ? long * 50 : random() * long,
    status: random() < 0.1 ? 1 : 0
  }));
  const moves: Move[] = rows.flatMap((row, at) =>
    random() < 0.4 ? [{ at, kind: 1 + Math.floor(random() * 4), start: row.start - random(), duration: random() * 2 }] : []
  );
  const values = (most: number): number[] => Array.from({ length: 25 }, () => (random() < 0.3 ? 0 : Math.floor(random() * most)));
  return made({
    ...{ rows, moves, workers, threads, now: 25 },
    running: random() < 0.3 ? [{ id: 0, start: random() * 20 }] : [],
    series: { spilled: values(2 ** 30), cpu: values(400), threads: values(workers * threads + 1) },
    computations: Array.from({ length: Math.floor(random() * 5) }, () => {
      const since = random() * 20;
      return {
        since,
        last: since + random(),
        stop: since + random() * 5,
        reading: random(),
        submissions: 1 + Math.floor(random() * 9)
      };
    })
  });
}

/** What went wrong comes before what costs less than 20 %. */
const HARMS = new Set(['failures', 'lost-worker', 'no-worker-fits']);

describe('costs', () => {
  it.each(Array.from({ length: 60 }, (_, i) => 1000 + i))(
    'are never negative, nor more than wall time × threads (seed %d)',
    seed => {
      const advice = adviceOf(randomRun(seed));
      const sum = PARTS.reduce((total, part) => total + advice.parts[part], 0);
      expect(sum).toBeCloseTo(advice.capacity, 3);
      const costs = advice.verdicts.map(each => each.cost.seconds);
      for (const cost of costs) {
        expect(cost).toBeGreaterThanOrEqual(0);
      }
      const total = costs.reduce((all, cost) => all + cost, 0);
      expect(total + advice.unexplained.seconds).toBeLessThanOrEqual(advice.capacity * (1 + 1e-9));
      expect(advice.unexplained.seconds).toBeGreaterThanOrEqual(0);
      const small = advice.verdicts.map(({ cost }) => cost.share < LEAST_SHARE || cost.seconds < 0.5 * advice.threads);
      const led = advice.verdicts.filter(({ cause }, i) => !small[i] && !HARMS.has(cause)).map(({ cost }) => cost.seconds);
      expect(led).toEqual([...led].sort((a, b) => b - a));
      const dangers = advice.verdicts.map(({ cause }, i) => small[i] && !HARMS.has(cause));
      expect(dangers).toEqual([...dangers].sort((a, b) => Number(a) - Number(b)));
    }
  );

  it('of 1,000 workers are found', () => {
    const rows = Array.from({ length: 1000 }, (_, lane) => tasks(lane, 10, 0.5)).flat();
    const advice = adviceOf(made({ rows: [...rows, { lane: 0, start: 5, duration: 60 }], workers: 1000, threads: 1 }));
    expect(advice.verdicts[0].cause).toBe('straggler');
    expect(advice.verdicts[0].cost.share).toBeGreaterThan(0.85);
  });
});
