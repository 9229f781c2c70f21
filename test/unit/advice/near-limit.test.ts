/** Memory that is nearly full: from when on it is a danger, and where another rule says more. */
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/advice/advice';
import type { TopicBody } from '../../../src/feed/frame';
import type { Run } from '../../../src/run/run';
import { step, THRESHOLDS } from '../plots/cluster';
import { adviceOf, EPOCH, type Made, made, PAUSES, PAUSES_BY, tasks, verdict } from './made';

const GiB = 2 ** 30;
const BUSY = [0, 1, 2, 3].flatMap(lane => tasks(lane, 40, 0.5, 0, 0.002));

/** Samples of 20 s; the workers of made-up runs have 4 GiB each. */
function filled(most: (i: number) => number, what: Made = {}, thresholds: object = THRESHOLDS): Run {
  return step(made({ rows: BUSY, now: 20, ...what, series: {} }), {
    time: EPOCH + 20,
    thresholds: { ...thresholds },
    series: Array.from({ length: 20 }, (_, i) => ({
      ...{ time: EPOCH + i, workers: 2, threads: [4, 2, 2], assigned: [4, 2, 2], computing: [4, 2, 2] },
      process: [most(i) + GiB, GiB, most(i)]
    }))
  });
}

const found = (run: Run): Verdict | undefined => verdict(adviceOf(run), 'near-limit');

describe('memory that is nearly full', () => {
  it('is reported as a danger, without a cost, with how near it is and for how long', () => {
    const one = found(filled(i => (i >= 5 && i < 15 ? 3 * GiB : GiB)));
    expect(one?.sentence).toBe(
      'Memory of workers is nearly full: one had up to 3.00 GiB, 75 % of its limit. For 10.0 s, one had 70 % or more. At 80 %, a worker pauses. It has cost no time yet.'
    );
    expect(one).toMatchObject({ cost: { seconds: 0 }, confidence: 'high', doubt: '' });
    expect(one?.evidence.selection.period).toEqual({ from: EPOCH + 5, to: EPOCH + 15 });
    expect(one?.evidence.figures.map(({ text }) => text)).toEqual(['3.00 GiB', '75 %', '10.0 s']);
  });

  it('is not so for a moment, nor below the threshold, which is that of the cluster', () => {
    expect(found(filled(i => (i === 5 || i === 12 ? 3 * GiB : GiB)))).toBeUndefined();
    expect(found(filled(() => 2.7 * GiB))).toBeUndefined();
    expect(found(filled(() => 2.7 * GiB, {}, { ...THRESHOLDS, spill: 0.65 }))).toBeDefined();
  });

  it('is so by 10 % less than the next threshold where a worker does not spill; nothing comes of it where none is set', () => {
    const off = { target: null, spill: null, pause: null, terminate: null };
    expect(found(filled(() => 2.7 * GiB, {}, { ...off, pause: 0.75 }))?.sentence).toContain('At 75 %, a worker pauses');
    expect(found(filled(() => 3.5 * GiB, {}, { ...off, terminate: 0.95 }))?.sentence).toContain(
      'At 95 %, the nanny of a worker ends it'
    );
    expect(found(filled(() => 3.9 * GiB, {}, off))).toBeUndefined();
  });

  it('may be so between two tasks, which need nothing', () => {
    expect(found(filled(i => (i % 3 === 2 ? GiB : 3 * GiB)))).toBeDefined();
  });

  it('is not known without the thresholds', () => {
    const advice = adviceOf(made({ rows: BUSY, series: { process: new Array<number>(20).fill(GiB) } }));
    expect(advice.unknown.find(({ cause }) => cause === 'near-limit')?.why).toBe(
      'The memory thresholds of the workers are not known.'
    );
  });

  it('is compared with the largest limit, with a doubt, if workers have different ones', () => {
    const run = filled(() => 3 * GiB);
    const facts = { host: 'h', nthreads: 2 };
    const values = [2, 4].map((limit, i) => ({ address: `tcp://w${i}`, name: `w${i}`, ...facts, memory_limit: limit * GiB }));
    run.apply(
      { feed: 'made-up', epoch: 0, seq: 9, time: EPOCH + 20, cursor: {}, names: { workers: { from: 0, values } }, topics: {} },
      0
    );
    expect(found(run)).toMatchObject({ confidence: 'medium', doubt: expect.stringContaining('different limits') });
  });

  it('may have cost time where a worker was lost: it is not said that it has not', () => {
    const had = '{"expected": false, "worker": "tcp://gone", "processing-tasks": ["a"]}';
    const events = [{ time: EPOCH + 8, topic: 'all', action: 'remove-worker', text: had }];
    const killed = step(
      filled(() => 3 * GiB),
      { time: EPOCH + 20, events }
    );
    expect(verdict(adviceOf(killed), 'lost-worker')).toBeDefined();
    expect(found(killed)?.sentence).toMatch(/ At 80 %, a worker pauses\.$/);
  });

  it('is not reported beside what has come of it', () => {
    const high = (): Run => filled(() => 3 * GiB);
    expect(found(high())).toBeDefined();
    const logs: TopicBody = {
      columns: { time: Float64Array.of(EPOCH + 2, EPOCH + 6), level: new Uint8Array(2), server: Uint32Array.of(1, 1) },
      scalars: { first: 0, lost: 0, name: ['', ''], logger: [PAUSES_BY, PAUSES_BY], text: [...PAUSES] }
    };
    const paused = filled(() => 3 * GiB, { topics: { logs } });
    expect([found(paused), verdict(adviceOf(paused), 'paused')]).toEqual([undefined, expect.anything()]);
    const growing = filled(i => (1 + i / 8) * GiB);
    expect([found(growing), verdict(adviceOf(growing), 'unmanaged-memory')]).toEqual([undefined, expect.anything()]);
    const spilled = step(high(), {
      time: EPOCH + 20,
      firstPoint: 3,
      series: [{ time: EPOCH + 3, workers: 2, threads: [4, 2, 2], process: [4 * GiB, GiB, 3 * GiB], spilled: [GiB, 0, GiB] }]
    });
    expect([found(spilled), verdict(adviceOf(spilled), 'spilling')]).toEqual([undefined, expect.anything()]);
    // Dask writes what there is, which may be next to nothing.
    const little = step(high(), {
      time: EPOCH + 20,
      firstPoint: 3,
      series: [{ time: EPOCH + 3, workers: 2, threads: [4, 2, 2], process: [4 * GiB, GiB, 3 * GiB], spilled: [952, 0, 952] }]
    });
    expect([found(little), verdict(adviceOf(little), 'spilling')]).toEqual([expect.anything(), undefined]);
  });
});
