/** Causes that lie in the machines and in the data: what shows each of them, and what is something else. */
import { describe, expect, it } from 'vitest';
import { periodWords } from '../../../src/advice/words';
import type { TopicBody } from '../../../src/feed/frame';
import type { Run } from '../../../src/run/run';
import type { Row } from '../run/synthetic';
import { translate } from '../translate';
import { adviceOf, made, tasks, verdict } from './made';

describe('a slow worker', () => {
  /** Lanes 0 and 2 are of the first worker. */
  const rows = (slow: number): Row[] => [
    ...[0, 2].flatMap(lane => tasks(lane, 16, slow)),
    ...[1, 3].flatMap(lane => tasks(lane, 16, 0.15))
  ];

  it('is not reported if it ran alone while the function did other work, before the others came or after they left', () => {
    const common = (at: number): Row[] => [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.1, at, 0.001));
    const alone = (at: number): Row[] => tasks(0, 40, 1, at, 0.001);
    for (const [rows, from] of [
      [[...alone(0), ...common(43)], 43],
      [[...common(0), ...alone(5)], 5]
    ] as const) {
      const threads = Array.from({ length: 47 }, (_, i) => (i < from === from > 20 ? 1 : 4));
      const computations = [
        { since: 0, last: 0, start: 0, stop: from, tasks: 40, done: 40, submissions: 1, cell: 1 },
        { since: from, last: from, start: from, stop: 46, tasks: 80, done: 80, submissions: 1, cell: 2 }
      ];
      const run = made({ workers: 4, threads: 1, rows, now: 46, series: { threads }, computations });
      expect(verdict(adviceOf(run), 'slow-worker')).toBeUndefined();
    }
  });

  it('is named, with what its threads and those of the others lost', () => {
    const found = verdict(adviceOf(made({ rows: rows(0.45), now: 8 })), 'slow-worker');
    expect(found?.sentence).toContain('Worker w0 takes 3.0 times as long as worker w1 for the same functions');
    expect(`${found?.title} ${found?.doubt} ${found?.evidence.figures[0].label}`).not.toContain('others');
    expect(found?.evidence.selection.workers).toEqual(['tcp://w0']);
    // 32 tasks took 0.3 s longer, and as many threads waited.
    expect(found?.cost.seconds).toBeCloseTo(2 * 9.6, 0);
  });

  it('is compared with all that ran the same functions', () => {
    const all = [...tasks(0, 32, 0.5), ...[1, 2].flatMap(lane => tasks(lane, 32, 0.15))];
    const found = verdict(adviceOf(made({ rows: all, workers: 3, threads: 1, now: 16 })), 'slow-worker');
    expect(found?.sentence).toContain('Worker w0 takes 3.3 times as long as the others for the same functions');
  });

  it('is one of several, if there are', () => {
    const slow = [0, 1].flatMap(lane => tasks(lane, 16, 0.5));
    const others = [2, 3].flatMap(lane => tasks(lane, 32, 0.15));
    const found = verdict(adviceOf(made({ rows: [...slow, ...others], workers: 4, threads: 1, now: 8 })), 'slow-worker');
    expect(found?.sentence).toMatch(
      /^2 workers such as w[01] take up to 3\.3 times as long as the others for the same functions\. /
    );
  });

  it('is not one with a single long task, nor one that is a little slower, nor one of few tasks', () => {
    const long = [...rows(0.15), { lane: 0, start: 3, duration: 5 }];
    for (const each of [long, rows(0.2), rows(0.45).filter(({ start }) => start < 1)]) {
      expect(verdict(adviceOf(made({ rows: each, now: 8 })), 'slow-worker')).toBeUndefined();
    }
  });

  it('is not one whose results are larger than those of the others: it has more to do', () => {
    const sized = (nbytes: number): Row[] =>
      rows(0.45).map(row => ({ ...row, nbytes: row.lane === 0 || row.lane === 2 ? nbytes : 1e7 }));
    expect(verdict(adviceOf(made({ rows: sized(1e8), now: 8 })), 'slow-worker')).toBeUndefined();
    expect(verdict(adviceOf(made({ rows: sized(1.2e7), now: 8 })), 'slow-worker')).toBeDefined();
  });

  it('is not one by chance: where durations differ much, so do medians of a few tasks', () => {
    const some = [0, 1, 2, 3].flatMap(lane =>
      Array.from({ length: 10 }, (_, i) => ({ lane, start: 1.7 * i, duration: i % 10 < (lane % 2 === 0 ? 6 : 4) ? 1.6 : 0.1 }))
    );
    expect(verdict(adviceOf(made({ rows: some, now: 20 })), 'slow-worker')).toBeUndefined();
  });

  it('is not one by tasks of some milliseconds: as long a thread may wait for a core', () => {
    const short = rows(0.45).map(row => ({ ...row, start: row.start / 10, duration: row.duration / 10 }));
    expect(verdict(adviceOf(made({ rows: short, now: 8 })), 'slow-worker')).toBeUndefined();
  });

  it('costs what it takes longer for functions that others run, too: its other ones may be long', () => {
    // The first worker alone trains for 90 s; beside it, it prepares data for 11 s, which takes others 5 s.
    const own = [0, 2].flatMap(lane => [...tasks(lane, 22, 0.5), ...tasks(lane, 9, 10, 11, 0, 1)]);
    const others = [1, 3].flatMap(lane => tasks(lane, 440, 0.23));
    const found = verdict(adviceOf(made({ rows: [...own, ...others], now: 101 })), 'slow-worker');
    expect(found?.sentence ?? '').toMatch(/takes 2\.2 times as long|^$/);
    expect(found?.cost.seconds ?? 0).toBeLessThan(2 * 11 * 2);
  });

  it('costs what others wait for it, not what they wait for something else', () => {
    // When it has ended, a chain takes 12 s.
    const chain = tasks(1, 24, 0.5, 8, 0, 1);
    const { verdicts } = adviceOf(made({ rows: [...rows(0.45), ...chain], now: 20 }));
    expect(verdicts.map(({ cause }) => cause)).toEqual(['little-parallelism', 'slow-worker']);
    expect(verdicts[0].cost.seconds).toBeCloseTo(3 * 12, 0);
    expect(verdicts[1].cost.seconds).toBeCloseTo(2 * 9.6, 0);
  });

  it('is compared by function: other functions may take longer', () => {
    const other = rows(0.45).map(row => ({ ...row, prefix: row.duration > 0.3 ? 1 : 0 }));
    expect(verdict(adviceOf(made({ rows: other, now: 8 })), 'slow-worker')).toBeUndefined();
  });
});

