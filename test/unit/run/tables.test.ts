import { describe, expect, it, test } from 'vitest';
import type { Column, Frame, Scalar, TopicBody } from '../../../src/feed/frame';
import { TABLE_HISTORY } from '../../../src/feed/history';
import { asOf } from '../../../src/run/as-of';
import { clearHistory } from '../../../src/run/cleared';
import { Clock } from '../../../src/run/clock';
import { ChangeLog } from '../../../src/run/lanes/change-log';
import { LaneOrder } from '../../../src/run/lanes/lane-order';
import { GatheredLog, textAt } from '../../../src/run/logs/gathered-log';
import { Run } from '../../../src/run/run';
import { CachedResults } from '../../../src/run/tables/cache';
import { MemoryRuns } from '../../../src/run/tables/memory-runs';
import { RecentValues } from '../../../src/run/tables/recent-values';
import { RunningTasks } from '../../../src/run/tables/running';
import { Series } from '../../../src/run/tables/series';
import { randomOf } from './synthetic';

function body(columns: Record<string, Column | readonly number[]>, scalars: Record<string, Scalar> = {}): TopicBody {
  return {
    columns: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, Float64Array.from(column)])),
    scalars
  } as unknown as TopicBody;
}

test('the clock is behind by the least delay of the last eight frames', () => {
  const clock = new Clock();
  expect([clock.known, clock.at(1000), clock.latest]).toEqual([false, Number.NaN, Number.NEGATIVE_INFINITY]);
  const random = randomOf(1);
  const delays: number[] = [];
  for (let i = 0; i < 60; i++) {
    const delay = 100 + Math.floor(random() * 64);
    delays.push(delay);
    clock.observe(i, (i + delay) * 1000);
    const copy = clock.copy();
    for (const each of [clock, copy]) {
      expect(each.known).toBe(true);
      expect(each.at(5e6)).toBe(5000 - Math.min(...delays.slice(-8)));
      expect(each.latest).toBe(i);
    }
  }
  clock.observe(3, 1e9);
  expect(clock.latest).toBe(59);
  const copy = clock.copy();
  clock.stand(7);
  clock.observe(100, 0);
  expect([clock.at(1), clock.at(1e9), clock.latest, clock.known]).toEqual([7, 7, 7, true]);
  expect(clock.copy().at(5)).toBe(7);
  expect(copy.latest).toBe(59);
  const fresh = new Clock();
  fresh.stand(3);
  expect([fresh.known, fresh.at(0)]).toEqual([true, 3]);
});

test('a picture is as new as the last frame or the last answer', () => {
  const run = new Run();
  run.clock.observe(100, 200_000);
  const state = (answered: number) => ({ status: 'live', answered }) as never;
  expect(asOf(run, state(190_000))).toBe(100);
  expect(asOf(run, state(230_000))).toBe(130);
});

test('what ends within a second of now is cleared, too', () => {
  const run = new Run();
  run.clock.observe(100, 0);
  const cleared = (lastEnd: number) => {
    Object.assign(run.tasks, { lastEnd });
    return clearHistory(run, 5000).before;
  };
  expect([cleared(50), cleared(105.5), cleared(106), cleared(107)]).toEqual([105, 105.5, 106, 106]);
  const unknown = new Run();
  expect(clearHistory(unknown, 5000).before).toBe(unknown.origin);
});

test('recent values are those of a minute, at most two a second', () => {
  const values = new RecentValues();
  const random = randomOf(2);
  let list: [number, number][] = [];
  let time = 0;
  for (let i = 0; i < 500; i++) {
    time += random() < 0.1 ? 0 : random() < 0.03 ? -5 : Math.floor(random() * 4) / 4 + (random() < 0.02 ? 40 : 0);
    const value = random() < 0.05 ? Number.NaN : i;
    const last = list.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY;
    const before = values.copy();
    const known = [...values.of(1)];
    values.note(1, time, value);
    expect(before.of(1)).toEqual(known);
    if (!Number.isNaN(value) && time !== last) {
      list = time < last ? [] : list.filter(([at]) => at >= time - TABLE_HISTORY).slice(1 - 2 * TABLE_HISTORY);
      list.push([time, value]);
    }
    expect(values.of(1)).toEqual(list.map(([, each]) => each));
  }
  values.note(1, Number.NaN, 5);
  values.note(1, Number.POSITIVE_INFINITY, 5);
  expect(values.of(1)).toEqual(list.map(([, each]) => each));
  for (let i = 0; i < 300; i++) {
    values.note(2, i / 100, i);
  }
  expect(values.of(2)).toEqual(Array.from({ length: 120 }, (_, i) => 180 + i));
  expect(values.of(3)).toEqual([]);
  values.clear();
  expect(values.of(2)).toEqual([]);
});

