import { expect, test } from 'vitest';
import {
  BUSY,
  CHUNK_ROWS,
  Chunk,
  DEPTH_SHIFT,
  DEPTHS,
  ERRED,
  FLAGS_SHIFT,
  type Interval,
  LABEL_MASK,
  LARGE_CHUNK_ROWS,
  MAJOR,
  NODE_WORDS,
  WEIGHT
} from '../../../src/run/lanes/lane-chunk';
import { eachBetween, type Found, intervalAt, labelAt, movesOf, neighbour, rowsFrom } from '../../../src/run/lanes/lane-search';
import { Track } from '../../../src/run/lanes/lane-track';
import { randomOf } from './synthetic';

const EPOCH = 1_700_000_000;

function made(random: () => number, row: number, time: number): Interval {
  return {
    start: EPOCH + Math.floor((time + (random() < 0.2 ? -random() * 3 : 0)) * 8) / 8,
    duration: random() < 0.1 ? 0 : Math.fround(random() < 0.05 ? random() * 5 : random() * 0.4),
    label: Math.floor(random() * 3),
    flags: (random() < 0.05 ? ERRED : 0) | (Math.floor(random() * DEPTHS) << DEPTH_SHIFT),
    row,
    detail: Math.floor(random() * 1000)
  };
}

/** By start; a later one of the same start comes after it. */
function inserted(list: Interval[], interval: Interval): void {
  const at = list.findIndex(({ start }) => start > interval.start);
  list.splice(at < 0 ? list.length : at, 0, interval);
}

const endOf = ({ start, duration }: Interval): number => start + duration;
const lastEnd = (list: readonly Interval[]): number => Math.max(Number.NEGATIVE_INFINITY, ...list.map(endOf));
const all = (chunk: Chunk): Interval[] => Array.from({ length: chunk.length }, (_, i) => chunk.at(i));

/** Every complete node of every level against the intervals below it. */
function expectSummaries(chunk: Chunk, list: readonly Interval[]): void {
  chunk.refresh();
  for (let level = 1; level <= chunk.top; level++) {
    const size = 8 ** level;
    const nodes = Math.ceil(list.length / size);
    expect(chunk.complete(level)).toBe(chunk.full ? Number.POSITIVE_INFINITY : Math.floor(list.length / size));
    for (let node = 0; node < Math.min(nodes, chunk.complete(level)); node++) {
      const below = list.slice(node * size, (node + 1) * size);
      const word = chunk.levels[level] + node * NODE_WORDS;
      const end = chunk.endOf(level, node);
      expect(chunk.f64[word / 2]).toBe(below[0].start);
      const latest = lastEnd(below);
      expect(end).toBeGreaterThanOrEqual(latest);
      expect(end - latest).toBeLessThan(1e-4);
      const busy = below.reduce((sum, { duration }) => sum + duration, 0);
      expect(Math.abs(chunk.f32[word + BUSY] - busy)).toBeLessThanOrEqual(1e-5 * busy);
      const looks = chunk.u32[word + MAJOR];
      expect(looks >>> FLAGS_SHIFT).toBe(Number(below.some(({ flags }) => flags & ERRED)));
      const times = [0, 1, 2].map(label => below.reduce((sum, i) => sum + (i.label === label ? i.duration : 0), 0));
      const most = times.indexOf(Math.max(...times));
      if (times[most] > 0.5001 * busy) {
        expect(looks & LABEL_MASK).toBe(most);
        expect(chunk.f32[word + WEIGHT]).toBeGreaterThanOrEqual(2 * times[most] - busy - 1e-4);
      }
      expect(chunk.f32[word + WEIGHT]).toBeLessThanOrEqual(busy + 1e-4);
    }
  }
}

