// Charts over time and panels as data: everything is inside the picture, at its value and its time, at any size.
import { beforeEach, describe, expect, it, test } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { barSpec } from '../../../src/charts/bars/spec';
import { timePicture } from '../../../src/charts/over-time/data';
import { layTime, timesThatFit, valuesThatFit } from '../../../src/charts/over-time/layout';
import type { TimeChart, TimeLine } from '../../../src/charts/over-time/model';
import { panelsPicture, type TimePanel, type TimePanels } from '../../../src/charts/over-time/panels';
import { timeSpec } from '../../../src/charts/over-time/spec';
import { columnWidth, type Moment, thinPoints } from '../../../src/charts/over-time/thin';
import { textWidth } from '../../../src/plot/text';
import { theme as themeOf } from '../plots/cluster';

const theme = themeOf();
const tip = { title: '', rows: [] };

beforeEach(() => setNumberLocale('en'));

function moments(...values: readonly (readonly [at: number, value: number, piece?: number])[]): Moment[] {
  return values.map(([at, value, piece = 0]) => ({ at, value, low: value / 2, high: value * 2, piece }));
}

function lineOf(change: Partial<TimeLine> = {}): TimeLine {
  const points = moments([1000, 10], [1100, 40]);
  return { id: 'a', colour: '#ff0000', dashed: false, line: true, band: true, moments: points, ...change };
}

function chartOf(change: Partial<TimeChart> = {}): TimeChart {
  return {
    span: { from: 1000, to: 1100 },
    origin: 1000,
    end: 100,
    ticks: [0, 50, 100].map(value => ({ value, label: `${value}` })),
    lines: [lineOf()],
    limit: Number.NaN,
    limitText: 'limit',
    hits: [],
    ...change
  };
}

type Rows = Record<string, Record<string, never>[]>;
const draw = (chart: TimeChart, width = 500, height = 240) => {
  const size = { width, height };
  const drawing = timePicture(theme, () => chart).draw({ ...size, firstRow: 0, endRow: 0 });
  return { data: drawing.data as unknown as Rows, params: drawing.params, layout: layTime(size, chart), axis: drawing.axis };
};

