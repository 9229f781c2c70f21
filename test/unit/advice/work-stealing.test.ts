/** Work stealing that costs more than it gains, and work stealing that helps, however often. */
import { describe, expect, it } from 'vitest';
import type { TopicBody } from '../../../src/feed/frame';
import { STEAL_OUTCOME, type StealOutcome } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';
import type { Move, Row } from '../run/synthetic';
import { adviceOf, EPOCH, type Made, made, tasks, verdict } from './made';

interface Stolen {
  readonly at: number;
  readonly outcome?: StealOutcome;
  /** Ids of workers; -1 is unknown. */
  readonly victim?: number;
  readonly thief?: number;
  readonly prefix?: number;
}

function steals(list: readonly Stolen[], lost = 0): TopicBody {
  return {
    columns: {
      time: Float64Array.from(list, ({ at }) => EPOCH + at),
      outcome: Uint8Array.from(list, ({ outcome = 'confirmed' }) => STEAL_OUTCOME.indexOf(outcome)),
      victim: Uint32Array.from(list, ({ victim = 0 }) => victim + 1),
      thief: Uint32Array.from(list, ({ thief = 1 }) => thief + 1),
      prefix: Uint32Array.from(list, ({ prefix = 0 }) => prefix),
      asked: new Float32Array(list.length).fill(0.01),
      cost: new Float32Array(list.length).fill(0.05)
    },
    scalars: { first: 0, lost }
  };
}

const ROUNDS = Array.from({ length: 10 }, (_, i) => i);
/** Two tasks at the beginning of each round of 3 s. */
const MOVED: readonly Stolen[] = ROUNDS.flatMap(i => [{ at: 3 * i }, { at: 3 * i + 0.01 }]);

/** Workers w0 and w1 with a thread each. In each round w1 waits for an input from w0 for 2 s, then both run their tasks. */
function storm(
  list: readonly Stolen[],
  change: Made & { waits?: number; own?: readonly Row[] } = {},
  others: readonly Move[] = []
): Run {
  const { waits = 2, own, ...more } = change;
  const got = ROUNDS.flatMap(i => tasks(1, 2, 0.05, 3 * i + 0.05 + waits));
  const moves: Move[] = ROUNDS.map(i => ({ at: 2 * i, kind: 1, start: 3 * i + 0.05, duration: waits, peer: 1 }));
  const kept = own ?? ROUNDS.flatMap(i => tasks(0, 10, 0.05, 3 * i + 2.1));
  const first = { lane: 0, prefix: 1, start: 0, duration: 0.04 };
  return made({
    threads: 1,
    now: 30,
    rows: [...got, ...kept, first],
    moves: [...moves, ...others],
    topics: { steals: steals(list) },
    ...more
  });
}

const found = (run: Run) => verdict(adviceOf(run), 'work-stealing');