test.each([
  { seed: 1, most: CHUNK_ROWS },
  { seed: 2, most: CHUNK_ROWS },
  { seed: 3, most: LARGE_CHUNK_ROWS }
])('a chunk of $most has its intervals in order of start, and true summaries (seed $seed)', ({ seed, most }) => {
  const random = randomOf(seed);
  const chunk = new Chunk(EPOCH - 7, most);
  const list: Interval[] = [];
  expect([chunk.length, chunk.end, chunk.byteLength, chunk.endBefore]).toEqual([0, Number.NEGATIVE_INFINITY, 0, EPOCH - 7]);
  for (let row = 0; row < most; row++) {
    if (random() < 0.01) {
      chunk.reserve(1 + Math.floor(random() * 50));
    }
    const interval = made(random, row, row / 8);
    chunk.insert(interval);
    inserted(list, interval);
    expect([chunk.length, chunk.full]).toEqual([row + 1, row + 1 === most]);
    if (row % 389 === 0 || [7, 8, 9, 63, 64, 65, 511, 512, 513].includes(row)) {
      expectSummaries(chunk, list);
    }
  }
  expectSummaries(chunk, list);
  expect(all(chunk)).toEqual(list);
  expect(chunk.first).toBe(list[0].start);
  expect(chunk.end).toBe(lastEnd(list));
  const nodes = most === CHUNK_ROWS ? [64, 8, 1] : [256, 32, 4, 1];
  expect(chunk.top).toBe(nodes.length);
  // 24 B for each interval and for each node.
  expect(chunk.byteLength).toBe((most + nodes.reduce((sum, count) => sum + count, 0)) * 24);
  for (let i = 0; i < 300; i++) {
    const time = random() < 0.5 ? list[Math.floor(random() * list.length)].start : EPOCH + random() * 260 - 2;
    expect(chunk.upperBound(time)).toBe(list.filter(({ start }) => start <= time).length);
  }
  for (const i of [0, 1, 100, most - 1]) {
    const { start, duration, row, label, flags } = list[i];
    expect([chunk.startOf(i), chunk.durationOf(i), chunk.rowOf(i), chunk.labelOf(i), chunk.flagsOf(i)]).toEqual([
      start,
      duration,
      row,
      label,
      flags
    ]);
  }
});

test('a chunk has little room to spare', () => {
  const chunk = new Chunk(Number.NEGATIVE_INFINITY, LARGE_CHUNK_ROWS);
  const random = randomOf(5);
  const nodes = (capacity: number): number => (capacity <= 1 ? 0 : Math.ceil(capacity / 8) + nodes(Math.ceil(capacity / 8)));
  for (let row = 0; row < LARGE_CHUNK_ROWS; row++) {
    chunk.insert(made(random, row, row));
    const capacity = chunk.levels[1] / 6;
    const expected = row < 16 ? 16 : Math.min(LARGE_CHUNK_ROWS, Math.ceil(Math.max(row + 1, row * 1.5) / 64) * 64);
    expect(capacity).toBeGreaterThanOrEqual(row + 1);
    expect(capacity).toBeLessThanOrEqual(Math.max(expected, 64));
    expect(chunk.byteLength).toBe(capacity * 24 + nodes(capacity) * 24);
  }
  const reserved = new Chunk();
  reserved.reserve(100);
  expect(reserved.levels[1] / 6).toBe(128);
  reserved.reserve(128);
  expect(reserved.levels[1] / 6).toBe(128);
  reserved.reserve(129);
  expect(reserved.levels[1] / 6).toBe(192);
  reserved.reserve(1e6);
  expect(reserved.levels[1] / 6).toBe(CHUNK_ROWS);
});

test.each([1, 2, 3])('what is dropped is gone from intervals and summaries (seed %i)', seed => {
  const random = randomOf(seed);
  for (const count of [5, 70, 700, LARGE_CHUNK_ROWS]) {
    const chunk = new Chunk(Number.NEGATIVE_INFINITY, LARGE_CHUNK_ROWS);
    let list: Interval[] = [];
    for (let row = 0; row < count; row++) {
      const interval = made(random, row, row / 8);
      chunk.insert(interval);
      inserted(list, interval);
    }
    chunk.refresh();
    const few = Math.floor(random() * 4);
    let gone: Interval[] = [];
    const goes = (begin: number, end: number): void => {
      gone = [...gone, ...all(chunk).slice(begin, end)];
    };
    chunk.dropFirst(few, goes);
    expect(gone).toEqual(list.slice(0, few));
    list = list.slice(few);
    expect(all(chunk)).toEqual(list);
    expectSummaries(chunk, list);
    const row = Math.floor(random() * count);
    gone = [];
    chunk.dropBefore(row, goes);
    expect(gone).toEqual(list.filter(interval => interval.row < row));
    // What it no longer needs it gives back.
    expect(chunk.levels[1] / 6 - chunk.length).toBeLessThan(64);
    list = list.filter(interval => interval.row >= row);
    expect(all(chunk)).toEqual(list);
    expectSummaries(chunk, list);
    const moment = EPOCH + random() * (count / 8);
    const part = chunk.until(moment, 3);
    expect(all(part)).toEqual(list.filter(interval => endOf(interval) <= moment));
    expect(part.endBefore).toBe(3);
    expectSummaries(part, all(part));
    const next = made(random, count, count / 8);
    if (!chunk.full) {
      chunk.insert(next);
      inserted(list, next);
      expect(all(chunk)).toEqual(list);
      expectSummaries(chunk, list);
    }
  }
});

