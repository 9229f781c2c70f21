import { describe, expect, it } from 'vitest';
import { barPitch, readablePitch } from '../../../src/charts/bars';
import { rowWindow, scrollToRow } from '../../../src/views/vega/row-window';

const MARGINS = { top: 16, bottom: 34 };

describe('rows in view', () => {
  it('are all where they fit', () => {
    expect(rowWindow(8, 250, 25, MARGINS, 0)).toMatchObject({ first: 0, end: 8, overflow: 0 });
  });

  it('are whole rows, and the last is reached at the end of the scroll bar', () => {
    const window = rowWindow(100, 260, 25, MARGINS, 0);
    expect(window).toMatchObject({ first: 0, end: 7, overflow: 93 * 25 });
    expect(rowWindow(100, 260, 25, MARGINS, window.overflow)).toMatchObject({ first: 93, end: 100 });
    expect(rowWindow(100, 260, 25, MARGINS, 12)).toMatchObject({ first: 1, end: 8 });
    expect(rowWindow(100, 260, 25, MARGINS, 1e9)).toMatchObject({ first: 93, end: 100 });
  });

  it.each([130, 137, 144, 151, 158, 172])('leave 14 px below the axis of %d px to say how many follow', height => {
    const { end, overflow } = rowWindow(14, height, 14, MARGINS, 0);
    expect(overflow).toBeGreaterThan(0);
    expect(height - MARGINS.top - end * 14 - MARGINS.bottom).toBeGreaterThanOrEqual(14);
  });

  it('are at least one, however low the pane', () => {
    expect(rowWindow(5, 20, 25, MARGINS, 0)).toMatchObject({ first: 0, end: 1, overflow: 100 });
    expect(rowWindow(0, 20, 25, MARGINS, 0)).toMatchObject({ first: 0, end: 0, overflow: 0 });
  });

  it('come into view by the shortest way', () => {
    const window = rowWindow(100, 264, 25, MARGINS, 500);
    expect(window).toMatchObject({ first: 20, end: 28 });
    expect([22, 19, 28, 99].map(row => scrollToRow(row, window) / 25)).toEqual([20, 19, 21, 92]);
  });
});

describe('the height of a row', () => {
  it('is what fits all, else what brings 12 into view', () => {
    expect(barPitch(8, 250)).toBe(25);
    expect(barPitch(12, 250)).toBe(20);
    expect(barPitch(30, 310)).toBe(25);
    expect(barPitch(30, 250)).toBe(20);
    expect(barPitch(30, 100)).toBe(14);
  });

  it('is 8 px above 100 rows, except for rows that would have no readable name then', () => {
    expect(barPitch(101, 2000)).toBe(8);
    expect(readablePitch(101, 2000)).toBe(14);
    expect(readablePitch(1000, 2000)).toBe(25);
    expect(readablePitch(1000, 100)).toBe(14);
  });
});
