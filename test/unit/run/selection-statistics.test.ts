import { describe, expect, it } from 'vitest';
import { KIND } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';
import { NOTHING_SELECTED, type Selection } from '../../../src/run/selection/selection';
import { quantiles } from '../../../src/selectors/selection/quantile';
import { type SelectionStatistics, selectionStatistics, selectionSteps } from '../../../src/selectors/selection/statistics';
import { headWords } from '../../../src/selectors/selection/statistics-text';
import { countWords } from '../../../src/selectors/selection/statistics-words';
import { translate as trans } from '../translate';
import { type Move, randomOf, type Row, runningBody, tasksBody } from './synthetic';

const EPOCH = 1_700_000_000;
const LANES = 5;
const FUNCTIONS = ['load', 'sum', 'store'];

function runOf(rows: readonly Row[], moves: readonly Move[] = [], now = EPOCH + 1000): Run {
  const run = new Run();
  const names = {
    prefixes: { from: 0, values: FUNCTIONS },
    workers: {
      from: 0,
      values: [0, 1].map(i => ({ address: `w${i}`, name: `w${i}`, host: 'h', nthreads: 3, memory_limit: 0, joined: EPOCH }))
    },
    lanes: { from: 0, values: Array.from({ length: LANES }, (_, lane) => [lane % 2, lane] as const) }
  };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: now, cursor: {}, names, topics: { tasks: tasksBody(rows, 0, moves) } }, 0);
  return run;
}

const select = (conditions: Partial<Selection>): Selection => ({ ...NOTHING_SELECTED, ...conditions });

const endOf = (row: Row): number => row.start + Math.fround(row.duration);

/** Time of an execution within a period. Of one that is not cut it is its duration: the difference of two moments is rounded. */
function timeIn(row: Row, { from, to }: { from: number; to: number }): number {
  const cut = row.start < from || endOf(row) > to;
  return cut ? Math.min(endOf(row), to) - Math.max(row.start, from) : Math.fround(row.duration);
}

/** How a thread spent a period, by asking of each elementary interval what covers it. */
function useByHand(
  rows: readonly Row[],
  moves: readonly Move[],
  period: { from: number; to: number },
  fits: (row: Row) => boolean
) {
  const sum = { compute: 0, unselected: 0, transfer: 0, disk: 0 };
  for (let lane = 0; lane < LANES; lane++) {
    const executed = rows.filter(row => row.lane === lane);
    const moved = moves.filter(move => rows[move.at].lane === lane);
    const ends = [...executed, ...moved].flatMap(each => [each.start, each.start + Math.fround(each.duration)]);
    const marks = [...new Set([period.from, period.to, ...ends.filter(t => t > period.from && t < period.to)])].sort(
      (a, b) => a - b
    );
    for (const [i, begin] of marks.slice(0, -1).entries()) {
      const end = marks[i + 1];
      const covers = (each: { start: number; duration: number }): boolean =>
        each.start <= begin && each.start + Math.fround(each.duration) >= end;
      const part = executed.some(row => covers(row) && fits(row))
        ? 'compute'
        : executed.some(covers)
          ? 'unselected'
          : moved.some(move => covers(move) && KIND[move.kind] === 'transfer')
            ? 'transfer'
            : moved.some(covers)
              ? 'disk'
              : null;
      if (part !== null) {
        sum[part] += end - begin;
      }
    }
  }
  return sum;
}

/** Time in which each lane executed anything within a period. */
function unionByHand(rows: readonly Row[], period: { from: number; to: number }): number {
  let sum = 0;
  for (let lane = 0; lane < LANES; lane++) {
    let reach = period.from;
    for (const row of rows.filter(each => each.lane === lane).sort((a, b) => a.start - b.start)) {
      const end = Math.min(period.to, row.start + Math.fround(row.duration));
      sum += Math.max(0, end - Math.max(reach, row.start));
      reach = Math.max(reach, end);
    }
  }
  return sum;
}