/** A track, and its intervals as they were appended. */
function trackOf(random: () => number, count: number): { track: Track; list: Interval[] } {
  const track = new Track();
  const list: Interval[] = [];
  for (let row = 0; row < count; row++) {
    const interval = { ...made(random, row, row / 8), flags: random() < 0.05 ? ERRED : 0 };
    track.append(interval);
    list.push(interval);
  }
  return { track, list };
}

const asFound = ({ flags, ...interval }: Interval): Found => ({
  ...interval,
  erred: (flags & ERRED) !== 0,
  depth: flags >> DEPTH_SHIFT
});
const byStart = (a: Found, b: Found): number => a.start - b.start || a.row - b.row;

test.each([1, 2, 3])('intervals of a time are found in a track as in a list (seed %i)', seed => {
  const random = randomOf(seed);
  const { track, list } = trackOf(random, seed === 1 ? 300 : 2500);
  const span = list.length / 8;
  for (let i = 0; i < 60; i++) {
    const from = EPOCH + random() * (span + 2) - 1;
    const exact = list[Math.floor(random() * list.length)];
    const to = random() < 0.3 ? exact.start : from + random() * 4;
    const expected = list.filter(interval => interval.start <= to && endOf(interval) >= from).map(asFound);
    const found: Found[] = [];
    eachBetween(track, from, to, interval => found.push(interval) > 0);
    expect(found.sort(byStart)).toEqual(expected.sort(byStart));
    if (expected.length > 1) {
      let visits = 0;
      eachBetween(track, from, to, () => ++visits < 2);
      expect(visits).toBe(2);
    }
    const reach = random() * 0.3;
    const distance = (interval: Found): number =>
      Math.max(interval.start - from, from - interval.start - interval.duration, 0) + (interval.depth === 1 ? 0 : 2 * reach);
    const near = list
      .map(asFound)
      .filter(interval => interval.start <= from + reach && interval.start + interval.duration >= from - reach);
    const least = Math.min(...near.map(distance));
    const best = intervalAt(track, from, reach, 1);
    expect(best === null ? Number.POSITIVE_INFINITY : distance(best)).toBe(least);
    const same = near.filter(interval => distance(interval) === least);
    expect(best === null || same.every(interval => interval.start <= best.start)).toBe(true);
  }
});

test.each([1, 2, 3])(
  'the label at a moment is that of an interval there; where one follows the other, it is always found (seed %i)',
  seed => {
    const random = randomOf(seed);
    // Late ones are in later chunks, and one in twenty lasts longer than many after it.
    const { track, list } = trackOf(random, 2500);
    for (let i = 0; i < 400; i++) {
      const time = random() < 0.3 ? list[Math.floor(random() * list.length)].start : EPOCH + random() * 320 - 4;
      const labels = list.filter(each => each.start <= time && endOf(each) >= time).map(each => each.label);
      const found = labelAt(track, time);
      expect(labels.length === 0 ? found === undefined : found === undefined || labels.includes(found)).toBe(true);
    }
    const even = new Track();
    for (let row = 0; row < 1500; row++) {
      even.append({ start: EPOCH + row, duration: 0.75, label: row % 7, flags: 0, row, detail: 0 });
    }
    for (let row = 0; row < 1500; row += 13) {
      expect([labelAt(even, EPOCH + row + 0.5), labelAt(even, EPOCH + row + 0.875)]).toEqual([row % 7, undefined]);
    }
    expect([labelAt(even, EPOCH - 1), labelAt(even, EPOCH + 1500), labelAt(new Track(), EPOCH)]).toEqual([
      undefined,
      undefined,
      undefined
    ]);
  }
);