describe('a chart over time', () => {
  it('leaves out labels in a small pane: first those of times, then those of values', () => {
    const of = (width: number, height: number): boolean[] => {
      const { data } = draw(chartOf(), width, height);
      const texts = data.texts.map(({ text }) => String(text));
      const { values, times } = layTime({ width, height }, chartOf());
      expect([texts.includes('100'), texts.includes('0:00')]).toEqual([values, times]);
      return [values, times];
    };
    expect([of(160, 60), of(160, 59), of(160, 44), of(160, 43)]).toEqual([
      [true, true],
      [true, false],
      [true, false],
      [false, false]
    ]);
    expect([of(159, 60), of(159, 59)]).toEqual([
      [false, true],
      [false, false]
    ]);
  });

  it('has edges beside its labels, room for a line in the smallest pane, and the edges of the chart that it belongs to', () => {
    const ticks = [
      { value: 0, label: '0' },
      { value: 1, label: '1,000 GiB' }
    ];
    expect(layTime({ width: 500, height: 240 }, { ticks })).toMatchObject({
      left: 8 + textWidth('1,000 GiB') + 6,
      right: 486,
      top: 10,
      bottom: 218
    });
    expect(layTime({ width: 100, height: 40 }, { ticks })).toMatchObject({ left: 8, right: 86, top: 3, bottom: 37 });
    expect(layTime({ width: 10, height: 5 }, { ticks })).toMatchObject({ left: 8, right: 28, top: 3, bottom: 13 });
    const shared = { ticks, edges: { left: 77, right: 0 } };
    expect(layTime({ width: 500, height: 240 }, shared)).toMatchObject({ left: 77, right: 500 });
    expect([valuesThatFit(240), valuesThatFit(62), valuesThatFit(10), valuesThatFit(92)]).toEqual([6, 1, 1, 2]);
    const between = (left: number, right: number): number =>
      timesThatFit({ ...layTime({ width: 500, height: 240 }, { ticks }), left, right });
    expect([between(20, 20 + 128), between(20, 20 + 127), between(20, 30)]).toEqual([2, 1, 1]);
  });

  it('has grid lines of one sharp pixel, at its values and times', () => {
    const { data, layout } = draw(chartOf());
    const { left, right, top, bottom } = layout;
    const levels = data.grid.filter(({ y, y2 }) => y === y2);
    expect(levels.map(({ y, x, x2, stroke }) => [y, x, x2, stroke])).toEqual(
      [0, 50, 100].map(value => [Math.round(bottom - (value / 100) * (bottom - top)) + 0.5, left, right, theme.grid])
    );
    const times = data.texts.filter(({ text }) => String(text).includes(':'));
    const uprights = data.grid.filter(({ x, x2 }) => x === x2);
    expect(uprights.length).toBe(times.length);
    expect(uprights.length).toBeGreaterThan(2);
    const at = (seconds: number): number => left + (seconds / 100) * (right - left);
    expect(uprights.map(({ x, y, y2 }) => [x, y, y2])).toEqual(
      times.map(({ text }) => [
        Math.round(at(Number(String(text).split(':')[0]) * 60 + Number(String(text).split(':')[1]))) + 0.5,
        top,
        bottom
      ])
    );
  });

  it('has labels of values beside the axis and labels of times below it, inside the picture', () => {
    for (const width of [160, 200, 333, 500]) {
      const { data, layout } = draw(chartOf(), width);
      const { left, right, top, bottom } = layout;
      for (const { text, x, y, align, limit, fill } of data.texts) {
        expect([Number(limit) >= textWidth(text), fill]).toEqual([true, theme.textSecondary]);
        if (String(text).includes(':')) {
          const half = textWidth(text) / 2;
          const [minutes, seconds] = String(text).split(':').map(Number);
          const wanted = left + ((60 * minutes + seconds) / 100) * (right - left);
          expect([Number(x), y, align]).toEqual([
            expect.closeTo(Math.min(Math.max(wanted, half + 2), width - half - 2), 6),
            bottom + 12,
            'center'
          ]);
          expect(Number(x) + half).toBeLessThanOrEqual(width - 2);
        } else {
          expect([x, align]).toEqual([left - 5, 'right']);
          expect(Number(y)).toBeCloseTo(bottom - (Number(text) / 100) * (bottom - top));
        }
      }
    }
    // At the very edges of a chart that shares its axis a label moves inside.
    const { data } = draw(chartOf({ span: { from: 1000, to: 1120 }, edges: { left: 0, right: 0 } }), 400);
    const times = data.texts.filter(({ text }) => String(text).includes(':'));
    expect(Number(times[0].x)).toBe(textWidth(times[0].text) / 2 + 2);
    expect(Number(times.at(-1)?.x) + textWidth(String(times.at(-1)?.text)) / 2).toBe(398);
  });

  it('marks the ends of periods that are in view, the ends of the view among them', () => {
    const marks = (from: number, to: number): unknown[] => {
      const { data, layout } = draw(chartOf({ marked: [{ from, to }] }));
      const { left, right } = layout;
      const at = (x: number): number => Math.round(1000 + ((x - 0.5 - left) / (right - left)) * 100);
      return data.grid.filter(({ stroke }) => stroke === theme.brand).map(({ x, x2 }) => (x === x2 ? at(x) : 'slanted'));
    };
    expect([marks(1020, 1060), marks(1000, 1100), marks(999, 1101), marks(900, 1050)]).toEqual([
      [1020, 1060],
      [1000, 1100],
      [],
      [1050]
    ]);
    expect(draw(chartOf()).data.grid.some(({ stroke }) => stroke === theme.brand)).toBe(false);
  });

  it('has lines and bands at their times and values, in the colour and dash of their line', () => {
    const { data, params } = draw(chartOf({ lines: [lineOf(), lineOf({ id: 'b', dashed: true, band: false, bandOpacity: 1 })] }));
    expect(params).toMatchObject({ from: 0, to: 100, end: 100 });
    expect(data.lines.map(({ at, value, group }) => [at, value, group])).toEqual([
      [0, 10, 'a 0'],
      [100, 40, 'a 0'],
      [0, 10, 'b 0'],
      [100, 40, 'b 0']
    ]);
    const [solid, , dashed] = data.lines.map(({ dash }) => dash as number[]);
    expect([solid[1], dashed[1] > 0, dashed[0] > 0]).toEqual([0, true, true]);
    expect(data.bands.map(({ at, low, high, fill }) => [at, low, high, fill])).toEqual([
      [0, 5, 20, '#ff0000'],
      [100, 20, 80, '#ff0000']
    ]);
    // A band is faint behind its line, unless it says otherwise.
    expect(Number(data.bands[0].opacity)).toBeGreaterThan(0.05);
    expect(Number(data.bands[0].opacity)).toBeLessThan(0.5);
    expect(draw(chartOf({ lines: [lineOf({ bandOpacity: 1 })] })).data.bands[0].opacity).toBe(1);
    const none = draw(chartOf({ lines: [lineOf({ line: false, band: false })] })).data;
    expect([none.lines, none.bands, none.dots]).toEqual([[], [], []]);
  });

  it('has dots for points that no line reaches', () => {
    const dots = (...values: (readonly [number, number, number])[]): unknown[] =>
      draw(chartOf({ lines: [lineOf({ moments: moments(...values) })] })).data.dots.map(({ at, value, fill }) => [
        at,
        value,
        fill
      ]);
    expect(dots([1000, 1, 0])).toEqual([[0, 1, '#ff0000']]);
    expect(dots([1000, 1, 0], [1001, 2, 0])).toEqual([]);
    expect(dots([1000, 1, 0], [1050, 2, 1], [1051, 3, 1], [1090, 4, 2])).toEqual([
      [0, 1, '#ff0000'],
      [90, 4, '#ff0000']
    ]);
  });

  it('has a second axis inside its right edge, to whose end its values are scaled', () => {
    const second = { end: 10, ticks: [0, 5, 10].map(value => ({ value, label: `${value} GiB` })) };
    const lines = [lineOf({ second: true, moments: moments([1000, 5], [1100, 10], [1200, 1, 1]) })];
    const { data, layout } = draw(chartOf({ second, lines }));
    const { right, top, bottom } = layout;
    expect(data.lines.map(({ value }) => value)).toEqual([50, 100, 10]);
    expect(data.dots.map(({ value }) => value)).toEqual([10]);
    const labels = data.texts.filter(({ text }) => String(text).endsWith('GiB'));
    expect(labels.map(({ x, y, align }) => [x, y, align])).toEqual([
      [right - 9, bottom, 'right'],
      [right - 9, (bottom + top) / 2, 'right'],
      [right - 9, top, 'right']
    ]);
    const marks = data.grid.filter(({ stroke }) => stroke === theme.textSecondary);
    expect(marks.map(({ x, x2, y, y2 }) => [x, x2, y, y2])).toEqual(
      [bottom, (bottom + top) / 2, top].map(y => [right - 6, right, y, y])
    );
    // Of values of the first axis nothing is scaled; in a low pane the highest label stays inside.
    expect(draw(chartOf({ second })).data.lines.map(({ value }) => value)).toEqual([10, 40]);
    const low = draw(chartOf({ second }), 500, 50).data.texts.filter(({ text }) => text === ('10 GiB' as never));
    expect(low.map(({ y }) => y)).toEqual([6]);
    expect(draw(chartOf({ second }), 150).data.texts.some(({ text }) => String(text).endsWith('GiB'))).toBe(false);
  });

  it('has a limit where its axis reaches it', () => {
    const limits = (limit: number, height = 240): unknown[] => {
      const { data, layout } = draw(chartOf({ limit }), 500, height);
      const words = data.texts.filter(({ text }) => text === ('limit' as never));
      const y = layout.bottom - (limit / 100) * (layout.bottom - layout.top) + 8;
      expect(words.map(text => [text.x, text.y, text.align])).toEqual(
        data.limits.length > 0 && layout.times ? [[layout.right - 2, y, 'right']] : []
      );
      return data.limits.map(({ value, x, x2 }) => [value, x === layout.left, x2 === layout.right]);
    };
    expect([limits(100), limits(40), limits(101), limits(0), limits(Number.NaN), limits(40, 50)]).toEqual([
      [[100, true, true]],
      [[40, true, true]],
      [],
      [],
      [],
      [[40, true, true]]
    ]);
  });

  it('has areas for the pointer that end with the view', () => {
    const hits = [
      { from: 990, to: 1010, tooltip: tip },
      { from: 1010, to: 1020, tooltip: tip },
      { from: 1090, to: 1150, tooltip: tip }
    ];
    const { data, layout } = draw(chartOf({ hits }));
    expect(data.hits.map(({ at, until, y, y2 }) => [at, until, y, y2])).toEqual(
      [
        [0, 10],
        [10, 20],
        [90, 100]
      ].map(([at, until]) => [at, until, layout.top, layout.bottom])
    );
  });

  it('has names at the ends of its lines, above them, apart from each other and inside', () => {
    const named = (label: string, value: number, at = 1100, more: Partial<TimeLine> = {}): TimeLine =>
      lineOf({ id: label, label, moments: moments([1000, value], [at, value]), ...more });
    const labels = (...lines: TimeLine[]) => {
      const { data, layout } = draw(chartOf({ lines }));
      const rows = data.texts.filter(({ fill }) => String(fill) === '#ff0000');
      return { layout, rows: rows.map(({ text, x, y }) => ({ text: String(text), x: Number(x), y: Number(y) })) };
    };
    const one = labels(named('one', 50));
    const middle = (one.layout.top + one.layout.bottom) / 2;
    expect(one.rows).toEqual([{ text: 'one', x: one.layout.right, y: middle - 8 }]);
    // At the top and at the bottom of the chart it stays inside; a short line's name begins at the left edge.
    expect(labels(named('top', 100)).rows[0].y).toBe(one.layout.top + 6);
    expect(labels(named('bottom', -9)).rows[0].y).toBe(one.layout.bottom - 6);
    expect(labels(named('a short line', 50, 1001)).rows[0].x).toBeCloseTo(one.layout.left + textWidth('a short line'));
    expect(labels(named('x', 50, 1050)).rows[0].x).toBeCloseTo((one.layout.left + one.layout.right) / 2);
    // Where two would cover each other, the later one is a line of text lower.
    expect(labels(named('a', 50), named('b', 50), named('c', 51)).rows.map(({ y }) => y)).toEqual([
      middle - 8,
      middle + 5,
      expect.closeTo(middle + 18, 6)
    ]);
    expect(labels(named('a', 50), named('b', 50, 1040)).rows.map(({ y }) => y)).toEqual([middle - 8, middle - 8]);
    // There is no room for it any more; it has no line; it has no points.
    expect(labels(...Array.from({ length: 3 }, (_, i) => named(`n${i}`, 0))).rows).toHaveLength(1);
    expect(labels(named('a', 50, 1100, { line: false }), named('b', 50, 1100, { moments: [] })).rows).toEqual([]);
    expect(draw(chartOf({ lines: [named('low', 50)] }), 500, 50).data.texts.some(({ text }) => String(text) === 'low')).toBe(
      false
    );
  });

  it('has no axis of scheduler time where its times are those since the start of each line', () => {
    expect(draw(chartOf({ elapsed: true })).axis).toBeUndefined();
    const { axis, layout } = draw(chartOf());
    expect([axis?.left, axis?.right, axis?.top, axis?.bottom]).toEqual([layout.left, layout.right, layout.top, layout.bottom]);
    expect([axis?.at(1000), axis?.at(1100), axis?.timeAt(layout.left)]).toEqual([layout.left, layout.right, 1000]);
  });
});

