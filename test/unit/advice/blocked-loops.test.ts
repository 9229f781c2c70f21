/** Event loops that are blocked, and heartbeats that differ by chance from what runs. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import { openRun } from '../../../src/report/open';
import { translate } from '../translate';
import { type Row, randomOf } from '../run/synthetic';
import { adviceOf, EPOCH, made, tasks, verdict } from './made';

const HEARTBEAT = 0.5;

/** What Dask has at each second: of each worker, the tasks that ran at its last heartbeat. */
function reported(rows: readonly Row[], workers: number, seconds: number, random: () => number, silent?: number): number[] {
  const delays = Array.from({ length: workers }, () => HEARTBEAT * random());
  const byLane = new Map<number, Row[]>();
  for (const row of rows) {
    const lane = row.lane ?? 0;
    byLane.set(lane, [...(byLane.get(lane) ?? []), row]);
  }
  return Array.from({ length: seconds }, (_, second) => {
    let sum = 0;
    for (const [lane, all] of byLane) {
      const worker = lane % workers;
      const heard = Math.floor((second - delays[worker]) / HEARTBEAT) * HEARTBEAT + delays[worker];
      sum += worker !== silent && all.some(({ start, duration }) => start <= heard && start + duration > heard) ? 1 : 0;
    }
    return sum;
  });
}

/** Short tasks with pauses between them. */
function short(lane: number, until: number, random: () => number): Row[] {
  const rows: Row[] = [];
  for (let start = 0.2 * random(); start < until; ) {
    const duration = 0.1 + 0.2 * random();
    rows.push({ lane, start, duration });
    start += duration * (1 + 0.5 * random());
  }
  return rows;
}

describe('heartbeats of workers with short tasks', () => {
  const random = randomOf(1);

  it('differ from what runs by chance: their event loops are not blocked', () => {
    const [workers, threads, now] = [4, 4, 400];
    const rows = Array.from({ length: workers * threads }, (_, lane) => short(lane, now, random)).flat();
    const executing = reported(rows, workers, now, random);
    const advice = adviceOf(made({ workers, threads, rows, now, series: { executing } }));
    expect(advice.verdicts).toEqual([]);
    expect(advice.absent.map(({ cause }) => cause)).toContain('event-loop-blocked');
  });
});

it('a heartbeat that comes late now and then in a long run is nothing to report', () => {
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 100, 4));
  const late = (seconds: readonly number[], run = rows): string[] => {
    const executing = reported(run, 2, 401, randomOf(1)).map((sum, second) => (seconds.includes(second) ? sum - 2 : sum));
    return adviceOf(made({ rows: run, now: 400, series: { executing } })).verdicts.map(({ cause }) => cause);
  };
  // These tasks have run for 2 s, and for 2 and 3 s.
  expect(late([102, 302])).toEqual([]);
  expect(late([102, 103, 302])).toEqual(['event-loop-blocked']);
});

it('tasks that no heartbeat reports are seen beside those of other workers that are reported', () => {
  const rows = [...tasks(1, 2, 8), ...[0, 2].flatMap(lane => tasks(lane, 4, 4))];
  const executing = reported(rows, 2, 17, randomOf(1), 1);
  expect(executing[8]).toBe(2);
  const found = verdict(adviceOf(made({ rows, now: 16, series: { executing } })), 'event-loop-blocked');
  expect(found?.sentence).toContain('tasks ran, but their workers did not answer');
});

