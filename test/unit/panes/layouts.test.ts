import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Area } from '../../../src/panes/docking/dock-tree';
import { LAYOUTS, layoutById } from '../../../src/panes/docking/layouts';
import { plotById } from '../../../src/plots';

function widgets(area: Area<string>): string[] {
  return area.type === 'tab-area' ? area.widgets : area.children.flatMap(widgets);
}

function sizes(area: Area<string>): number[] {
  return area.type === 'tab-area' ? [] : [...area.sizes, ...area.children.flatMap(sizes)];
}

describe.each(LAYOUTS.map(layout => [layout.id, layout] as const))('layout %s', (id, layout) => {
  it.each([
    [500, 900],
    [1600, 900],
    [900, 300]
  ])('places each of its plots once at %d × %d, none without room', (width, height) => {
    const area = layout.arrange(plot => plot, width, height);
    expect(widgets(area).sort()).toEqual([...layout.plots].sort());
    expect(sizes(area).every(size => size > 0)).toBe(true);
  });

  it('names plots that there are', () => {
    expect(layoutById(id)).toBe(layout);
    expect(layout.plots.map(plot => plotById(plot)?.id)).toEqual(layout.plots);
  });
});

it('can each be the default layout of the settings', () => {
  const { properties } = JSON.parse(readFileSync('schema/plugin.json', 'utf8'));
  expect(properties.defaultLayout.enum).toEqual(LAYOUTS.map(({ id }) => id));
});
