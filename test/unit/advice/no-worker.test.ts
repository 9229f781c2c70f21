/** Tasks that no worker may run: since when, if they had to wait for what they need before. */
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import type { TopicBody } from '../../../src/feed/frame';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import { translate } from '../translate';
import { adviceOf, EPOCH, made, tasks, verdict } from './made';

describe('time without any worker', () => {
  it('is in the sentence with the share of computing time, also where no cause is found', () => {
    const threads = Array.from({ length: 21 }, (_, time) => (time >= 4 && time < 11 ? 0 : 4));
    const what = {
      ...{ now: 20, workers: 2, series: { threads }, computations: [{ since: 0, last: 0, start: 0, stop: 20, tasks: 8 }] },
      rows: [...[0, 1, 2, 3].flatMap(lane => tasks(lane, 4, 1)), ...[0, 1, 2, 3].flatMap(lane => tasks(lane, 9, 1, 11))]
    };
    expect(adviceOf(made(what)).headline).toMatch(/^There was no worker for 7\.00 s\. Nothing else wrong found: 100 % of/);
    const { headline, capacity, unexplained } = advise(made(what), null, translate, { rules: [] });
    expect([capacity, unexplained.seconds]).toEqual([expect.closeTo(52, 1), expect.closeTo(0, 1)]);
    expect(headline).toMatch(/^There was no worker for 7\.00 s\./);
    const few = made({ ...what, rows: what.rows.filter(({ lane }) => lane === 0) });
    expect(advise(few, null, translate, { rules: [] }).headline).toMatch(
      /^There was no worker for 7\.00 s\. No cause found: 25 % of thread time computing, 75 % not explained\./
    );
  });
});

describe('tasks without a worker', () => {
  /** A chain of 30 s; what needs its result may run nowhere. */
  const chain = tasks(0, 30, 1, 0, 0, 1);
  const group = (prefix: readonly number[], columns: Readonly<Record<string, readonly number[]>>): TopicBody => ({
    columns: {
      id: Uint32Array.from(prefix.keys()),
      prefix: Uint32Array.from(prefix),
      ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)]))
    },
    moves: { source: Uint32Array.of(0), target: Uint32Array.of(1) },
    scalars: { not_kept: 0 }
  });
  const stuck = (groups?: TopicBody): Run =>
    step(
      made({
        rows: chain,
        functions: ['stuck', 'chain'],
        now: 50,
        computations: [{ since: 0, last: 0, start: 0, tasks: 31, left: 1 }],
        ...(groups === undefined ? {} : { topics: { groups } })
      }),
      { time: EPOCH + 50, prefixes: [{ name: 'stuck', no_worker: 1, since: EPOCH }] }
    );

  it('waited for what they need until that was there: this time has another cause', () => {
    const needed = group([1, 0], {
      stop: [EPOCH + 30, 0],
      no_worker: [0, 1],
      waiting: [0, 0],
      queued: [0, 0],
      processing: [0, 0]
    });
    const advice = adviceOf(stuck(needed));
    expect(verdict(advice, 'no-worker-fits')?.sentence).toBe(
      '1 task of stuck waits for a worker that it may run on; there has been none for 20.0 s.'
    );
    expect(verdict(advice, 'no-worker-fits')?.cost.seconds).toBeCloseTo(80, 0);
    expect(verdict(advice, 'little-parallelism')?.cost.seconds).toBeCloseTo(90, 0);
  });

  it('may have waited for all that ran, where that is not known', () => {
    expect(verdict(adviceOf(stuck()), 'no-worker-fits')?.sentence).toContain('there has been none for at least 20.0 s');
  });

  it('have had none since they came, if they need nothing', () => {
    const alone = group([1, 0], { stop: [EPOCH + 30, 0], no_worker: [0, 1] });
    const advice = adviceOf(stuck({ ...alone, moves: {} }));
    const one = verdict(advice, 'no-worker-fits');
    expect(one?.sentence).toContain('there has been none for 50.0 s');
    // For 30 s it would have had one of the threads that a chain leaves; then nothing else is to be done.
    expect(one?.cost.seconds).toBeCloseTo(30 + 80, 0);
    expect(verdict(advice, 'little-parallelism')?.cost.seconds).toBeCloseTo(60, 0);
  });

  it('are no longer reported once a worker has run them', () => {
    const alone = group([1, 0], { stop: [EPOCH + 30, 0], no_worker: [0, 1] });
    const run = stuck({ ...alone, moves: {} });
    expect(verdict(adviceOf(run), 'no-worker-fits')).toBeDefined();
    step(run, { time: EPOCH + 51, prefixes: [{ name: 'stuck', no_worker: 0, memory: 1, since: EPOCH }] });
    expect(verdict(adviceOf(run), 'no-worker-fits')).toBeUndefined();
  });

  it('have an unknown past while some of what they need is still to be computed', () => {
    const active = group([1, 0], { stop: [EPOCH + 30, 0], no_worker: [0, 1], processing: [2, 0] });
    expect(verdict(adviceOf(stuck(active)), 'no-worker-fits')?.sentence).toBe(
      '1 task of stuck waits for a worker that it may run on.'
    );
  });
});