describe('results that are sent', () => {
  const metrics = (serialize: number, network: number): TopicBody => ({
    columns: { id: Uint32Array.of(0, 1, 2), value: Float64Array.of(serialize, network, serialize) },
    scalars: {
      names: [
        [0, 'get-data', '', 'serialize', 'seconds'],
        [1, 'gather-dep', '', 'network', 'seconds'],
        [2, 'gather-dep', '', 'deserialize', 'seconds']
      ],
      base: [],
      transitions: 1
    }
  });
  const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 10, 0.1, 0, 0.2));
  const moves = rows.map((row, at) => ({ at, kind: 1, start: row.start + 0.1, duration: 0.2 }));
  const sent = (serialize: number, network: number): Run =>
    made({ rows, moves, topics: { activities: metrics(serialize, network) } });

  it('are costly to serialize if that takes much of the time', () => {
    const { verdicts } = adviceOf(sent(2, 5));
    expect(verdicts.map(({ cause }) => cause)).toEqual(['serialisation']);
    expect(verdicts[0].cost.share).toBeGreaterThan(0.6);
    // The rest of the time of the transfers may be the network: threads waited for these, and not for this alone.
    expect(verdicts[0].sentence).toMatch(
      /: workers took 4\.00 s to turn them into bytes and back, 57 % of the time of their transfers\. Threads waited for these transfers 6\d % of the time\.$/
    );
    expect(verdicts[0].doubt).toContain('The 43 % of their time in which nothing was serialized may also be the network');
  });

  it('are not what is costly where tasks themselves are deserialized', () => {
    const unpacked = rows.map((row, at) => ({ at, kind: 4, start: row.start + 0.1, duration: 0.2 }));
    const activities = metrics(0.1, 5);
    const [found, ...more] = adviceOf(made({ rows, moves: unpacked, topics: { activities } })).verdicts;
    expect([found.cause, more]).toEqual(['serialisation', []]);
    expect(`${found.title}. ${found.sentence}`).toMatch(
      /^Tasks are costly to deserialize\. Tasks are costly to deserialize: threads waited \d+ % of the time until their functions and arguments were unpacked\.$/
    );
    expect(found.remedy).toContain('arguments of tasks');
    expect(found.evidence.figures.map(({ label }) => label)).toEqual(['Threads that waited']);
    // Both, each with its own time.
    const both = moves.map((move, at) => (at % 2 === 0 ? move : { ...move, kind: 4 }));
    const [{ sentence, title }] = adviceOf(made({ rows, moves: both, topics: { activities: metrics(2, 5) } })).verdicts;
    expect(title).toBe('Results are costly to serialize');
    expect(sentence).toMatch(
      /workers took 4\.00 s to turn them into bytes and back, 57 % of the time of their transfers\. Threads waited for these transfers 3\d % of the time\. Tasks are costly to deserialize: threads waited 3\d % of the time/
    );
  });

  it.each([
    // The first task of a worker took some milliseconds to unpack; or a small result was pickled.
    [
      4,
      1,
      'Results are costly to serialize',
      /bytes and back, \d\d % of the time of their transfers\. Threads waited for these transfers \d\d % of the time\.$/
    ],
    [1, 4, 'Tasks are costly to deserialize', /^Tasks are costly to deserialize: threads waited \d\d % of the time/]
  ])('are not named for less than a hundredth of the time, nor are tasks: kind %d beside %d', (rare, usual, title, words) => {
    const unpacked = moves.map((move, at) => ({ ...move, ...(at === 0 ? { kind: rare, duration: 0.02 } : { kind: usual }) }));
    const [found] = adviceOf(made({ rows, moves: unpacked, topics: { activities: metrics(2, 5) } })).verdicts;
    expect([found.cause, found.title]).toEqual(['serialisation', title]);
    expect(found.sentence).toMatch(words);
  });

  it('are moved else', () => {
    expect(adviceOf(sent(0.1, 5)).verdicts.map(({ cause }) => cause)).toEqual(['transfers']);
  });

  it('are not known for a part of the run, whose metrics have no time', () => {
    const { unknown } = adviceOf(sent(2, 5), { from: 1, to: 2.5 });
    expect(unknown.map(({ cause }) => cause)).toContain('serialisation');
  });
});

