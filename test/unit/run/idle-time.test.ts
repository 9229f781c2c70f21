import { describe, expect, it } from 'vitest';
import { FOLD_WIDTHS } from '../../../src/run/folded-time';
import { pausesOf, withFolds } from '../../../src/run/idle-time';
import { Run } from '../../../src/run/run';
import { EPOCH, made, tasks } from '../advice/made';
import { cluster } from '../plots/cluster';

/** Tasks of workers at each second. */
const LOAD = (busy: (second: number) => boolean, length = 100): number[] =>
  Array.from({ length }, (_, second) => (busy(second) ? 4 : 0));
const WORK = LOAD(second => second < 20 || second >= 70);

const pauses = (run: Run): number[][] => pausesOf(run).map(({ from, to }) => [from - EPOCH, to - EPOCH]);

describe('The time since when a run is idle', () => {
  it.each([
    [undefined, Number.NaN],
    [null, Number.NaN],
    [0, Number.NaN],
    [1200, 1200]
  ])('is %s in its facts: %s', (idleSince, expected) => {
    expect(cluster({ time: 1300, idleSince }).idleSince).toBe(expected);
  });
});

describe('The pauses of a run', () => {
  it('without its executions are when no task was assigned or ran, up to a second shorter at both ends', () => {
    expect(pauses(made({ series: { processing: WORK }, now: 100 }))).toEqual([[20, 69]]);
    expect(pauses(made({ series: { processing: LOAD(() => false), executing: WORK }, now: 100 }))).toEqual([[20, 69]]);
    expect(pauses(made({ series: { processing: LOAD(() => false), cancelled: WORK }, now: 100 }))).toEqual([[20, 69]]);
  });

  it('are none where nothing ran yet, where work may go on, and where the load was not measured', () => {
    expect(pauses(made({ series: { processing: LOAD(() => false) }, now: 100 }))).toEqual([]);
    expect(pauses(made({ series: { processing: LOAD(second => second < 20) }, now: 100 }))).toEqual([]);
    expect(pauses(made({ series: { cpu: WORK }, now: 100 }))).toEqual([]);
    expect(pauses(new Run())).toEqual([]);
  });

  it('are not where a computation too short for measurements began or ended', () => {
    const computations = [{ since: 40, start: 40, stop: 40.2, tasks: 1 }];
    expect(pauses(made({ series: { processing: WORK }, computations, now: 100 }))).toEqual([
      [20, 40],
      [expect.closeTo(40.2, 3), 69]
    ]);
  });

  it('are those between executions where these are known, and later ones by measurements', () => {
    const rows = [...tasks(0, 10, 1), ...tasks(0, 10, 1, 30)];
    const series = { processing: LOAD(second => second < 10 || (second >= 30 && second < 40) || second >= 80) };
    expect(pauses(made({ rows, series, now: 100 }))).toEqual([
      [10, 30],
      [40, 79]
    ]);
    // A stale or a present list of running tasks is no reason for two pauses at one time.
    const running = [{ id: 1, start: 80 }];
    const known = pauses(made({ rows, series, running, now: 100 }));
    expect(known.every(([from, to], i) => from < to && (i === 0 || from >= known[i - 1][1]))).toBe(true);
  });

  it('are not when threads ran what leaves no execution, as tasks that are cancelled', () => {
    const rows = [...tasks(0, 10, 1), ...tasks(0, 10, 1, 70)];
    const executing = LOAD(second => second < 11 || (second >= 30 && second < 34) || second >= 70);
    const cancelled = LOAD(second => second >= 34 && second < 37);
    // What heartbeats still report just after an execution is that execution.
    expect(pauses(made({ rows, series: { executing }, now: 80 }))).toEqual([
      [10, 30],
      [33, 70]
    ]);
    expect(pauses(made({ rows, series: { executing, cancelled }, now: 80 }))).toEqual([
      [10, 30],
      [36, 70]
    ]);
    expect(pauses(made({ rows, series: { executing: LOAD(second => second < 12) }, now: 80 }))).toEqual([[10, 70]]);
  });

  it('are the same object while they are the same', () => {
    const run = made({ series: { processing: WORK }, now: 100 });
    const before = pausesOf(run);
    run.touch(['series']);
    expect(pausesOf(run)).toBe(before);
  });
});

describe('A span with folded pauses', () => {
  it('is the same for all charts, and even without a pause in it', () => {
    const run = made({ series: { processing: WORK }, now: 100 });
    const span = { from: EPOCH, to: EPOCH + 100 };
    const { folded } = withFolds(run, span);
    expect(folded?.folds.map(({ pause }) => pause.from - EPOCH)).toEqual([20]);
    const even = (time: number): number => folded!.evenOf(EPOCH + time);
    expect((even(69) - even(20)) / (even(100) - even(0))).toBeCloseTo(FOLD_WIDTHS[0] / 640, 2);
    expect(withFolds(run, { from: EPOCH, to: EPOCH + 15 }).folded).toBeUndefined();
    expect(withFolds(run, { from: EPOCH + 15, to: EPOCH + 15 }).folded).toBeUndefined();
  });
});
