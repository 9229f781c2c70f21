/** What a rule could not see is not known, and not "checked and not found". */
import { describe, expect, it } from 'vitest';
import type { Cause } from '../../../src/advice/advice';
import { advise } from '../../../src/advice/advise';
import { ADVICE_TOPICS } from '../../../src/advice/shown';
import type { TopicBody } from '../../../src/feed/frame';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import { translate } from '../translate';
import { adviceOf, EPOCH, type Made, made, tasks } from './made';

const LANES = [0, 1, 2, 3];
/** One thread of four works. */
const chain = tasks(0, 20, 0.5);

/** Why a cause is not known; `null` if it was checked and not found. */
function why(run: Run, cause: Cause, period: Parameters<typeof adviceOf>[1] = null): string | null {
  const { unknown, absent } = adviceOf(run, period);
  const known = absent.some(each => each.cause === cause);
  const reason = unknown.find(each => each.cause === cause)?.why;
  expect(known, `${cause}: ${reason}`).toBe(reason === undefined);
  return reason ?? null;
}

const seconds = (value: number): number[] => Array.from({ length: 12 }, () => value);
const lost = (first = 5): TopicBody => ({ columns: { time: Float64Array.of(EPOCH + first) }, scalars: { first: 5, lost: 5 } });

describe('tasks that no worker could run', () => {
  const earlier = 'Which tasks had no worker earlier is not recorded: only those of now are known.';
  const came = (run: Run, time: number): Run =>
    step(run, { time: EPOCH + 10, events: [{ time: EPOCH + time, topic: 'all', action: 'add-worker', text: '{}' }] });

  it('may have waited until one came', () => {
    const run = (): Run => made({ rows: chain, now: 10 });
    expect(why(run(), 'no-worker-fits')).toBeNull();
    expect(why(came(run(), 5), 'no-worker-fits')).toBe(earlier);
    // Those that were there at first are not of interest, nor is it where threads had enough to do.
    expect(why(came(run(), -1), 'no-worker-fits')).toBeNull();
    expect(why(came(made({ rows: LANES.flatMap(lane => tasks(lane, 20, 0.5)), now: 10 }), 5), 'no-worker-fits')).toBeNull();
  });

  it('are known of now, not of a time before', () => {
    const stuck = step(made({ rows: chain, functions: ['stuck', 'chain'], now: 20 }), {
      time: EPOCH + 20,
      prefixes: [{ name: 'stuck', no_worker: 1, since: EPOCH }]
    });
    expect(why(stuck, 'no-worker-fits', { from: 0, to: 10 })).toBe(earlier);
  });
});

it('tasks that waited for others that they submitted are only known at the end', () => {
  const client = 'Client-worker-01234567-0123-0123-0123-0123456789ab';
  const of = (clients: readonly string[]): Run =>
    made({ rows: chain, now: 20, computations: [{ since: 0, last: 0, start: 0, stop: 10, tasks: 20, left: 0 }], clients });
  const period = { from: 0, to: 8 };
  expect(why(of([client]), 'nested-tasks', period)).toBe('Which tasks waited for others is only known at the end of the run.');
  expect(why(of(['Client-1']), 'nested-tasks', period)).toBeNull();
});

it('pauses of workers are not known where neither all events nor all logs are kept', () => {
  const forgotten = 'The scheduler no longer has all its events of that time.';
  const of = (topics: Made['topics']): Run => made({ rows: chain, now: 10, topics });
  expect(why(of({ events: lost(), logs: lost() }), 'paused')).toBe(forgotten);
  expect(why(of({ events: lost() }), 'paused')).toBeNull();
  expect(why(of({ logs: lost() }), 'paused')).toBeNull();
  expect(why(of({ events: lost(-1), logs: lost() }), 'paused')).toBeNull();
});

it('moves of tasks are not known from before the oldest that is kept', () => {
  const rows = LANES.flatMap(lane => tasks(lane, 10, 0.1, 0, 0.2));
  const moves = rows.map((row, at) => ({ at, kind: 1, start: row.start + 0.05, duration: 0.25 }));
  expect(why(made({ rows, moves, topics: { steals: lost(2) } }), 'work-stealing')).toBe('Earlier moves are not kept.');
  expect(why(made({ rows, moves, topics: { steals: lost(-1) } }), 'work-stealing')).toBeNull();
  // Where nothing was waited for, no move cost anything.
  expect(why(made({ rows, topics: { steals: lost(2) } }), 'work-stealing')).toBeNull();
});

