// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { advise as advised } from '../../../src/advice/advise';
import { newestPeriod, wholePeriod } from '../../../src/advice/period';
import { askedPeriod } from '../../../src/advice/shown';
import { advice } from '../../../src/plots/diagnosis/advice';
import { setNumberLocale } from '../../../src/base/format';
import { adviceLine } from '../../../src/report/advice';
import { gathersAt, made, tasks } from '../advice/made';
import { context } from '../plots/cluster';
import { translate as trans } from '../translate';

beforeEach(() => {
  setNumberLocale('en');
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the line of a report', () => {
  it('says what the plot says first, and leads to it', () => {
    const run = made({ functions: ['inc'], rows: [0, 1, 2, 3].flatMap(lane => tasks(lane, 400, 0.005, 0, 0.02)), now: 10 });
    const advise = vi.fn();
    const line = adviceLine({ run, trans, advise });
    expect(line.textContent).toBe('');
    vi.runAllTimers();
    expect(line.querySelector('bdi')?.textContent).toBe(advice.summary(run, context()));
    line.querySelector('button')?.click();
    expect(advise).toHaveBeenCalledOnce();
  });

  it('says what cost most in all of the recording, also before a pause, and leads to that', () => {
    const lanes = [0, 1, 2, 3];
    const run = made({
      functions: ['inc'],
      rows: [...tasks(0, 10, 1), ...lanes.flatMap(lane => tasks(lane, 20, 0.5, 30))],
      computations: [
        { since: 0, last: 0, start: 0, stop: 10, tasks: 10 },
        { since: 30, last: 30, start: 30, stop: 40, tasks: 80 }
      ],
      now: 40
    });
    const line = adviceLine({ run, trans, advise: () => undefined });
    vi.runAllTimers();
    const { headline } = advised(run, null, trans);
    expect(line.querySelector('bdi')?.textContent).toBe(
      `${headline} This is about all that was recorded (20.0 s × 4 threads), the list of advice about the newest work only.`
    );
    expect(advised(run, newestPeriod(run), trans).headline).not.toBe(headline);
    line.querySelector('button')?.click();
    expect(askedPeriod(run)).toEqual(wholePeriod(run));
  });

  it('says only how long there was no work where it may come at a pace of its own', () => {
    const begins = [0, 1, 2.8, 3.5, 5.6, 6.3, 8.9, 9.8];
    const run = made({
      rows: begins.flatMap(begin => [0, 1, 2, 3].flatMap(lane => tasks(lane, 1, 0.5, begin))),
      now: 10.4,
      computations: begins.map(since => ({ since, last: since, start: since, stop: since + 0.5, tasks: 4, submissions: 1 })),
      topics: { events: gathersAt(begins.map(begin => begin + 0.51)) }
    });
    const line = adviceLine({ run, trans, advise: null });
    vi.runAllTimers();
    expect(line.dataset.tone).toBe('plain');
    expect(line.textContent).toMatch(/^For 6\d % of thread time there was no work: /);
  });

  it('has no sign and no button where nothing is wrong, and is empty where nothing has run', () => {
    const healthy = adviceLine({ run: made({ rows: tasks(0, 20, 0.5), workers: 1, threads: 1 }), trans, advise: null });
    const empty = adviceLine({ run: made({ now: 0 }), trans, advise: null });
    vi.runAllTimers();
    expect(healthy.textContent).toMatch(/^Nothing wrong found: .*\. \d+ causes could not be checked\.$/);
    expect(empty.textContent).toBe('');
  });
});