describe('heartbeats that the scheduler reads late', () => {
  /** Tasks of 6 s, of which samples know nothing while the scheduler stands still. */
  const rows = [0, 1, 2, 3].flatMap(lane => [...tasks(lane, 1, 6, 10), ...tasks(lane, 20, 0.4)]);
  const said = (times: readonly number[], executing: readonly number[], columns = {}): unknown => {
    const run = made({ rows, now: 18, series: { executing, threads: times.map(() => 4) }, columns });
    run.series.clear();
    const values = (of: readonly number[]): Float64Array => Float64Array.from(of);
    const at = values(times.map(time => EPOCH + time));
    const body = { time: at, until: at, workers: values(times.map(() => 2)), threads_sum: values(times.map(() => 4)) };
    const topics = {
      series: { columns: { ...body, executing_sum: values(executing), ...columns }, scalars: { first: 0, lost: 0 } }
    };
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 18, cursor: {}, names: {}, topics }, 0);
    return verdict(adviceOf(run), 'event-loop-blocked')?.sentence;
  };
  const [before, after] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    [15, 16, 17]
  ];
  const all = [...before, 11, 12, 13, 14, ...after];

  it('since it stood still are no blocked workers', () => {
    const blocked = all.map(time => (time > 10 && time < 15 ? 0 : 4));
    expect(said(all, blocked)).toContain('Event loops of workers were blocked for');
    // The first sample afterwards has what the last heartbeat before had said.
    const times = [...before, 14.5, 15.5, 16.5];
    expect(said(times, [...before.map(() => 4), 0, 4, 4])).toBeUndefined();
    const ticks = Float64Array.from(all, time => (time > 10 && time < 16 ? 0.3 : 0.02));
    expect(said(all, blocked, { scheduler_tick: ticks })).toBeUndefined();
  });
});

describe('heartbeats of a cluster that had many workers', () => {
  /** Of the given number of workers two are left. Their heartbeats came rarely, always between two tasks. */
  const run = (workers: number): ReturnType<typeof made> =>
    made({
      ...{ workers, threads: 1, now: 32 },
      rows: [0, 1].flatMap(lane => tasks(lane, 7, 4.4, 0.3, 0.1)),
      series: { executing: Array.from({ length: 33 }, () => 0), threads: Array.from({ length: 33 }, () => 2) },
      topics: {
        workers: {
          columns: {
            id: Uint32Array.of(0, 1),
            status: Uint8Array.of(2, 2),
            nthreads: Uint32Array.of(1, 1),
            last_seen: Float64Array.of(EPOCH + 32, EPOCH + 32)
          },
          scalars: {}
        }
      }
    });

  it('are too rare for what they report', () => {
    const said = (workers: number): unknown[] => {
      const advice = adviceOf(run(workers));
      const why = advice.unknown.find(({ cause }) => cause === 'event-loop-blocked')?.why;
      return [why, verdict(advice, 'event-loop-blocked') !== undefined];
    };
    expect(said(49)).toEqual([undefined, true]);
    expect(said(50)).toEqual(['With more than 49 workers heartbeats are too rare.', false]);
  });
});

