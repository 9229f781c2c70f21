/** Tasks that are cancelled at the end of the work, or that never ran. */
import { describe, expect, it } from 'vitest';
import { newestPeriod, wholePeriod } from '../../../src/advice/period';
import { shareWords } from '../../../src/advice/headline/shares';
import { translate } from '../translate';
import { adviceOf, EPOCH, made, tasks } from './made';

const numbers = (of: (second: number) => number, length = 16): number[] => Array.from({ length }, (_, second) => of(second));
const while4 = (from: number, to: number): number[] => numbers(second => (second >= from && second < to ? 4 : 0));

describe('tasks that are cancelled while they run, when nothing else is left', () => {
  /** Four tasks of 7 s, submitted at 1 s, and cancelled at 5 s. */
  const run = (until: number, now = 15) =>
    made({
      now,
      computations: [{ since: 1, last: 1, start: Number.NaN, stop: Number.NaN, tasks: 4, dropped: 4, submissions: 1 }],
      series: Object.fromEntries([
        ...['executing', 'computing', 'assigned', 'processing'].map(name => [name, while4(2, 5)]),
        ['cancelled', while4(5, until)]
      ])
    });

  it('are what the threads did, not time that is not explained', () => {
    const advice = adviceOf(run(8));
    expect(advice.verdicts.map(({ cause, confidence }) => [cause, confidence])).toEqual([['cancelled-tasks', 'high']]);
    expect(advice.verdicts[0].cost.seconds).toBeCloseTo(4 * 6, -0.7);
    expect(advice.unexplained.share).toBeLessThan(0.05);
    expect(shareWords(advice, translate)[0]).toBe('0 % computing');
  });

  it('are so while they still run', () => {
    expect(adviceOf(run(16, 10)).verdicts.map(({ cause }) => cause)).toEqual(['cancelled-tasks']);
  });

  it('that ended at once make the work no longer', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 5, 1));
    const cancelled = numbers(second => (second === 5 ? 1 : 0));
    const done = made({ rows, now: 15, series: { cancelled } });
    expect(wholePeriod(done)?.to).toBeCloseTo(EPOCH + 5, 3);
  });
});

it('a graph whose tasks never ran is not the newest work, nor is all work', () => {
  const rows = [...tasks(0, 5, 1), ...tasks(0, 5, 1, 40)];
  const ran = [0, 40].map(since => ({ since, last: since, start: since, stop: since + 5, tasks: 5, done: 5, submissions: 1 }));
  const never = { since: 80, last: 80, start: Number.NaN, stop: Number.NaN, tasks: 1, dropped: 1, submissions: 1 };
  const run = made({ rows, now: 100, computations: [...ran, never] });
  const newest = newestPeriod(run);
  expect([newest?.from, newest?.to].map(time => (time ?? 0) - EPOCH)).toEqual([40, 45]);
});
