// What a flame graph draws: which tree, which part of it, and what a box says of itself.
import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../../src/base/format';
import { ProfileStore } from '../../../../src/run/logs/profile';
import { Run } from '../../../../src/run/run';
import { NOTHING_SELECTED, selectionOf } from '../../../../src/run/selection/selection';
import { functionKey } from '../../../../src/selectors/profile/trees/arrangement';
import { CENTRE } from '../../../../src/selectors/profile/trees/sandwich';
import { SampledTree, type StackTree } from '../../../../src/selectors/profile/trees/stack-tree';
import { FlamePicture } from '../../../../src/views/flame/picture';
import { matchedShare } from '../../../../src/views/flame/search';
import { SelectedSamples } from '../../../../src/views/flame/selected-samples';
import { tipOf } from '../../../../src/views/flame/tip';
import { theme as themeOf } from '../../plots/cluster';
import { EXAMPLE, fn, type Made, profileBody } from '../../run/profile-body';
import { translate as trans } from '../../translate';

const theme = themeOf();

beforeEach(() => setNumberLocale('en'));

function storeOf(...bodies: Made[]): ProfileStore {
  const store = new ProfileStore();
  for (const body of bodies) {
    store.apply(profileBody(body));
  }
  return store;
}

describe('the picture', () => {
  const store = storeOf(EXAMPLE);
  const fold = store.fold();
  const shown = (picture: FlamePicture, tree: StackTree): unknown[] => {
    const { rows, depth } = picture.boxes(tree, 1000);
    return [depth, ...rows.map(({ stacks }) => stacks.map(stack => tree.frame(stack)?.name ?? '-').join(' '))];
  };

  it('makes tree and boxes again only when what they depend on changes', () => {
    const picture = new FlamePicture('');
    const tree = picture.take(store, fold, {});
    expect(picture.take(store, fold, {})).toBe(tree);
    const boxes = picture.boxes(tree, 1000);
    expect(picture.boxes(tree, 1000)).toBe(boxes);
    const wider = picture.boxes(tree, 2000);
    expect(wider.rows[0].width).toEqual([2000]);
    expect(picture.boxes(tree, 2000)).toBe(wider);
    const other = picture.take(store, store.fold({ prefixes: [0] }), {});
    expect(other).not.toBe(tree);
    expect(picture.boxes(other, 2000)).not.toBe(wider);
    expect(picture.take(store, fold, { arrangement: 'left-heavy' })).not.toBe(other);
    expect(picture.arrangement).toBe('left-heavy');
  });

  it('zooms to a box, follows its functions into other samples, and zooms out one caller at a time', () => {
    const picture = new FlamePicture('');
    expect(picture.zoomed).toBe(false);
    let tree = picture.take(store, fold, {});
    expect(picture.zoomed).toBe(false);
    expect(picture.show(tree, 4)).toBe(true);
    expect(picture.zoomed).toBe(true);
    expect(shown(picture, tree)).toEqual([3, '-', 'main', 'fit', 'load']);
    // Only this worker's samples, which have that stack; then those of a function that does not.
    tree = picture.take(store, store.fold({ workers: [2] }), {});
    expect(shown(picture, tree)).toEqual([3, '-', 'main', 'fit', 'load']);
    picture.back(tree);
    expect(shown(picture, tree)).toEqual([2, '-', 'main', 'fit', 'load -']);
    picture.back(tree);
    picture.back(tree);
    expect([picture.zoomed, shown(picture, tree)]).toEqual([false, [0, '-', 'main', 'fit', 'load -']]);
    picture.back(tree);
    expect(picture.zoomed).toBe(false);
    picture.show(tree, 4);
    tree = picture.take(store, store.fold({ prefixes: [0] }), {});
    expect([picture.zoomed, shown(picture, tree)]).toEqual([false, [0, '-', 'main', 'load']]);
    picture.show(tree, 2);
    picture.fit();
    expect([picture.zoomed, shown(picture, tree)]).toEqual([false, [0, '-', 'main', 'load']]);
  });

  it('shows everything when it is arranged in another way, and in another run', () => {
    const picture = new FlamePicture('');
    let tree = picture.take(store, fold, {});
    picture.show(tree, 3);
    tree = picture.take(store, fold, { arrangement: 'left-heavy' });
    expect(picture.zoomed).toBe(false);
    picture.show(tree, 3);
    picture.restart();
    expect(picture.zoomed).toBe(false);
    expect(picture.take(store, fold, { arrangement: 'left-heavy' })).not.toBe(tree);
  });

  it('puts functions in the middle of a sandwich, one after the other, and goes back', () => {
    const options = { arrangement: 'sandwich' };
    const picture = new FlamePicture('');
    const take = (): StackTree => picture.take(store, fold, options);
    const middle = (): string => take().frame(CENTRE)?.name ?? '';
    const node = (name: string): number => {
      const tree = take();
      const all = [...picture.boxes(tree, 1000).rows].flatMap(({ stacks }) => stacks);
      return all.find(each => tree.frame(each)?.name === name) ?? -1;
    };
    // The function with the most samples of its own.
    expect([middle(), picture.centre, picture.zoomed]).toEqual(['load', '', false]);
    // Neither the function in the middle nor one of several is put there.
    expect(picture.show(take(), CENTRE)).toBe(false);
    expect(picture.zoomed).toBe(false);
    expect(picture.show(take(), node('fit'))).toBe(true);
    expect([middle(), picture.centre, picture.zoomed]).toEqual(['fit', '/tmp/ipykernel_12/1.py:1:fit', true]);
    const several =
      picture
        .boxes(take(), 1000)
        .rows.at(-1)
        ?.stacks.find(each => take().frame(each) === null) ?? -1;
    expect(several).toBeGreaterThan(0);
    expect(picture.show(take(), several)).toBe(false);
    expect(picture.show(take(), node('main'))).toBe(true);
    expect(middle()).toBe('main');
    picture.back(take());
    expect([middle(), picture.zoomed]).toEqual(['fit', true]);
    picture.back(take());
    expect([middle(), picture.zoomed]).toEqual(['load', false]);
    picture.back(take());
    expect(middle()).toBe('load');
    picture.show(take(), node('fit'));
    picture.fit();
    expect([middle(), picture.centre, picture.zoomed]).toEqual(['load', '', false]);
  });

  it('begins a sandwich with the function that was saved', () => {
    const [, , , fit] = store.frames;
    const key = fit === null || fit === undefined ? '' : functionKey(fit);
    const tree = new FlamePicture(key).take(store, fold, { arrangement: 'sandwich' });
    expect(tree.frame(CENTRE)?.name).toBe('fit');
    const unknown = new FlamePicture('no/such:1:function').take(store, fold, { arrangement: 'sandwich' });
    expect(unknown.frame(CENTRE)?.name).toBe('load');
  });
});

