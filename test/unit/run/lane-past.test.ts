import { describe, expect, it, test } from 'vitest';
import { busyBetween } from '../../../src/run/lanes/busy-periods';
import { Columns, EXACT, fold } from '../../../src/run/lanes/lane-fold';
import type { Track } from '../../../src/run/lanes/lane-track';
import { MOST_CELLS, type Past } from '../../../src/run/lanes/past/past';
import { TaskStore } from '../../../src/run/lanes/task-store';
import { randomOf, type Row, tasksBody } from './synthetic';

const EPOCH = 1_700_000_000;

/** A random run: short and long tasks, some late, some at the same time, pauses, errors. */
function randomRows(random: () => number, count: number, lanes: number): Required<Omit<Row, 'nbytes'>>[] {
  const ends = Array.from({ length: lanes }, () => EPOCH + random() * 5);
  let pause = 0;
  return Array.from({ length: count }, () => {
    const lane = Math.floor(random() * lanes);
    pause += random() < 0.002 ? 40 * random() : 0;
    const duration = Math.fround(random() < 0.02 ? 30 * random() : random() < 0.1 ? 0 : 0.5 * random());
    const start = ends[lane] + pause + (random() < 0.1 ? -2 * random() : 0.1 * random());
    ends[lane] = Math.max(ends[lane], start + duration - pause);
    return { lane, prefix: Math.floor(3 * random()), start, duration, status: random() < 0.05 ? 1 : 0 };
  });
}

function keptRows(store: TaskStore): Set<number> {
  const rows = new Set<number>();
  for (const lane of store.lanes) {
    for (const chunk of lane?.compute.chunks ?? []) {
      for (let i = 0; i < chunk.length; i++) {
        rows.add(chunk.rowOf(i));
      }
    }
  }
  return rows;
}

function pastOf(store: TaskStore, lane: number): Past {
  const past = store.lanes[lane]?.compute.past;
  if (!past) {
    throw new Error(`lane ${lane} has dropped nothing`);
  }
  return past;
}

const overlap = ({ start, duration }: Row, from: number, to: number): number =>
  Math.max(0, Math.min(start + duration, to) - Math.max(start, from));

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

