// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { PLOTS } from '../../../src/plots';

it('every plot has an icon of its own, of shapes in one colour', () => {
  for (const { id, icon } of PLOTS) {
    const text = `<svg xmlns="http://www.w3.org/2000/svg">${icon}</svg>`;
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    const shapes = [...parsed.documentElement.children];
    expect(shapes.length, id).toBeGreaterThan(0);
    for (const shape of shapes) {
      expect(['path', 'circle'], id).toContain(shape.tagName);
      expect(shape.getAttributeNames(), id).not.toContain('fill');
    }
  }
  const owners = new Map(PLOTS.map(({ id, icon }) => [icon, id]));
  expect(PLOTS.filter(({ id, icon }) => owners.get(icon) !== id).map(({ id }) => id)).toEqual([]);
});
