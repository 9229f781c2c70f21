import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../../src/base/theme';
import { hatchPath } from '../../../src/charts/hatch';

const PATTERNS: readonly Pattern[] = ['diagonal', 'counter-diagonal', 'cross-hatch', 'dots', 'light-bars', 'dark-bars'];

describe.each(PATTERNS)('%s', pattern => {
  it.each([
    [1, 2],
    [3, 16],
    [17.8, 15.9],
    [400, 6]
  ])('stays within %d × %d', (width, height) => {
    const path = hatchPath(pattern, width, height);
    const points = [...path.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)].map(match => [Number(match[1]), Number(match[2])]);
    expect(path.replace(/[ML]-?[\d.]+,-?[\d.]+/g, '')).toBe('');
    for (const [x, y] of points) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(height);
    }
  });

  it('has lines where there is room and none where there is not', () => {
    expect(hatchPath(pattern, 20, 10)).not.toBe('');
    for (const [width, height] of [
      [0, 10],
      [0.5, 10],
      [10, 1],
      [-3, 10],
      [Number.NaN, 10]
    ]) {
      expect(hatchPath(pattern, width, height)).toBe('');
    }
  });

  it('is the same for sizes of the same whole pixels, and bounded for endless ones', () => {
    expect(hatchPath(pattern, 20.2, 10.9)).toBe(hatchPath(pattern, 20.9, 10.1));
    expect(hatchPath(pattern, 1e9, 16)).toBe(hatchPath(pattern, 1e7, 16));
  });
});

it('has nothing for plain fills', () => {
  expect(hatchPath('none', 20, 10)).toBe('');
  expect(hatchPath('hollow', 20, 10)).toBe('');
});