test('a gathered log has its newest rows, each with a number that stays', () => {
  const log = new GatheredLog<[number, number]>('time', ({ columns }, i, id) => [columns.time[i], id], 5);
  log.apply(body({ time: [1, 2, 3] }, { first: 0, servers: 4, silent: 1, dropped: 2, limited: 'no' }));
  expect(log.list).toEqual([
    [1, 0],
    [2, 1],
    [3, 2]
  ]);
  expect(log.gathering).toEqual({ servers: 4, silent: 1, dropped: 2, limited: 'no' });
  log.apply(body({ time: [4, 5, 6, 7] }, { first: 3, lost: 2, servers: 'x' }));
  expect(log.list.map(([time]) => time)).toEqual([3, 4, 5, 6, 7]);
  expect(log.list.slice(1).map(([, id]) => id)).toEqual([5, 6, 7, 8]);
  expect([log.lost, log.gathering]).toEqual([4, { servers: 0, silent: 0, dropped: 0, limited: '' }]);
  const copy = log.copy();
  log.apply(body({ time: [8] }, { first: 7, limited: 5 }));
  expect(log.list.at(-1)).toEqual([8, 9]);
  expect([log.lost, copy.lost, copy.list.length, log.list.length]).toEqual([5, 4, 5, 5]);
  expect(copy.gathering).toEqual({ servers: 0, silent: 0, dropped: 0, limited: '' });
  log.apply(body({}, { first: 8 }));
  expect(log.list.length).toBe(5);
  log.apply(body({ time: [1] }, { first: 0 }));
  expect([log.list, log.lost]).toEqual([[[1, 0]], 0]);
  expect([textAt(['a', 'b'], 1), textAt(['a', 2], 1), textAt('abc', 1), textAt(undefined, 0)]).toEqual(['b', '', '', '']);
});

test('samples of memory go to their runs', () => {
  const runs = new MemoryRuns();
  const facts = { id: 3, key: 'k', label: 'l', measure: 'process', interval: 0.5, stopped: false };
  const rows = { run: [3, 3, 4, 3], time: [1, 2, 2, 3], nbytes: [10, Number.NaN, 5, 30] };
  runs.apply(body(rows, { runs: [facts, null, 7, [], { id: 'x' }], lost: 2 } as never));
  expect(runs.list).toEqual([{ ...facts, earlier: null, times: [1, 3], values: [10, 30] }]);
  const copy = runs.copy();
  runs.apply(body({ run: [3], time: [4], nbytes: [40] }, { runs: [{ id: 3, stopped: true }, { id: 5 }], lost: 1 } as never));
  const bare = { key: '', label: '', measure: '', interval: 0, earlier: null };
  expect(runs.list).toEqual([
    { id: 3, ...bare, stopped: true, times: [1, 3, 4], values: [10, 30, 40] },
    { id: 5, ...bare, stopped: false, times: [], values: [] }
  ]);
  expect([runs.lost, copy.lost, copy.list[0].times]).toEqual([3, 2, [1, 3]]);
  runs.apply(body({}));
  runs.clear();
  expect([runs.list, runs.lost]).toEqual([[], 0]);
});