describe('work stealing', () => {
  it('that holds up the worker that has the data is named, with what it cost', () => {
    const advice = adviceOf(storm(MOVED));
    const one = verdict(advice, 'work-stealing');
    expect(advice.verdicts[0]).toBe(one);
    expect(one?.sentence).toBe(
      'Work stealing costs more than it gains: 20 tasks (1.00 s of work) were moved to other workers, most often from w0, and waited 20.0 s for their inputs. It costs 64 % of the time.'
    );
    // Both threads stood still for 20 s; w0 would have needed 1 s for these tasks.
    expect(one?.cost.seconds).toBeCloseTo(2 * 19, 0);
    expect(one?.evidence).toMatchObject({ plot: 'work-stealing', selection: { functions: ['load'] } });
    expect(one?.evidence.figures.map(({ value }) => Math.round(value))).toEqual([20, 1, 20]);
  });

  it('is said to take tasks from the worker that gave most, which need not have lost most', () => {
    const more = ROUNDS.flatMap(i => [1, 2, 3].map(() => ({ at: 3 * i, victim: 2 })));
    expect(found(storm([...MOVED, ...more], { workers: 3 }))?.sentence).toMatch(
      /: 50 tasks \([^)]*\) were moved to other workers, most often from w2, and waited 20\.0 s/
    );
  });

  it('takes its time before rules that would name the effect, and no second twice', () => {
    const { verdicts, capacity, parts } = adviceOf(storm(MOVED));
    expect(verdicts.map(({ cause }) => cause)).not.toContain('transfers');
    expect(verdicts.reduce((sum, { cost }) => sum + cost.seconds, 0)).toBeLessThanOrEqual(capacity - parts.compute);
    expect(adviceOf(storm([])).verdicts.map(({ cause }) => cause)).toContain('transfers');
  });

  it('helps while the worker that had the tasks works on, however long the others wait', () => {
    expect(found(storm(MOVED, { own: tasks(0, 300, 0.1) }))).toBeUndefined();
  });

  it('helps where moved tasks take longer than their inputs', () => {
    const rows = [...tasks(1, 60, 0.45, 0.05, 0.05), ...tasks(0, 60, 0.45, 0, 0.05)];
    const moves = rows.slice(0, 60).map(({ start }, at) => ({ at, kind: 1, start: start - 0.05, duration: 0.05, peer: 1 }));
    const each = rows.slice(0, 60).map(({ start }) => ({ at: start - 0.05 }));
    const run = made({ threads: 1, now: 31, rows, moves, topics: { steals: steals(each) } });
    expect(adviceOf(run).verdicts).toEqual([]);
  });

  it('is not blamed for tasks that it did not move', () => {
    const others: readonly (readonly Stolen[])[] = [
      MOVED.map(each => ({ ...each, outcome: 'refused' as const })),
      MOVED.map(each => ({ ...each, prefix: 1 })),
      MOVED.map(each => ({ ...each, thief: 0, victim: 1 })),
      MOVED.map(each => ({ ...each, victim: -1 })),
      // Given back at once.
      MOVED.flatMap(each => [each, { ...each, thief: 0, victim: 1 }]),
      // After the transfers.
      MOVED.map(({ at }) => ({ at: at / 100 + 29 })),
      MOVED.slice(0, 4)
    ];
    for (const list of others) {
      expect(found(storm(list))).toBeUndefined();
    }
  });

  it('counts no more transfers than tasks were moved: other tasks of a function wait for inputs, too', () => {
    const few = MOVED.filter(({ at }) => at < 6);
    expect(found(storm([...few, { at: 5 }]))?.sentence).toContain('waited 10.0 s for their inputs');
  });

  it('looks at the longest transfers, of however many there are', () => {
    const others = tasks(2, 5000, 0.004, 0.02, 0.0015, 2);
    const run = storm(
      [...MOVED, ...MOVED.map(each => ({ ...each, thief: 2, prefix: 2 }))].sort((a, b) => a.at - b.at),
      { workers: 3, own: [...ROUNDS.flatMap(i => tasks(0, 10, 0.05, 3 * i + 2.1)), ...others] },
      others.map(({ start }, i) => ({ at: 120 + i, kind: 1, start: start - 0.011, duration: 0.01, peer: 1 }))
    );
    expect(found(run)?.sentence).toMatch(/^Work stealing costs more than it gains: 40 tasks .* waited 20\.2 s for their inputs/);
  });

  it('is looked for in the period that is asked about', () => {
    const later = [0, 1].flatMap(lane => tasks(lane, 100, 0.2, 40));
    const run = storm(MOVED, { own: [...ROUNDS.flatMap(i => tasks(0, 10, 0.05, 3 * i + 2.1)), ...later], now: 60 });
    expect(verdict(adviceOf(run, { from: 40, to: 60 }), 'work-stealing')).toBeUndefined();
    expect(verdict(adviceOf(run, { from: 0, to: 30 }), 'work-stealing')).toBeDefined();
  });

  it('counts a task that runs as work of its worker', () => {
    const running = [{ id: 1, worker: 0, prefix: 1, start: 0, as_of: 30 }];
    expect(found(storm(MOVED, { own: [], running }))).toBeUndefined();
    expect(found(storm(MOVED, { own: [] }))).toBeDefined();
  });

  it('is not known without the topic, and says if earlier moves were not kept', () => {
    const run = storm(MOVED);
    const without = made({ rows: tasks(0, 10, 0.1) });
    expect(adviceOf(without, null, false).unknown.find(({ cause }) => cause === 'work-stealing')?.why).toContain('steals');
    expect(found(run)?.doubt).not.toContain('kept');
    expect(found(storm(MOVED, { topics: { steals: steals(MOVED.slice(2), 5) } }))?.doubt).toContain('Earlier moves are not kept');
  });

  it('survives odd values: times, ids and functions that nobody knows', () => {
    const odd = [Number.NaN, 1e300, -1e300, Number.POSITIVE_INFINITY].map(at => ({ at, prefix: 2 ** 31, thief: 2 ** 31 }));
    const advice = adviceOf(storm([...odd, ...MOVED, ...odd]));
    expect(advice.unknown.map(({ cause }) => cause)).not.toContain('work-stealing');
    expect(verdict(advice, 'work-stealing')?.cost.seconds).toBeCloseTo(2 * 19, 0);
  });
});