describe('a worker that sends no heartbeats', () => {
  /** Two workers with two threads: of worker 0, one thread runs a task of 8 s, and the other one has tasks that it does not begin. */
  const rows = [
    ...tasks(0, 1, 8, 1),
    ...tasks(2, 5, 0.2),
    ...tasks(2, 4, 0.2, 9),
    ...[1, 3].flatMap(lane => tasks(lane, 50, 0.2))
  ];
  const seconds = Array.from({ length: 12 }, (_, second) => second);
  const all = (value: number): number[] => seconds.map(() => value);
  /** Silent from the first second on until the ninth. */
  const silent = seconds.map(second => (second > 1 && second < 9 ? second - 1 : 0.4));
  const said = (unheard: readonly number[], more: Readonly<Record<string, readonly number[]>> = {}, series = {}) =>
    verdict(
      adviceOf(
        made({
          ...{ rows, now: 11 },
          // The short tasks of the other worker are as many as those that are reported.
          series: { executing: all(2), computing: all(2), assigned: all(4), processing: all(6), ...series },
          columns: { unheard_max: unheard, assigned_min: all(2), assigned_max: all(2), scheduler_tick: all(0.02), ...more }
        })
      ),
      'event-loop-blocked'
    );

  it('is told beside others that run short tasks, with what its own threads lost', () => {
    const found = said(silent);
    expect(found?.title).toBe('A worker did not answer');
    expect(found?.sentence).toBe(
      'A worker did not answer for 7.00 s while there were tasks. Its event loop was blocked, or its whole process stood still. If its tasks stood still, it costs 32 % of the time.'
    );
    // One thread had a task that may have computed, and one had none.
    expect(found?.cost.seconds).toBeCloseTo(2 * 7, 0);
    expect(found?.confidence).toBe('medium');
  });

  it('is not told where it is silent for little longer than between two heartbeats', () => {
    expect(said(seconds.map(second => (second % 4) + 0.4))).toBeUndefined();
  });

  it('is not told where nothing is known: no column, or the scheduler stood still or is late itself', () => {
    expect(said([])).toBeUndefined();
    expect(said(all(Number.NaN))).toBeUndefined();
    expect(said(silent, { scheduler_tick: all(0.2) })).toBeUndefined();
    expect(said(silent, { scheduler_tick: all(0.2), unheard_min: all(2) })).toBeUndefined();
    // A scheduler that has just heard of another worker reads heartbeats.
    expect(said(silent, { scheduler_tick: all(0.2), unheard_min: all(0.5) })).toBeDefined();
  });

  it('is not told while workers write results to disk, which their event loops do', () => {
    expect(said(silent, {}, { spilled: seconds.map(second => second * 10_000_000) })).toBeUndefined();
  });

  it('of many that have nothing to do costs nothing that is known, and is told if it is long', () => {
    const found = said(silent, { assigned_min: all(0), assigned_max: all(2) });
    expect(found?.cost.seconds).toBe(0);
    expect(found?.sentence).toMatch(/^A worker did not answer for 7\.00 s while there were tasks\. .* stood still\.$/);
    expect(
      said(silent, { assigned_min: all(0), assigned_max: all(0) }, { assigned: all(0), processing: all(0) })
    ).toBeUndefined();
  });

  it('twice may be the same', () => {
    expect(said([0.4, 0.4, 1.5, 2.5, 3.6, 0.4, 1.5, 2.5, 3.6, 0.4, 0.4, 0.4])?.sentence).toContain(
      '2 times, a worker did not answer while there were tasks, for 7.20 s in all. Its event loop was blocked'
    );
  });
});