describe('tasks without a length, as of a clock with coarse steps', () => {
  const at = (...starts: readonly number[]): Row[] => starts.map(start => ({ lane: 0, start: EPOCH + start, duration: 0 }));
  const count = (rows: readonly Row[], from: number, to: number): number =>
    selectionStatistics(runOf(rows), select({ period: { from: EPOCH + from, to: EPOCH + to } })).count;

  it('belong to a period that begins or ends at them, whatever else their thread did', () => {
    const others = [1, 9].map(start => ({ lane: 0, start: EPOCH + start, duration: 1 }));
    expect([count(at(5), 5, 6), count(at(5), 4, 5)]).toEqual([1, 1]);
    expect([count([...others, ...at(5)], 5, 6), count([...others, ...at(5)], 4, 5)]).toEqual([1, 1]);
    expect([count([...others, ...at(5)], 5.1, 6), count([...others, ...at(5)], 4, 4.9)]).toEqual([0, 0]);
    // Of the others, those that only touch it do not.
    expect([count([...others, ...at(5)], 2, 9), count([...others, ...at(2, 9)], 2, 9)]).toEqual([1, 2]);
    const many = at(...Array.from({ length: 700 }, (_, i) => i / 700));
    expect(count([...many, ...others], 511 / 700, 0.9)).toBe(120);
  });

  it('are counted in words, too', () => {
    const statistics = selectionStatistics(runOf(at(5)), select({ rows: { run: 'f 0', numbers: [0] } }));
    expect(statistics.count).toBe(1);
    expect(`${headWords(statistics, trans)}: ${countWords(statistics, trans)}`).toBe('0 s: 1 task');
    const none = selectionStatistics(runOf(at(5)), select({ functions: ['none'] }));
    expect(`${headWords(none, trans)}: ${countWords(none, trans)}`).toBe('No tasks: 0 tasks');
  });
});

describe('quantiles', () => {
  it('interpolates as numpy does', () => {
    const values = [4, 1, 3, 2];
    const of = (q: number): number => quantiles(Float32Array.from(values), values.length, [q])[0];
    expect([of(0), of(0.5), of(0.95), of(1)].map(x => Number(x.toFixed(6)))).toEqual([1, 2.5, 3.85, 4]);
    expect(quantiles(new Float32Array(4), 0, [0.5])).toEqual([Number.NaN]);
    expect(quantiles(Float32Array.of(7, 0, 0), 1, [0.5, 0.95])).toEqual([7, 7]);
  });

  it('equals sorting, for any order and many equal values (seed 7)', () => {
    const random = randomOf(7);
    for (let round = 0; round < 300; round++) {
      const length = 1 + Math.floor(random() * 60);
      const kinds = 1 + Math.floor(random() * 12);
      const values = Float32Array.from({ length }, (_, i) => (round % 3 === 0 ? i : Math.floor(random() * kinds)));
      const sorted = [...values].sort((a, b) => a - b);
      const wanted = [random(), random()].sort((a, b) => a - b);
      const expected = wanted.map(q => {
        const at = q * (length - 1);
        const low = sorted[Math.floor(at)];
        return expect.closeTo(low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at)), 6);
      });
      expect(quantiles(values, length, wanted), `round ${round}`).toEqual(expected);
    }
  });

  it.each([11, 12, 13])('equals sorting where numbers are many and counted first (seed %i)', seed => {
    const random = randomOf(seed);
    const made: readonly (() => number)[] = [
      () => 10 ** (-5 + 8 * random()),
      () => Math.floor(random() * 5),
      () => 0.25 + 1e-6 * random(),
      () => (random() < 0.5 ? 0 : 1e9 * random()),
      () => 7
    ];
    for (const [kind, make] of made.entries()) {
      const length = 2048 + Math.floor(random() * 300_000);
      // A part of a larger buffer, of which the rest must not count.
      const values = new Float32Array(length + 100).fill(1e30);
      values.set(Float32Array.from({ length }, make));
      const sorted = values.slice(0, length).sort();
      const any = random() * 0.9;
      // Some are next to each other, as where one bucket has several.
      const wanted = [0, any, any, any + 1e-6, 0.5, 0.5 + 1e-3, 0.95, 1].sort((a, b) => a - b);
      const expected = wanted.map(q => {
        const at = q * (length - 1);
        const low = sorted[Math.floor(at)];
        return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
      });
      expect(quantiles(values, length, wanted), `numbers of kind ${kind}`).toEqual(expected);
    }
  });

  it('interpolates between two numbers of different size', () => {
    const values = Float32Array.from({ length: 5000 }, (_, i) => (i % 2 === 0 ? 1 : 1000));
    expect(quantiles(values, 5000, [0.5])).toEqual([500.5]);
  });
});