test('runs of the memory sampler are bounded, and what was dropped is counted', () => {
  const runs = new MemoryRuns();
  const facts = (id: number, stopped = true) => ({ id, key: `uid-${id}`, stopped });
  const samples = (run: number, count: number) => ({
    run: Array.from({ length: count }, () => run),
    time: Array.from({ length: count }, (_, i) => i),
    nbytes: Array.from({ length: count }, () => 1)
  });
  // One that still samples is kept, however old.
  runs.apply(body(samples(0, 3), { runs: [facts(0, false)] } as never));
  for (let id = 1; id <= 210; id++) {
    runs.apply(body(samples(id, 2), { runs: [facts(id)] } as never));
  }
  const numbers = runs.list.map(({ id }) => id);
  expect([numbers.length, numbers[0], numbers[1], numbers.at(-1), runs.lost]).toEqual([200, 0, 12, 210, 22]);
  for (let part = 0; part < 60; part++) {
    runs.apply(body(samples(210, 10_000), { runs: [facts(210)] } as never));
    expect(runs.list.reduce((all, { times }) => all + times.length, 0)).toBeLessThanOrEqual(500_000);
  }
  const kept = (): number => runs.list.reduce((all, { times, values }) => all + (times.length + values.length) / 2, 0);
  expect(kept()).toBeGreaterThan(440_000);
  expect(kept() + runs.lost).toBe(3 + 2 * 210 + 600_000);
  // The newest has lost its first samples.
  expect(runs.list.map(({ id, earlier }) => [id, earlier?.start])).toEqual([
    [0, undefined],
    [210, 0]
  ]);
  runs.apply(body(samples(211, 300_000), { runs: [facts(211)] } as never));
  runs.apply(body(samples(212, 150_000), { runs: [facts(212, false)] } as never));
  runs.apply(body(samples(213, 100_000), { runs: [facts(213)] } as never));
  // Those that have stopped go first, and whole.
  expect(runs.list.map(({ id, times }) => [id, times.length])).toEqual([
    [0, 3],
    [212, 150_000],
    [213, 100_000]
  ]);
  expect(kept() + runs.lost).toBe(3 + 2 * 210 + 600_000 + 550_000);
  expect(runs.copy().list).toEqual(runs.list);
});

test('a run of the memory sampler that goes on beside another one keeps its place, its start and its peak', () => {
  const runs = new MemoryRuns();
  const describe = [1, 2].map(id => ({ id, key: `uid-${id}`, stopped: false }));
  for (let part = 0; part < 8; part++) {
    const times = Array.from({ length: 80_000 }, (_, i) => (part * 80_000 + i) / 2);
    // The highest value of the first is its second sample.
    const nbytes = times.map((time, i) => (time === 1 ? 7 : i % 2 === 0 ? 2 : 1));
    runs.apply(body({ run: times.map((_, i) => 1 + (i % 2)), time: times, nbytes }, { runs: describe } as never));
    expect(runs.list.map(({ id }) => id)).toEqual([1, 2]);
  }
  expect(runs.list.reduce((all, { times }) => all + times.length, 0)).toBe(640_000 - runs.lost);
  expect(runs.lost).toBeGreaterThanOrEqual(140_000);
  expect(runs.copy().list).toEqual(runs.list);
  const [first, second] = runs.list;
  expect([first.earlier?.start, first.earlier?.first, first.earlier?.peak]).toEqual([0, 2, 7]);
  expect([second.earlier?.start, second.earlier?.area]).toEqual([0.5, second.times[0] - 0.5]);
});

test.each([1, 2, 3])('a series has one point for each number (seed %i)', seed => {
  const random = randomOf(seed);
  const series = new Series();
  let points: [number, number][] = [];
  let begin = 10;
  for (let step = 0; step < 60; step++) {
    const end = begin + points.length;
    const first = Math.max(0, points.length === 0 ? begin : end - Math.floor(random() * 4) + (random() < 0.1 ? 3 : 0));
    const count = Math.floor(random() * 30);
    const numbers = Array.from({ length: count }, (_, i) => first + i);
    series.apply(body({ time: numbers.map(n => n * 2), cpu_sum: numbers.map(n => n + step / 100) }, { first, lost: 1 }));
    if (points.length === 0 || first > end) {
      begin = first - points.length;
    }
    for (const number of numbers.filter(n => n >= begin)) {
      points[number - begin] = [number * 2, number + step / 100];
    }
    expect(series.length).toBe(points.length);
    expect([...series.column('time')]).toEqual(points.map(([time]) => time));
    expect([...series.column('cpu_sum')]).toEqual(points.map(([, value]) => value));
    expect(series.time(points.length - 1)).toBe(points.at(-1)?.[0] ?? series.time(points.length - 1));
  }
  expect(series.lost).toBe(60);
  expect([series.column('none').length, new Series().time(0)]).toEqual([0, Number.NaN]);
  const copy = series.copy();
  const last = begin + points.length - 1;
  series.apply(body({ time: [-1] }, { first: last }));
  expect([copy.length, copy.lost, copy.time(points.length - 1)]).toEqual([points.length, 60, last * 2]);
  copy.apply(body({ time: [last * 2 + 2, last * 2 + 4] }, { first: last + 1 }));
  expect(copy.length).toBe(points.length + 2);
  // A point from before the first one is ignored.
  const before = series.length;
  series.apply(body({ time: [7, 8] }, { first: begin - 2 }));
  expect([series.length, series.time(0)]).toEqual([before, points[0][0]]);
  series.clear();
  expect([series.length, series.lost, series.column('time').length]).toEqual([0, 0, 0]);
  points = [];
  series.apply(body({ time: [5] }));
  expect([series.length, series.time(0)]).toEqual([1, 5]);
});

