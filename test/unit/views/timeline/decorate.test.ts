// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { ERRED } from '../../../../src/run/lanes/lane-chunk';
import type { WideInterval } from '../../../../src/run/lanes/lane-fold';
import { Patterns } from '../../../../src/views/canvas/patterns';
import type { Band } from '../../../../src/views/timeline/lanes/layout';
import { Decorator, type Part } from '../../../../src/views/timeline/paint/decorate';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { theme as themeOf } from '../../plots/cluster';
import { GLYPH, RecordedCanvas } from '../recorded-canvas';

const theme = themeOf();
const BAND = { lane: 0, top: 100, layers: 2, layerHeight: 12, movesTop: 124, movesHeight: 4 } as Band;

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});

function interval(from: number, to: number, change: Partial<WideInterval> = {}): WideInterval {
  return { from, to, label: 0, flags: 0, layer: 0, ...change } as WideInterval;
}

function decorated(compute: readonly WideInterval[], change: Partial<Part> = {}, ratio = 1, names = ['increment', 'sum']) {
  const canvas = new RecordedCanvas();
  const patterns = new Patterns(theme, ratio);
  vi.spyOn(patterns, 'fill').mockImplementation(pattern => (pattern === 'none' ? null : (pattern as never)));
  const palette = new Palette(theme, new Set());
  const part: Part = { band: BAND, from: 0, to: 1000, compute, moves: [], ...change };
  new Decorator(canvas.context, palette, patterns, names, ratio).draw(part, 0, 20);
  return {
    canvas,
    texts: canvas.of('fillText').map(({ args }) => args),
    hatches: canvas.of('fillRect').map(({ args, state }) => [...args, state.fillStyle])
  };
}

test('nothing is drawn where nothing is wide', () => {
  expect(decorated([]).canvas.calls).toEqual([]);
});

test('a part is clipped to its columns and its band', () => {
  const { canvas } = decorated([interval(10, 90)], { from: 5, to: 300 });
  expect(canvas.of('rect').map(({ args }) => args)).toEqual([[5, 80, 295, 28]]);
});

test('a name is in the middle of its row, and cut to the room in its block', () => {
  expect(decorated([interval(10, 90)]).texts).toEqual([['increment', 13, 86.5]]);
  expect(decorated([interval(10.6, 90, { layer: 1, label: 1 })]).texts).toEqual([['sum', 14, 98.5]]);
  // Nine characters of 6 pixels and two paddings of 3.
  expect(decorated([interval(0, 9 * GLYPH + 6)]).texts[0][0]).toBe('increment');
  expect(decorated([interval(0, 9 * GLYPH + 5)]).texts[0][0]).toBe('increme…');
  expect(decorated([interval(0, 24)]).texts[0][0]).toBe('in…');
  expect(decorated([interval(0, 23)]).texts).toEqual([]);
  // One character and dots say nothing.
  expect(decorated([interval(0, 24)], {}, 1, ['x'.repeat(2000)]).texts[0][0]).toBe('xx…');
  expect(decorated([interval(0, 600)], {}, 1, ['x'.repeat(2000)]).texts[0][0]).toBe('x'.repeat(80));
});

test('a name that begins behind the part, in a low row or of an unknown function is left out', () => {
  expect(decorated([interval(100, 200)], { to: 103 }).texts.length).toBe(1);
  expect(decorated([interval(100, 200)], { to: 102 }).texts).toEqual([]);
  expect(decorated([interval(100, 200)], { band: { ...BAND, layerHeight: 9 } }).texts.length).toBe(1);
  expect(decorated([interval(100, 200)], { band: { ...BAND, layerHeight: 8.9 } }).texts).toEqual([]);
  expect(decorated([interval(100, 200, { label: 7 })]).texts).toEqual([]);
  expect(decorated([interval(100, 200, { flags: ERRED })]).texts).toEqual([]);
});

test('the name of a later block at the same time begins behind the earlier one', () => {
  const { texts } = decorated([interval(0, 100), interval(60, 180, { label: 1 }), interval(70, 140, { label: 1, layer: 1 })]);
  expect(texts).toEqual([
    ['increment', 3, 86.5],
    ['sum', 103, 86.5],
    ['sum', 73, 98.5]
  ]);
  // One that is covered completely has no name.
  expect(decorated([interval(0, 100), interval(20, 90, { label: 1 })]).texts.length).toBe(1);
});

test('a pattern ends before its block does, within the part', () => {
  const cross = { flags: ERRED };
  expect(decorated([interval(10.4, 50.4, cross)]).hatches).toEqual([[10, 80, 39, 12, 'cross-hatch']]);
  expect(decorated([interval(10.4, 50.4, cross)], { from: 20, to: 40 }).hatches).toEqual([[20, 80, 20, 12, 'cross-hatch']]);
  expect(decorated([interval(10, 50, { ...cross, layer: 1 })], {}, 2).hatches).toEqual([[10, 92, 38, 12, 'cross-hatch']]);
  expect(decorated([interval(10, 50, cross)], { from: 60 }).hatches[0][2]).toBe(0);
  expect(decorated([interval(10, 50, cross)], { band: { ...BAND, layerHeight: 2 } }).hatches).toEqual([]);
  expect(decorated([interval(10, 50, cross)], { band: { ...BAND, layerHeight: 3 } }).hatches.length).toBe(1);
});

test('transfers have patterns in their strip', () => {
  const kinds = [1, 2, 3, 4].map(label => decorated([], { moves: [interval(10, 50, { label })] }).hatches);
  const patterned = kinds.filter(hatches => hatches.length > 0);
  expect(patterned.length).toBeGreaterThan(1);
  for (const [hatch] of patterned) {
    expect(hatch.slice(0, 4)).toEqual([10, 104, 39, 4]);
  }
});

test('bars need more room than other patterns', () => {
  const counts = (to: number) => Array.from({ length: 48 }, (_, label) => decorated([interval(10, to, { label })]).hatches);
  const wide = counts(16);
  const bars = wide.map(([hatch]) => hatch !== undefined && String(hatch[4]).endsWith('bars'));
  expect(bars).toContain(true);
  expect(counts(15).map(hatches => hatches.length)).toEqual(wide.map((hatches, i) => (bars[i] ? 0 : hatches.length)));
});