describe('selectionStatistics', () => {
  it('describes nothing where nothing ran', () => {
    const statistics = selectionStatistics(new Run(), NOTHING_SELECTED);
    expect(statistics).toMatchObject({ period: null, threads: { count: 0 }, count: 0, functions: [], slowest: [], workers: [] });
    expect(statistics.use).toMatchObject({ capacity: 0, idle: 0 });
  });

  it('cuts time to the period, and keeps durations whole', () => {
    const rows = [
      { lane: 0, prefix: 0, start: EPOCH, duration: 4, nbytes: 10 },
      { lane: 0, prefix: 1, start: EPOCH + 5, duration: 2, status: 1 },
      { lane: 1, prefix: 0, start: EPOCH + 4, duration: 1, nbytes: 5 },
      { lane: 1, prefix: 2, start: EPOCH + 20, duration: 1 }
    ];
    const period = { from: EPOCH + 2, to: EPOCH + 6 };
    const statistics = selectionStatistics(runOf(rows), select({ period }));
    expect(statistics).toMatchObject({ period, threads: { count: 6 }, count: 3, erred: 1, bytes: 15 });
    expect(statistics.functions).toEqual([
      {
        prefix: 0,
        name: 'load',
        count: 2,
        erred: 0,
        total: 3,
        min: 1,
        mean: 2.5,
        median: 2.5,
        p95: expect.closeTo(3.85, 5),
        max: 4,
        bytes: 15
      },
      { prefix: 1, name: 'sum', count: 1, erred: 1, total: 1, min: 2, mean: 2, median: 2, p95: 2, max: 2, bytes: 0 }
    ]);
    expect(statistics.use).toEqual({
      capacity: 24,
      compute: 4,
      unselected: 0,
      transfer: 0,
      disk: 0,
      earlier: 0,
      running: 0,
      unobserved: 0,
      idle: 20
    });
    expect(statistics.slowest.map(each => each.duration)).toEqual([4, 2, 1]);
    expect(statistics.workers).toEqual([
      { worker: 0, count: 2, total: 3 },
      { worker: 1, count: 1, total: 1 }
    ]);
  });

  it('does not count an execution that only touches the period, and counts one without a length', () => {
    const rows = [
      { lane: 0, start: EPOCH, duration: 1 },
      { lane: 0, start: EPOCH + 2, duration: 1 },
      { lane: 0, start: EPOCH + 1.5, duration: 0 }
    ];
    const { count, functions } = selectionStatistics(runOf(rows), select({ period: { from: EPOCH + 1, to: EPOCH + 2 } }));
    expect(count).toBe(1);
    expect(functions[0]).toMatchObject({ total: 0, min: 0, median: 0, max: 0 });
  });

  it('takes the period no further than the run has come', () => {
    const run = runOf([{ lane: 0, start: EPOCH, duration: 1 }], [], EPOCH + 10);
    const { period, use } = selectionStatistics(run, select({ period: { from: EPOCH, to: EPOCH + 1000 } }));
    expect(period).toEqual({ from: EPOCH, to: EPOCH + 10 });
    expect(use).toMatchObject({ capacity: 60, compute: 1, idle: 59 });
  });

  it('counts running tasks as running, not as idle', () => {
    const run = runOf([{ lane: 0, start: EPOCH, duration: 1 }], [], EPOCH + 10);
    const running = runningBody([{ id: 1, worker: 0, start: EPOCH + 4 }]);
    run.apply({ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 10, cursor: {}, names: {}, topics: { running } }, 0);
    const { use } = selectionStatistics(run, select({ period: { from: EPOCH, to: EPOCH + 10 } }));
    expect(use).toMatchObject({ compute: 1, running: 6, idle: 53 });
    const other = selectionStatistics(run, select({ period: { from: EPOCH, to: EPOCH + 10 }, workers: ['w1'] }));
    expect(other.use).toMatchObject({ capacity: 30, running: 0, idle: 30 });
  });

  it('says where executions are no longer kept', () => {
    const rows = Array.from({ length: 4000 }, (_, i) => ({ lane: 0, start: EPOCH + i, duration: 0.5 }));
    const run = runOf(rows, [], EPOCH + 5000);
    run.keepTasks(1000);
    const { incompleteUntil } = run.tasks;
    expect(incompleteUntil).toBeGreaterThan(EPOCH);
    const at = (from: number, to: number): number => selectionStatistics(run, select({ period: { from, to } })).incompleteUntil;
    expect(at(EPOCH + 10, EPOCH + 4000)).toBe(incompleteUntil);
    expect(at(incompleteUntil, EPOCH + 4000)).toBe(Number.NEGATIVE_INFINITY);
    expect(selectionStatistics(run, NOTHING_SELECTED).incompleteUntil).toBe(incompleteUntil);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('equals brute force (seed %i)', seed => {
    const random = randomOf(seed);
    const whole = (most: number): number => Math.floor(random() * most);
    const rows = Array.from({ length: 400 }, () => ({
      lane: whole(LANES),
      prefix: whole(3),
      start: EPOCH + random() * 60,
      duration: whole(8) === 0 ? random() * 8 : random() * 0.4,
      status: whole(10) === 0 ? 1 : 0,
      nbytes: whole(1000)
    })).sort((a, b) => (seed % 2 === 0 ? a.start - b.start : 0));
    const moves = Array.from({ length: 200 }, () => ({
      at: whole(rows.length),
      kind: 1 + whole(4),
      start: EPOCH + random() * 60,
      duration: random()
    }));
    const from = EPOCH + random() * 30;
    const period = { from, to: from + random() * 30 };
    const functions = seed % 3 === 0 ? ['load'] : null;
    const workers = seed % 4 === 0 ? ['w0'] : null;
    const erred = seed % 5 === 0;
    const run = runOf(rows, moves);
    const statistics = selectionStatistics(run, select({ period, functions, workers, erred }));

    const onLane = (row: Row): boolean => workers === null || (row.lane ?? 0) % 2 === 0;
    const fits = (row: Row): boolean => (functions === null || row.prefix === 0) && (!erred || row.status === 1);
    const chosen = rows.filter(row => onLane(row) && fits(row) && row.start < period.to && endOf(row) > period.from);
    expect(statistics.count).toBe(chosen.length);
    expect(statistics.erred).toBe(chosen.filter(row => row.status === 1).length);
    expect(statistics.bytes).toBe(chosen.reduce((sum, row) => sum + row.nbytes, 0));
    const longest = chosen.map(row => Math.fround(row.duration)).sort((a, b) => b - a);
    expect(statistics.slowest.map(each => each.duration)).toEqual(longest.slice(0, 10));
    for (const each of statistics.functions) {
      const own = chosen.filter(row => row.prefix === each.prefix);
      const durations = own.map(row => Math.fround(row.duration)).sort((a, b) => a - b);
      const inside = own.reduce((sum, row) => sum + timeIn(row, period), 0);
      expect(each).toMatchObject({ count: own.length, min: durations[0], max: durations.at(-1) });
      expect(each.mean).toBeCloseTo(durations.reduce((sum, duration) => sum + duration, 0) / own.length, 6);
      expect(each.total).toBeCloseTo(inside, 6);
      expect(each.median).toBeCloseTo((durations[(own.length - 1) >> 1] + durations[own.length >> 1]) / 2, 6);
    }
    const lanes = rows.filter(onLane);
    const places = new Map(lanes.map((row, i) => [row, i]));
    const theirs = moves.filter(move => onLane(rows[move.at])).map(move => ({ ...move, at: places.get(rows[move.at]) ?? 0 }));
    const byHand = useByHand(lanes, theirs, period, fits);
    const { use } = statistics;
    for (const part of ['compute', 'unselected', 'transfer', 'disk'] as const) {
      expect(use[part], part).toBeCloseTo(byHand[part], 4);
    }
    const { compute, unselected, transfer, disk, running, idle, capacity } = use;
    expect(compute + unselected + transfer + disk + running + idle).toBeCloseTo(capacity, 6);
  });

  it.each([21, 22, 23, 24])(
    'equals brute force on lanes of several chunks, with a long execution over the others (seed %i)',
    seed => {
      const random = randomOf(seed);
      let [start, reach] = [EPOCH, 0];
      const kinds = seed % 2 === 0 ? 3 : 50;
      const rows = Array.from({ length: 9000 }, (_, i) => {
        start += random() * 0.02;
        const duration = i % 3001 === 7 ? 40 : random() * 0.03;
        reach = Math.max(reach, start + duration);
        const [prefix, nbytes] = [Math.floor(random() * kinds), Math.floor(random() * 1000)];
        return { lane: i % 2, prefix, start, duration, nbytes, status: random() < 0.05 ? 1 : 0 };
      });
      // Some arrive late.
      for (let i = 0; i < 20; i++) {
        rows.push(...rows.splice(Math.floor(random() * rows.length), 1));
      }
      const any = (): (typeof rows)[number] => rows[Math.floor(random() * rows.length)];
      const run = runOf(rows, [], reach);
      for (let round = 0; round < 20; round++) {
        // Every other period begins and ends with executions.
        const from = round % 2 === 0 ? EPOCH + random() * 80 : random() < 0.5 ? any().start : endOf(any());
        const last = rows.find(row => row.start > from + 5 && random() < 0.01);
        const period = { from, to: round % 2 === 0 || last === undefined ? from + random() * 20 : endOf(last) };
        const chosen = rows.filter(row => row.start < period.to && endOf(row) > period.from);
        const { count, erred, bytes, functions, use, threads, slowest, workers } = selectionStatistics(run, select({ period }));
        expect(count).toBe(chosen.length);
        expect(erred).toBe(chosen.filter(row => row.status === 1).length);
        expect(bytes).toBe(chosen.reduce((sum, row) => sum + row.nbytes, 0));
        expect(slowest.map(each => each.duration)).toEqual(
          [
            ...Float32Array.from(chosen, row => row.duration)
              .sort()
              .reverse()
          ].slice(0, 10)
        );
        for (const { worker, total } of workers) {
          const own = chosen.filter(row => row.lane === worker);
          expect(total).toBeCloseTo(
            own.reduce((sum, row) => sum + timeIn(row, period), 0),
            9
          );
        }
        expect(functions.reduce((sum, each) => sum + each.count, 0)).toBe(count);
        for (const { prefix, median, p95, min, max, total } of functions) {
          const own = chosen.filter(row => row.prefix === prefix);
          const durations = Float32Array.from(own, row => row.duration).sort();
          expect([min, max]).toEqual([durations[0], durations[own.length - 1]]);
          expect([median, p95]).toEqual(quantiles(durations, own.length, [0.5, 0.95]));
          expect(total).toBeCloseTo(
            own.reduce((sum, row) => sum + timeIn(row, period), 0),
            9
          );
        }
        expect(threads.count).toBe(6);
        const byHand = unionByHand(rows, period);
        expect(use.compute).toBeCloseTo(byHand, 5);
      }
    }
  );

  it('has each function, also with a number beyond those that have names', () => {
    const rows = [0, 31, 32, 70, 65_535].map((prefix, i) => ({ lane: 0, prefix, start: EPOCH + i, duration: 1 + i }));
    const { functions, count } = selectionStatistics(runOf(rows), NOTHING_SELECTED);
    expect(count).toBe(5);
    expect(functions.map(each => [each.prefix, each.total, each.median])).toEqual([
      ...[
        [65_535, 5, 5],
        [70, 4, 4],
        [32, 3, 3],
        [31, 2, 2],
        [0, 1, 1]
      ] // longest first
    ]);
  });

  it('can be computed in steps', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({ lane: 0, prefix: i % 3, start: EPOCH + i, duration: 0.5 }));
    const run = runOf(rows, [], EPOCH + 20_000);
    const steps = selectionSteps(run, NOTHING_SELECTED);
    let count = 0;
    let result: SelectionStatistics | null = null;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        result = step.value;
        break;
      }
      count += 1;
    }
    expect(count).toBeGreaterThanOrEqual(5);
    expect(result).toEqual(selectionStatistics(run, NOTHING_SELECTED));
    expect(result.count).toBe(10_000);
  });
});
