import { expect, test } from 'vitest';
import {
  type BarLayout,
  bandOf,
  barMargins,
  barPitch,
  barPlace,
  hasAxis,
  layBars,
  readablePitch,
  spanOf,
  stackedPlace,
  withTicks
} from '../../../src/charts/bars/layout';
import type { BarChart, BarRow } from '../../../src/charts/bars/model';
import { barTexts } from '../../../src/charts/bars/texts';
import { hatchPath } from '../../../src/charts/hatch';
import { textWidth } from '../../../src/plot/text';
import { theme as themeOf } from './cluster';

const theme = themeOf();

function row(label: string, ...figures: BarRow['figures']): BarRow {
  return { label: { text: label }, bars: [], figures, tooltip: { title: '', rows: [] } };
}

function chart(change: Partial<BarChart> = {}): BarChart {
  return {
    end: 10,
    ticks: [],
    columns: [],
    gutter: 100,
    rows: [row('a'), row('b')],
    place: barPlace({ top: 16, bottom: 18 }, 20),
    ...change
  };
}

const texts = (layout: BarLayout) => barTexts(layout, theme) as unknown as Record<string, unknown>[];
const named = (layout: BarLayout, text: string) => texts(layout).find(each => each.text === text);

test('rows are as high as they can be, until twelve of them are visible', () => {
  expect([readablePitch(4, 100), readablePitch(4, 99), readablePitch(4, 80), readablePitch(4, 79)]).toEqual([25, 20, 20, 14]);
  expect([readablePitch(50, 300), readablePitch(50, 299), readablePitch(50, 240), readablePitch(50, 239)]).toEqual([
    25, 20, 20, 14
  ]);
  expect(readablePitch(50, 10)).toBe(14);
  expect([barPitch(100, 100), barPitch(101, 1e6), barPitch(4, 100)]).toEqual([14, 8, 25]);
  const margins = { top: 4, bottom: 4 };
  expect([25, 20, 14, 8, 50].map(pitch => barPlace(margins, pitch).bar)).toEqual([16, 13, 10, 6, 32]);
});

test('heads and axis are left out in a low pane', () => {
  const parts = { heads: true, axis: true, title: true };
  expect([43, 44, 59, 60, 149, 150].map(height => barMargins(height, parts))).toEqual([
    { top: 2, bottom: 2 },
    { top: 4, bottom: 18 },
    { top: 4, bottom: 18 },
    { top: 16, bottom: 18 },
    { top: 16, bottom: 18 },
    { top: 16, bottom: 33 }
  ]);
  expect(barMargins(200, { heads: false, axis: false, title: true })).toEqual({ top: 4, bottom: 4 });
  expect(barMargins(200, { heads: true, axis: true, title: false })).toEqual({ top: 16, bottom: 18 });
});

test('labels have up to a third of the width, and more where the bars may be short', () => {
  const left = (width: number, change: Partial<BarChart> = {}) => layBars(chart(change), { width, height: 200 }).left;
  expect([199, 200, 299, 300, 499, 500, 900].map(width => left(width, { gutter: 999 }))).toEqual([
    8, 56, 56, 106, 240.55, 241, 256
  ]);
  expect(left(900, { gutter: 30 })).toBe(46);
  expect(left(900, { gutter: 0 })).toBe(8);
  expect(left(900, { gutter: 999, leastBars: 200 })).toBe(8 + 900 - 16 - 12 - 200 + 8);
  expect(left(900, { gutter: 999, leastBars: 200, place: barPlace({ top: 4, bottom: 4 }, 8) })).toBe(8);
  expect(left(900, { place: barPlace({ top: 4, bottom: 4 }, 12) })).toBe(116);
});

test('in a narrow pane texts that do not fit beside the bars are above them', () => {
  const margins = { top: 16, bottom: 18 };
  const texts = { columns: [{ width: 60, from: 200 }], gutter: 150 };
  const place = (width: number, change: Partial<typeof texts & { leastBars: number }> = {}, pitch = 20, room = 100) =>
    stackedPlace({ ...texts, ...change }, width, margins, pitch, room);
  expect([119, 120, 300, 479, 480].map(width => place(width) !== null)).toEqual([false, true, true, true, false]);
  // Texts fit, rows are too low for texts, there is no room for a row.
  expect([place(300, { gutter: 90 }), place(300, {}, 8), place(300, {}, 20, 27)]).toEqual([null, null, null]);
  expect(place(479, { leastBars: 100 })).toBeNull();
  const stacked = place(300);
  expect(stacked).toEqual({ top: 16, pitch: 28, bar: 9, above: 15 });
  const rows = [row('a name that is rather long', { text: '1.24 s' }), row('without a figure', { text: '' })];
  const layout = layBars(chart({ ...texts, rows, ...(stacked === null ? {} : { place: stacked }) }), { width: 300, height: 100 });
  expect([layout.left, layout.right, layout.bottom]).toEqual([8, 292, 16 + 2 * 28]);
  expect(named(layout, 'a name that is rather long')).toMatchObject({ x: 8, y: 24, limit: 300 - 16 - 60 - 4 });
  expect(named(layout, '1.24 s')).toMatchObject({ x: 292, y: 24, align: 'right' });
  expect(named(layout, 'without a figure')).toMatchObject({ y: 52, limit: 300 - 16 - 4 });
  const { y0, y1 } = bandOf(layout.chart.place, 1);
  expect([y0 * 28, y1 * 28]).toEqual([28 + 15, 28 + 24]);
});

