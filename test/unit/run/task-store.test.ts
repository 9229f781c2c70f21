import { describe, expect, it } from 'vitest';
import { busyBetween } from '../../../src/run/lanes/busy-periods';
import { Columns, EXACT, fold } from '../../../src/run/lanes/lane-fold';
import { eachBetween, intervalAt, movesOf, neighbour } from '../../../src/run/lanes/lane-search';
import type { Track } from '../../../src/run/lanes/lane-track';
import { TaskStore } from '../../../src/run/lanes/task-store';
import { randomOf, type Row, tasksBody } from './synthetic';

const EPOCH = 1_700_000_000;

function compute(store: TaskStore, lane = 0): Track {
  const track = store.lanes[lane]?.compute;
  if (track === undefined) {
    throw new Error(`no lane ${lane}`);
  }
  return track;
}

function steady(count: number, lanes: number, from = EPOCH): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    lane: i % lanes,
    prefix: i % 7,
    start: from + Math.floor(i / lanes) * 0.1,
    duration: 0.08,
    nbytes: i
  }));
}

describe('TaskStore', () => {
  it('counts what it holds, its bounds and its errors', () => {
    const store = new TaskStore();
    const body = tasksBody([
      { lane: 2, start: EPOCH + 5, duration: 1 },
      { lane: 0, start: EPOCH + 1, duration: 2, status: 1 }
    ]);
    store.apply({ ...body, scalars: { first: 10, lost: 3 } });
    expect(store).toMatchObject({ count: 2, kept: 2, erred: 1, lost: 3, unplaced: 0, firstStart: EPOCH + 1, lastEnd: EPOCH + 6 });
    expect(store.lanes[1]).toBeUndefined();
    expect(intervalAt(compute(store, 2), EPOCH + 5.5, 0, 0)).toMatchObject({ row: 10, start: EPOCH + 5 });
    expect(intervalAt(compute(store), EPOCH + 1.5, 0, 0)).toMatchObject({ row: 11, erred: true });
  });

  it('keeps moves in the lane of their row', () => {
    const store = new TaskStore();
    const rows = [
      { lane: 1, start: EPOCH + 5, duration: 1 },
      { lane: 0, start: EPOCH + 5, duration: 1 }
    ];
    const moves = [
      { at: 0, kind: 2, start: EPOCH + 4.5, duration: 0.25 },
      { at: 0, kind: 1, start: EPOCH + 4, duration: 0.5, peer: 3 },
      { at: 1, kind: 1, start: EPOCH + 4, duration: 0.5 }
    ];
    store.apply(tasksBody(rows, 100, moves));
    const track = store.lanes[1]?.moves;
    expect(track && movesOf(track, 100, EPOCH + 6, 60).map(m => [m.label, m.detail])).toEqual([
      [1, 3],
      [2, 0]
    ]);
    expect(store.moveCount).toBe(3);
  });

  it('holds a task in 30 bytes at most, whatever the length of a lane', () => {
    for (const perLane of [1000, 2500, 5000, 20_000]) {
      const store = new TaskStore();
      const lanes = Math.ceil(100_000 / perLane);
      for (let first = 0; first < perLane * lanes; first += 5000) {
        const count = Math.min(5000, perLane * lanes - first);
        store.apply(tasksBody(steady(count, lanes, EPOCH + first), first));
      }
      expect(store.byteLength / store.kept).toBeLessThanOrEqual(30);
    }
  });

  it('keeps the newest executions and counts the ones it forgot', () => {
    const store = new TaskStore(10_000);
    for (let first = 0; first < 100_000; first += 1000) {
      store.apply(tasksBody(steady(1000, 10, EPOCH + first), first));
    }
    expect(store.kept).toBeLessThanOrEqual(10_000);
    expect(store.kept).toBeGreaterThan(8000);
    expect(store.kept + store.dropped).toBe(store.count);
    let newest = 0;
    eachBetween(compute(store, 9), EPOCH + 99_000, Number.POSITIVE_INFINITY, () => {
      newest += 1;
      return true;
    });
    expect(newest).toBe(100);
    expect(intervalAt(compute(store, 9), EPOCH + 1, 1, 0)).toBeNull();
  });

  it('keeps its limit when row numbers do not grow', () => {
    const store = new TaskStore(5000);
    for (let i = 0; i < 20; i++) {
      store.apply(tasksBody(steady(1000, 3, EPOCH + i * 100), 0));
    }
    expect(store.kept).toBeLessThanOrEqual(5000);
    expect(store.kept + store.dropped).toBe(20_000);
  });

  it('keeps fewer from one moment to the next, and says up to when what it holds is incomplete', () => {
    const store = new TaskStore();
    store.apply(tasksBody(steady(20_000, 10), 0));
    expect(store.incompleteUntil).toBe(Number.NEGATIVE_INFINITY);
    const seen = store.changes.head;
    expect(store.keep(30_000)).toBe(false);
    expect(store.keep(4000)).toBe(true);
    expect(store.kept).toBeLessThanOrEqual(4000);
    expect(store.kept + store.dropped).toBe(20_000);
    const changed = new Map<number, number>();
    expect(store.changes.since(seen, (lane, from) => changed.set(lane, from))).toBe(true);
    expect(changed).toEqual(new Map(Array.from({ length: 10 }, (_, lane) => [lane, EPOCH])));
    // Ten lanes, a task in each every 0.1 s: the newest 4,000 begin after 160 s at the latest.
    const left: number[] = [];
    eachBetween(compute(store), 0, Number.POSITIVE_INFINITY, interval => left.push(interval.start) > 0);
    expect(store.incompleteUntil).toBeLessThanOrEqual(Math.min(...left));
    expect(store.incompleteUntil).toBeGreaterThan(EPOCH + 160);
    expect(store.incompleteUntil).toBeCloseTo(Math.min(...left) - 0.02, 4);
    store.clear();
    expect(store.incompleteUntil).toBe(Number.NEGATIVE_INFINITY);
  });

  it('takes hostile numbers without throwing, and counts what it cannot place', () => {
    const store = new TaskStore();
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 1e300, -0];
    const rows: Row[] = odd.flatMap(start => [{ start, duration: 1 }]);
    rows.push(...odd.map(duration => ({ start: EPOCH, duration })));
    rows.push({ lane: 0xffffffff, start: EPOCH, duration: 1 }, { prefix: 0xffffffff, start: EPOCH, duration: 1 });
    const moves = odd.map(start => ({ at: 4_000_000_000, kind: 255, start, duration: start }));
    store.apply(tasksBody(rows, Number.NaN, moves));
    store.apply({ columns: {}, scalars: {} });
    store.apply({ columns: { lane: new Uint8Array([0]), start: new Float64Array([EPOCH]) }, scalars: {} });
    expect(store.unplaced).toBe(odd.length + 1);
    const out = new Columns(50);
    fold(compute(store), { anchor: EPOCH, first: -10, perColumn: 0.1 }, 0, 50, EXACT, out);
    expect([...out.busy].every(Number.isFinite)).toBe(true);
    expect(store.lastEnd).toBe(EPOCH + 1);
  });

  it('reports to every reader which lanes changed since it last looked', () => {
    const store = new TaskStore();
    store.apply(tasksBody(steady(10, 2)));
    const seen = store.changes.head;
    store.apply(tasksBody([{ lane: 1, start: EPOCH + 50, duration: 1 }], 10));
    store.apply(tasksBody([{ lane: 1, start: EPOCH + 40, duration: 1 }], 11));
    const changes: [number, number][] = [];
    expect(store.changes.since(seen, (lane, from) => changes.push([lane, from]))).toBe(true);
    expect(changes).toEqual([
      [1, EPOCH + 50],
      [1, EPOCH + 40]
    ]);
    store.clear();
    expect(store.changes.since(seen, () => undefined)).toBe(false);
    expect(store).toMatchObject({ count: 0, kept: 0, firstStart: Number.POSITIVE_INFINITY });
  });

  it('holds 70,000 lanes', () => {
    const store = new TaskStore();
    store.apply(tasksBody(steady(140_000, 70_000)));
    expect(store.lanes.length).toBe(70_000);
    expect(busyBetween(compute(store, 69_999), EPOCH, EPOCH + 10)).toBeCloseTo(0.16, 5);
  });
});

describe('neighbour', () => {
  it('walks every interval once, in order of start, through chunks and ties', () => {
    const random = randomOf(9);
    const rows = Array.from({ length: 5000 }, () => ({ start: EPOCH + Math.floor(random() * 3000), duration: 0.5 }));
    const store = new TaskStore();
    store.apply(tasksBody(rows));
    const forward: number[] = [];
    for (let at = neighbour(compute(store), 0, -1, 1); at !== null; at = neighbour(compute(store), at.start, at.row, 1)) {
      forward.push(at.row);
    }
    const back: number[] = [];
    for (let at = neighbour(compute(store), 1e12, 0, -1); at !== null; at = neighbour(compute(store), at.start, at.row, -1)) {
      back.push(at.row);
    }
    const expected = rows.map((row, i) => ({ ...row, i })).sort((a, b) => a.start - b.start || a.i - b.i);
    expect(forward).toEqual(expected.map(row => row.i));
    expect(back).toEqual([...forward].reverse());
  });
});