describe('memory that is short', () => {
  /** The workers of made-up runs have 4 GiB for 2 threads. */
  const run = (nbytes: number, count = 10): Run => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, count, 0.1, 0, 0.2)).map(row => ({ ...row, nbytes }));
    const moves = rows.map((row, at) => ({ at, kind: 2, start: row.start + 0.1, duration: 0.2 }));
    return made({ rows, moves, series: { spilled: [0, 2 ** 30, 2 ** 30] } });
  };

  it('is so because of large chunks, which have the cost then', () => {
    const { verdicts } = adviceOf(run(500 * 2 ** 20));
    expect(verdicts.map(({ cause }) => cause)).toEqual(['oversized-chunks', 'spilling']);
    const [chunks, spilling] = verdicts;
    expect(chunks.sentence).toContain(
      'Results of load are 500 MiB on average, and a worker has 2.00 GiB of memory for each thread'
    );
    expect(chunks.cost.share).toBeGreaterThan(0.6);
    expect(spilling.cost.seconds).toBe(0);
    expect(spilling.sentence).toContain('because chunks are too large');
  });

  it('is so for another reason where ten chunks for each thread fit, or where there are few', () => {
    expect(adviceOf(run(100 * 2 ** 20)).verdicts.map(({ cause }) => cause)).toEqual(['spilling']);
  });

  it('is so for another reason where large results are few of all bytes', () => {
    const small = tasks(0, 1000, 0.002).map(row => ({ ...row, nbytes: 30 * 2 ** 20 }));
    const mixed = (count: number): readonly string[] => {
      const large = tasks(1, count, 0.05, 0, 0, 1).map(row => ({ ...row, nbytes: 500 * 2 ** 20 }));
      const rows = [...small, ...large];
      const moves = rows.map((_, at) => ({ at, kind: 2, start: 3 + 0.003 * at, duration: 0.003 }));
      return adviceOf(made({ rows, moves, series: { spilled: [0, 2 ** 30, 2 ** 30] } })).verdicts.map(({ cause }) => cause);
    };
    expect(mixed(4)).not.toContain('oversized-chunks');
    expect(mixed(80)).toContain('oversized-chunks');
  });

  it('is not so where nothing is spilled', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.5)).map(row => ({ ...row, nbytes: 2 ** 30 }));
    expect(adviceOf(made({ rows, now: 10 })).verdicts).toEqual([]);
  });
});

describe('a cluster without work', () => {
  it('is reported as idle, and since when; it costs nothing', () => {
    const rows = [0, 1, 2, 3].flatMap(lane => tasks(lane, 20, 0.5));
    const words = (now: number): string => {
      const run = made({ rows, now });
      const advice = adviceOf(run);
      expect(advice.verdicts).toEqual([]);
      return periodWords(run, advice, 'newest', translate);
    };
    expect(words(10.5)).toBe('newest work: 0:00.0 – 0:10.0');
    expect(words(190)).toBe('newest work: 0:00.0 – 0:10.0 · the cluster has been idle for 3:00');
  });
});