test('columns are placed from the right, those that fit', () => {
  const columns = [
    { width: 50, from: 200 },
    { width: 30, from: 400, signs: true },
    { width: 0, from: 0 }
  ];
  const of = (width: number, pitch = 20) =>
    layBars(chart({ columns, place: barPlace({ top: 16, bottom: 18 }, pitch) }), { width, height: 200 });
  expect(of(400).columns.map(({ index, right }) => [index, right])).toEqual([
    [1, 392],
    [0, 362]
  ]);
  expect(of(399).columns.map(({ index, right }) => [index, right])).toEqual([[0, 391]]);
  expect(of(199).columns).toEqual([]);
  expect(of(400, 8).columns.map(({ index }) => index)).toEqual([1]);
  const { left, right, unit, bottom, rows } = of(400);
  expect([left, right, unit, bottom, rows]).toEqual([116, 400 - 8 - 80 - 4, (308 - 116) / 10, 56, 2]);
  expect(of(199).right).toBe(191);
  // Bars have twenty pixels at least, and an axis a height without rows.
  expect(layBars(chart({ columns: [{ width: 190, from: 0 }] }), { width: 200, height: 200 })).toMatchObject({
    left: 56,
    right: 76
  });
  expect(layBars(chart({ rows: [] }), { width: 400, height: 200 })).toMatchObject({ rows: 1, bottom: 36 });
  const many = withTicks(
    (end, most) => Array.from({ length: most }, (_, i) => ({ value: (end * i) / most, label: '' })),
    { width: 400, height: 200 },
    chart({ columns })
  );
  expect(many.ticks.length).toBe(Math.floor((308 - 116) / 42));
});

test('a bar is in the middle of its row, bars of one row below each other', () => {
  const place = { top: 16, pitch: 20, bar: 13 };
  const pixels = ({ y0, y1 }: { y0: number; y1: number }) => [y0 * 20, y1 * 20].map(y => Math.round(y * 1e6) / 1e6);
  expect(pixels(bandOf(place, 2))).toEqual([43, 56]);
  expect([0, 1].map(lane => pixels(bandOf(place, 0, lane, 2)))).toEqual([
    [3, 8],
    [9, 14]
  ]);
  expect(pixels(bandOf({ top: 0, pitch: 20, bar: 2 }, 0, 1, 2))).toEqual([10, 11]);
  expect(pixels(spanOf(place, 2))).toEqual([41, 58]);
  expect(pixels(spanOf({ top: 0, pitch: 20, bar: 18 }, 0))).toEqual([0, 20]);
});

test('labels and figures are in the middle of their rows and within their columns', () => {
  const columns = [
    { width: 50, from: 200, head: 'Tasks' },
    { width: 30, from: 200, align: 'left' as const, signs: true }
  ];
  const rows = [
    row('one', { text: '7', strong: true }, { text: '!' }),
    row('two', { text: 'no memory limit', limit: 500, colour: '#123456' }, null),
    { ...row('three'), label: { text: 'three', keepEnd: true } }
  ];
  const layout = layBars(chart({ columns, rows, gutter: 60 }), { width: 400, height: 200 });
  const { left } = layout;
  expect(left).toBe(76);
  const plain = { align: 'left', size: 11, fill: theme.text, weight: 400, dir: 'ltr' };
  expect(named(layout, 'one')).toEqual({ ...plain, text: 'one', x: 8, y: 26.5, limit: 64 });
  expect(named(layout, 'three')).toEqual({ ...plain, text: 'three', x: 8, y: 66.5, limit: 64, dir: 'rtl' });
  expect(named(layout, '7')).toEqual({ ...plain, text: '7', x: 362, y: 26.5, align: 'right', limit: 48, weight: 600 });
  expect(named(layout, '!')).toEqual({ ...plain, text: '!', x: 392 - 30 + 4, y: 26.5, limit: 28 });
  expect(named(layout, 'no memory limit')).toMatchObject({ x: 362, y: 46.5, limit: 362 - left, fill: '#123456' });
  expect(named(layout, 'Tasks')).toEqual({
    ...plain,
    text: 'Tasks',
    x: 362,
    y: 8,
    align: 'right',
    limit: 48,
    fill: theme.textSecondary
  });
  expect(texts(layout).length).toBe(7);
  const low = layBars(chart({ columns, rows, place: barPlace({ top: 2, bottom: 2 }, 8) }), { width: 400, height: 200 });
  expect(texts(low).map(({ text, size }) => [text, size])).toEqual([['!', 8]]);
  expect(named(layBars(chart({ rows, gutter: 0 }), { width: 400, height: 200 }), 'one')).toBeUndefined();
});

