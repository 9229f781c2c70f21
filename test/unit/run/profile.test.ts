import { describe, expect, it } from 'vitest';
import { type ProfileFilter, ProfileStore } from '../../../src/run/logs/profile';
import { EXAMPLE, fn, profileBody } from './profile-body';

function example(): ProfileStore {
  const store = new ProfileStore();
  store.apply(profileBody(EXAMPLE));
  return store;
}

const FILTERS: readonly ProfileFilter[] = [
  {},
  { workers: [1] },
  { prefixes: [1, 3] },
  { prefixes: [2, 2] },
  { prefixes: [] },
  { prefixes: [9] }
];

const totals = (store: ProfileStore, filter = {}): number[] => [...store.fold(filter).total];

describe('a profile', () => {
  it('adds the samples of a stack to all that called it', () => {
    const store = example();
    expect(totals(store)).toEqual([100, 100, 40, 60, 20, 30]);
    expect([...store.fold().own]).toEqual([0, 0, 40, 10, 20, 30]);
    expect(store.frame(2)?.name).toBe('load');
    expect(store.frame(5)).toBeNull();
    expect([...store.callees(0)]).toEqual([1]);
    expect([...store.callees(1)]).toEqual([2, 3]);
    expect([...store.callees(3)]).toEqual([4, 5]);
  });

  it('counts by prefix, by worker and by period', () => {
    const store = example();
    expect(totals(store, { prefixes: [0] })).toEqual([40, 40, 40, 0, 0, 0]);
    expect(totals(store, { workers: [2] })[0]).toBe(50);
    // A row belongs to the period in which its middle lies.
    expect(totals(store, { from: 1001, to: 1003 })[0]).toBe(30);
    expect(totals(store, { prefixes: [7] })[0]).toBe(0);
    const parts = [1000, 1001, 1002, 1003].map(from => totals(store, { from, to: from + 1 })[0]);
    expect(parts).toEqual([40, 10, 20, 30]);
    expect(store.present('prefix')).toEqual([0, 1]);
    expect(store.present('worker')).toEqual([1, 2]);
  });

  it('knows in which prefixes a function is on the stack, of many made-up stacks', () => {
    let state = 7;
    const below = (count: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state % count;
    };
    for (let round = 0; round < 200; round++) {
      const stacks = Array.from({ length: 1 + below(20) }, (_, i): [number, number] => [below(i + 1), below(5)]);
      const rows = Array.from(
        { length: below(12) },
        () => [1000 + below(3) * 1000, 1 + below(2), below(4), below(21), 1] as const
      );
      const store = new ProfileStore();
      const frames = ['a', 'b', 'c', 'd'].map(name => fn(name));
      store.apply(profileBody({ frames, prefixes: ['p', 'q', 'r', 's'], stacks, rows }));
      const has = (stack: number, frame: number): boolean =>
        stack > 0 && (store.frameNumber(stack) === frame || has(store.parent(stack), frame));
      for (const filter of FILTERS) {
        for (const frame of [1, 2, 3, 4]) {
          const wanted = rows.filter(
            ([, worker, prefix, stack]) =>
              (filter.workers?.includes(worker) ?? true) &&
              (filter.prefixes?.includes(prefix) ?? true) &&
              has(stack < store.stacks ? stack : 0, frame)
          );
          expect(new Set(wanted.map(row => row[2]))).toEqual(store.prefixesWith(frame, filter));
        }
      }
    }
  });

  it('spreads a row over its period', () => {
    const store = example();
    const { from, to } = store.period;
    expect([from, to]).toEqual([1000, 1004]);
    expect([...store.activity({}, from, to, 4)]).toEqual([40, 10, 20, 30]);
    expect([...store.activity({}, from, to, 8)]).toEqual([20, 20, 5, 5, 10, 10, 15, 15]);
    expect([...store.activity({ workers: [1] }, from, to, 2)]).toEqual([50, 0]);
    expect(store.activity({}, from, from, 3)).toEqual(new Float64Array(3));
  });

  it('goes on from body to body, and starts over with the first', () => {
    const store = example();
    store.apply(profileBody({ first: 1, frames: [fn('new')], stacks: [[3, 4]], rows: [[5000, 1, 1, 6, 7]] }));
    expect(totals(store)).toEqual([107, 107, 40, 67, 20, 30, 7]);
    expect([...store.callees(3)]).toEqual([4, 5, 6]);
    expect(store.frame(6)?.name).toBe('new');
    store.apply(profileBody(EXAMPLE));
    expect(totals(store)).toEqual([100, 100, 40, 60, 20, 30]);
    expect(store.prefixes).toEqual(['read', 'train']);
    expect([...store.callees(3)]).toEqual([4, 5]);
  });

  it('puts together only what is the same, also where periods, workers, functions and stacks are many', () => {
    const store = new ProfileStore(100);
    const at = 4_000_000_000;
    const stacks = Array.from({ length: 60_000 }, () => [0, 0] as const);
    const row = (stack: number) => [at, 60_000, 60_000, stack, 1] as const;
    const twice = Array.from({ length: 40 }, (_, i) => row(59_900 + (i % 20)));
    store.apply(profileBody({ stacks, rows: [...twice, ...new Array(40).fill(row(1))] }));
    store.apply(profileBody({ first: 1, rows: new Array(21).fill(row(1)) }));
    expect([store.length, store.dropped]).toEqual([20 + 40 + 21, 0]);
    expect([...store.fold().own.slice(59_900, 59_920)]).toEqual(new Array(20).fill(2));
  });

  it('puts older rows together where there are too many, and keeps the sums', () => {
    const store = new ProfileStore(1000);
    store.apply(
      profileBody({
        frames: [fn('f'), fn('g')],
        stacks: [
          [0, 1],
          [1, 2]
        ],
        prefixes: ['a', 'b']
      })
    );
    for (let second = 1; second <= 3000; second++) {
      const rows = [1, 2].map(stack => [second * 1000, 1 + (second % 2), stack - 1, stack, 1] as const);
      store.apply(profileBody({ first: second, rows }));
    }
    expect(store.length).toBeLessThanOrEqual(1000);
    expect(store.dropped).toBe(0);
    expect(totals(store)).toEqual([6000, 6000, 3000]);
    expect(totals(store, { prefixes: [1], workers: [2] })[0]).toBe(1500);
    // What is new keeps its cycles.
    expect(totals(store, { from: 3990, to: 4000 })[0]).toBe(20);
    const { from, to } = store.period;
    expect(store.activity({}, from, to, 10).reduce((a, b) => a + b)).toBeCloseTo(6000);
    // However often older rows were put together, they are still of their time.
    for (let quarter = 0; quarter < 4; quarter++) {
      const samples = totals(store, { from: from + quarter * 750, to: from + (quarter + 1) * 750 })[0];
      expect(Math.abs(samples - 1500)).toBeLessThanOrEqual(200);
    }
  });

  it('takes a damaged body for what it can mean', () => {
    const store = new ProfileStore();
    store.apply(
      profileBody({
        frames: [fn('f')],
        stacks: [
          [0, 1],
          [9, 1],
          [1, 9]
        ],
        rows: [
          [1, 1, 0, 3, 1],
          [1, 1, 0, 77, 2]
        ]
      })
    );
    expect(totals(store)).toEqual([3, 1, 0, 1]);
    expect(store.frame(3)).toBeNull();
    store.apply({ columns: {}, scalars: { first: 1, frames: [null, 'x'], limited: 5 } });
    expect(store.frames.at(-1)).toEqual({ name: '', file: '', first: 0, line: 0, text: '' });
    expect(store.status.limited).toBe('');
  });
});
