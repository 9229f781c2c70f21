import { describe, expect, it } from 'vitest';
import { type ProfileFold, ProfileStore } from '../../../src/run/logs/profile';
import { arrangementOf, centreOf, nodeAt, pathOf, treeOf } from '../../../src/selectors/profile/trees/arrangement';
import { bottomUp } from '../../../src/selectors/profile/trees/inverted';
import { CENTRE, Sandwich } from '../../../src/selectors/profile/trees/sandwich';
import type { StackTree } from '../../../src/selectors/profile/trees/stack-tree';
import { EXAMPLE, fn, profileBody } from '../run/profile-body';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

function example(): ProfileStore {
  const store = new ProfileStore();
  store.apply(profileBody(EXAMPLE));
  return store;
}

/** Numbers from 0 (inclusive) to 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}

/** Stacks of few functions, so that many recur. */
function randomStore(seed: number): ProfileStore {
  const random = randomOf(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const stacks = Array.from({ length: 300 }, (_, i) => [below(i + 1), below(7)] as const);
  const rows = Array.from({ length: 500 }, (_, i) => [i, 1, 0, below(301), below(9)] as const);
  const store = new ProfileStore();
  store.apply(profileBody({ frames: ['a', 'b', 'c', 'd', 'e', 'f'].map(name => fn(name)), stacks, rows, prefixes: ['p'] }));
  return store;
}

/** The functions of a stack, from the entry to the innermost, by number. */
function functionsOf(store: ProfileStore, stack: number): number[] {
  const list: number[] = [];
  for (let at = stack; at > 0; at = store.parent(at)) {
    list.unshift(store.frameNumber(at));
  }
  return list;
}

/** Every path of a tree with its samples, as far down as nodes go. */
function pathsOf(tree: StackTree, from = 0): Map<string, number> {
  const found = new Map<string, number>();
  const walk = (node: number, path: readonly number[]): void => {
    for (const below of tree.callees(node)) {
      const next = [...path, tree.frameNumber(below)];
      if (tree.total(below) > 0) {
        found.set(next.join('>'), tree.total(below));
        walk(below, next);
      }
    }
  };
  walk(from, []);
  return found;
}

/** Samples by all beginnings of lists of functions. */
function beginnings(lists: readonly (readonly [number[], number])[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [list, samples] of lists) {
    for (let length = 1; length <= list.length && samples > 0; length++) {
      const path = list.slice(0, length).join('>');
      found.set(path, (found.get(path) ?? 0) + samples);
    }
  }
  return found;
}

const ownStacks = (store: ProfileStore, fold: ProfileFold): readonly (readonly [number[], number])[] =>
  Array.from({ length: store.stacks - 1 }, (_, i) => [functionsOf(store, i + 1), fold.own[i + 1]] as const);

describe('a bottom-up tree', () => {
  it.each(SEEDS)('has the samples of every reversed stack (seed %i)', seed => {
    const store = randomStore(seed);
    const fold = store.fold();
    const expected = beginnings(ownStacks(store, fold).map(([list, samples]) => [list.slice().reverse(), samples] as const));
    expect(pathsOf(bottomUp(store, fold))).toEqual(expected);
  });

  it('begins with the functions that were innermost, the one with most samples first', () => {
    const store = example();
    const tree = bottomUp(store, store.fold());
    const names = [...tree.callees(0)].map(node => [tree.frame(node)?.name, tree.total(node)]);
    expect(names).toEqual([
      ['load', 60],
      [undefined, 30],
      ['fit', 10]
    ]);
    expect(tree.total(0)).toBe(100);
    expect(tree.own(1)).toBeNaN();
  });
});

describe('a sandwich', () => {
  it.each(SEEDS)('has all callers and all callees of a function, each sample once (seed %i)', seed => {
    const store = randomStore(seed);
    const fold = store.fold();
    for (const frame of [1, 2, 3, 4, 5, 6]) {
      const tree = new Sandwich(store, fold, frame);
      const around = ownStacks(store, fold)
        .map(([list, samples]) => ({ list, samples, at: list.indexOf(frame) }))
        .filter(({ at }) => at >= 0);
      const total = around.reduce((sum, { samples }) => sum + samples, 0);
      expect(tree.total(0)).toBe(total);
      expect(tree.total(CENTRE)).toBe(total);
      expect(pathsOf(tree, CENTRE)).toEqual(beginnings(around.map(({ list, samples, at }) => [list.slice(at + 1), samples])));
      expect(pathsOf(tree.callersHalf, CENTRE)).toEqual(
        beginnings(around.map(({ list, samples, at }) => [list.slice(0, at).reverse(), samples]))
      );
    }
  });

  it('knows the samples of a function that are not those of a callee', () => {
    const store = example();
    const tree = new Sandwich(store, store.fold(), 3);
    expect([tree.total(CENTRE), tree.own(CENTRE)]).toEqual([60, 10]);
    expect(tree.own(tree.callersHalf.callees(CENTRE)[0])).toBeNaN();
  });

  it('is around the function with the most own samples unless another is chosen', () => {
    const store = example();
    const fold = store.fold();
    expect(centreOf(store, fold, '')).toBe(2);
    expect(centreOf(store, fold, '/home/me/main.py:1:main')).toBe(1);
    expect(centreOf(store, fold, '/home/me/gone.py:1:gone')).toBe(2);
    expect(centreOf(new ProfileStore(), new ProfileStore().fold(), '')).toBe(0);
  });
});

describe('an arrangement', () => {
  it('is the initial one where it is not known', () => {
    expect(['left-heavy', 'bottom-up', 'sandwich', '', 'x'].map(arrangement => arrangementOf({ arrangement }))).toEqual([
      'left-heavy',
      'bottom-up',
      'sandwich',
      '',
      ''
    ]);
    expect(arrangementOf({})).toBe('');
  });

  it.each(['', 'left-heavy', 'bottom-up'] as const)('finds the place of a zoom again by its functions (%s)', arrangement => {
    const store = randomStore(3);
    const before = treeOf(store, store.fold(), arrangement, '');
    const [first] = [...before.callees(0)].filter(node => before.total(node) > 0);
    const [second] = [...before.callees(first)].filter(node => before.total(node) > 0);
    const path = pathOf(before, second);
    store.apply(profileBody({ first: 1, rows: [[9000, 1, 0, 7, 500]] }));
    const after = treeOf(store, store.fold(), arrangement, '');
    expect(pathOf(after, nodeAt(after, path))).toEqual(path);
    expect(nodeAt(after, [99])).toBe(0);
  });
});
