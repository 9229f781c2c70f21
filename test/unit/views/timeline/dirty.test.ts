import { describe, expect, it } from 'vitest';
import { DirtyColumns } from '../../../../src/views/timeline/paint/dirty';
import { randomOf } from '../../run/synthetic';

describe('DirtyColumns', () => {
  it('agrees with columns kept one by one, but for what lies between two ranges of a band', () => {
    const random = randomOf(11);
    const width = 50;
    const dirty = new DirtyColumns(3, width);
    const truth = [new Set<number>(), new Set<number>(), new Set<number>()];
    for (let step = 0; step < 2000; step++) {
      const band = Math.floor(random() * 3);
      const act = random();
      if (act < 0.5) {
        const from = Math.floor(random() * 80) - 15;
        const to = from + Math.floor(random() * 30) - 5;
        dirty.add(band, from, to);
        for (let x = Math.max(0, from); x < Math.min(width, to); x++) {
          truth[band].add(x);
        }
      } else if (act < 0.8) {
        const columns = Math.floor(random() * 40) - 20;
        dirty.shift(columns);
        for (const [i, set] of truth.entries()) {
          truth[i] = new Set([...set].map(x => x - columns).filter(x => x >= 0 && x < width));
        }
      } else {
        const found = new Set<number>();
        for (; dirty.has(band); dirty.clean(band)) {
          for (let x = dirty.from(band); x < dirty.to(band); x++) {
            found.add(x);
          }
        }
        expect(
          [...truth[band]].filter(x => !found.has(x)),
          `band ${band} at step ${step}`
        ).toEqual([]);
        truth[band].clear();
      }
      expect(dirty.pending).toBe([0, 1, 2].filter(i => dirty.has(i)).length);
      expect([0, 1, 2].every(i => !dirty.has(i) || (dirty.from(i) >= 0 && dirty.to(i) <= width))).toBe(true);
    }
  });

  it.each([1, 2, 3])('is exact while a band has two ranges, and never reaches beyond them (seed %i)', seed => {
    const random = randomOf(seed);
    const width = 40;
    const dirty = new DirtyColumns(2, width);
    const runs = (set: ReadonlySet<number>): number => [...set].filter(x => !set.has(x - 1)).length;
    for (let round = 0; round < 400; round++) {
      const truth = new Set<number>();
      let exact = true;
      // What lies between the ranges so far may be among them.
      let hull: readonly number[] = [width, 0];
      const band = round % 2;
      expect([dirty.has(0), dirty.has(1), dirty.pending]).toEqual([false, false, 0]);
      for (let step = 0; step < 1 + random() * 5; step++) {
        if (random() < 0.25) {
          const columns = Math.floor(random() * 21) - 10;
          dirty.shift(columns);
          hull = [Math.max(0, hull[0] - columns), Math.min(width, hull[1] - columns)];
          const moved = [...truth].map(x => x - columns).filter(x => x >= 0 && x < width);
          truth.clear();
          for (const x of moved) {
            truth.add(x);
          }
        } else {
          const from = Math.floor(random() * 44) - 2;
          const to = from + Math.floor(random() * 8) - 1;
          dirty.add(band, from, to);
          for (let x = Math.max(0, from); x < Math.min(width, to); x++) {
            truth.add(x);
            hull = [Math.min(hull[0], x), Math.max(hull[1], x + 1)];
          }
        }
        if (!dirty.has(band)) {
          hull = [width, 0];
        }
        exact = exact && runs(truth) <= 2;
        expect(!exact || dirty.has(band) === truth.size > 0).toBe(true);
        expect([dirty.has(1 - band), dirty.pending]).toEqual([false, Number(dirty.has(band))]);
      }
      const found: number[] = [];
      const edges: [number, number][] = [];
      for (; dirty.has(band); dirty.clean(band)) {
        edges.push([dirty.from(band), dirty.to(band)]);
        for (let x = dirty.from(band); x < dirty.to(band); x++) {
          found.push(x);
        }
      }
      found.sort((a, b) => a - b);
      const sorted = [...truth].sort((a, b) => a - b);
      if (exact) {
        expect(found).toEqual(sorted);
      } else {
        expect(sorted.filter(x => !found.includes(x))).toEqual([]);
        expect(found.every(x => x >= hull[0] && x < hull[1])).toBe(true);
      }
      expect(edges.length).toBeLessThanOrEqual(2);
      if (edges.length === 2) {
        const [[a], [b]] = edges;
        const [left, right] = a < b ? edges : [edges[1], edges[0]];
        expect(left[1]).toBeLessThan(right[0]);
      }
    }
  });

  it('has every column of every band to do, once', () => {
    const dirty = new DirtyColumns(3, 7);
    dirty.add(1, 2, 3);
    dirty.add(1, 5, 6);
    dirty.all();
    expect(dirty.pending).toBe(3);
    for (const band of [0, 1, 2]) {
      expect([dirty.from(band), dirty.to(band)]).toEqual([0, 7]);
      dirty.clean(band);
      expect([dirty.has(band), dirty.pending]).toEqual([false, 2 - band]);
      dirty.clean(band);
      expect(dirty.pending).toBe(2 - band);
    }
    dirty.shift(3);
    expect(dirty.pending).toBe(0);
  });

  it('keeps what came into view apart from what changed at the other edge', () => {
    const dirty = new DirtyColumns(1, 1000);
    dirty.add(0, 990, 1000);
    dirty.add(0, 0, 4);
    dirty.add(0, 985, 992);
    dirty.shift(-4);
    dirty.add(0, 0, 4);
    const ranges: [number, number][] = [];
    for (; dirty.has(0); dirty.clean(0)) {
      ranges.push([dirty.from(0), dirty.to(0)]);
    }
    expect(ranges.sort(([a], [b]) => a - b)).toEqual([
      [0, 8],
      [989, 1000]
    ]);
  });

  it('has nothing to do in a window without width', () => {
    const dirty = new DirtyColumns(3, 0);
    dirty.all();
    expect(dirty.pending).toBe(0);
  });
});
