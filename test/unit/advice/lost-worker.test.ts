/** What a worker costs that leaves with work, and when it was asked to leave. */
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/advice/advice';
import { costWords, savingWords } from '../../../src/advice/words';
import { durationWords } from '../../../src/advice/headline/shares';
import type { TopicBody } from '../../../src/feed/frame';
import { ATTEMPT_END, type AttemptEnd } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';
import { step } from '../plots/cluster';
import { translate } from '../translate';
import { adviceOf, EPOCH, type Made, made, tasks, verdict } from './made';

interface End {
  readonly how: AttemptEnd;
  readonly begin: number;
  readonly end: number;
}

function ends(list: readonly End[]): TopicBody {
  const columns = Object.fromEntries(['id', 'retried', 'rescheduled', 'lost'].map(name => [name, new Uint32Array(0)]));
  return {
    columns,
    moves: {
      number: Uint32Array.from(list.keys()),
      prefix: new Uint32Array(list.length),
      how: Uint8Array.from(list, ({ how }) => ATTEMPT_END.indexOf(how)),
      begin: Float64Array.from(list, ({ begin }) => begin + EPOCH),
      end: Float64Array.from(list, ({ end }) => end + EPOCH)
    },
    scalars: { first: 0 }
  };
}

interface LoggedEvent {
  readonly time: number;
  readonly action: string;
  readonly topic?: string;
  readonly text: Readonly<Record<string, unknown>>;
}

const removed = (time: number, more: Readonly<Record<string, unknown>> = {}): LoggedEvent => ({
  time,
  action: 'remove-worker',
  text: {
    worker: 'tcp://w1',
    expected: false,
    stimulus_id: 'handle-worker-cleanup-1',
    'processing-tasks': ['a'],
    'lost-computed-tasks': ['b'],
    ...more
  }
});

