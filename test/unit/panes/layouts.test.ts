import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Area } from '../../../src/panes/docking/dock-tree';
import { LAYOUTS } from '../../../src/panes/docking/layouts';
import { readPaneArgs } from '../../../src/panes/pane/pane-args';
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
    [350, 450],
    [1600, 900],
    [900, 300]
  ])('places each of its plots once at %d × %d, none without room', (width, height) => {
    const area = layout.arrange(plot => plot, width, height);
    expect(widgets(area).sort()).toEqual([...layout.plots].sort());
    expect(sizes(area).every(size => size > 0)).toBe(true);
  });

  it.each([
    [350, 450, 135],
    // 1280 × 800 beside a notebook and the sidebar: five panes below each other had 85 to 175 px.
    [545, 735, 117],
    // The same at 150 %, below a notebook.
    [520, 262, 104],
    // The half of a page of Notebook 7, in which three panes below each other showed one or two of four workers.
    [1280, 375, 112]
  ])('has no pane of a few lines in %d × %d', (width, height, least) => {
    const heights = (area: Area<string>, room: number): number[] => {
      const sum = area.type === 'tab-area' ? 0 : area.sizes.reduce((total, size) => total + size, 0);
      return area.type === 'tab-area'
        ? [room]
        : area.children.flatMap((child, i) =>
            heights(child, area.orientation === 'vertical' ? (room * area.sizes[i]) / sum : room)
          );
    };
    expect(
      Math.min(
        ...heights(
          layout.arrange(plot => plot, width, height),
          height
        )
      )
    ).toBeGreaterThanOrEqual(least);
  });

  it.each([350, 500, 699, 700, 788, 853, 1000, 1600])('has no column below 256 px of %d', width => {
    const widths = (area: Area<string>, share: number): number[] => {
      const sum = area.type === 'tab-area' ? 0 : area.sizes.reduce((total, size) => total + size, 0);
      return area.type === 'tab-area'
        ? [share]
        : area.children.flatMap((child, i) =>
            widths(child, area.orientation === 'horizontal' ? (share * area.sizes[i]) / sum : share)
          );
    };
    const area = layout.arrange(plot => plot, width, 700);
    expect(Math.min(...widths(area, width))).toBeGreaterThanOrEqual(255.9);
  });

  it('names plots that there are', () => {
    expect(LAYOUTS.filter(other => other.id === id)).toEqual([layout]);
    expect(layout.plots.map(plot => plotById(plot)?.id)).toEqual(layout.plots);
  });
});

it('Status has room for a task stream with its legend beside a notebook and the sidebar at 1280 × 800', () => {
  const status = LAYOUTS.find(({ id }) => id === 'status')?.arrange(plot => plot, 545, 735);
  const [children, sizes] = status?.type === 'split-area' ? [status.children, status.sizes] : [[], []];
  const stream = children.findIndex(child => widgets(child).includes('task-stream'));
  expect(children).toHaveLength(4);
  expect((735 * sizes[stream]) / sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(245);
});

it('are each named as a default layout in the settings', () => {
  const { properties } = JSON.parse(readFileSync('schema/plugin.json', 'utf8'));
  for (const { id } of LAYOUTS) {
    expect(properties.defaultLayout.description).toMatch(new RegExp(`\\b${id}\\b`));
  }
});

it('is what the workspace of the demo has opened, so that another layout replaces it', () => {
  const { data } = JSON.parse(readFileSync('docs/examples/demo.jupyterlab-workspace', 'utf8'));
  const panes = Object.keys(data).filter(key => key.startsWith('dask-panes:'));
  const opened = panes.map(key => readPaneArgs(data[key].data));
  const status = LAYOUTS.find(({ id }) => id === 'status');
  expect(opened.map(({ plot }) => plot).sort()).toEqual([...(status?.plots ?? [])].sort());
  expect(new Set(opened.map(({ layout }) => layout))).toEqual(new Set(['status']));
});