test.each([1, 2])('steps reach every interval once, in order of start and row (seed %i)', seed => {
  const random = randomOf(seed);
  const { track, list } = trackOf(random, 2500);
  const sorted = list.map(asFound).sort(byStart);
  for (const step of [1, -1] as const) {
    const order = step === 1 ? sorted : [...sorted].reverse();
    for (let i = 0; i < order.length; i += 1 + Math.floor(random() * 60)) {
      expect(neighbour(track, order[i].start, order[i].row, step)).toEqual(order[i + 1] ?? null);
    }
    expect(neighbour(track, order[0].start - step, 0, step)).toEqual(order[0]);
    expect(neighbour(track, order[order.length - 1].start, order[order.length - 1].row, step)).toBeNull();
  }
  expect(neighbour(new Track(), 0, 0, 1)).toBeNull();
});

test('transfers of a row are those that touch the time before its end, oldest first', () => {
  const random = randomOf(3);
  const track = new Track();
  const list: Interval[] = [];
  for (let i = 0; i < 3000; i++) {
    const interval = { ...made(random, Math.floor(i / 3), i / 24), flags: 0 };
    track.append(interval);
    list.push(interval);
  }
  for (let row = 0; row < 1000; row += 7) {
    const before = EPOCH + row / 8 + random();
    const expected = list.filter(interval => interval.row === row && interval.start <= before && endOf(interval) >= before - 2);
    const starts = (found: readonly { start: number }[]): number[] => found.map(({ start }) => start);
    const found = movesOf(track, row, before, 2);
    expect(starts(found)).toEqual(starts(expected).sort((a, b) => a - b));
    expect(found.every(move => move.row === row)).toBe(true);
  }
});

test('transfers of a row are found although its thread had tens of thousands within the reach', () => {
  const track = new Track();
  for (let row = 0; row < 30_000; row++) {
    track.append({ start: EPOCH + row / 10, duration: 0.05, label: 1, flags: 0, row, detail: 0 });
  }
  for (const row of [0, 15_000, 29_999]) {
    const found = movesOf(track, row, EPOCH + row / 10 + 0.1, 3600);
    expect(found.map(({ start }) => start)).toEqual([EPOCH + row / 10]);
  }
});

test('executions from a row on come newest first, with their lanes', () => {
  const random = randomOf(4);
  const lanes = [0, 1, 2].map(() => trackOf(random, 200));
  const given = [{ compute: lanes[0].track }, undefined, { compute: lanes[2].track }];
  for (const row of [0, 1, 150, 199, 200]) {
    const expected = [0, 2].flatMap(lane =>
      lanes[lane].list.filter(interval => interval.row >= row).map(interval => ({ lane, ...asFound(interval) }))
    );
    const found = rowsFrom(given, row);
    expect(found.map(interval => interval.row)).toEqual(expected.map(interval => interval.row).sort((a, b) => b - a));
    expect([...found].sort((a, b) => a.lane - b.lane || a.row - b.row)).toEqual(expected);
  }
});

test.each([31, 32, 33])('a copy keeps what it had, whatever becomes of the chunk and of the copy (seed %i)', seed => {
  const random = randomOf(seed);
  const chunk = new Chunk(Number.NEGATIVE_INFINITY, LARGE_CHUNK_ROWS);
  const list: Interval[] = [];
  const copies: { copy: Chunk; had: Interval[] }[] = [];
  const insert = (into: Chunk, had: Interval[], interval: Interval): void => {
    into.insert(interval);
    inserted(had, interval);
  };
  for (let row = 0; row < 600; row++) {
    // One in ten is late.
    insert(chunk, list, made(random, row, random() < 0.1 ? row * random() : row));
    if (row % 50 === 7) {
      copies.push({ copy: chunk.copy(Number.NEGATIVE_INFINITY), had: [...list] });
    }
    if (row % 130 === 9) {
      const { copy, had } = copies[Math.floor(random() * copies.length)];
      copies.push({ copy: copy.copy(Number.NEGATIVE_INFINITY), had: [...had] });
      insert(copy, had, made(random, 10_000 + row, random() * 700));
    }
    if (row % 200 === 150) {
      chunk.dropFirst(40, () => undefined);
      list.splice(0, 40);
      const { copy, had } = copies[0];
      copy.dropFirst(1, () => undefined);
      had.splice(0, 1);
    }
    if (row % 20 === 0) {
      chunk.refresh();
    }
  }
  for (const { copy, had } of [...copies, { copy: chunk, had: list }]) {
    expect(all(copy)).toEqual(had);
    expectSummaries(copy, had);
  }
});