describe.each([1, 2, 3, 4, 5, 6])('of a random run, seed %i,', seed => {
  const random = randomOf(seed);
  const lanes = 1 + Math.floor(6 * random());
  const rows = randomRows(random, 3000, lanes);
  const store = new TaskStore(300 + Math.floor(500 * random()));
  for (let first = 0; first < rows.length; first += 250) {
    store.apply(tasksBody(rows.slice(first, first + 250), first));
  }
  const kept = keptRows(store);
  const gone = rows.filter((_, row) => !kept.has(row));

  it('each cell has the busy time, the tasks and the errors of those that were dropped', () => {
    expect(gone.length).toBe(store.dropped);
    const { width } = store.pasts;
    for (let lane = 0; lane < lanes; lane++) {
      const own = gone.filter(each => each.lane === lane);
      const { cells, count, first, end } = pastOf(store, lane);
      expect([count, first, end]).toEqual([
        own.length,
        Math.min(...own.map(({ start }) => start)),
        Math.max(...own.map(({ start, duration }) => start + duration))
      ]);
      let [busy, begun] = [0, 0];
      for (let i = 0; i < cells.length; i++) {
        const [from, to] = [cells.beginOf(i), cells.beginOf(i) + width];
        expect(from % width).toBe(0);
        const inside = own.filter(({ start, duration }) => start < to && (start >= from || start + duration > from));
        const began = own.filter(({ start }) => start >= from && start < to);
        expect(cells.busyOf(i)).toBeCloseTo(sum(inside.map(each => overlap(each, from, to))), 6);
        expect([cells.countOf(i), cells.errorsOf(i)]).toEqual([began.length, sum(began.map(({ status }) => status))]);
        // Where in the cell there was anything, to two of its 256 steps.
        const earliest = Math.max(from, Math.min(...inside.map(({ start }) => start)));
        const latest = Math.min(to, Math.max(...inside.map(({ start, duration }) => start + duration)));
        expect(cells.firstOf(i)).toBeLessThanOrEqual(earliest);
        expect(cells.firstOf(i)).toBeGreaterThan(earliest - width / 128);
        expect(cells.lastOf(i)).toBeGreaterThanOrEqual(latest);
        expect(cells.lastOf(i)).toBeLessThanOrEqual(latest + width / 128);
        // A function with more than half of the time is found, and has the time that is claimed.
        const times = [0, 1, 2].map(prefix =>
          sum(inside.filter(each => each.prefix === prefix).map(each => overlap(each, from, to)))
        );
        const all = sum(times);
        const major = times.findIndex(time => time > all / 2 + 1e-6);
        expect(times[cells.labelOf(i)]).toBeGreaterThanOrEqual(cells.weightOf(i) - 1e-3);
        if (major >= 0) {
          expect(cells.labelOf(i)).toBe(major);
        }
        busy += cells.busyOf(i);
        begun += cells.countOf(i);
      }
      expect(begun).toBe(own.length);
      expect(busy).toBeCloseTo(sum(own.map(({ duration }) => duration)), 4);
    }
  });

  it('the picture and figures have the busy time of all, kept or not', () => {
    const { width } = store.pasts;
    const lane = 0;
    const track = store.lanes[lane]?.compute as Track;
    const own = rows.filter(each => each.lane === lane);
    const anchor = Math.floor((store.firstStart - 100) / width) * width;
    const count = Math.ceil((store.lastEnd + 100 - anchor) / width);
    const out = new Columns(count);
    fold(track, { anchor, first: 0, perColumn: width }, 0, count, EXACT, out);
    for (let x = 0; x < count; x++) {
      const from = anchor + x * width;
      const real = sum(own.map(each => overlap(each, from, from + width)));
      expect(out.busy[x] * width).toBeCloseTo(real, 2);
      expect(out.seen[x] !== 0).toBe(
        own.some(({ start, duration }) => start < from + width && start + duration >= from) || out.busy[x] > 0
      );
    }
    expect(busyBetween(track, anchor, anchor + count * width)).toBeCloseTo(sum(own.map(({ duration }) => duration)), 2);
    // Narrow columns: the same time in all.
    const narrow = new Columns(count * 7);
    fold(track, { anchor, first: 0, perColumn: width / 7 }, 0, count * 7, EXACT, narrow);
    expect(sum([...narrow.busy]) * (width / 7)).toBeCloseTo(sum(own.map(({ duration }) => duration)), 1);
    // Columns that a moved picture asks for alone are the same.
    const part = new Columns(count * 7);
    fold(track, { anchor, first: 0, perColumn: width / 7 }, count, 3 * count, EXACT, part);
    expect(part.busy.slice(count, 3 * count)).toEqual(narrow.busy.slice(count, 3 * count));
    expect(part.seen.slice(count, 3 * count)).toEqual(narrow.seen.slice(count, 3 * count));
  });

  it('a copy stays as it was, and a part has what had been by its moment', () => {
    const copy = store.copy();
    const before = busyBetween(copy.lanes[0]?.compute as Track, EPOCH, store.lastEnd);
    const moment = store.incompleteUntil - 20;
    const cut = store.until(moment);
    const ended = rows.filter(({ start, duration }, row) => (kept.has(row) ? start + duration : start) <= moment);
    const until = sum(ended.map(each => overlap(each, EPOCH - 100, moment)));
    const inCut = sum(cut.lanes.map(lane => (lane ? busyBetween(lane.compute, EPOCH - 100, moment) : 0)));
    expect(Math.abs(inCut - until)).toBeLessThan(lanes * 3 * store.pasts.width);
    expect(Math.abs(cut.count + cut.dropped - ended.length)).toBeLessThan(0.02 * rows.length);
    expect(cut.incompleteUntil).toBe(moment);
    store.keep(100);
    expect(busyBetween(copy.lanes[0]?.compute as Track, EPOCH, store.lastEnd)).toBe(before);
    expect(copy.dropped).toBe(gone.length);
    store.clear();
    expect([store.pasts.cells, store.dropped]).toEqual([0, 0]);
    expect(busyBetween(copy.lanes[0]?.compute as Track, EPOCH, copy.lastEnd)).toBe(before);
  });
});