test.each([1, 2])('results in memory are steps over time (seed %i)', seed => {
  const random = randomOf(seed);
  const cache = new CachedResults();
  const points = new Map<number, { time: number; count: number; nbytes: number }[]>();
  let time = 0;
  for (let step = 0; step < 40; step++) {
    const rows = Array.from({ length: Math.floor(random() * 12) }, () => {
      time += random() < 0.2 ? 0 : random();
      return {
        time: random() < 0.03 ? Number.NaN : time,
        prefix: random() < 0.03 ? 65_536 : Math.floor(random() * 3),
        count: Math.floor(random() * 9),
        nbytes: Math.floor(random() * 99)
      };
    });
    const column = (name: 'time' | 'prefix' | 'count' | 'nbytes') => rows.map(row => row[name]);
    cache.apply(
      body({ time: column('time'), prefix: column('prefix'), count: column('count'), nbytes: column('nbytes') }, { lost: 1 })
    );
    for (const { prefix, ...point } of rows) {
      if (prefix < 65_536 && !Number.isNaN(point.time)) {
        points.set(prefix, [...(points.get(prefix) ?? []), point]);
      }
    }
  }
  const nothing = { time: Number.NEGATIVE_INFINITY, count: 0, nbytes: 0 };
  const expectSame = (found: CachedResults) => {
    expect(found.prefixes).toEqual([...points.keys()]);
    for (const [prefix, list] of points) {
      expect(found.length(prefix)).toBe(list.length);
      expect(list.map((_, i) => found.point(prefix, i))).toEqual(list);
    }
  };
  expectSame(cache);
  expect(cache.lost).toBe(40);
  for (const [prefix, list] of points) {
    for (let i = 0; i < 200; i++) {
      const at = random() < 0.5 ? list[Math.floor(random() * list.length)].time : random() * time * 1.2 - 1;
      const upTo = list.filter(point => point.time <= at).length;
      expect(cache.upTo(prefix, at)).toBe(upTo);
      expect(cache.at(prefix, at)).toEqual(list[upTo - 1] ?? nothing);
      const from = Math.floor(random() * list.length);
      const to = from + Math.floor(random() * (list.length - from));
      for (const by of ['count', 'nbytes'] as const) {
        const part = list.slice(from, to).map(point => point[by]);
        const expected = [part.indexOf(Math.min(...part)), part.indexOf(Math.max(...part)), part.length - 1].map(k => from + k);
        expect(cache.extremes(prefix, from, to, by)).toEqual(to > from ? [...new Set(expected)].sort((a, b) => a - b) : []);
      }
    }
  }
  expect([cache.length(9), cache.point(9, 0), cache.upTo(9, 0), cache.extremes(9, 0, 1, 'count')]).toEqual([0, nothing, 0, []]);
  const copy = cache.copy();
  cache.apply(body({ time: [1e6], prefix: [0] }));
  expectSame(copy);
  expect(cache.at(0, 1e7)).toEqual({ time: 1e6, count: 0, nbytes: 0 });
  expect(copy.lost).toBe(40);
  cache.apply(body({ prefix: [0] }, { lost: 5 }));
  expect(cache.lost).toBe(45);
  cache.clear();
  expect([cache.prefixes, cache.lost, cache.length(0)]).toEqual([[], 0, 0]);
});

