import { describe, expect, it } from 'vitest';
import { KIND } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';
import { NOTHING_SELECTED, type Selection } from '../../../src/run/selection/selection';
import { actionStatistics } from '../../../src/selectors/selection/action-statistics';
import { type Move, randomOf, type Row, tasksBody } from '../run/synthetic';

const EPOCH = 1_700_000_000;
const FUNCTIONS = ['load', 'sum', 'store'];

function runOf(rows: readonly Row[], moves: readonly Move[] = []): Run {
  const run = new Run();
  const names = {
    prefixes: { from: 0, values: FUNCTIONS },
    workers: {
      from: 0,
      values: [0, 1].map(i => ({ address: `w${i}`, name: `w${i}`, host: 'h', nthreads: 3, memory_limit: 0, joined: EPOCH }))
    },
    lanes: { from: 0, values: Array.from({ length: 4 }, (_, lane) => [lane % 2, lane] as const) }
  };
  const topics = { tasks: tasksBody(rows, 0, moves) };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 1000, cursor: {}, names, topics }, 0);
  return run;
}

const end = ({ start, duration }: { start: number; duration: number }): number => start + Math.fround(duration);

/** The same by going through all rows and moves, one by one. */
function byHand(rows: readonly Row[], moves: readonly Move[], selection: Selection) {
  const { period, functions, workers, erred, durations } = selection;
  const [from, to] = [period?.from ?? Number.NEGATIVE_INFINITY, period?.to ?? Number.POSITIVE_INFINITY];
  const fits = (row: Row): boolean =>
    (functions === null || functions.includes(FUNCTIONS[row.prefix ?? 0])) &&
    (workers === null || workers.includes(`w${(row.lane ?? 0) % 2}`)) &&
    (!erred || row.status === 1) &&
    (durations === null || (Math.fround(row.duration) >= durations.least && Math.fround(row.duration) <= durations.most));
  const inside = (each: { start: number; duration: number }): boolean => each.start < to && end(each) > from;
  return KIND.map((_, kind) => {
    const found =
      kind === 0
        ? rows.filter(row => fits(row) && inside(row)).map(row => ({ ...row, prefix: row.prefix ?? 0 }))
        : moves
            .filter(move => move.kind === kind && fits(rows[move.at]) && inside(move))
            .map(move => ({ ...move, prefix: rows[move.at].prefix ?? 0 }));
    const time = (of: typeof found): number =>
      of.reduce((sum, each) => sum + Math.min(end(each), to) - Math.max(each.start, from), 0);
    const sorted = found.map(each => Math.fround(each.duration)).sort((a, b) => a - b);
    const at = 0.95 * (sorted.length - 1);
    const low = sorted[Math.floor(at)];
    return {
      count: found.length,
      total: time(found),
      mean: sorted.reduce((sum, each) => sum + each, 0) / sorted.length,
      p95: low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at)),
      byFunction: FUNCTIONS.map((__, prefix) => time(found.filter(each => each.prefix === prefix)))
    };
  });
}

describe('actionStatistics', () => {
  it('has every action, also those without time, and no figures that are made up', () => {
    expect(actionStatistics(new Run(), NOTHING_SELECTED)).toEqual(
      KIND.map(kind => ({ kind, count: 0, total: 0, mean: Number.NaN, p95: Number.NaN, functions: [] }))
    );
  });

  it.each(Array.from({ length: 24 }, (_, i) => i + 1))('equals brute force (seed %i)', seed => {
    const random = randomOf(seed);
    const whole = (most: number): number => Math.floor(random() * most);
    // Several chunks in a lane, out of order in some runs, with transfers far from their tasks.
    const count = seed % 3 === 0 ? 9000 : 300;
    const length = count / 10;
    const rows = Array.from({ length: count }, () => ({
      lane: whole(4),
      prefix: whole(3),
      start: EPOCH + random() * length,
      duration: whole(9) === 0 ? random() * 8 : random() * 0.4,
      status: whole(10) === 0 ? 1 : 0
    })).sort((a, b) => (seed % 2 === 0 ? end(a) - end(b) : 0));
    const moves = Array.from({ length: count }, () => {
      const at = whole(rows.length);
      const start = seed % 5 === 0 ? EPOCH + random() * length : rows[at].start - random();
      return { at, kind: 1 + whole(4), start, duration: random() };
    });
    const from = EPOCH + random() * length * 0.8;
    const selection: Selection = {
      ...NOTHING_SELECTED,
      ...(seed % 4 === 0 ? {} : { period: { from, to: from + random() * length * 0.2 } }),
      functions: seed % 3 === 1 ? ['load', 'store', 'nothing'] : null,
      workers: seed % 7 === 0 ? ['w0'] : null,
      erred: seed % 11 === 0,
      durations: seed % 13 === 0 ? { least: 0.1, most: 0.2 } : null
    };
    const found = actionStatistics(runOf(rows, moves), selection);
    for (const [i, expected] of byHand(rows, moves, selection).entries()) {
      const each = found[i];
      expect([each.kind, each.count]).toEqual([KIND[i], expected.count]);
      expect(each.total).toBeCloseTo(expected.total, 4);
      if (expected.count > 0) {
        expect(each.mean).toBeCloseTo(expected.mean, 6);
        expect(each.p95).toBeCloseTo(expected.p95, 6);
      }
      const shares = FUNCTIONS.map((_, prefix) => each.functions.find(share => share.prefix === prefix)?.total ?? 0);
      for (const [prefix, seconds] of expected.byFunction.entries()) {
        expect(shares[prefix]).toBeCloseTo(seconds, 4);
      }
    }
  });

  it('goes on without what the feed made up: kinds that do not exist, times that are none, rows without a place', () => {
    const rows = [
      { lane: 0, start: EPOCH, duration: 1e300 },
      { lane: 0, start: EPOCH + 1, duration: Number.NaN },
      { lane: 0, start: Number.NaN, duration: 1 },
      { lane: 0, start: EPOCH + 2, duration: 2 }
    ];
    const moves = [
      { at: 0, kind: 200, start: EPOCH, duration: 1 },
      { at: 1, kind: 0, start: EPOCH, duration: 1 },
      { at: 2, kind: 1, start: EPOCH, duration: 3 },
      { at: 3, kind: 1, start: EPOCH, duration: Number.POSITIVE_INFINITY }
    ];
    const [compute, transfer] = actionStatistics(runOf(rows, moves), NOTHING_SELECTED);
    expect(compute).toMatchObject({ count: 3, total: 2, functions: [{ prefix: 0, total: 2 }] });
    // The task of the first has no place: its function is not known.
    expect(transfer).toMatchObject({ count: 2, total: 3, functions: [{ prefix: -1 }, { prefix: 0 }] });
  });
});