describe('a box says', () => {
  const store = storeOf(EXAMPLE);
  const tip = (stack: number, tree: StackTree = new SampledTree(store, store.fold(), false), of = store) =>
    tipOf(of, { tree, stack, all: tree.total(0), hint: 'Click', compared: null }, theme, trans);

  it('which function it is, how much of the time it took, and where it is defined', () => {
    expect(tip(3)).toMatchObject({
      title: 'fit',
      key: '/tmp/ipykernel_12/1.py:1',
      rows: [
        ['Line 2', 'fit()'],
        ['Samples', '60 · ≈ 600 ms'],
        ['Of all', '60 %'],
        ['Of main', '60 %'],
        ['Innermost', '10 · ≈ 100 ms']
      ],
      hint: 'Click'
    });
    expect(tip(3).pattern).toBeUndefined();
    // Its caller is the root, of which "Of all" says it already; it was never innermost.
    expect(tip(1).rows).toEqual([
      ['Line 2', 'main()'],
      ['Samples', '100 · ≈ 1.00 s'],
      ['Of all', '100 %']
    ]);
    expect(tip(4).rows).toContainEqual(['Of fit', '33 %']);
  });

  it('that a line of a cell is not known, and nothing of lines that compiled functions do not have', () => {
    const without = storeOf({
      ...EXAMPLE,
      frames: EXAMPLE.frames?.map(([name, file, first, line]) => [name, file, first, line, ''])
    });
    const tree = new SampledTree(without, without.fold(), false);
    expect(tip(3, tree, without).rows[0]).toEqual(['Line 2', 'not known']);
    expect(tip(1, tree, without).rows[0]).toEqual(['Samples', '100 · ≈ 1.00 s']);
  });

  it('what all samples are, without a place or a colour', () => {
    const { title, key, colour, pattern, rows, state } = tip(0);
    expect([title, key, colour, pattern, state]).toEqual(['All', undefined, undefined, undefined, undefined]);
    expect(rows).toEqual([
      ['Samples', '100 · ≈ 1.00 s'],
      ['Of all', '100 %']
    ]);
  });

  it('which functions it may be, where Dask reports one of several', () => {
    expect(tip(5)).toMatchObject({ title: 'one of several', pattern: 'diagonal' });
    expect(tip(5).rows).toEqual([
      ['Which', 'load'],
      ['Samples', '30 · ≈ 300 ms'],
      ['Of all', '30 %'],
      ['Of fit', '50 %']
    ]);
    const which = (callees: number, without = -1): string => {
      const frames = [fn('main'), ...Array.from({ length: callees }, (_, i) => fn(`f${i}`))];
      const stacks = [[0, 1], [1, 0], ...Array.from({ length: callees }, (_, i) => [1, i + 2])] as [number, number][];
      const rows = stacks
        .map((_, i) => [1000, 1, 0, i + 1, 1] as const)
        .filter(([, , , stack]) => stack > 1 && stack !== without);
      const made = storeOf({ frames, prefixes: ['p'], stacks, rows });
      return tip(2, new SampledTree(made, made.fold(), false), made).rows[0][1];
    };
    expect([which(0), which(1), which(2, 3), which(4), which(5), which(8)]).toEqual([
      'not distinguished',
      'f0',
      'f1',
      'f0, f1, f2, f3',
      'f0, f1, f2, f3 or 1 other',
      'f0, f1, f2, f3 or 4 others'
    ]);
  });

  it('nothing of single callees where stacks of several callers are put together', () => {
    const picture = new FlamePicture('');
    const tree = picture.take(store, store.fold(), { arrangement: 'bottom-up' });
    const several = [...tree.callees(0)].find(node => tree.frame(node) === null) ?? -1;
    expect(tip(several, tree).rows[0]).toEqual(['Which', 'not distinguished']);
  });

  it('no time where the interval of samples is not known', () => {
    const untimed = storeOf({ ...EXAMPLE, scalars: { interval: 0 } });
    const tree = new SampledTree(untimed, untimed.fold(), false);
    expect(tip(1, tree, untimed).rows[1]).toEqual(['Samples', '100 samples']);
  });

  it('both shares and their difference where samples are compared', () => {
    const tree = new SampledTree(store, store.fold(), false);
    const compared = { a: store.fold({ workers: [1] }), b: store.fold({ workers: [2] }) };
    const subject = { tree, stack: 3, all: 100, hint: '', compared: compared as Parameters<typeof tipOf>[1]['compared'] };
    const { rows } = tipOf(store, subject, theme, trans);
    expect(rows.slice(0, 3)).toEqual([
      ['Line 2', 'fit()'],
      ['A', '20 % · 10 samples'],
      ['B', '100 % · 50 samples']
    ]);
    expect(rows).toHaveLength(4);
  });
});

