import { describe, expect, it } from 'vitest';
import { type Area, atLeast, graftBeside, prune, split, tabs, widgetsOf, widthOf } from '../../../src/panes/docking/dock-tree';
import { LAYOUTS } from '../../../src/panes/docking/layouts';

const row = (...parts: [Area<string>, number][]): Area<string> => split('horizontal', parts);
const column = (...parts: [Area<string>, number][]): Area<string> => split('vertical', parts);

/** Sizes of a split as shares of one. */
function shares(area: Area<string>): number[] {
  const sizes = area.type === 'split-area' ? area.sizes : [];
  const sum = sizes.reduce((total, size) => total + size, 0);
  return sizes.map(size => Math.round((1000 * size) / sum) / 1000);
}

describe('split', () => {
  it('takes in children of its own orientation with their sizes scaled', () => {
    const area = row([row([tabs('a'), 3], [tabs('b'), 1]), 0.4], [tabs('c'), 0.6]);
    expect(widgetsOf(area)).toEqual(['a', 'b', 'c']);
    expect(shares(area)).toEqual([0.3, 0.1, 0.6]);
  });

  it('of one part is that part', () => {
    expect(row([tabs('a'), 1])).toEqual(tabs('a'));
  });
});

describe('prune', () => {
  it('gives the room to the neighbour before, so a document gets back what a layout took', () => {
    const area = row([tabs('notebook'), 0.3], [tabs('a'), 0.2], [tabs('b'), 0.1], [tabs('other'), 0.4]);
    const rest = prune(area, new Set(['a', 'b']));
    expect(rest && widgetsOf(rest)).toEqual(['notebook', 'other']);
    expect(rest && shares(rest)).toEqual([0.6, 0.4]);
  });

  it('gives the room to the one after where nothing is before', () => {
    const rest = prune(row([tabs('a'), 0.3], [tabs('b'), 0.3], [tabs('c'), 0.4]), new Set(['a']));
    expect(rest && shares(rest)).toEqual([0.6, 0.4]);
  });

  it('keeps the tab in front, and leaves no empty area', () => {
    const area: Area<string> = { type: 'tab-area', widgets: ['a', 'b', 'c'], currentIndex: 2 };
    expect(prune(area, new Set(['a']))).toEqual({ type: 'tab-area', widgets: ['b', 'c'], currentIndex: 1 });
    expect(prune(area, new Set(['c']))).toMatchObject({ currentIndex: 0 });
    expect(prune(column([area, 1], [tabs('d'), 1]), new Set(['a', 'b', 'c', 'd']))).toBeNull();
  });
});

describe('graftBeside', () => {
  it('is placed at the right of a document and takes its share from it alone', () => {
    const area = graftBeside(row([tabs('notebook'), 0.5], [tabs('other'), 0.5]), 'notebook', tabs('plot'), 0.6);
    expect(widgetsOf(area)).toEqual(['notebook', 'plot', 'other']);
    expect(shares(area)).toEqual([0.2, 0.3, 0.5]);
  });

  it('finds a document deep in a column', () => {
    const area = graftBeside(column([tabs('terminal'), 1], [tabs('notebook'), 1]), 'notebook', tabs('plot'), 0.5);
    expect(area).toMatchObject({ orientation: 'vertical', children: [{ widgets: ['terminal'] }, { orientation: 'horizontal' }] });
  });

  it('is placed at the right of everything without a document, and alone in an empty dock', () => {
    expect(widgetsOf(graftBeside(column([tabs('a'), 1], [tabs('b'), 1]), null, tabs('plot'), 0.5))).toEqual(['a', 'b', 'plot']);
    expect(graftBeside(null, null, tabs('plot'), 0.5)).toEqual(tabs('plot'));
  });

  it('places below where that is asked for', () => {
    const area = graftBeside(row([tabs('notebook'), 0.5], [tabs('other'), 0.5]), 'notebook', tabs('plot'), 0.6, 'vertical');
    expect(area).toEqual(row([column([tabs('notebook'), 0.4], [tabs('plot'), 0.6]), 0.5], [tabs('other'), 0.5]));
  });
});

it('widthOf multiplies the shares on the way down', () => {
  const area = row([column([row([tabs('a'), 1], [tabs('b'), 3]), 1], [tabs('c'), 1]), 0.5], [tabs('d'), 0.5]);
  expect(widthOf(area, 'b')).toBeCloseTo(0.375);
  expect(widthOf(area, 'c')).toBeCloseTo(0.5);
});

it('atLeast keeps a least size, and leaves something to the other', () => {
  expect(atLeast(0.3, 256, 1000)).toEqual([0.3, 0.7]);
  expect(atLeast(0.3, 256, 800)[0]).toBeCloseTo(0.32);
  expect(atLeast(0.3, 256, 100)[0]).toBe(0.8);
});

describe('the Status layout', () => {
  const layout = LAYOUTS.find(({ id }) => id === 'status');
  const arranged = (width: number): Area<string> => layout?.arrange(plot => plot, width, 1000) ?? tabs('none');

  it('places each of its plots once', () => {
    for (const width of [500, 900, 1600]) {
      expect([...widgetsOf(arranged(width))].sort()).toEqual([...(layout?.plots ?? [])].sort());
    }
  });

  it('is two columns, 30 to 70, and one column where there is little room', () => {
    expect(shares(arranged(1000))).toEqual([0.3, 0.7]);
    expect(arranged(699)).toMatchObject({ orientation: 'vertical' });
    expect(arranged(701)).toMatchObject({ orientation: 'horizontal' });
  });
});
