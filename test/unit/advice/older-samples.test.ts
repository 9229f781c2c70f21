/** Samples that are older than an hour: means of ten seconds, which say nothing of a moment. */
import { describe, expect, it } from 'vitest';
import type { Advice, Cause } from '../../../src/advice/advice';
import type { Run } from '../../../src/run/run';
import { type SeriesPoint, step, THRESHOLDS } from '../plots/cluster';
import { type Row, randomOf } from '../run/synthetic';
import { adviceOf, EPOCH, made, tasks, verdict } from './made';

const GiB = 2 ** 30;

const three = (value: number): [number, number, number] => [value, value, value];

/** A run whose samples are means of ten seconds, each with these sums, or with these sums, least and greatest values. */
function older(
  rows: readonly Row[],
  threads: number,
  now: number,
  sums: Readonly<Record<string, number | SeriesPoint[string]>>,
  length = 9
): Run {
  const points = Array.from({ length: Math.floor(now / 10) }, (_, i): SeriesPoint => {
    const values = Object.entries({ threads, ...sums }).map(
      ([name, value]) => [name, typeof value === 'number' ? three(value) : value] as const
    );
    return { time: EPOCH + 10 * i, until: EPOCH + 10 * i + length, workers: 2, ...Object.fromEntries(values) };
  });
  const computations = [{ since: 0, last: 0, start: 0, stop: now, tasks: rows.length }];
  return step(made({ workers: 2, threads: threads / 2, rows, now, computations, series: {} }), {
    time: EPOCH + now,
    thresholds: { ...THRESHOLDS },
    series: points
  });
}

const whyNot = (advice: Advice, cause: Cause): string | undefined => advice.unknown.find(each => each.cause === cause)?.why;

const causes = (run: Run): readonly string[] => adviceOf(run).verdicts.map(({ cause }) => cause);

describe('means of ten seconds', () => {
  it('are no reason to call event loops blocked where more tasks run at a moment', () => {
    const rows = Array.from({ length: 8 }, (_, lane) => tasks(lane, 100, 5, 0, 1)).flat();
    expect(causes(older(rows, 8, 600, { executing: 6.6, assigned: 8, processing: 8, computing: 6.6 }))).toEqual([]);
  });

  it('are no reason to call work uneven: tasks waited at other moments than threads had none', () => {
    // 5 s in which eight tasks are with four threads, and 5 s in which two tasks are.
    const rows = Array.from({ length: 60 }, (_, i) => i).flatMap(i => [
      ...[0, 1, 2, 3].flatMap(lane => tasks(lane, 2, 2.5, 10 * i)),
      ...[0, 1].flatMap(lane => tasks(lane, 1, 5, 10 * i + 5))
    ]);
    const run = older(rows, 4, 600, { assigned: 3, processing: 5, executing: 3, computing: 3 });
    expect(causes(run)).toEqual(['little-parallelism']);
  });

  it('say how many threads had tasks all that time', () => {
    const random = randomOf(1);
    const rows: Row[] = [];
    for (let lane = 0; lane < 4; lane++) {
      for (let start = 0.2 * random(); start < 7200; ) {
        const duration = 0.1 + 0.2 * random();
        rows.push({ lane, start, duration });
        start += duration * (1 + 1.3 * random());
      }
    }
    const { parts } = adviceOf(older(rows, 4, 7200, { assigned: 4, processing: 4, executing: 4, computing: 4 }));
    expect(parts.starved).toBeLessThan(0.01 * 4 * 7200);
    expect(parts.overhead).toBeGreaterThan(0.2 * 4 * 7200);
  });

  describe('with much memory', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 120, 1));
    const advice = (process: SeriesPoint[string], length?: number): Advice =>
      adviceOf(older(rows, 4, 120, { process, processing: 4, computing: 4 }, length));
    /** For how long, in seconds. */
    const found = (process: SeriesPoint[string], length?: number): number | undefined =>
      verdict(advice(process, length), 'near-limit')?.evidence.figures[2].value;

    it('of a worker at some moment do not say that it had it all the time', () => {
      expect(found([2.2 * GiB, GiB, 3.5 * GiB])).toBeUndefined();
      expect(whyNot(advice([2.2 * GiB, GiB, 3.5 * GiB]), 'near-limit')).toContain('only means of samples');
    });

    it('of all workers on average do, and so does a point of an idle cluster, which is none', () => {
      expect(found([6.5 * GiB, 3 * GiB, 3.5 * GiB])).toBeCloseTo(119);
      expect(found([4.5 * GiB, GiB, 3.5 * GiB], 10)).toBeCloseTo(120);
    });
  });

  describe('with as much CPU as one core', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 120, 1));
    const advice = (cpu: SeriesPoint[string], gil: SeriesPoint[string]): Advice =>
      adviceOf(older(rows, 4, 120, { processing: 4, computing: 4, cpu, gil }));
    const no = three(Number.NaN);

    it('at some moment do not say that threads wait for the lock, nor that they do not', () => {
      const seldom = advice([48, 20, 98], no);
      expect(verdict(seldom, 'gil')).toBeUndefined();
      expect(whyNot(seldom, 'gil')).toContain('only means of samples');
      expect(verdict(advice([196, 97, 98], [0.4, 0.1, 0.98]), 'gil')).toBeUndefined();
    });

    it('in all workers on average do', () => {
      expect(verdict(advice([196, 97, 98], no), 'gil')?.sentence).toContain('no worker uses more than 98 % of one core');
      expect(verdict(advice([196, 97, 98], [1.9, 0.9, 0.98]), 'gil')?.confidence).toBe('high');
    });
  });

  it('do not say that there was nothing that they cannot show', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 120, 1));
    const short: readonly Cause[] = ['uneven-workers', 'event-loop-blocked', 'held-back'];
    const advice = adviceOf(older(rows, 4, 120, { processing: 4, assigned: 4, executing: 4, computing: 4 }));
    const why = 'For 2 m 0 s of this time only means of samples are kept, which may not show it.';
    expect(short.map(cause => whyNot(advice, cause))).toEqual([why, why, why]);
    const absent = advice.absent.map(({ cause }) => cause);
    expect(absent).toContain('little-parallelism');
    // Where nothing was to be done, they show all that there was.
    const idle = adviceOf(older(rows, 4, 120, { processing: 0 }));
    expect(short.map(cause => whyNot(idle, cause))).toEqual([undefined, undefined, undefined]);
  });
});