describe('panels', () => {
  const panel = (change: Partial<TimePanel> = {}): TimePanel => ({
    title: 'CPU',
    end: 100,
    ticks: most => Array.from({ length: most + 1 }, (_, i) => ({ value: (100 * i) / most, label: `${i} of ${most}` })),
    lines: [lineOf()],
    absent: '',
    ...change
  });
  const panelsOf = (panels: readonly TimePanel[], change: Partial<TimePanels> = {}): TimePanels => ({
    span: { from: 1000, to: 1100 },
    origin: 1000,
    hits: [],
    panels,
    more: count => `${count} more`,
    ...change
  });
  const drawn = (panels: TimePanels, width = 500, height = 240) => {
    const { data, params } = panelsPicture(theme, () => panels).draw({ width, height, firstRow: 0, endRow: 0 });
    return { data: data as unknown as Rows, params: params as Record<string, number> };
  };
  const has = (data: Rows, text: string): Record<string, never> | undefined => data.texts.find(row => String(row.text) === text);

  it('are below each other, each with its title and its own axis', () => {
    const { data, params } = drawn(panelsOf([panel(), panel({ title: 'Memory', end: 10 })]));
    // 220 pixels for two panels above the labels of times.
    const areas = [
      { top: 17, bottom: 106 },
      { top: 127, bottom: 216 }
    ];
    expect([has(data, 'CPU'), has(data, 'Memory')].map(row => [row?.x, row?.y, row?.align])).toEqual(
      areas.map(({ top }) => [params.left, top - 9, 'left'])
    );
    const height = ({ top, bottom }: (typeof areas)[number], share: number): number => 240 - (bottom - share * (bottom - top));
    expect(data.lines.map(({ at, value }) => [at, Number(value)])).toEqual([
      [0, height(areas[0], 0.1)],
      [100, height(areas[0], 0.4)],
      // Beyond the end of its axis a line is cut off at the edge of its own panel.
      [0, height(areas[1], 1)],
      [100, height(areas[1], 1)]
    ]);
    expect(data.bands.slice(0, 2).map(({ low, high }) => [low, high])).toEqual([
      [height(areas[0], 0.05), height(areas[0], 0.2)],
      [height(areas[0], 0.2), height(areas[0], 0.8)]
    ]);
    expect(new Set(data.lines.map(({ group }) => group)).size).toBe(2);
    // 68 pixels without the title and the gap: a label each 24 pixels.
    const uprights = data.grid.filter(({ x, x2 }) => x === x2);
    expect(new Set(uprights.map(({ y, y2 }) => `${y} ${y2}`))).toEqual(
      new Set(areas.map(({ top, bottom }) => `${top} ${bottom}`))
    );
    expect(data.grid.filter(({ y, y2 }) => y === y2).map(({ y }) => y)).toEqual(
      areas.flatMap(({ top, bottom }, i) =>
        Array.from(
          { length: 4 },
          (_, k) => Math.round(i === 0 ? bottom - (k / 3) * (bottom - top) : k === 0 ? bottom : top) + 0.5
        )
      )
    );
    expect(params).toMatchObject({ top: 0, bottom: 240, end: 240, from: 0, to: 100 });
  });

  it('have the edges of the labels, or those of the chart that they belong to', () => {
    const widest = textWidth('0 of 8');
    expect(drawn(panelsOf([panel()])).params).toMatchObject({ left: 8 + widest + 6, right: 486 });
    expect(drawn(panelsOf([panel()], { edges: { left: 70, right: 0 } })).params).toMatchObject({ left: 70, right: 500 });
    expect(drawn(panelsOf([panel()]), 159).params).toMatchObject({ left: 8, right: 145 });
    expect(drawn(panelsOf([panel()]), 160).params.left).toBeGreaterThan(8);
    expect(drawn(panelsOf([panel()]), 20).params).toMatchObject({ left: 8, right: 28 });
  });

  it('are as many as fit, and say how many do not', () => {
    const titles = (height: number, count = 4): string => {
      const all = Array.from({ length: count }, (_, i) => panel({ title: `P${i}` }));
      const { data } = drawn(panelsOf(all), 500, height);
      const shown = all.filter(({ title }) => has(data, title) !== undefined).length;
      const more = data.texts.find(({ text }) => String(text).endsWith('more'));
      expect(more === undefined ? [] : [more.y, more.align]).toEqual(shown < count ? [8, 'right'] : []);
      return `${shown}, ${more?.text ?? ''}`;
    };
    expect([titles(20 + 4 * 54), titles(20 + 4 * 54 - 1), titles(20 + 54), titles(73), titles(5)]).toEqual([
      '4, ',
      '3, 1 more',
      '1, 3 more',
      '1, 3 more',
      '1, 3 more'
    ]);
    expect(titles(900, 1)).toBe('1, ');
  });

  it('have labels of times where there is room below a panel', () => {
    const timed = (height: number): boolean => has(drawn(panelsOf([panel()]), 500, height).data, '0:00') !== undefined;
    expect([timed(74), timed(73)]).toEqual([true, false]);
    const { data } = drawn(panelsOf([panel()]));
    expect(has(data, '0:00')?.y).toBe(240 - 20 + 12);
    const hits = [{ from: 900, to: 1200, tooltip: tip }];
    const areas = (height: number): unknown[] =>
      drawn(panelsOf([panel()], { hits }), 500, height).data.hits.map(({ at, until, y, y2 }) => [at, until, y, y2]);
    expect([areas(240), areas(60)]).toEqual([[[0, 100, 0, 220]], [[0, 100, 0, 60]]]);
  });

  it('say why they have no lines, and have no labels of values then', () => {
    const { data, params } = drawn(panelsOf([panel({ absent: 'not measured', lines: [] })]));
    expect(has(data, 'not measured')).toMatchObject({
      x: params.left,
      y: (17 + 216) / 2,
      align: 'left',
      fill: theme.textSecondary
    });
    expect(data.texts.some(({ text }) => String(text).includes(' of '))).toBe(false);
    expect(params.left).toBe(14);
  });

  it('have titles within the picture', () => {
    expect(Number(has(drawn(panelsOf([panel()]), 500, 20).data, 'CPU')?.y)).toBe(6);
    expect(has(drawn(panelsOf([panel()]), 500).data, 'CPU')?.limit).toBe(400);
    const { data, params } = drawn(panelsOf([panel()]), 300);
    expect(has(data, 'CPU')?.limit).toBe(params.right - params.left);
  });
});

