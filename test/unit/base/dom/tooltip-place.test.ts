import { describe, expect, it } from 'vitest';
import { placeTooltip, startInView } from '../../../../src/base/dom/tooltip-place';

const WINDOW = { width: 1000, height: 600 };
const SIZE = { width: 300, height: 200 };

describe('the place of a tooltip', () => {
  it.each([
    ['is below the item', { x: 100, y: 105, top: 100, bottom: 116 }, SIZE, { left: 108, top: 124 }],
    ['is above it at the bottom of the window', { x: 100, y: 505, top: 500, bottom: 516 }, SIZE, { left: 108, top: 292 }],
    ['ends 8 px before the right edge', { x: 990, y: 105, top: 100, bottom: 116 }, SIZE, { left: 692, top: 124 }],
    ['begins 8 px after the left edge', { x: -40, y: 105, top: 100, bottom: 116 }, SIZE, { left: 8, top: 124 }],
    // It was below, and cut by the edge of the window.
    [
      'is beside the pointer without room above and below',
      { x: 100, y: 300 },
      { width: 300, height: 400 },
      { left: 108, top: 192 }
    ],
    [
      'is left of the pointer without room at its right',
      { x: 900, y: 300 },
      { width: 300, height: 400 },
      { left: 592, top: 192 }
    ],
    ['begins at the top if it is as high as the window', { x: 100, y: 300 }, { width: 300, height: 700 }, { left: 108, top: 8 }]
  ])('%s', (_, place, size, expected) => {
    expect(placeTooltip(place, size, WINDOW)).toEqual(expected);
  });

  it('is moved up, or to the left, only as far as its end needs', () => {
    expect(startInView(100, 200, 600)).toBe(100);
    expect(startInView(450, 200, 600)).toBe(392);
    expect(startInView(-20, 200, 600)).toBe(8);
  });
});