describe('event loops that are blocked while tasks are short', () => {
  const seconds = Array.from({ length: 10 }, (_, second) => second);
  const all = (value: number): number[] => seconds.map(() => value);
  /** Not heard of from the first second on until the sixth. */
  const silent = seconds.map(second => (second > 1 && second <= 6 ? second - 0.8 : 0.4));
  /** Some threads begin nothing from 1 s to 6 s. */
  const rows = (blocked: readonly number[]): Row[] =>
    [0, 1, 2, 3].flatMap(lane =>
      blocked.includes(lane) ? [...tasks(lane, 4, 0.3), ...tasks(lane, 10, 0.3, 6.2)] : tasks(lane, 30, 0.3)
    );
  const said = (blocked: readonly number[], columns: Readonly<Record<string, readonly number[]>>, ran = 4) =>
    adviceOf(
      made({
        ...{ rows: rows(blocked), now: 9.2, columns: { assigned_min: all(2), assigned_max: all(2), ...columns } },
        series: { executing: all(ran), computing: all(ran), assigned: all(4), processing: all(6) }
      })
    );

  it('of one worker cost what its threads lost', () => {
    const [first, ...others] = said([0, 2], { unheard_max: silent, unheard_min: all(0.4) }).verdicts;
    expect([first.cause, others]).toEqual(['event-loop-blocked', []]);
    expect(first.sentence).toMatch(/^A worker did not answer for 5\.20 s while there were tasks\. /);
    expect(first.cost.seconds).toBeCloseTo(2 * 4.8, 0);
  });

  it('of all workers are told as such, and cost the time in which nothing ran', () => {
    const [first, ...others] = said([0, 1, 2, 3], { unheard_max: silent, unheard_min: silent }).verdicts;
    expect([first.cause, others]).toEqual(['event-loop-blocked', []]);
    expect(first.title).toBe('No worker answered');
    expect(first.sentence).toMatch(/^No worker answered for 5\.20 s while there were tasks\. /);
    expect(first.cost.seconds).toBeCloseTo(4 * 4.8, 0);
  });

  it('are not told where no worker stopped, or none had run a task: it imports something', () => {
    const columns = { unheard_max: silent, unheard_min: silent };
    expect(verdict(said([], columns), 'event-loop-blocked')).toBeUndefined();
    expect(verdict(said([0, 1, 2, 3], columns, 0), 'event-loop-blocked')).toBeUndefined();
  });

  it('of all workers are no verdict where tasks began and ended meanwhile: nothing is lost', () => {
    const columns = { unheard_max: silent, unheard_min: silent };
    const long = [0, 1, 2, 3].flatMap(lane => tasks(lane, 3, 3));
    const all4 = { executing: all(4), computing: all(4), assigned: all(4), processing: all(4) };
    const run = made({ rows: long, now: 9.2, columns: { assigned_min: all(2), assigned_max: all(2), ...columns }, series: all4 });
    expect(adviceOf(run).verdicts).toEqual([]);
  });

  it('leave no time after each task where nothing is known of heartbeats', () => {
    const { verdicts, unexplained } = said([0, 2], {});
    expect(verdicts).toEqual([]);
    expect(unexplained.seconds).toBeCloseTo(2 * 5, 0);
  });

  it('of a worker that may have had no tasks are no cause, but the time is told', () => {
    const { headline } = said([0, 1, 2, 3], { unheard_max: silent, unheard_min: all(0.4), assigned_min: all(0) });
    expect(headline).toMatch(/^No cause found: /);
    expect(headline).toContain(
      'Most of the time that is not explained, workers had tasks, and one or more of them were not heard of for 5.20 s.'
    );
  });
});

it('two workers that do not answer one after the other are two, also where that overlaps', () => {
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 1, 15));
  const seconds = Array.from({ length: 16 }, (_, second) => second);
  // One until 8 s, another one from 6 s to 13 s.
  const silent = seconds.map(second => (second <= 8 ? second : second <= 13 ? second - 6 : 0.4));
  const [two, four] = [seconds.map(() => 2), seconds.map(() => 4)];
  const series = { executing: four, computing: four, assigned: four, processing: four };
  const columns = { unheard_max: silent, assigned_min: two, assigned_max: two, scheduler_tick: seconds.map(() => 0.02) };
  const found = verdict(adviceOf(made({ rows, now: 15, series, columns })), 'event-loop-blocked');
  expect(found?.sentence).toMatch(/^2 times, a worker did not answer while there were tasks, for 13\.0 s in all\. /);
  expect(found?.evidence.figures.map(({ value }) => value)).toEqual([2, 8, 13]);
});

describe('a real run', () => {
  it.each([
    ['stopped-worker', /^A worker did not answer for 4\.\d+ s while there were tasks\. /, ['event-loop-blocked']],
    [
      'blocked-worker',
      /^A worker did not answer for 7\.\d+ s while there were tasks\. /,
      ['event-loop-blocked', 'late-event-loops']
    ]
  ] as const)('%s tells the worker that did not answer', async (name, sentence, causes) => {
    const path = fileURLToPath(new URL(`../../fixtures/advice/${name}.dask-run`, import.meta.url));
    const { run } = await openRun(await readFile(path));
    const { verdicts } = advise(run, null, translate);
    expect(verdicts.map(({ cause }) => cause)).toEqual(causes);
    expect(verdicts[0].sentence).toMatch(sentence);
    expect(verdicts[0].cost.share).toBeGreaterThan(0.1);
  });
});
