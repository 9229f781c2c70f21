import { expect, it } from 'vitest';
import { BYTES, COUNT, ERRORS, SUMS, sumsOf, TOTAL } from '../../../src/run/lanes/chunks/chunk-sums';
import { Chunk, ERRED, type Interval } from '../../../src/run/lanes/lane-chunk';
import { randomOf } from './synthetic';

const EPOCH = 1_700_000_000;
const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A full chunk with executions of some functions, some of which came late, overlap others or have no length. */
function filled(random: () => number, labels: readonly number[]): { chunk: Chunk; list: Interval[] } {
  const chunk = new Chunk();
  const list: Interval[] = [];
  for (let row = 0; !chunk.full; row++) {
    const interval = {
      start: EPOCH + row / 8 - (random() < 0.2 ? random() * 3 : 0),
      duration: random() < 0.1 ? 0 : Math.fround(random() < 0.05 ? 5 * random() : 0.2 * random()),
      label: labels[Math.floor(random() * labels.length)],
      flags: random() < 0.1 ? ERRED : 0,
      row,
      detail: Math.floor(random() * 1000)
    };
    chunk.insert(interval);
    list.push(interval);
  }
  return { chunk, list };
}

const endOf = ({ start, duration }: Interval): number => start + duration;
const sum = (list: readonly Interval[], value: (each: Interval) => number): number =>
  list.reduce((all, each) => all + value(each), 0);

/** Time in which at least one of some intervals ran. */
function covered(list: readonly Interval[]): number {
  let [all, reach] = [0, Number.NEGATIVE_INFINITY];
  for (const each of [...list].sort((a, b) => a.start - b.start)) {
    all += Math.max(0, endOf(each) - Math.max(reach, each.start));
    reach = Math.max(reach, endOf(each));
  }
  return all;
}

it.each([1, 2, 3, 4, 5, 6])('the sums of a chunk equal brute force, whichever chunk was read before (seed %i)', seed => {
  const random = randomOf(seed);
  // A chunk with many functions, one with few, one with numbers that are far apart.
  for (const labels of [Array.from({ length: 300 }, (_, i) => 7 * i), [3, 0, 11], [65_535, 2, 40_000], [5]]) {
    const { chunk, list } = filled(random, labels);
    const found = sumsOf(chunk, ALWAYS);
    expect(found).not.toBeNull();
    if (found === null) {
      return;
    }
    expect([...found.prefixes].sort((a, b) => a - b)).toEqual([...new Set(list.map(each => each.label))].sort((a, b) => a - b));
    for (const [k, prefix] of found.prefixes.entries()) {
      const own = list.filter(each => each.label === prefix);
      expect(found.sums[k * SUMS + COUNT]).toBe(own.length);
      expect(found.sums[k * SUMS + BYTES]).toBe(sum(own, each => each.detail));
      expect(found.sums[k * SUMS + ERRORS]).toBe(sum(own, each => each.flags & ERRED));
      expect(found.sums[k * SUMS + TOTAL]).toBeCloseTo(
        sum(own, each => each.duration),
        9
      );
    }
    expect(found.count).toBe(list.length);
    expect(found.total).toBeCloseTo(
      sum(list, each => each.duration),
      9
    );
    expect(found.longest).toBe(Math.max(...list.map(each => each.duration)));
    expect(found.last).toBe(Math.max(...list.map(endOf)));
    expect(found.covered).toBeCloseTo(covered(list), 5);
    expect(sumsOf(chunk, ALWAYS)).toBe(found);
  }
});

it('there are none of a chunk that may get more executions, that a period cuts, or that has lost some', () => {
  const { chunk, list } = filled(randomOf(7), [1, 2]);
  const [from, to] = [Math.min(...list.map(each => each.start)), Math.max(...list.map(endOf))];
  expect(sumsOf(chunk, { from, to })?.count).toBe(list.length);
  expect(sumsOf(chunk, { from: from + 1e-6, to })).toBeNull();
  expect(sumsOf(chunk, { from, to: to - 1e-6 })).toBeNull();
  chunk.dropFirst(1, () => undefined);
  expect(sumsOf(chunk, ALWAYS)).toBeNull();
  const open = new Chunk();
  open.insert(list[0]);
  expect(sumsOf(open, ALWAYS)).toBeNull();
});
