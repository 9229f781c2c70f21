/** What is said where nothing is wrong: its figures add up, whatever was before or after it. */
import { describe, expect, it } from 'vitest';
import type { Advice } from '../../../src/advice/advice';
import { newestPeriod } from '../../../src/advice/period';
import { adviceOf as adviceOn } from '../../../src/advice/shown';
import { periodWords } from '../../../src/advice/words';
import { durationWords, shareWords } from '../../../src/advice/headline/shares';
import { PARTS } from '../../../src/advice/time/parts';
import { translate } from '../translate';
import { adviceOf, completed, EPOCH, type Made, made, tasks } from './made';

const LANES = [0, 1, 2, 3];
/** Four threads that compute for 9.4 s of 10 s. */
const work = (from: number): Made['rows'] => LANES.flatMap(lane => tasks(lane, 20, 0.47, from, 0.03));
const computation = (since: number, cell: number) => ({ since, last: since, start: since, stop: since + 9.97, tasks: 80, cell });

/** Computing time, what is not explained and what causes cost are all time of the threads. */
function expectSum({
  capacity,
  parts,
  verdicts,
  unexplained,
  computedInVain,
  threads,
  period,
  pauses,
  workerless
}: Advice): void {
  const costs = verdicts.reduce((sum, { cost }) => sum + cost.seconds, 0);
  expect(PARTS.reduce((sum, part) => sum + parts[part], 0)).toBeCloseTo(capacity, 6);
  expect(parts.compute + parts.running - computedInVain + unexplained.seconds + costs).toBeCloseTo(capacity, 6);
  expect(capacity / threads + pauses + workerless).toBeCloseTo((period?.to ?? 0) - (period?.from ?? 0), 1);
}

describe('a healthy run', () => {
  it('was computing for the share that is said, and the rest is what is not explained', () => {
    const advice = adviceOf(made({ rows: work(0), computations: [computation(0, 1)], now: 10 }));
    expect(advice.verdicts).toEqual([]);
    expect(advice.headline).toBe('Nothing wrong found: 94 % of thread time computing.');
    expect(shareWords(advice, translate)).toEqual(['94 % computing', '6 % not explained']);
    expectSum(advice);
  });

  it('is said the same of on a cluster that has been idle since, which is said, too', () => {
    const run = completed(made({ rows: work(0), computations: [computation(0, 1)], now: 500 }));
    const advice = adviceOn(run, null, translate);
    expect(advice.headline).toBe('Nothing wrong found: 94 % of thread time computing.');
    expect(advice.pauses).toBe(0);
    expect(periodWords(run, advice, 'newest', translate)).toMatch(/· the cluster has been idle for 8:10$/);
    expectSum(advice);
  });

  it('is said the same of where it is the second in its cluster, and where both are examined', () => {
    const what = { rows: [...(work(0) ?? []), ...(work(100) ?? [])], computations: [computation(0, 1), computation(100, 2)] };
    const run = completed(made({ ...what, now: 110 }));
    expect(newestPeriod(run)?.from).toBeCloseTo(EPOCH + 100, 1);
    const [newest, both] = [adviceOn(run, null, translate), adviceOf(run)];
    for (const advice of [newest, both]) {
      expect(advice.headline).toBe('Nothing wrong found: 94 % of thread time computing.');
      expectSum(advice);
    }
    expect([newest.pauses, both.pauses]).toEqual([0, expect.closeTo(90, 0)]);
    expect(shareWords(both, translate)).toEqual([
      '94 % computing',
      '6 % not explained',
      'idle time of 1 m 30 s between computations not counted'
    ]);
    // As in a cell that asks its user for something: it took longer than what is counted.
    expect(durationWords(both, false, translate)).toBe('19.9 s without 1 m 30 s of idle time');
    expect(durationWords({ ...both, unanswered: 5 }, true, translate)).toBe(
      '19.9 s so far without 1 m 30 s of idle time and the 5.00 s in which the scheduler did not answer'
    );
  });
});