describe('points in columns of time', () => {
  const point = (at: number, value: number, until = at, piece = 0) => ({
    at,
    until,
    value,
    low: value - 1,
    high: value + 1,
    piece
  });

  it('keep the least and the greatest value of each column at their times, the first of equal ones', () => {
    const { moments: kept, slots } = thinPoints(
      [point(0, 5), point(1, 2), point(2, 9), point(3, 2), point(4, 9), point(12, 7)],
      10
    );
    expect(kept.map(({ at, value, low, high }) => [at, value, low, high])).toEqual([
      [1, 2, 1, 10],
      [2, 9, 1, 10],
      [12, 7, 6, 8]
    ]);
    expect(slots.map(({ from, to, value, low, high }) => [from, to, value, low, high])).toEqual([
      [0, 12, 27 / 5, 1, 10],
      [12, 17, 7, 6, 8]
    ]);
    const falling = thinPoints([point(0, 9), point(1, 2)], 10).moments;
    expect(falling.map(({ at, value }) => [at, value])).toEqual([
      [0, 9],
      [1, 2]
    ]);
  });

  it('are level from the first to the last time of a column without change', () => {
    const { moments: kept, newest, greatest } = thinPoints([point(0, 5, 4), point(5, 5, 8)], 10);
    expect(kept.map(({ at, value }) => [at, value])).toEqual([
      [0, 5],
      [8, 5]
    ]);
    expect(newest).toEqual({ from: 5, to: 8, value: 5, low: 4, high: 6 });
    expect(greatest).toBe(6);
    expect(thinPoints([point(3, 5)], 10).moments).toHaveLength(1);
  });

  it('end at a gap: a column there has its own width at most', () => {
    const { slots } = thinPoints([point(0, 5), point(2, 5), point(11, 5, 11, 1)], 10);
    expect(slots.map(({ from, to }) => [from, to])).toEqual([
      [0, 5],
      [11, 16]
    ]);
    expect(thinPoints([point(0, 5), point(9, 5), point(11, 5, 11, 1)], 10).slots[0].to).toBe(9);
    expect(thinPoints([], 10)).toEqual({ moments: [], slots: [], newest: null, greatest: 0 });
    expect(thinPoints([{ ...point(0, 5), high: Number.NaN }], 10).greatest).toBe(5);
  });

  it('have widths of 1, 2 or 5', () => {
    const width = (length: number): number => columnWidth({ from: 1000, to: 1000 + length });
    expect([100, 149, 150, 298, 299, 3600, 86_400].map(width)).toEqual([1, 1, 2, 2, 5, 50, 1000]);
  });
});