test('the oldest steps of a function are dropped together, and a copy keeps them', () => {
  const cache = new CachedResults();
  const fill = (from: number, to: number) => {
    const numbers = Array.from({ length: to - from }, (_, i) => from + i);
    cache.apply(body({ time: numbers, prefix: numbers.map(() => 2), count: numbers, nbytes: numbers }));
  };
  fill(0, 100_000);
  expect([cache.length(2), cache.lost]).toEqual([100_000, 0]);
  const copy = cache.copy();
  fill(100_000, 100_001);
  expect([cache.length(2), cache.lost]).toEqual([87_500, 12_501]);
  expect([cache.point(2, 0).time, cache.point(2, 87_499).time]).toEqual([12_501, 100_000]);
  expect([copy.length(2), copy.point(2, 0).time, copy.point(2, 99_999).nbytes]).toEqual([100_000, 0, 99_999]);
});

test('running tasks are those that the newest rows say', () => {
  const running = new RunningTasks();
  const keys = [[1, 'a'], [2, 'b'], [3, 4], 'x', [5]];
  const rows = {
    id: [1, 2, 3],
    state: [1, 2, 1],
    worker: [7, 7, 8],
    prefix: [0, 1, 2],
    start: [30, 20, 10],
    as_of: [40, 41, 42]
  };
  expect([running.count, running.earliest, running.of(7)]).toEqual([0, Number.POSITIVE_INFINITY, []]);
  running.apply(body(rows, { keys, unlisted: 4 } as never));
  const a = { id: 1, worker: 7, prefix: 0, start: 30, asOf: 40, seceded: false, key: 'a' };
  const b = { id: 2, worker: 7, prefix: 1, start: 20, asOf: 41, seceded: true, key: 'b' };
  const c = { id: 3, worker: 8, prefix: 2, start: 10, asOf: 42, seceded: false, key: '' };
  expect([...running.list]).toEqual([a, b, c]);
  expect([running.count, running.unlisted, running.earliest, running.version]).toEqual([7, 4, 10, 1]);
  expect([running.of(7), running.of(8), running.of(9)]).toEqual([[b, a], [c], []]);
  expect([
    running.has(a),
    running.has({ ...a, key: 'z' }),
    running.has({ ...a, worker: 8 }),
    running.has({ ...a, id: 9 })
  ]).toEqual([true, false, false, false]);
  const copy = running.copy();
  running.apply(body({ id: [3, 2, 4, 5], state: [0, 9, 1, 1], start: [0, 5, Number.NaN, 50] }, { unlisted: -3 }));
  expect([...running.list]).toEqual([a, { id: 5, worker: -1, prefix: -1, start: 50, asOf: Number.NaN, seceded: false, key: '' }]);
  expect([running.earliest, running.unlisted, running.of(8), running.version]).toEqual([30, 0, [], 2]);
  expect([[...copy.list], copy.unlisted, copy.earliest, copy.of(7)]).toEqual([[a, b, c], 4, 10, [b, a]]);
  running.apply(body({}, { unlisted: 2 }));
  running.apply(body({}));
  expect(running.unlisted).toBe(2);
  running.clear();
  expect([running.count, running.version, running.earliest]).toEqual([0, 5, Number.POSITIVE_INFINITY]);
});

test('a reader of changes receives each once, or learns that it is too late', () => {
  const log = new ChangeLog();
  const read = (from: number) => {
    const found: [number, number][] = [];
    return { whole: log.since(from, (lane, time) => found.push([lane, time])), found };
  };
  expect([log.head, read(0)]).toEqual([0, { whole: true, found: [] }]);
  log.add(3, 1.5);
  log.add(4, 2.5);
  expect(read(0)).toEqual({
    whole: true,
    found: [
      [3, 1.5],
      [4, 2.5]
    ]
  });
  expect(read(1)).toEqual({ whole: true, found: [[4, 2.5]] });
  expect(read(log.head)).toEqual({ whole: true, found: [] });
  for (let i = 2; i < 16_384; i++) {
    log.add(i, i);
  }
  expect(read(0).found.length).toBe(16_384);
  log.add(5, 9);
  expect(read(0)).toEqual({ whole: false, found: [] });
  expect(read(1).found.at(-1)).toEqual([5, 9]);
  expect(read(1).found[0]).toEqual([4, 2.5]);
  const { head } = log;
  log.reset();
  expect(read(head).whole).toBe(false);
  expect(read(log.head)).toEqual({ whole: true, found: [] });
});