function run(what: Made, events: readonly LoggedEvent[]): Run {
  return step(made(what), {
    time: EPOCH + (what.now ?? 100),
    // As Python writes it.
    events: events.map(({ time, action, topic = 'all', text }) => ({
      ...{ time: EPOCH + time, action, topic },
      text: JSON.stringify({ action, ...text })
        .replaceAll('…', '\\u2026')
        .replaceAll(/":(?! )/g, '": ')
        .replaceAll('","', '", "')
    }))
  });
}

/** The same run, whose feed does not say how many threads a worker had. */
function withoutThreads(from: Run): Run {
  from.workerNames.forEach((name, i) => {
    from.workerNames[i] = name && { ...name, nthreads: 0 };
  });
  return from;
}

const lost = (what: Made, events: readonly LoggedEvent[] = [removed(4)]): Verdict | undefined =>
  verdict(adviceOf(run(what, events)), 'lost-worker');

const ALL = [0, 1, 2, 3];

/** Two workers with two threads each: 4 s of work on all of them, then 6 s on one thread. */
const WAITING = [...[0, 1, 2, 3].flatMap(lane => tasks(lane, 4, 1)), ...tasks(0, 6, 1, 4)];

/** Dask's event of a worker that its nanny killed because its memory was full. */
function killedForMemory(time: number, worker: string): LoggedEvent {
  return { time, action: 'worker-restart-memory', text: { worker, pid: 1, rss: 2 ** 32 } };
}

describe('a lost worker', () => {
  const attempts = ends([
    { how: 'lost', begin: 3, end: 4 },
    { how: 'renewed', begin: 4, end: 6 },
    { how: 'repeated', begin: 6, end: 8 }
  ]);
  const series = { threads: [4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3] };

  it('costs its attempts, what was computed again, and what waited until that had been made up for', () => {
    const rows = WAITING.filter(({ lane, start }) => lane !== 3 || start < 3);
    const one = lost({ rows, now: 10, topics: { attempts: attempts }, series });
    expect(one?.evidence.figures.map(({ label, value }) => [label, Number(value.toFixed(1))])).toEqual([
      ['Workers that ended', 1],
      ['Tasks that they had', 1],
      ['Results that were nowhere else', 1],
      ['Attempts that ended with them', 1],
      ['Results that were computed again', 1],
      ['Computing them again', 2],
      // Two threads for 4 s, less what they lose as well in the rest of the period: 4 s of 6.
      ['Threads that waited for it', 5.3]
    ]);
    expect(one?.cost.seconds).toBeCloseTo(1 + 2 + 5.33, 1);
    expect(one?.sentence).toContain('1 thread was missing for 6.00 s.');
    expect(one?.evidence.selection.period).toEqual({ from: EPOCH + 4, to: EPOCH + 8 });
    const unknown = withoutThreads(run({ rows, now: 10, topics: { attempts }, series }, [removed(4)]));
    expect(verdict(adviceOf(unknown), 'lost-worker')?.sentence).toBe(one?.sentence);
  });

  it('has what waited for it, less what is usual in time that counts: not while the scheduler did not answer', () => {
    const rows = [...[0, 1, 2, 3].flatMap(lane => tasks(lane, 4, 1)), ...tasks(0, 2, 1, 4), ...tasks(0, 8, 1, 18)];
    const late = ends([
      { how: 'lost', begin: 3, end: 4 },
      { how: 'renewed', begin: 4, end: 6 },
      { how: 'repeated', begin: 18, end: 20 }
    ]);
    const waited = (meta: TopicBody): number | undefined =>
      lost({
        ...{
          rows,
          now: 26,
          topics: { attempts: late, meta },
          computations: [{ since: 0, last: 0, start: 0, stop: 26, tasks: 26 }]
        }
      })?.evidence.figures.find(({ label }) => label === 'Threads that waited for it')?.value;
    const meta = { columns: {}, scalars: { unobserved: [[EPOCH + 6, EPOCH + 18]] } };
    // Three threads for the 4 s of 16 that count of this time, less what they lose in the other 10 s: 18 s.
    expect(waited(meta)).toBeCloseTo(3 * 4 - (18 * 4) / 10, 1);
  });

  it('that was killed because its memory was full says so, and comes before what costs more while other workers were missing', () => {
    const killed = killedForMemory(3.9, 'tcp://w0');
    const rows = [...[0, 1].flatMap(lane => tasks(lane, 4, 1)), ...tasks(0, 9, 1, 11)];
    const threads = Array.from({ length: 21 }, (_, time) => (time >= 4 && time < 11 ? 0 : 2));
    const what = {
      ...{ rows, now: 20, workers: 1, topics: { attempts: ends([{ how: 'lost', begin: 3.9, end: 4 }]) }, series: { threads } },
      computations: [{ since: 0, last: 0, start: 0, stop: 20, tasks: 17 }]
    };
    const advice = adviceOf(run(what, [killed, removed(4, { worker: 'tcp://w0' })]));
    expect(advice.verdicts.map(({ cause }) => cause)).toEqual(['lost-worker', 'little-parallelism']);
    const [first, second] = advice.verdicts;
    // What it costs is of the time in which there were workers; how long it took, and without any, is said with it.
    expect(first.workerless).toBeCloseTo(7, 2);
    expect(durationWords(advice, false, translate)).toBe('20.0 s, no worker for 7.00 s of it (35 %)');
    expect(durationWords({ ...advice, unanswered: 39.2 }, false, translate)).toBe(
      '20.0 s without the 39.2 s in which the scheduler did not answer, no worker for 7.00 s of it (35 %)'
    );
    expect(costWords(advice, first, translate)).toBe('no worker for 7.00 s of 20.0 s');
    const costly = { ...first, cost: { seconds: 20, share: 0.77 } };
    expect(costWords(advice, costly, translate), 'what is longer').toBe('77 % of 13.0 s');
    expect(costWords(advice, second, translate)).toMatch(/^\d+ % of 13\.0 s$/);
    expect(savingWords(advice, new Set(), translate)).toMatch(/ of 13\.0 s × 2 threads, and 7\.00 s without any worker$/);
    expect(first.cost.seconds).toBeLessThan(second.cost.seconds);
    expect(first.title).toBe('Workers are killed because their memory is full');
    expect(advice.headline).toMatch(/^A worker with .* was killed because its memory had reached the limit: /);
    expect(advice.headline).toContain('Until others came, there was no worker for 7.00 s, 35 % of 20.0 s.');
    expect(first.remedy).toContain('memory');
    // What is known of another worker, or of another time, is not about this one.
    for (const other of [
      { ...killed, time: 14 },
      { ...killed, text: { worker: 'tcp://w7' } }
    ]) {
      const one = lost(what, [other, removed(4, { worker: 'tcp://w0' })]);
      expect(one?.title).toBe('A worker was lost');
      expect(one?.sentence).toContain('Until others came, there was no worker for 7.00 s, 35 % of 20.0 s.');
    }
  });

  it('that was killed because its memory was full comes before the causes that lead there', () => {
    const killed = killedForMemory(9.9, 'tcp://w1');
    const rows = [...ALL.flatMap(lane => tasks(lane, 2, 1)), ...ALL.flatMap(lane => tasks(lane, 2, 1, 8))];
    const count = [0, 0, 2, 2, 2, 2, 2, 2, 0, 0, 0];
    const what = { rows, now: 10, series: { paused: count, spilled: count.map((_, i) => i * 1e9) } };
    const advice = adviceOf(run({ ...what, topics: { attempts: ends([]) } }, [killed, removed(10)]));
    expect(advice.verdicts.map(({ cause }) => cause).slice(0, 2)).toEqual(['lost-worker', 'spilling']);
    expect(advice.verdicts[1].cost.share).toBeGreaterThan(0.4);
  });

  it('has the time in which it may have run its tasks, though it is not recorded when it began them', () => {
    const killed = killedForMemory(4.9, 'tcp://w1');
    const rows = [...ALL.flatMap(lane => tasks(lane, 2, 1)), ...ALL.flatMap(lane => tasks(lane, 3, 1, 6))];
    const assigned = [4, 4, 2, 2, 2, 2, 4, 4, 4, 0];
    const what = { rows, now: 9, computations: [{ since: 0, last: 0, start: 0, stop: 9, tasks: 20 }], series: { assigned } };
    const alone = adviceOf(run(what, []));
    expect(alone.headline).toMatch(/^Tasks start late: workers had tasks for 4\.00 s and started none/);
    const topics = { attempts: ends([]) };
    const advice = adviceOf(run({ ...what, topics }, [killed, removed(5, { 'processing-tasks': ['a', 'b'] })]));
    expect(verdict(advice, 'late-start')).toBeUndefined();
    expect(advice.headline).toMatch(
      /^A worker with 2 tasks and 1 result that was nowhere else was killed because its memory had reached the limit/
    );
    expect(advice.verdicts[0]).toMatchObject({
      cause: 'lost-worker',
      confidence: 'medium',
      cost: { seconds: expect.closeTo(6, 0) }
    });
    const unknown = withoutThreads(run({ ...what, topics }, [killed, removed(5, { 'processing-tasks': ['a', 'b'] })]));
    expect(verdict(adviceOf(unknown), 'lost-worker')?.cost.seconds, 'threads of the worker are not known').toBeCloseTo(6, 0);
  });

  it('takes its threads with it, before the next sample says so', () => {
    const rows = [...[0, 1].flatMap(lane => tasks(lane, 10, 1)), ...[2, 3].flatMap(lane => tasks(lane, 3, 1))];
    const what = { rows, now: 10, topics: { attempts: ends([]) }, series: { threads: [4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2] } };
    const advice = adviceOf(run(what, [removed(3.1)]));
    expect(advice.capacity).toBeCloseTo(3.1 * 4 + 6.9 * 2, 1);
  });

  it('in a pause of the user, of which nothing else is selected, leaves no threads missing from it', () => {
    const rows = ALL.flatMap(lane => tasks(lane, 4, 1));
    const computations = [{ since: 0, last: 0, start: 0, stop: 4, tasks: 16 }];
    const paused = run({ rows, now: 100, computations }, [removed(50, { 'processing-tasks': [] })]);
    const one = verdict(adviceOf(paused, { from: 40, to: 60 }), 'lost-worker');
    expect(one?.sentence).toMatch(/^A worker .* with 1 result that was nowhere else: what is still needed runs again\.$/);
  });

  it('counts only what was made up for after it, not after one that was stopped', () => {
    const rows = WAITING;
    const stopped = removed(4, { expected: true });
    const early = { ...removed(1, { 'lost-computed-tasks': [] }), time: 1 };
    const one = lost({ rows, now: 10, topics: { attempts: attempts }, series }, [early, stopped]);
    expect(one?.cost.seconds).toBe(0);
  });
});

describe('a worker that was asked to leave is not lost', () => {
  const what = { rows: WAITING, now: 10 };
  const closing = (reason: string): LoggedEvent => ({ time: 3.9, topic: 'tcp://w1', action: 'closing-worker', text: { reason } });
  const restarted = (time: number, workers: readonly string[]): LoggedEvent => ({
    time,
    action: 'restart-workers',
    text: { workers }
  });
  const how = (...events: LoggedEvent[]): string =>
    lost(
      what,
      [...events].sort((a, b) => a.time - b.time)
    )?.title ?? '';

  it.each<[string, readonly LoggedEvent[]]>([
    ['by a restart that it answers', [closing('client-restart-workers-1'), removed(4)]],
    ['by a restart without a nanny', [removed(4, { stimulus_id: 'client-restart-1' })]],
    ['by a restart that kills it, since it hangs', [removed(4), restarted(8, ['tcp://w1'])]],
    ['by a restart whose event comes first', [restarted(3.9, ['tcp://w1']), removed(4)]],
    ['by a retirement', [removed(4, { expected: true, stimulus_id: 'retire-workers-1' })]],
    ['by the scheduler', [{ time: 3.9, topic: 'tcp://w1', action: 'close-worker', text: {} }, removed(4)]],
    ['by its cluster', [closing('nanny-close'), removed(4)]]
  ])('%s', (_, events) => {
    expect(how(...events)).toBe('');
  });

  it.each<[string, readonly LoggedEvent[]]>([
    ['that says nothing', [removed(4)]],
    ['that closes itself since it has failed', [closing('worker-handle_compute_task-fail-hard'), removed(4)]],
    ['while others are restarted', [removed(4), restarted(8, ['tcp://w2'])]],
    ['long before a restart', [removed(4), restarted(40, ['tcp://w1'])]]
  ])('but one %s', (_, events) => {
    expect(how(...events)).toBe('A worker was lost');
  });

  it('and as a departure where the events do not show more', () => {
    const one = lost(what, [removed(4), restarted(8, ['tcp://w2', '… 40 more'])]);
    expect(one).toMatchObject({ title: 'A worker left with its work', confidence: 'low' });
    expect(one?.sentence).toContain('A worker left with 1 task and 1 result that was nowhere else');
    expect(one?.doubt).toBe('It may have been asked to stop: the events of the scheduler do not show this.');
  });
});

describe('threads of a lost worker', () => {
  const said = (threads: (second: number) => number, events: readonly LoggedEvent[]): string | undefined => {
    const rows = [...tasks(0, 240, 0.25), ...tasks(2, 240, 0.25)];
    return lost(
      { workers: 4, threads: 2, rows, now: 60, series: { threads: Array.from({ length: 61 }, (_, i) => threads(i)) } },
      events
    )?.sentence;
  };
  const stopped = (time: number, worker: string): LoggedEvent =>
    removed(time, { worker, expected: true, 'processing-tasks': [] });

  it('are missing until another worker has come, not where workers are stopped later', () => {
    const words = said(second => (second < 5 || (second >= 20 && second < 40) ? 8 : 6), [removed(5), stopped(40, 'tcp://w2')]);
    expect(words).toMatch(/2 threads were missing for 1[45]\.\d s/);
  });

  it('are missing, and not those of workers that are stopped meanwhile', () => {
    const words = said(second => (second < 5 ? 8 : second < 20 ? 6 : 4), [removed(5), stopped(20, 'tcp://w2')]);
    expect(words).toMatch(/Up to 2 threads were missing for 5\d\.\d s/);
  });
});
