import { describe, expect, it } from 'vitest';
import { DirtyColumns } from '../../../../src/views/timeline/dirty';
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
        dirty.clean(band);
        truth[band].clear();
      }
      for (const [i, set] of truth.entries()) {
        const inside = [...set].every(x => x >= dirty.from(i) && x < dirty.to(i));
        expect(inside, `band ${i} after step ${step}`).toBe(true);
      }
      expect(dirty.pending).toBe([0, 1, 2].filter(i => dirty.has(i)).length);
      expect([0, 1, 2].every(i => !dirty.has(i) || (dirty.from(i) >= 0 && dirty.to(i) <= width))).toBe(true);
    }
  });

  it('has nothing to do in a window without width', () => {
    const dirty = new DirtyColumns(3, 0);
    dirty.all();
    expect(dirty.pending).toBe(0);
  });
});
