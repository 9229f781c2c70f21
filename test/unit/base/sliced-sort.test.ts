import { describe, expect, it } from 'vitest';
import { slicedSort } from '../../../src/base/sliced-sort';

function sorted(keys: readonly number[], direction: 1 | -1): number[] {
  const order = Uint32Array.from(keys.keys());
  for (const _ of slicedSort(order, Float64Array.from(keys), direction)) {
    // One slice after the other.
  }
  return [...order];
}

describe('a sort in slices', () => {
  it.each([0, 1, 2, 15, 16, 17, 33, 1000])('sorts %i numbers as the language does, unknown ones last both ways', count => {
    let seed = count + 1;
    const keys = Array.from({ length: count }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 7 === 0 ? Number.NaN : seed % 50;
    });
    for (const direction of [1, -1] as const) {
      const expected = [...keys.keys()].sort((a, b) => {
        const [x, y] = [keys[a], keys[b]];
        const unknown = Number(Number.isNaN(x)) - Number(Number.isNaN(y));
        return unknown !== 0 || Number.isNaN(x) ? unknown || a - b : direction * (x - y) || a - b;
      });
      expect(sorted(keys, direction)).toEqual(expected);
    }
  });

  it('yields often enough for a million numbers', () => {
    const count = 1_000_000;
    const keys = Float64Array.from({ length: count }, (_, i) => (i * 7919) % count);
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    let slices = 0;
    for (const _ of slicedSort(order, keys, 1)) {
      slices += 1;
    }
    expect(slices).toBeGreaterThan(800);
    expect(order.every((row, i) => keys[row] === i)).toBe(true);
  });
});