test.each([1, 2, 3])('rows of a frame are grouped by lane, in their order (seed %i)', seed => {
  const random = randomOf(seed);
  const order = new LaneOrder();
  for (let frame = 0; frame < 40; frame++) {
    const lanes = Array.from({ length: Math.floor(random() * 60) }, () =>
      random() < 0.05 ? [-1, 1.5, Number.NaN, 2 ** 20][Math.floor(random() * 4)] : Math.floor(random() ** 3 * 300)
    );
    order.sort(Float64Array.from(lanes));
    const valid = lanes.filter(lane => Number.isInteger(lane) && lane >= 0 && lane < 2 ** 20);
    expect(order.strays).toBe(lanes.length - valid.length);
    expect([...order.lanes].sort((a, b) => a - b)).toEqual([...new Set(valid)].sort((a, b) => a - b));
    for (const lane of new Set(valid)) {
      const rows = [...lanes.keys()].filter(row => lanes[row] === lane);
      const found: number[] = [];
      for (let row = order.first(lane); row >= 0; row = order.next(row)) {
        found.push(row);
      }
      expect([found, order.count(lane)]).toEqual([rows, rows.length]);
    }
  }
  order.sort(Float64Array.of(2 ** 20 - 1, 0));
  expect([order.first(2 ** 20 - 1), order.first(0), order.strays]).toEqual([0, 1, 0]);
});

describe('a run of many task groups', () => {
  const ids = (from: number, count: number): Uint32Array => Uint32Array.from({ length: count }, (_, i) => from + i);
  /** Names as arrays have them. */
  const nameOf = (id: number): string => `rechunk-merge-random_sample-${id.toString(16).padStart(32, '0')}`;
  const frameOf = (seq: number, from: number, count: number): Frame => ({
    ...{ feed: 'f', epoch: 0, seq, time: 1000 + seq, cursor: {} },
    names: { groups: { from, values: Array.from(ids(from, count), nameOf) } },
    topics: {
      groups: {
        // Every thousandth has a result that is still held.
        columns: { id: ids(from, count), memory: ids(from, count).map(id => (id % 1000 === 0 ? 1 : 0)) },
        moves: { source: ids(from, count - 1), target: ids(from + 1, count - 1) },
        scalars: { not_kept: Math.max(0, from + count - 5500) }
      }
    }
  });

  it('keeps as many as the collector does: the newest, and those that the scheduler has', () => {
    const run = new Run();
    for (let seq = 0; seq < 400; seq++) {
      run.apply(frameOf(seq, 500 * seq, 500), 0);
    }
    const { rows } = run.groups;
    expect(rows.size).toBeLessThan(5500);
    expect(rows.ids.filter(id => rows.get(id, 'memory') > 0)).toEqual(Array.from({ length: 200 }, (_, i) => 1000 * i));
    const newest = Array.from(ids(195_500, 4500));
    expect(rows.ids.slice(-4500)).toEqual(newest);
    expect([rows.has(1), rows.get(1, 'memory'), run.groups.needs(2), run.groups.needs(199_999)]).toEqual([
      false,
      Number.NaN,
      [],
      [199_998]
    ]);
    const named = run.groupNames.filter(name => name !== '');
    expect([run.groupNames.length, named.length, named.at(-1), named[0]]).toEqual([
      200_000,
      22_000,
      nameOf(199_999),
      nameOf(178_000)
    ]);
    // A pause copies it.
    const copy = run.copy();
    expect([copy.groups.rows.size, copy.groupNames.length]).toEqual([rows.size, 200_000]);
    run.apply({ ...frameOf(0, 0, 10), epoch: 1 }, 0);
    run.apply({ ...frameOf(1, 10, 10), epoch: 1 }, 0);
    expect([run.groupNames.length, run.groupNames[0], run.groups.rows.size]).toEqual([20, nameOf(0), 20]);
  });

  it('has all names in a recording, whose clock may go back', () => {
    const run = new Run();
    run.anchor = 1000;
    run.apply(frameOf(0, 0, 30_000), 0);
    expect(run.groupNames.every(name => name !== '')).toBe(true);
  });
});
