import { expect, test } from 'vitest';
import { CHUNK_ROWS, DEPTH_SHIFT, DEPTHS, type Interval, LARGE_CHUNK_ROWS } from '../../../src/run/lanes/lane-chunk';
import { Track } from '../../../src/run/lanes/lane-track';
import { Pasts } from '../../../src/run/lanes/past/past';
import { randomOf } from './synthetic';

const EPOCH = 1_700_000_000;

function interval(start: number, duration: number, row = 0): Interval {
  return { start: EPOCH + start, duration: Math.fround(duration), label: 1, flags: 0, row, detail: 0 };
}

function kept(track: Track): Interval[] {
  return track.chunks.flatMap(chunk => Array.from({ length: chunk.length }, (_, i) => chunk.at(i)));
}

function depths(track: Track): number[] {
  return kept(track).map(({ flags }) => flags >> DEPTH_SHIFT);
}

function trackOf(...intervals: readonly Interval[]): Track {
  const track = new Track();
  for (const one of intervals) {
    track.append({ ...one });
  }
  return track;
}

test('intervals that overlap have sub-lanes of their own; corrections of clocks do not', () => {
  expect(depths(trackOf(interval(0, 1), interval(0.5, 1), interval(0.75, 1)))).toEqual([0, 1, 2]);
  expect(depths(trackOf(interval(0, 1), interval(0.996, 1)))).toEqual([0, 0]);
  expect(depths(trackOf(interval(0, 1), interval(0.994, 1)))).toEqual([0, 1]);
  expect(depths(trackOf(interval(0, 1), interval(0.98, 1)))).toEqual([0, 1]);
  // The lowest free one is used again.
  expect(depths(trackOf(interval(0, 1), interval(0.25, 4), interval(1.5, 1)))).toEqual([0, 1, 0]);
  const many = trackOf(...Array.from({ length: 7 }, (_, i) => interval(i / 100, 10)));
  expect(depths(many)).toEqual([0, 1, 2, 3, 3, 3, 3]);
  expect([many.depths, many.rows]).toEqual([DEPTHS, DEPTHS]);
});

test('a lane has several rows only if much of its time overlaps what arrived before', () => {
  const alone = Array.from({ length: 9 }, (_, i) => interval(2 * i, 1));
  expect(trackOf(...alone)).toMatchObject({ depths: 1, rows: 1, length: 9 });
  // Busy for 9 s and 3 s: 1.8 s of it are 15 %.
  expect(trackOf(...alone, interval(15.1, 3))).toMatchObject({ depths: 2, rows: 2 });
  expect(trackOf(...alone, interval(15.3, 3))).toMatchObject({ depths: 2, rows: 1 });
  // Only the time within the earlier one counts.
  expect(trackOf(...alone, interval(15.2, 1))).toMatchObject({ depths: 2, rows: 1 });
});

test.each([1, 2, 3, 4, 5, 6])(
  'a thread whose clock jumps at every heartbeat has one row, coroutines have several, seed %i',
  seed => {
    const random = randomOf(seed);
    // One thread: each task begins after the one before it; the shift changes every half second.
    const jumping = new Track();
    const coroutines = new Track();
    let shift = 0;
    let beat = 0;
    for (let time = 0; time < 60; ) {
      const duration = 10 ** (2 * random() - 2);
      const end = time + duration;
      if (end > beat) {
        shift = 0.3 * random();
        beat = end + 0.5;
      }
      jumping.append(interval(time + shift, duration));
      time = end + 0.001;
    }
    for (let end = 0; end < 60; end += 0.2 * random()) {
      const duration = 0.2 + random();
      coroutines.append(interval(end - duration, duration));
    }
    expect(jumping.depths, `seed ${seed}`).toBeGreaterThan(1);
    expect(jumping.rows, `seed ${seed}`).toBe(1);
    expect(coroutines.rows, `seed ${seed}`).toBe(DEPTHS);
  }
);

