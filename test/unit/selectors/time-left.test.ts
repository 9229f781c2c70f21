import { describe, expect, it } from 'vitest';
import { Run } from '../../../src/run/run';
import { timeLeft } from '../../../src/selectors/rates/time-left';
import { compute, type Made } from '../plots/made-computations';
import { type Row, tasksBody } from '../run/synthetic';

const NOW = 1000;
const LOAD = 0;
const SUM = 1;

/** Executions of a function, one every `every` seconds until now. */
function executions(prefix: number, count: number, every: number, lane = 0): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ lane, prefix, duration: every },
    start: NOW - (count - i) * every
  }));
}

function runOf(rows: readonly Row[], made: readonly Made[]): Run {
  const run = new Run();
  const names = { prefixes: { from: 0, values: ['load', 'sum'] } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: NOW, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  return compute(run, made, NOW);
}

function made(id: number, of: Made['of'], more: Partial<Made> = {}): Made {
  return { id, since: NOW - 60, of, ...more };
}

function left(run: Run, at = 0): number {
  return timeLeft(run, run.computations.list[at]);
}

describe('timeLeft', () => {
  it('is what the tasks that are left take at the rate of the last 10 s', () => {
    // 2 a second in two lanes, for longer than the window: 2 that began before it ended in it.
    const rows = [...executions(LOAD, 30, 1), ...executions(LOAD, 30, 1, 1)];
    const run = runOf(rows, [made(0, { [LOAD]: { tasks: 100, left: 40 } })]);
    expect(left(run)).toBeCloseTo((40 * 10) / 22);
  });

  it('measures a function that has just begun since its first task', () => {
    const run = runOf(executions(LOAD, 8, 0.5), [made(0, { [LOAD]: { tasks: 100, left: 92 } })]);
    expect(left(run)).toBeCloseTo(92 * 0.5);
  });

  it('is that of the function which takes longest', () => {
    const rows = [...executions(LOAD, 8, 0.5), ...executions(SUM, 8, 0.5, 1)];
    const run = runOf(rows, [made(0, { [LOAD]: { tasks: 10, left: 2 }, [SUM]: { tasks: 38, left: 30 } })]);
    expect(left(run)).toBeCloseTo(30 * 0.5);
  });

  it.each<[string, Row[], Made[]]>([
    [
      'a function has not begun',
      executions(LOAD, 8, 0.5),
      [made(0, { [LOAD]: { tasks: 9, left: 1 }, [SUM]: { tasks: 1, left: 1 } })]
    ],
    ['too few have ended', executions(LOAD, 4, 1), [made(0, { [LOAD]: { tasks: 9, left: 5 } })]],
    ['it has run for too short a time', executions(LOAD, 8, 0.1), [made(0, { [LOAD]: { tasks: 9, left: 1 } })]],
    [
      'all that ended did so long ago',
      executions(LOAD, 8, 0.5).map(row => ({ ...row, start: row.start - 60 })),
      [made(0, { [LOAD]: { tasks: 9, left: 1 } })]
    ],
    ['it is over', executions(LOAD, 8, 0.5), [made(0, { [LOAD]: { tasks: 8, left: 0 } }, { stop: NOW })]],
    ['not all its tasks are followed', executions(LOAD, 8, 0.5), [made(0, { [LOAD]: { tasks: 9, left: 1 } }, { unfollowed: 5 })]],
    [
      'another one has tasks of the function',
      executions(LOAD, 8, 0.5),
      [made(0, { [LOAD]: { tasks: 9, left: 1 } }), made(1, { [LOAD]: { tasks: 9, left: 1 } })]
    ],
    [
      'another one had tasks of the function a moment ago',
      executions(LOAD, 8, 0.5),
      [made(0, { [LOAD]: { tasks: 9, left: 1 } }), made(1, { [LOAD]: { tasks: 9, left: 0 } }, { stop: NOW - 2 })]
    ]
  ])('is not known if %s', (_, rows, list) => {
    expect(left(runOf(rows, list))).toBeNaN();
  });

  it('is not known while tasks of computations that are not kept are left', () => {
    const run = runOf(executions(LOAD, 8, 0.5), [made(0, { [LOAD]: { tasks: 9, left: 1 } })]);
    run.computations.unkept = 1;
    expect(left(run)).toBeNaN();
  });

  it('does not mind another computation of other functions', () => {
    const list = [made(0, { [LOAD]: { tasks: 9, left: 2 } }), made(1, { [SUM]: { tasks: 9, left: 1 } })];
    const run = runOf(executions(LOAD, 8, 0.5), list);
    const own = run.computations.list.find(({ id }) => id === 0);
    expect(own && timeLeft(run, own)).toBeCloseTo(1);
  });
});