describe('the share of what is found', () => {
  it('is 0 without samples, and 1 if the only sample is found', () => {
    const store = storeOf({ ...EXAMPLE, rows: [[1000, 1, 0, 2, 1]] });
    expect(matchedShare(store, store.fold(), new Set([2]))).toBe(1);
    expect(matchedShare(store, store.fold({ workers: [9] }), new Set([2]))).toBe(0);
  });
});

describe('the selection of a view of samples', () => {
  const saved = JSON.stringify({ functions: ['train'] });
  const runOf = (): Run => {
    const run = new Run();
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: 1010, cursor: {}, names: {}, topics: {} }, 0);
    return run;
  };

  it('is made once, with the first sample, and saved as it was until then', () => {
    const run = runOf();
    const view = new SelectedSamples(run, saved, () => undefined);
    view.restore(run, new ProfileStore());
    expect([view.current, view.saved()]).toEqual([NOTHING_SELECTED, { selection: saved }]);
    const first = storeOf({ ...EXAMPLE, rows: [[1000, 1, 0, 2, 1]] });
    view.restore(run, first);
    expect(view.current.functions).toEqual(['train']);
    view.select({ from: 1001, to: 1002 });
    expect(JSON.parse(view.saved().selection ?? '')).toEqual({ functions: ['train'], period: { from: 1001, to: 1002 } });
    selectionOf(run).select(NOTHING_SELECTED);
    view.restore(run, first);
    expect([view.current, view.saved()]).toEqual([NOTHING_SELECTED, { selection: '' }]);
  });

  it('is reported to the view until it is disposed', () => {
    const run = runOf();
    let changes = 0;
    const view = new SelectedSamples(run, undefined, () => {
      changes += 1;
    });
    expect(view.saved()).toEqual({});
    view.select({ from: 1001, to: 1002 });
    expect(changes).toBe(1);
    expect(view.isDisposed).toBe(false);
    view.dispose();
    selectionOf(run).select(NOTHING_SELECTED);
    expect([changes, view.isDisposed]).toEqual([1, true]);
  });
});