test('a day on 2,000 threads stay within the bound, and visible', () => {
  const lanes = 2000;
  const store = new TaskStore(20_000);
  const order = Array.from({ length: lanes }, (_, lane) => lane);
  const step = 900;
  const frames = 100;
  let widest = 0;
  for (let frame = 0; frame < frames; frame++) {
    const start = EPOCH + frame * step;
    const rows = order.map(lane => ({ lane, prefix: frame % 5, start, duration: 0.4 * step }));
    const moves = order.map(at => ({ at, kind: 1, start: start - 10, duration: 9 }));
    store.apply(tasksBody(rows, frame * lanes, moves));
    widest = Math.max(widest, store.pasts.cells);
  }
  expect(store.dropped).toBeGreaterThan(170_000);
  expect(widest).toBeLessThanOrEqual(MOST_CELLS + 4096);
  // Four bytes for each of 5,000,000 tasks at most.
  expect(store.pasts.byteLength).toBeLessThan(20_000_000);
  // A 42nd of a day at most.
  expect(store.pasts.width).toBeLessThanOrEqual(2048);
  const day = new Columns(20);
  fold(store.lanes[77]?.compute as Track, { anchor: EPOCH + 3600, first: 0, perColumn: 4000 }, 0, 20, EXACT, day);
  for (const busy of day.busy) {
    expect(busy).toBeGreaterThan(0.25);
    expect(busy).toBeLessThan(0.55);
  }
});

test('a picture is notified of all that looks different after a drop', () => {
  const store = new TaskStore(100);
  const shown = (): number[] => {
    const out = new Columns(2000);
    fold(store.lanes[0]?.compute as Track, { anchor: EPOCH, first: 0, perColumn: 0.25 }, 0, 2000, EXACT, out);
    return [...out.busy];
  };
  let before: number[] = [];
  for (let first = 0; first < 1000; first += 10) {
    const seen = store.changes.head;
    const rows = Array.from({ length: 10 }, (_, i) => ({ start: EPOCH + (first + i) * 0.31, duration: 0.2 }));
    store.apply(tasksBody(rows, first));
    let changed = Number.POSITIVE_INFINITY;
    const known = store.changes.since(seen, (_, from) => {
      changed = Math.min(changed, from);
    });
    const now = shown();
    const different = now.findIndex((busy, x) => busy !== before[x]);
    expect(!known || changed < EPOCH + (different + 1) * 0.25).toBe(true);
    before = now;
  }
  expect(store.dropped).toBeGreaterThan(800);
});

test('a paused run shares all executions and their sums with the live one, whatever that does then', () => {
  const store = new TaskStore(20_000);
  for (let first = 0; first < 60_000; first += 5000) {
    const rows = Array.from({ length: 5000 }, (_, i) => ({ lane: i % 7, start: EPOCH + (first + i) / 50, duration: 0.1 }));
    store.apply(tasksBody(rows, first));
  }
  const buffersOf = ({ lanes }: TaskStore): Set<ArrayBufferLike> =>
    new Set(lanes.flatMap(lane => lane?.compute.chunks ?? []).map(({ u32 }) => u32.buffer));
  const before = store.pasts.byteLength;
  const busy = (of: TaskStore): number => sum(of.lanes.map(lane => (lane ? busyBetween(lane.compute, EPOCH, EPOCH + 2000) : 0)));
  const held = store.copy();
  expect(buffersOf(held)).toEqual(buffersOf(store));
  expect([...buffersOf(held)].every(buffer => buffersOf(store).has(buffer))).toBe(true);
  expect([held.pasts.cells, held.pasts.byteLength, held.pasts.width]).toEqual([store.pasts.cells, before, store.pasts.width]);
  const was = busy(held);
  const rows = Array.from({ length: 30_000 }, (_, i) => ({ lane: i % 7, start: EPOCH + 1200 + i / 50, duration: 0.1 }));
  store.apply(tasksBody(rows, 60_000));
  expect(busy(held)).toBe(was);
  expect(held.kept + held.dropped).toBe(60_000);
});

test('a task that ran for a year makes cells wider, not many', () => {
  const store = new TaskStore(1);
  store.apply(
    tasksBody(
      [
        { start: EPOCH, duration: 31_536_000 },
        { start: EPOCH + 31_536_000, duration: 1 }
      ],
      0
    )
  );
  store.apply(tasksBody([{ start: EPOCH + 31_536_001, duration: 1 }], 2));
  expect(store.pasts.cells).toBeLessThanOrEqual(4097);
  const track = store.lanes[0]?.compute as Track;
  expect(track.past?.count).toBeGreaterThanOrEqual(2);
  expect(busyBetween(track, EPOCH, EPOCH + 31_536_000) / 31_536_000).toBeCloseTo(1, 3);
});
