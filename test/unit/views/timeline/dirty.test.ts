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
