/** What is said of real runs, recorded on local clusters: `test/fixtures/advice/README.md` says what each did. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import { newestPeriod, wholePeriod } from '../../../src/advice/period';
import type { Advice } from '../../../src/advice/advice';
import { savingWords } from '../../../src/advice/words';
import { shareWords } from '../../../src/advice/headline/shares';
import { formatPercent } from '../../../src/base/format';
import { NOTHING_SELECTED } from '../../../src/run/selection/selection';
import { selectionStatistics } from '../../../src/selectors/selection/statistics';
import { shareOf } from '../../../src/selectors/selection/thread-use';
import { openRun } from '../../../src/report/open';
import { adviceText } from '../../../src/terminal/advice-output';
import { printed } from '../../../src/terminal/command';
import { translate } from '../translate';
import { verdict } from './made';

const path = (name: string): string => fileURLToPath(new URL(`../../fixtures/advice/${name}.dask-run`, import.meta.url));

async function said(name: string): Promise<Advice> {
  const { run } = await openRun(await readFile(path(name)));
  return advise(run, null, translate);
}

const causes = ({ verdicts }: Advice): string[] => verdicts.map(({ cause }) => cause);

describe('a pause of the user', () => {
  it('takes no threads away, and is no round in which the client is waited for', async () => {
    const advice = await said('pause');
    expect(advice.threads).toBeCloseTo(4, 5);
    expect(advice.capacity).toBeCloseTo(4 * 19.9, 0);
    expect(advice.pauses).toBeCloseTo(60, 0);
    expect(causes(advice)).toEqual(['client-waits']);
    const [first] = advice.verdicts;
    expect(first.cost.share).toBeGreaterThan(0.7);
    expect(first.sentence).toContain('results were requested 58 times');
    expect(first.evidence.figures[2].value).toBeCloseTo(3.48, 1);
    expect(savingWords(advice, new Set(), translate)).toBe('This cause costs 74 % of 19.9 s × 4 threads');
    expect(shareWords(advice, translate)).toContain('idle time of 1 m 0 s between computations not counted');
    const { out } = await printed(['advise', path('pause')], readFile);
    expect(out[0]).toMatch(/: 19\.9 s × 4 threads, 20 % computing, .*idle time of 1 m 0 s between computations not counted$/);
  });
});

describe('workers that are killed because their memory is full', () => {
  it('are the first cause, with the time in which there was none', async () => {
    const advice = await said('killed-memory');
    const { headline, verdicts, workerless, capacity, threads, period } = advice;
    expect(headline).toMatch(/^3 workers with 8 tasks were killed because their memory had reached the limit: /);
    expect(headline).toContain('Until others came, there was no worker for 6.96 s, ');
    expect(workerless).toBeCloseTo(6.96, 2);
    // What shares are of, and the time without any worker, which is in none of them, are all of the period.
    expect(capacity / threads + workerless).toBeCloseTo((period?.to ?? 0) - (period?.from ?? 0), 1);
    expect(shareWords(advice, translate).join(', ')).toBe(
      '27 % computing, 12 % not explained, no worker for 6.96 s of 13.0 s (54 %)'
    );
    // The program for terminals says first for how long there was no worker.
    expect(adviceText('run', advice).join(' ').replace(/\s+/g, ' ')).toContain(
      '(lost-worker): no worker for 6.96 s of 13.0 s; 59 %, 7.15 s of thread time'
    );
    expect(verdicts.map(({ cause }) => cause)).toEqual(['lost-worker', 'failures', 'paused']);
  });
});

describe('a scheduler that was stopped for ten seconds', () => {
  it('did not answer: nothing else is to blame for that time', async () => {
    const advice = await said('stopped-scheduler');
    expect(causes(advice)).toEqual(['late-event-loops']);
    expect(advice.headline).toMatch(/^The scheduler did not answer for 10\.1 s while there was work: /);
    expect(shareWords(advice, translate)).toEqual(['95 % computing', '5 % not explained', 'scheduler did not answer for 10.1 s']);
    const { out } = await printed(['advise', path('stopped-scheduler'), '--json'], readFile);
    expect(JSON.parse(out[0])).toMatchObject({ unanswered: expect.closeTo(10.1, 1), pauses: 0 });
  });

  it('is no client that is waited for', async () => {
    const advice = await said('stopped-scheduler-loop');
    expect(causes(advice)).toEqual(['late-event-loops']);
    expect(advice.headline).toMatch(/^The scheduler did not answer for 10\.1 s while there was work: /);
  });
});

describe('workers that come and go', () => {
  it('are missed while there is none and tasks wait', async () => {
    const advice = await said('late-worker');
    expect(advice.threads).toBe(2);
    expect(advice.workerless).toBeCloseTo(3.1, 1);
    expect(advice.headline).toMatch(/^There was no worker for 3\.09 s\. Nothing else wrong found: /);
    expect(shareWords(advice, translate).join()).toMatch(/no worker for 3\.09 s of \d+\.\d+ s \(\d+ %\)$/);
  });

  it('that are started are no memory that grows', async () => {
    expect(causes(await said('scaled-up'))).toEqual([]);
  });

  it('that leave with a task that none of the others may run are missed from then on', async () => {
    const none = verdict(await said('retired'), 'no-worker-fits');
    expect(none?.sentence).toBe('1 task of slow waits for a worker that it may run on; there has been none for 2.12 s.');
    const { period } = none?.evidence.selection ?? {};
    expect((period?.to ?? 0) - (period?.from ?? 0)).toBeCloseTo(2.1, 1);
  });

  it('that are stopped have not ended unexpectedly', async () => {
    expect(causes(await said('scaled-down'))).toEqual([]);
  });

  it('that are killed without a task are reported with their results', async () => {
    const lost = verdict(await said('killed-idle'), 'lost-worker');
    expect(lost?.sentence).toBe(
      'A worker ended unexpectedly with 9 results that were nowhere else: what is still needed runs again. ' +
        '1 thread was missing for 6.66 s.'
    );
  });

  it('that are killed cost what is computed again, and what waits for it, once', async () => {
    const results = verdict(await said('lost-results'), 'lost-worker');
    expect(results?.sentence).toBe(
      'A worker ended unexpectedly with 4 tasks and 6 results that were nowhere else: what is still needed runs again. ' +
        'It costs 12 % of the time: 1.84 s of thread time on work that was lost or repeated. ' +
        'Up to 2 threads were missing for 4.73 s.'
    );
    expect(results).toMatchObject({ confidence: 'high', doubt: '' });
    const advice = await said('lost-attempt');
    expect(causes(advice)).toEqual(['lost-worker']);
    const [attempt] = advice.verdicts;
    expect(attempt.sentence).toContain(
      '2.17 s of thread time on work that was lost or repeated, and 2.72 s in which other threads waited'
    );
    expect(attempt.cost.seconds).toBeCloseTo(2.17 + 2.72, 1);
    const { period } = attempt.evidence.selection;
    expect((period?.to ?? 0) - (period?.from ?? 0)).toBeCloseTo(7.21 - 3.34, 1);
  });

  it('that are restarted by a user are not lost, though they hang and are killed', async () => {
    expect(causes(await said('restarted-hanging'))).not.toContain('lost-worker');
  });
});

describe('a share that is less than the figure beside it', () => {
  it('is said to be without what other causes explain', async () => {
    const few = verdict(await said('restarted-hanging'), 'little-parallelism');
    expect(few?.evidence.figures[0].value).toBeGreaterThan(1.5 * (few?.cost.share ?? 1));
    expect(few?.sentence).toMatch(/ It costs 14 % of the time\. The share is without what other causes explain\.$/);
  });
});

describe('attempts that are repeated', () => {
  it('do not cost the import of packages before the first of them', async () => {
    const advice = await said('retried-slow-import');
    expect(causes(advice)).toEqual(['late-start', 'retries']);
    const [late, retries] = advice.verdicts;
    expect(late.sentence).toContain('workers had tasks for 4.05 s and started none');
    expect(retries.cost.seconds).toBeLessThan(7);
  });
});

describe('tasks that wait', () => {
  it('are not reported as healthy: their share of a CPU is reported if nothing else was found', async () => {
    const advice = await said('waiting-tasks');
    expect(causes(advice)).toEqual([]);
    expect(advice.headline).toBe(
      'Nothing wrong found: 76 % of thread time computing. Tasks mostly waited or slept: their own threads used a CPU for < 1 % of that time. Other programs probably used the machine: Dask used little CPU, but event loops of the scheduler and of all workers ticked late (every 47.9 ms and 28.1 ms instead of 20 ms).'
    );
    // Of a part of a run it is known of the functions.
    const { run } = await openRun(await readFile(path('waiting-tasks')));
    const { from, to } = advice.period ?? { from: 0, to: 0 };
    const part = advise(run, { from: from + 2, to: to - 2 }, translate);
    expect(part.headline).toMatch(
      /^Nothing wrong found: \d+ % of thread time computing\. Tasks mostly waited or slept: over all runs of these functions, .* < 1 % of their time\.$/
    );
  });
});

describe('steps of a shuffle', () => {
  it('are not to be divided into more tasks', async () => {
    const few = verdict(await said('rechunked'), 'little-parallelism');
    expect(few?.sentence).toContain('mostly on rechunk-merge-rechunk-transfer, a step of a shuffle (P2P) for which others wait.');
    expect(few?.remedy).toMatch(/Change chunks or partitions less often/);
  });
});

describe('results that another computation has spilled', () => {
  it('are no reason of the newest one', async () => {
    const { run } = await openRun(await readFile(path('spilled-before')));
    const [second, first] = run.computations.list.map(({ values }) => ({ from: values.since, to: values.stop }));
    expect(causes(advise(run, first, translate))).toEqual(['spilling']);
    expect(advise(run, second, translate).headline).toMatch(/^Nothing wrong found: 95 % of thread time computing\./);
    // While they are written, nothing is read.
    const { from } = wholePeriod(run) ?? { from: Number.NaN };
    expect(verdict(advise(run, { from: from + 3.5, to: from + 13.9 }, translate), 'spilling')?.sentence).toMatch(
      /^Memory was short: up to 144 MiB of results were on disk\. While workers wrote them, tasks took longer or threads were idle for 1\.5\d s, probably for that reason\. It costs \d %/
    );
  });
});

describe('tasks that failed', () => {
  it('with their worker are reported, and not that they run again', async () => {
    const advice = await said('killed-worker');
    expect(verdict(advice, 'failures')).toMatchObject({
      sentence: '2 tasks erred because workers that had them ended (KilledWorker).',
      // No execution has an exception that could be selected.
      remedy: expect.stringMatching(/^Find out why their workers ended: .*allowed-failures/)
    });
    const lost = verdict(advice, 'lost-worker')?.sentence;
    expect(lost).toContain('A worker ended unexpectedly with 2 tasks and 2 results that were nowhere else');
    expect(lost).toContain(
      '2 tasks erred because more workers died while they had them than Dask allows (KilledWorker after 1 death).'
    );
    expect((await printed(['advise', path('killed-worker'), '--fail-on', 'failures'], readFile)).status).toBe(1);
  });

  it('after all others, without an execution, lead, with their worker', async () => {
    const advice = await said('killed-last');
    expect(causes(advice)).toEqual(['lost-worker', 'failures']);
    const { run } = await openRun(await readFile(path('killed-last')));
    expect(causes(advise(run, newestPeriod(run), translate))).toEqual(['lost-worker', 'failures']);
  });

  it('because their graphs could not be read are reported', async () => {
    const advice = await said('unread-graphs');
    expect(verdict(advice, 'failures')).toMatchObject({
      sentence: 'The scheduler could not read 8 graphs: their tasks erred without running.',
      remedy: expect.stringMatching(/^The event says why\. Most often the scheduler has another environment than the client/)
    });
  });

  it('because no graph could be read are reported, also for the newest work and by the program', async () => {
    const sentence = 'The scheduler could not read 3 graphs: their tasks erred without running.';
    const { run } = await openRun(await readFile(path('unread-only')));
    for (const advice of [await said('unread-only'), advise(run, newestPeriod(run), translate)]) {
      expect(causes(advice)).toEqual(['failures']);
      expect(advice.headline).toBe(sentence);
      expect(advice.verdicts[0]).toMatchObject({ confidence: 'high', doubt: '', cost: { seconds: 0 } });
    }
    const { out, status } = await printed(['advise', path('unread-only'), '--fail-on', 'failures'], readFile);
    expect(status).toBe(1);
    expect(out.join('\n')).toContain(sentence);
  });

  it('are counted as executions where one was tried twice', async () => {
    expect(verdict(await said('retried'), 'failures')?.sentence).toMatch(
      /^2 of 12 executions ended with an error \(boom\)\. That wasted 6\d\d ms of computing\.$/
    );
  });
});

describe('tasks that are cancelled while they run', () => {
  it('occupy their threads until they end, before and after', async () => {
    const advice = await said('cancelled');
    expect(causes(advice)).toEqual(['cancelled-tasks']);
    const [{ sentence, cost, evidence }] = advice.verdicts;
    // What they did before is work on tasks that nobody had cancelled yet.
    expect(sentence).toMatch(
      /^Up to 4 threads worked on tasks that were cancelled, for 32\.4 s in all\. It costs 85 % of the time\. Of that, 2\d\.\d s came after they had been cancelled, because threads cannot be stopped\.$/
    );
    expect(sentence).toContain(`Of that, ${evidence.figures[1].text} came after`);
    expect(evidence.figures[1].value).toBeLessThan(cost.seconds - 1);
    // Four threads for eight seconds, less what passed until heartbeats reported it.
    expect(cost.seconds).toBeGreaterThan(0.85 * 4 * 8);
    expect(cost.seconds).toBeLessThan(4 * 8.1);
    const { from, to } = evidence.selection.period ?? { from: 0, to: 0 };
    expect(to - from).toBeCloseTo(8, 1);
    expect([advice.pauses, advice.unexplained.share < 0.15]).toEqual([0, true]);
  });
});

describe('attempts that fail and are retried', () => {
  it('are known in a part of a run, and occupy its threads', async () => {
    const { run } = await openRun(await readFile(path('retried-later')));
    const newest = newestPeriod(run);
    const whole = wholePeriod(run);
    expect(newest?.from).toBeGreaterThan((whole?.from ?? Number.NaN) + 10);
    const advice = advise(run, newest, translate);
    expect(causes(advice)).toEqual(['retries']);
    const [retries] = advice.verdicts;
    expect(retries.sentence).toMatch(/^8 attempts of retried failed and were retried\. They cost about 54 % of the time\.$/);
    // Eight attempts of half a second, with what their workers took to begin them.
    expect(retries.cost.seconds).toBeGreaterThan(3.9);
    expect(retries.cost.seconds).toBeLessThan(4.8);
    expect(advice.unexplained.share).toBeLessThan(0.05);
    // Pictures of tasks do not have them as computing, either.
    const { use } = selectionStatistics(run, { ...NOTHING_SELECTED, period: newest });
    expect(shareWords(advice, translate)[0]).toBe(`${formatPercent(shareOf(use, 'compute'))} computing`);
    const first = { from: whole?.from ?? Number.NaN, to: (whole?.from ?? Number.NaN) + 5 };
    expect(causes(advise(run, first, translate))).toEqual([]);
    expect(verdict(advise(run, null, translate), 'retries')?.cost.seconds).toBeCloseTo(retries.cost.seconds, 1);
  });

  it('are not known in a part of a recording that has no times of them', async () => {
    const { run } = await openRun(await readFile(path('killed-worker')));
    const { from, to } = wholePeriod(run) ?? { from: Number.NaN, to: Number.NaN };
    const { unknown } = advise(run, { from: from + 0.1, to }, translate);
    expect(unknown.find(({ cause }) => cause === 'retries')?.why).toBe(
      'This is known for the whole run only: when these attempts failed was not recorded.'
    );
  });
});

describe('results on disk', () => {
  it('are reported with the waiting for them, and separately what else was lost meanwhile', async () => {
    const found = verdict(await said('spilled'), 'spilling');
    expect(found?.sentence).toMatch(
      /^Memory was short: up to 331 MiB of results were on disk\. Threads waited 72\.2 ms for disk\. While workers wrote or read, tasks took longer or threads were idle for 5\d\d ms, probably for the same reason\. Together it costs 10 % of the time\.$/
    );
    expect(found?.confidence).toBe('medium');
    expect(found?.evidence.figures.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      ...['On disk at most: 331 MiB', 'Waited for disk: 72.2 ms', 'Of the time: 1 %'],
      expect.stringMatching(/^Threads were idle while workers wrote or read: 5\d\d ms$/)
    ]);
  });
});

describe('a loop of the client, and small tasks after it', () => {
  it('are each reported with their own time, whatever else runs in the period', async () => {
    const { run } = await openRun(await readFile(path('loop-and-small')));
    const whole = wholePeriod(run) ?? { from: Number.NaN, to: Number.NaN };
    const all = advise(run, null, translate);
    expect(causes(all)).toEqual(['small-tasks', 'client-waits']);
    const loop = verdict(all, 'client-waits')?.evidence.selection.period ?? whole;
    const small = verdict(all, 'small-tasks')?.evidence.selection;
    expect(small?.functions).toEqual(['inc']);
    expect(small?.period?.from).toBeGreaterThanOrEqual(loop.to - 0.01);
    expect(loop.from).toBeGreaterThan(whole.from + 2);
    const { sentence } = verdict(all, 'client-waits') ?? { sentence: '' };
    expect(sentence).toContain('results were requested 13 times before the next work was submitted (1 task each time');
    expect(sentence).toMatch(/Most of that was lost while rounds ran, because they had fewer tasks than there are threads\.$/);
    for (const to of [loop.to, loop.to + 0.5, loop.to + 1, loop.to + 2]) {
      const earlier = advise(run, { from: whole.from, to }, translate);
      expect(causes(earlier)).toContain('client-waits');
      expect(causes(earlier)).not.toContain('little-parallelism');
      expect(verdict(earlier, 'client-waits')?.evidence.selection.period?.from).toBeCloseTo(loop.from, 1);
    }
  });
});

describe('what a recording contains', () => {
  it('are the workers that were there in it', async () => {
    const info = async (name: string): Promise<number> =>
      JSON.parse((await printed(['info', path(name), '--json'], readFile)).out.join('\n')).workers;
    expect([await info('killed-worker'), await info('scaled-down')]).toEqual([3, 4]);
  });
});

describe('a failure', () => {
  it('ends the work, though tasks are left that nobody needs any more', async () => {
    const { run } = await openRun(await readFile(path('failed-input')));
    expect(run.computations.list.map(({ values }) => values.left)).toEqual([62]);
    const advice = advise(run, null, translate);
    expect(causes(advice)).toEqual(['failures']);
    expect(advice.capacity / advice.threads).toBeCloseTo(2.2, 1);
    expect(advice.unexplained.share).toBeLessThan(0.1);
    expect(newestPeriod(run)).toEqual(wholePeriod(run));
  });
});
