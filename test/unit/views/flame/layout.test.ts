import { describe, expect, it, vi } from 'vitest';
import { ProfileStore } from '../../../../src/run/logs/profile';
import { Sandwich } from '../../../../src/selectors/profile/trees/sandwich';
import { SampledTree } from '../../../../src/selectors/profile/trees/stack-tree';
import { boxAt, layoutFlame, pathTo, placeBeside } from '../../../../src/views/flame/layout';
import { matchedShare, matches } from '../../../../src/views/flame/search';
import { EXAMPLE, fn, profileBody } from '../../run/profile-body';

function example(): ProfileStore {
  const store = new ProfileStore();
  store.apply(profileBody(EXAMPLE));
  return store;
}

describe('the boxes of a flame graph', () => {
  it('are as wide as their share, below their caller', () => {
    const store = example();
    const { rows, depth } = layoutFlame(new SampledTree(store, store.fold(), false), 0, 1000);
    expect(depth).toBe(0);
    expect(rows.map(row => row.stacks)).toEqual([[0], [1], [2, 3], [4, 5]]);
    expect(rows[2]).toMatchObject({ left: [0, 400], width: [400, 600] });
    expect(rows[3]).toMatchObject({ left: [400, 600], width: [200, 300] });
  });

  it('fill the width with the box that is zoomed to, its callers above it', () => {
    const store = example();
    const { rows, depth } = layoutFlame(new SampledTree(store, store.fold(), false), 3, 600);
    expect(depth).toBe(2);
    expect(rows.map(row => row.stacks)).toEqual([[0], [1], [3], [4, 5]]);
    expect(rows.slice(0, 3).every(row => row.width[0] === 600)).toBe(true);
    expect(rows[3]).toMatchObject({ left: [0, 200], width: [200, 300] });
    expect(pathTo(store, 5)).toEqual([0, 1, 3, 5]);
  });

  it('cost pixels, not stacks', () => {
    const store = new ProfileStore();
    const stacks = Array.from({ length: 50_000 }, (_, i) => [Math.floor(i / 3), 1] as const);
    const rows = stacks.map((_, i) => [1000, 1, 0, i + 1, 1] as const);
    store.apply(profileBody({ frames: [fn('f')], stacks, rows }));
    const fold = store.fold();
    const callees = vi.spyOn(store, 'callees');
    const layout = layoutFlame(new SampledTree(store, fold, false), 0, 1400);
    const boxes = layout.rows.reduce((sum, row) => sum + row.stacks.length, 0);
    expect(callees).toHaveBeenCalledTimes(boxes);
    expect(boxes).toBeLessThan(stacks.length / 5);
    for (const row of layout.rows) {
      expect(row.stacks.length).toBeLessThanOrEqual(2 * 1400);
    }
  });

  it('of nothing are the one for all', () => {
    const store = new ProfileStore();
    expect(layoutFlame(new SampledTree(store, store.fold(), false), 0, 500).rows).toHaveLength(1);
  });

  it('of a left heavy picture begin with the largest', () => {
    const store = example();
    const { rows } = layoutFlame(new SampledTree(store, store.fold(), true), 0, 1000);
    expect(rows.map(row => row.stacks)).toEqual([[0], [1], [3, 2], [5, 4]]);
    expect(rows[2]).toMatchObject({ left: [0, 600], width: [600, 400] });
  });

  it('of a sandwich are callers above the function and callees below it, reached by the keyboard from one to the other', () => {
    const store = example();
    const tree = new Sandwich(store, store.fold(), 3);
    const layout = layoutFlame(tree, 0, 600);
    const names = layout.rows.map(row => row.stacks.map(node => tree.frame(node)?.name ?? 'one of several'));
    expect(names).toEqual([['main'], ['fit'], ['one of several', 'load']]);
    expect(layout).toMatchObject({ depth: 1, halves: true });
    expect(layout.rows[2]).toMatchObject({ left: [0, 300], width: [300, 200] });
    expect(placeBeside(tree, layout, { depth: 1, index: 0 }, 0, -1)).toEqual({ depth: 0, index: 0 });
    expect(placeBeside(tree, layout, { depth: 0, index: 0 }, 0, 1)).toEqual({ depth: 1, index: 0 });
    expect(placeBeside(tree, layout, { depth: 1, index: 0 }, 0, 1)).toEqual({ depth: 2, index: 0 });
    expect(placeBeside(tree, layout, { depth: 2, index: 1 }, 0, -1)).toEqual({ depth: 1, index: 0 });
    expect(placeBeside(tree, layout, { depth: 0, index: 0 }, 0, -1)).toBeNull();
  });

  it('of a sandwich around a function without samples are nothing', () => {
    const store = example();
    const layout = layoutFlame(new Sandwich(store, store.fold({ prefixes: [5] }), 3), 0, 600);
    expect(layout).toMatchObject({ root: 0, depth: 0, rows: [{ stacks: [0] }] });
  });

  it('are found by their column', () => {
    const row = { stacks: [1, 2, 3], left: [0, 10, 40], width: [10, 20, 0.5] };
    expect([0, 9.9, 10, 29.9, 30, 39.9, 40, 40.9, 41].map(x => boxAt(row, x))).toEqual([0, 0, 1, 1, -1, -1, 2, 2, -1]);
    expect(boxAt(undefined, 3)).toBe(-1);
  });
});

describe('the search', () => {
  it('finds names and files whatever their case, and counts each sample once', () => {
    const store = example();
    expect(matches(store, '  ')).toBeNull();
    expect([...(matches(store, 'PANDAS') ?? [])]).toEqual([2]);
    expect([...(matches(store, 'ma') ?? [])]).toEqual([1]);
    const fold = store.fold();
    expect(matchedShare(store, fold, new Set([2]))).toBeCloseTo(0.6);
    expect(matchedShare(store, fold, new Set([1, 2]))).toBe(1);
    expect(matchedShare(store, fold, new Set())).toBe(0);
  });
});
