// @vitest-environment jsdom
// The steps from summaries to pixels: codes of groups, what was painted, the last exact picture, the veil of a selection.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Folding, UNFOLDED } from '../../../../src/run/folded-time';
import { ERRED } from '../../../../src/run/lanes/lane-chunk';
import { Columns } from '../../../../src/run/lanes/lane-fold';
import { threadsOf } from '../../../../src/views/timeline/lanes/lanes';
import { Painted } from '../../../../src/views/timeline/paint/painted';
import { erredCode, IDLE, kindCode, prefixCode } from '../../../../src/views/timeline/paint/palette';
import { Snapshot } from '../../../../src/views/timeline/paint/snapshot';
import { Strip } from '../../../../src/views/timeline/paint/strip';
import type { Box } from '../../../../src/views/timeline/paint/overlay';
import { Veil } from '../../../../src/views/timeline/selecting/veil';
import type { FoldedGrid } from '../../../../src/views/timeline/time/viewport';
import { RecordedCanvas } from '../recorded-canvas';

const EPOCH = 1_700_000_000;

function columnsOf(...list: readonly (readonly [seen: number, label: number, busy: number])[]): Columns {
  const columns = new Columns(list.length);
  columns.seen.set(list.map(([seen]) => seen));
  columns.label.set(list.map(([, label]) => label));
  columns.busy.set(list.map(([, , busy]) => busy));
  return columns;
}

describe('codes', () => {
  it('of a group are steps from the lowest row up, as many as threads were busy', () => {
    const columns = columnsOf([2, 5, 4], [2, 6, 2.5], [2, 7, 0.01], [0, 0, 0], [2 | ERRED, 8, 4], [2, 9, 40]);
    const strip = new Strip(10, 6);
    strip.left = 2;
    strip.codes.fill(99);
    // Four threads in four rows, from the second row on; columns 3 to 9 of the window are the first six.
    strip.steps(1, 4, columns, Array<number>(6).fill(4), 1, 1, 7);
    const at = (row: number): number[] => [...strip.codes.subarray(row * 10, (row + 1) * 10)];
    const full = (label: number): number => prefixCode(label, 1);
    const outside = [99, 99, 99];
    expect(at(4)).toEqual([...outside, full(5), full(6), prefixCode(7, 0.01), IDLE, erredCode(8), full(9), 99]);
    expect(at(3)).toEqual([...outside, full(5), full(6), IDLE, IDLE, full(8), full(9), 99]);
    expect(at(2)).toEqual([...outside, full(5), prefixCode(6, 0.5), IDLE, IDLE, full(8), full(9), 99]);
    expect(at(1)).toEqual([...outside, full(5), IDLE, IDLE, IDLE, full(8), full(9), 99]);
    expect([new Set(at(0)), new Set(at(5))]).toEqual([new Set([99]), new Set([99])]);
  });

  it('of computations and moves are at their columns; moves in a row of their own leave nothing there before', () => {
    const strip = new Strip(5, 2);
    strip.left = 1;
    strip.codes.fill(99);
    const layers = new Columns(3, 2);
    layers.seen.set([2, 2, 0, 2 | ERRED, 2, 2]);
    layers.label.set([1, 2, 3, 4, 5, 6]);
    layers.busy.set([1, 1, 1, 1, 0.5, 1]);
    strip.compute(0, layers, 1, 0, 3);
    expect([...strip.codes.subarray(0, 5)]).toEqual([99, erredCode(4), prefixCode(5, 0.5), prefixCode(6, 1), 99]);
    strip.compute(0, layers, 0, 2, 3);
    expect(strip.codes[3]).toBe(IDLE);
    strip.moves(1, columnsOf([1, 2, 1], [0, 0, 0]), 1, 3, false, 1);
    expect([...strip.codes.subarray(5)]).toEqual([99, 99, kindCode(2, 1), IDLE, 99]);
    // Over computations, nothing is cleared, and an error stays.
    strip.moves(0, columnsOf([1, 2, 1], [1, 2, 1], [0, 0, 0]), 0, 3, true);
    expect([...strip.codes.subarray(0, 5)]).toEqual([99, erredCode(4), kindCode(2, 1), IDLE, 99]);
    strip.clearRow(0, 0, 2);
    expect([...strip.codes.subarray(0, 5)]).toEqual([99, IDLE, IDLE, IDLE, 99]);
    strip.clear(3, 5);
    expect([...strip.codes]).toEqual([99, IDLE, IDLE, IDLE, IDLE, 99, 99, kindCode(2, 1), IDLE, IDLE]);
  });

  it('move by columns in every row, and new columns are idle', () => {
    const moved = (columns: number): number[] => {
      const strip = new Strip(4, 2);
      strip.codes.set([1, 2, 3, 4, 5, 6, 7, 8]);
      strip.shift(columns);
      return [...strip.codes];
    };
    expect([moved(1), moved(-1), moved(3), moved(4), moved(-9), moved(0)]).toEqual([
      [2, 3, 4, IDLE, 6, 7, 8, IDLE],
      [IDLE, 1, 2, 3, IDLE, 5, 6, 7],
      [4, IDLE, IDLE, IDLE, 8, IDLE, IDLE, IDLE],
      Array.from({ length: 8 }, () => IDLE),
      Array.from({ length: 8 }, () => IDLE),
      [1, 2, 3, 4, 5, 6, 7, 8]
    ]);
  });
});