test.each([
  ['charts over time', timeSpec(theme)],
  ['bars', barSpec(theme)]
])('the spec of %s shows its marks, and its axes are from zero to their parameters', (_, spec) => {
  const marks: Record<string, unknown>[] = [];
  const scales: Record<string, unknown>[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'mark' && typeof inner === 'object') {
          marks.push(inner as Record<string, unknown>);
        } else if (key === 'scale' && typeof inner === 'object' && inner !== null) {
          scales.push(inner as Record<string, unknown>);
        }
        walk(inner);
      }
    }
  };
  walk(spec);
  expect(marks.length).toBeGreaterThan(5);
  for (const mark of marks) {
    // The pane has a summary and a table for assistive technology.
    expect(mark.aria ?? false).toBe(false);
    expect(mark.opacity ?? 1).toBe(1);
    if (mark.type === 'rule' || mark.type === 'line' || mark.filled === false) {
      expect([1, 1.5]).toContain(mark.strokeWidth);
    }
  }
  const dots = marks.find(({ shape }) => shape === 'circle');
  expect(dots?.filled ?? true).toBe(true);
  for (const { domain, range, nice, zero } of scales.filter(scale => scale.domain !== undefined)) {
    expect([(domain as unknown[])[0], nice, zero, (range as unknown[]).length]).toEqual(
      JSON.stringify(domain).includes('from') ? [{ expr: 'from' }, false, false, 2] : [0, false, false, 2]
    );
  }
});