test('labels of marks keep apart, and do not leave the picture', () => {
  const marks = [
    { value: 2, text: 'two' },
    { value: 9.9, text: 'nearly ten' },
    { value: 9.8, text: 'nearer' },
    { value: 11, text: 'beyond' }
  ];
  const layout = layBars(chart({ marks, gutter: 60 }), { width: 400, height: 200 });
  const place = (text: string) => Number(named(layout, text)?.x);
  expect(place('nearly ten')).toBe(Math.min(76 + 9.9 * layout.unit + textWidth('nearly ten') / 2, 396));
  expect(place('nearer')).toBe(place('nearly ten') - textWidth('nearly ten') - 6);
  expect(place('two')).toBeCloseTo(76 + 2 * layout.unit + textWidth('two') / 2);
  expect(named(layout, 'two')).toMatchObject({ align: 'right', limit: textWidth('two') + 20, y: 8 });
  expect(named(layout, 'beyond')).toBeUndefined();
  // Beside the head of a column there is less room.
  const columns = [{ width: 50, from: 0, head: 'Head' }];
  const beside = layBars(chart({ marks: [{ value: 10, text: 'the last mark of all' }], columns }), { width: 400, height: 200 });
  expect(named(beside, 'the last mark of all')?.x).toBe(beside.right);
  expect(texts(layBars(chart({ marks, place: barPlace({ top: 15, bottom: 4 }, 20) }), { width: 400, height: 200 })).length).toBe(
    2
  );
});

test('an axis needs room below the rows; its labels keep apart, and its title is centred on the bars', () => {
  const ticks = [0, 2, 4, 6, 8, 10].map(value => ({ value, label: `${value} tasks` }));
  const of = (height: number, width = 600, change: Partial<BarChart> = {}) =>
    layBars(chart({ ticks, axisTitle: 'number', ...change }), { width, height });
  const axis = (layout: BarLayout) =>
    texts(layout)
      .slice(2)
      .map(({ text }) => text);
  // The rows end at 56.
  expect([hasAxis(of(71)), hasAxis(of(72)), hasAxis(of(72, 600, { ticks: [] }))]).toEqual([false, true, false]);
  expect(axis(of(72))).toEqual(ticks.map(({ label }) => label));
  const flat = of(58, 600, { rows: [row('a')], place: barPlace({ top: 4, bottom: 4 }, 20) });
  expect(axis(flat).filter(text => text !== 'number')).toEqual(['10 tasks']);
  expect(texts(flat).map(({ text }) => text)).toEqual(['a', '0 tasks', '10 tasks', 'number']);
  expect(axis(of(87))).not.toContain('number');
  expect(axis(of(88))).toContain('number');
  const layout = of(200);
  const y = 56 + 9 + 1;
  expect(named(layout, '4 tasks')).toMatchObject({ x: layout.left + 4 * layout.unit, y, align: 'center', limit: 100 });
  expect(named(layout, '10 tasks')?.x).toBe(Math.min(layout.right, 600 - textWidth('10 tasks') / 2 - 2));
  expect(named(layout, 'number')).toMatchObject({ x: (layout.left + layout.right) / 2, y: y + 15, limit: 592 });
  const narrow = of(200, 160);
  const kept = texts(narrow).filter(({ text }) => String(text).endsWith('tasks'));
  expect(kept.at(-1)?.text).toBe('10 tasks');
  for (const [i, label] of kept.slice(1).entries()) {
    const half = textWidth(String(label.text)) / 2;
    const before = kept[i];
    expect(Number(before.x) + textWidth(String(before.text)) / 2 + 4).toBeLessThanOrEqual(Number(label.x) - half);
  }
  const long = of(200, 160, { axisTitle: 'a title that is longer than the whole picture is wide' });
  expect(texts(long).at(-1)).toMatchObject({ x: 80, limit: 152 });
});

test('lines of a pattern are within their rectangle, at their distance', () => {
  expect(hatchPath('dark-bars', 7, 5)).toBe('M0.5,0L0.5,5M3.5,0L3.5,5M6.5,0L6.5,5');
  expect(hatchPath('light-bars', 6.9, 5.9)).toBe('M0.5,0L0.5,5M3.5,0L3.5,5');
  expect(hatchPath('dots', 7, 7)).toBe('M1.5,2L2.5,2M5.5,2L6.5,2M1.5,6L2.5,6M5.5,6L6.5,6');
  expect(hatchPath('dots', 6, 6)).toBe('M1.5,2L2.5,2');
  expect(hatchPath('diagonal', 4, 4)).toBe('M0,2L2,0M2,4L4,2');
  expect(hatchPath('counter-diagonal', 4, 4)).toBe('M0,2L2,4M2,0L4,2');
  expect(hatchPath('cross-hatch', 4, 4)).toBe(hatchPath('diagonal', 4, 4) + hatchPath('counter-diagonal', 4, 4));
  expect([hatchPath('diagonal', 0.9, 9), hatchPath('diagonal', 9, 1.9), hatchPath('none', 9, 9)]).toEqual(['', '', '']);
  expect(hatchPath('diagonal', 1, 2)).toBe('M0,2L1,1');
  expect(hatchPath('dark-bars', 1e6, 2)).toBe(hatchPath('dark-bars', 4096, 2));
});