it('what was painted is a range of each band, until it is on the canvas', () => {
  const painted = new Painted(4);
  expect([painted.has(1), painted.first, painted.end]).toEqual([false, Number.POSITIVE_INFINITY, 0]);
  painted.add(1, 10, 20);
  painted.add(1, 30, 40);
  painted.add(2, 5, 6);
  painted.add(1, 12, 15);
  expect([painted.from(1), painted.to(1), painted.from(2), painted.to(2)]).toEqual([10, 40, 5, 6]);
  expect([painted.first, painted.end, painted.has(0), painted.has(2)]).toEqual([1, 3, false, true]);
  painted.clear();
  expect([painted.has(1), painted.has(2), painted.first, painted.end]).toEqual([false, false, Number.POSITIVE_INFINITY, 0]);
  painted.add(1, 25, 30);
  expect([painted.from(1), painted.to(1)]).toEqual([25, 30]);
});

describe('the last exact picture', () => {
  let own: RecordedCanvas;

  beforeEach(() => {
    own = new RecordedCanvas();
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(own.context as never);
  });

  const gridOf = (first: number, perColumn = 1, folding = UNFOLDED): FoldedGrid => ({
    ...{ anchor: EPOCH, first, perColumn, folded: folding.at(EPOCH, perColumn) }
  });
  const drawn = (snapshot: Snapshot, grid: FoldedGrid | null, scroll = 0): number[][] => {
    const canvas = new RecordedCanvas();
    snapshot.draw(canvas.context, 1000, grid, scroll);
    return canvas.of('drawImage').map(({ args }) => args.slice(1).map(value => Math.round(Number(value) * 1000) / 1000));
  };

  it('is drawn at its time, moved, scaled and scrolled', () => {
    const snapshot = new Snapshot();
    expect(drawn(snapshot, gridOf(0))).toEqual([]);
    snapshot.take(document.createElement('canvas'), 30, 100, 50, gridOf(10), 4);
    expect(own.of('drawImage').map(({ args }) => args.slice(1))).toEqual([[-30, 0]]);
    expect([drawn(snapshot, gridOf(10), 4), drawn(snapshot, gridOf(25), 1), drawn(snapshot, gridOf(10, 2))]).toEqual([
      [[1000, 0, 100, 50]],
      [[985, 3, 100, 50]],
      [[995, 4, 50, 50]]
    ]);
    expect([drawn(snapshot, null), drawn(snapshot, { ...gridOf(10), anchor: EPOCH + 1 })]).toEqual([[], []]);
    snapshot.drop();
    expect(drawn(snapshot, gridOf(10))).toEqual([]);
  });

  it('is drawn in stretches where pauses are folded in it or in the other, those only that it has', () => {
    const snapshot = new Snapshot();
    snapshot.take(document.createElement('canvas'), 0, 100, 50, gridOf(0), 0);
    // 40 to 240 s are folded to 10 columns: what is behind them is not in the picture.
    const folding = new Folding([{ from: EPOCH + 40, to: EPOCH + 240 }], 100, [10]);
    expect(drawn(snapshot, gridOf(0, 1, folding))).toEqual([[0, 0, 40, 50, 1000, 0, 40, 50]]);
    expect(drawn(snapshot, gridOf(60, 1, folding))).toEqual([]);
    expect(drawn(snapshot, gridOf(-150, 1, folding))).toEqual([]);
    const late = drawn(snapshot, gridOf(-10, 1, folding));
    expect(late[0].slice(4)).toEqual([1000, 0, 50, 50]);
  });
});

describe('the veil', () => {
  const size = { width: 200, height: 100 };
  const shown = (boxes: readonly Box[] | null): (string | null)[] => {
    const veil = new Veil();
    veil.update([boxes], 0, size, 2, () => boxes);
    const [shade, edge] = [...veil.node.querySelectorAll('path')].map(path => path.getAttribute('d'));
    return [veil.node.style.display, shade, edge];
  };

  it('is over all but the boxes that are selected, which have outlines', () => {
    expect(shown(null)[0]).toBe('none');
    const [display, shade, edge] = shown([{ x: 10, y: 20, width: 30, height: 41 }]);
    expect(display).not.toBe('none');
    for (const path of [shade, edge]) {
      expect(path).toMatch(/5(\.00)?[ ,]10(\.00)?.*20(\.00)?.*30\.50/);
    }
    expect((shade ?? '').length).toBeGreaterThan((edge ?? '').length);
  });
});

it('threads of a worker are those that it claims, or all that have run something if these are more', () => {
  const worker = (threads: number, lanes: readonly number[]) => ({ worker: 0, name: 'w', threads, lanes });
  expect([
    threadsOf([worker(4, [0, -1, -1, -1])]),
    threadsOf([worker(1, [0, 1, 2])]),
    threadsOf([worker(1, [-1, -1])]),
    threadsOf([])
  ]).toEqual([4, 3, 1, 0]);
  expect(threadsOf([worker(2, [0]), worker(1, [3, 4])])).toBe(4);
});