test('sub-lanes are looked for among the newest neighbours, in earlier chunks too', () => {
  const track = new Track();
  for (let row = 0; row < CHUNK_ROWS; row++) {
    track.append(interval(row, 0.5, row));
  }
  track.append(interval(CHUNK_ROWS - 1 + 0.25, 1, CHUNK_ROWS));
  expect(track.chunks.length).toBe(2);
  expect(depths(track).at(-1)).toBe(1);
  const far = new Track();
  far.append(interval(0, 1000, 0));
  for (let row = 1; row < 400; row++) {
    far.append(interval(row, 0.5, row));
  }
  // 256 neighbours are looked at: then the long one is out of sight.
  expect(depths(far).slice(0, 257)).toEqual([0, ...Array.from({ length: 256 }, () => 1)]);
  expect(depths(far).slice(257)).toEqual(Array.from({ length: 143 }, () => 0));
});

test.each([1, 2, 3])('parts and copies have the intervals of their time (seed %i)', seed => {
  const random = randomOf(seed);
  const track = new Track();
  const pasts = new Pasts();
  const list: Interval[] = [];
  const count = 2 * CHUNK_ROWS + 300;
  for (let row = 0; row < count; row++) {
    const one = interval(row / 10 - (random() < 0.1 ? random() * 3 : 0), random() * 0.5, row);
    if (row % 50 === 0) {
      track.reserve(50);
    }
    track.append(one);
    list.push(one);
  }
  const rows = (found: readonly Interval[]): number[] => found.map(({ row }) => row).sort((a, b) => a - b);
  const last = (found: readonly Interval[]): number =>
    Math.max(Number.NEGATIVE_INFINITY, ...found.map(({ start, duration }) => start + duration));
  expect(track.length).toBe(count);
  expect(track.end).toBe(last(list));
  expect(track.chunks.map(({ length }) => length)).toEqual([CHUNK_ROWS, CHUNK_ROWS, 300]);
  expect(track.byteLength).toBe(track.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  for (const [i, chunk] of track.chunks.entries()) {
    expect(chunk.endBefore).toBe(last(list.slice(0, i * CHUNK_ROWS)));
  }
  for (let i = 0; i < 20; i++) {
    const moment = EPOCH + random() * (count / 10 + 10) - 5;
    const ended = list.filter(({ start, duration }) => start + duration <= moment);
    const part = track.until(moment, new Pasts());
    expect(rows(kept(part))).toEqual(rows(ended));
    expect([part.length, part.end, part.rows, part.depths]).toEqual([ended.length, last(ended), track.rows, track.depths]);
    for (const [c, chunk] of part.chunks.entries()) {
      expect(chunk.endBefore).toBeGreaterThanOrEqual(
        last(part.chunks.slice(0, c).flatMap(each => Array.from({ length: each.length }, (_, at) => each.at(at))))
      );
    }
  }
  const copy = track.copy(pasts.others());
  expect(kept(copy)).toEqual(kept(track));
  expect([copy.length, copy.end, copy.rows, copy.droppedUntil]).toEqual([count, track.end, track.rows, track.droppedUntil]);
  track.append(interval(count, 1, count));
  expect([copy.length, kept(copy).length]).toEqual([count, count]);
  list.push(interval(count, 1, count));

  const from = CHUNK_ROWS + Math.floor(random() * 100);
  expect(track.dropBefore(from, pasts)).toBe(from);
  expect(rows(kept(track))).toEqual(rows(list.slice(from)));
  expect([track.length, track.droppedUntil]).toEqual([list.length - from, last(list.slice(0, from))]);
  expect(track.dropBefore(from, pasts)).toBe(0);
  const before = kept(track);
  const half = Math.ceil(track.length / 2);
  expect(track.dropHalf(pasts)).toBe(half);
  expect(kept(track)).toEqual(before.slice(half));
  expect(track.length).toBe(before.length - half);
  expect(track.droppedUntil).toBe(Math.max(last(list.slice(0, from)), last(before.slice(0, half))));
  const cut = track.copy(pasts.others());
  expect(cut.droppedUntil).toBe(track.droppedUntil);
  expect(cut.past?.count).toBe(list.length - track.length);

  // The copy has what it had, and what it drops the track keeps.
  expect(rows(kept(copy))).toEqual(rows(list.slice(0, count)));
  const left = kept(track);
  expect(copy.dropBefore(count - 10, new Pasts())).toBe(count - 10);
  expect(rows(kept(copy))).toEqual(rows(list.slice(count - 10, count)));
  expect(kept(track)).toEqual(left);
});

test('copies have the same full chunks, so that what is known of them is known of each copy', () => {
  const track = new Track();
  for (let row = 0; row < 2 * CHUNK_ROWS + 1; row++) {
    track.append(interval(row, 0.5, row));
  }
  const copy = track.copy(new Pasts());
  expect(copy.chunks.map((chunk, i) => chunk === track.chunks[i])).toEqual([true, true, false]);
  track.dropBefore(1, new Pasts());
  expect(copy.chunks.map((chunk, i) => chunk === track.chunks[i])).toEqual([false, true, false]);
  expect(copy.length).toBe(2 * CHUNK_ROWS + 1);
});

test.each([41, 42, 43, 44])('many tracks that grow, drop and are copied keep what they have, each by itself (seed %i)', seed => {
  const random = randomOf(seed);
  const held = Array.from({ length: 12 }, () => ({ track: new Track(), list: [] as Interval[] }));
  const copies: { track: Track; list: Interval[] }[] = [];
  for (let row = 0; row < 12 * 900; row++) {
    const own = held[Math.floor(random() * held.length)];
    // One in ten is late.
    const one = interval(row / 10 - (random() < 0.1 ? 20 * random() : 0), 0.01, row);
    own.track.append(one);
    own.list.push(one);
    if (row % 400 === 399) {
      copies.push({ track: own.track.copy(new Pasts()), list: [...own.list] });
      const from = Math.floor(random() * row * 0.8);
      const dropping = random() < 0.5 ? own : copies[Math.floor(random() * copies.length)];
      // A chunk without an old row ends the search: late rows of later chunks stay.
      dropping.track.dropBefore(from, new Pasts());
      const rows = new Set(kept(dropping.track).map(each => each.row));
      expect(dropping.list.every(each => each.row < from || rows.has(each.row))).toBe(true);
      dropping.list = dropping.list.filter(each => rows.has(each.row));
    }
  }
  const byRow = (list: readonly Interval[]): Interval[] => [...list].sort((a, b) => a.row - b.row);
  for (const { track, list } of [...held, ...copies]) {
    expect(byRow(kept(track).map(each => ({ ...each, flags: 0 })))).toEqual(byRow(list.map(each => ({ ...each, flags: 0 }))));
    expect(track.length).toBe(list.length);
    for (const chunk of track.chunks) {
      for (let level = 1; level <= chunk.top; level++) {
        const size = 8 ** level;
        for (let node = 0; node < Math.min(Math.ceil(chunk.length / size), chunk.complete(level)); node++) {
          const last = Math.min(chunk.length, (node + 1) * size);
          const ends = Array.from(
            { length: last - node * size },
            (_, i) => chunk.startOf(node * size + i) + chunk.durationOf(node * size + i)
          );
          expect(chunk.endOf(level, node)).toBeGreaterThanOrEqual(Math.max(...ends));
        }
      }
    }
  }
});

test('a long lane has few chunks', () => {
  const track = new Track();
  const count = 16 * CHUNK_ROWS + 2 * LARGE_CHUNK_ROWS + 1;
  for (let row = 0; row < count; row++) {
    track.append(interval(row, 0.5, row));
  }
  expect(track.chunks.map(({ length }) => length)).toEqual([
    ...Array.from({ length: 16 }, () => CHUNK_ROWS),
    LARGE_CHUNK_ROWS,
    LARGE_CHUNK_ROWS,
    1
  ]);
  expect(kept(track).map(({ row }) => row)).toEqual(Array.from({ length: count }, (_, row) => row));
});