describe('samples of an older collector', () => {
  const run = (duration: number, measures: Made['series'], columns: Made['columns'] = {}): Run =>
    made({ rows: LANES.flatMap(lane => tasks(lane, 10 / duration, duration)), now: 10, series: measures, columns });

  it('do not say how long a worker was silent, of which only long tasks would tell', () => {
    const executing = seconds(4);
    const silent = 'How long workers sent no heartbeat was not recorded.';
    expect(why(run(2, { executing }), 'event-loop-blocked')).toBe(silent);
    expect(why(run(2, { executing }, { unheard_max: seconds(0.4) }), 'event-loop-blocked')).toBeNull();
    expect(why(run(0.5, { executing }), 'event-loop-blocked')).toBeNull();
    // What runs now has left no record.
    const runs = (start: number): Run => {
      const rows = LANES.flatMap(lane => tasks(lane, 20, 0.4));
      return made({ rows, now: 10, series: { executing }, running: [{ id: 1, start, key: 'load-1' }] });
    };
    expect([9.9, 8.6, 8].map(start => why(runs(start), 'event-loop-blocked'))).toEqual([null, null, silent]);
  });

  it.each(['uneven-workers', 'held-back', 'late-start'] as const)('do not show %s without the threads that had tasks', cause => {
    expect(why(run(0.5, {}), cause)).toBe('How many threads had tasks was not recorded.');
    expect(why(run(0.5, { assigned: seconds(4) }), cause)).toBeNull();
  });
});

it('that tasks were computed again is not known where it is not known why they were executed again', () => {
  const computations = [{ since: 0, last: 5, start: 0, stop: 10, tasks: 10, done: 20, submissions: 2, compute: 10 }];
  const one = (value: number): Uint32Array => Uint32Array.of(value);
  const profile: TopicBody = {
    columns: { at: one(1000), span: one(1000), worker: one(1), prefix: one(0), stack: one(1), samples: one(50) },
    moves: { parent: one(0), frame: one(1) },
    scalars: { first: 0, since: EPOCH, prefixes: ['load'], interval: 0.01, cycle: 1, frames: [['f', '/home/work.py', 1, 1, '']] }
  };
  const said = (without: readonly string[]): unknown => {
    const all = made({ rows: chain, now: 10, computations, topics: { profile } });
    all.touch(ADVICE_TOPICS.filter(topic => !all.has(topic) && !without.includes(topic)));
    const { unknown, verdicts } = advise(all, null, translate);
    const again = ({ cause }: { readonly cause: Cause }): boolean => cause === 'computed-again';
    return unknown.find(again)?.why ?? verdicts.find(again)?.confidence;
  };
  // It is found; most of its cost is idle time.
  expect(said([])).toBe('medium');
  expect(said(['attempts'])).toBe('Not received: attempts');
});

it('how little tasks use a CPU is said of a part of the work, too: metrics of their functions have no times', () => {
  const rows = [0, 1, 2, 3].flatMap(lane => [...tasks(lane, 5, 1), ...tasks(lane, 5, 1, 5, 0, 1)]);
  const headline = (from: number, onCpu = 0.2): string => {
    const metrics = [
      ['load', 'thread-cpu', 20],
      ['sum', 'thread-cpu', onCpu],
      ['sum', 'thread-noncpu', 20 - onCpu]
    ] as const;
    const activities = {
      columns: {
        id: Uint32Array.from(metrics, (_, i) => i),
        value: Float64Array.from(metrics, ([, , value]) => value)
      },
      scalars: { names: metrics.map(([prefix, activity], i) => [i, 'execute', prefix, activity, 'seconds']), base: [] }
    };
    return adviceOf(made({ rows, now: 10, topics: { activities } }), { from, to: from + 5 }).headline;
  };
  expect(headline(0)).toBe('Nothing wrong found: 100 % of thread time computing.');
  expect(headline(5)).toBe(
    'Nothing wrong found: 100 % of thread time computing. Tasks mostly waited or slept: over all runs of these functions, they used a CPU for 1 % of their time.'
  );
  // Tasks that compute some of the time may wait for a core that another program has.
  expect(headline(5, 3)).toMatch(
    / used a CPU for only 15 % of their time\. They may have waited for data, a lock, the GIL or a free core, /
  );
});
