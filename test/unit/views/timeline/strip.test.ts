import { describe, expect, it } from 'vitest';
import { Columns, fold, type Grid } from '../../../../src/run/lanes/lane-fold';
import { TaskStore } from '../../../../src/run/lanes/task-store';
import { erredCode, IDLE, isErred, Palette, kindCode, prefixCode } from '../../../../src/views/timeline/paint/palette';
import { Strip } from '../../../../src/views/timeline/paint/strip';
import { type Move, randomOf, type Row, tasksBody } from '../../run/synthetic';
import { theme } from '../light-theme';

const EPOCH = 1_700_000_000;
const WIDTH = 300;
const STYLE = { layers: 1, snapFrom: 3, air: 1, wideFrom: 4 };

function busyStore(lanes: number): TaskStore {
  const random = randomOf(5);
  const rows: Row[] = [];
  const moves: Move[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    for (let time = EPOCH; time < EPOCH + 60; ) {
      const duration = random() ** 3;
      time += random() * 0.05;
      rows.push({ lane, prefix: Math.floor(random() * 9), start: time, duration, status: random() < 0.02 ? 1 : 0 });
      if (random() < 0.2) {
        moves.push({ at: rows.length - 1, kind: 1 + Math.floor(random() * 4), start: time - 0.02, duration: 0.015 });
      }
      time += duration;
    }
  }
  const store = new TaskStore();
  store.apply(tasksBody(rows, 0, moves));
  return store;
}

function paint(store: TaskStore, grid: Grid, strip: Strip, from: number, to: number): void {
  const columns = new Columns(WIDTH);
  for (const [lane, state] of store.lanes.entries()) {
    if (state !== undefined) {
      fold(state.compute, grid, from, to, STYLE, columns);
      strip.compute(2 * lane, columns, 0, from, to);
      if (state.moves !== null) {
        fold(state.moves, grid, from, to, STYLE, columns);
        strip.moves(2 * lane + 1, columns, from, to, false);
      }
    }
  }
}

describe('Strip', () => {
  it.each([1, 7, 250, -1, -13, -250, 299, 300, 1000, -1000])(
    'moved by %s columns is what would be painted from scratch',
    columns => {
      const store = busyStore(6);
      for (const perColumn of [0.004, 0.1, 0.3]) {
        const before: Grid = { anchor: EPOCH, first: 20, perColumn };
        const after: Grid = { ...before, first: before.first + columns };
        const moved = new Strip(WIDTH, 12);
        paint(store, before, moved, 0, WIDTH);
        moved.shift(columns);
        const from = columns > 0 ? Math.max(0, WIDTH - columns) : 0;
        const to = columns > 0 ? WIDTH : Math.min(WIDTH, -columns);
        paint(store, after, moved, from, to);
        const fresh = new Strip(WIDTH, 12);
        paint(store, after, fresh, 0, WIDTH);
        expect(moved.codes).toEqual(fresh.codes);
      }
    }
  );

  it.each([1, 5, 40, 400])('that follows a growing run, %s tasks at a time, is what would be painted in the end', batch => {
    const random = randomOf(batch);
    for (const perColumn of [0.01, 0.05, 0.5]) {
      const grid: Grid = { anchor: EPOCH, first: 0, perColumn };
      const store = new TaskStore();
      const followed = new Strip(WIDTH, 2);
      let end = EPOCH;
      for (let row = 0; row < 3000; row += batch) {
        const rows = Array.from({ length: batch }, () => {
          const start = end + random() * 0.002;
          const duration = random() ** 2 * 0.03;
          end = start + Math.fround(duration);
          return { prefix: Math.floor(random() * 4), start, duration };
        });
        store.apply(tasksBody(rows, row));
        const from = Math.max(0, Math.min(WIDTH, Math.floor((rows[0].start - EPOCH) / perColumn)));
        paint(store, grid, followed, from, WIDTH);
      }
      const fresh = new Strip(WIDTH, 2);
      paint(store, grid, fresh, 0, WIDTH);
      expect(followed.codes).toEqual(fresh.codes);
    }
  });

  it('shows a short error and a short move at the coarsest zoom', () => {
    const store = new TaskStore();
    const rows: Row[] = Array.from({ length: 5000 }, (_, i) => ({ prefix: 1, start: EPOCH + i, duration: 0.9 }));
    rows[2500] = { prefix: 1, start: EPOCH + 2500, duration: 0.0001, status: 1 };
    store.apply(tasksBody(rows, 0, [{ at: 4000, kind: 1, start: EPOCH + 3999.9, duration: 0.0001 }]));
    const strip = new Strip(WIDTH, 2);
    paint(store, { anchor: EPOCH, first: 0, perColumn: 5000 / WIDTH }, strip, 0, WIDTH);
    expect(strip.codes[Math.floor((2500 * WIDTH) / 5000)]).toBe(erredCode(1));
    const moves = strip.codes.subarray(WIDTH);
    expect([...moves].filter(code => code !== IDLE)).toEqual([kindCode(1, 0)]);
  });

  it('lets moves win a shared row, but not over errors', () => {
    const columns = new Columns(3);
    columns.seen.set([2, 3, 0]);
    columns.busy.set([1, 1, 0]);
    const strip = new Strip(3, 1);
    strip.compute(0, columns, 0, 0, 3);
    columns.seen.set([2, 2, 0]);
    columns.label.fill(1);
    strip.moves(0, columns, 0, 3, true);
    expect([...strip.codes]).toEqual([kindCode(1, 1), erredCode(0), IDLE]);
  });
});

describe('Palette', () => {
  it('gives full time the colour of the prefix, less time a paler one, and idle time none', () => {
    const palette = new Palette(theme, new Set());
    palette.know(20);
    const shades = [0, 0.3, 0.6, 1].map(busy => palette.colours[prefixCode(2, busy)]);
    expect(new Set(shades).size).toBe(4);
    expect(shades[3].toString(16)).toBe(
      `ff${theme.prefix(2).colour.slice(5)}${theme.prefix(2).colour.slice(3, 5)}${theme.prefix(2).colour.slice(1, 3)}`
    );
    expect(palette.colours[IDLE]).toBe(0);
    expect(palette.colours[prefixCode(2, 0)]).not.toBe(0);
  });

  it('makes what is switched off look idle', () => {
    const palette = new Palette(theme, new Set(['prefix:1', 'disk', 'erred']));
    palette.know(3);
    expect(palette.colours[prefixCode(1, 1)]).toBe(0);
    expect(palette.colours[prefixCode(2, 1)]).not.toBe(0);
    expect([2, 3].map(kind => palette.colours[kindCode(kind, 1)])).toEqual([0, 0]);
    expect(palette.colours[kindCode(1, 1)]).not.toBe(0);
    expect(palette.colours[erredCode(1)]).toBe(0);
    expect(palette.compute(1, false)).toBeNull();
    expect(palette.move(2)).toBeNull();
  });

  it('dims the computations and the errors of what is not selected', () => {
    const palette = new Palette(theme, new Set(), prefix => prefix !== 1);
    palette.know(3);
    const plain = new Palette(theme, new Set());
    plain.know(3);
    for (const code of [prefixCode(1, 1), erredCode(1), kindCode(1, 1)]) {
      expect(palette.colours[code]).toBe(plain.colours[code]);
    }
    for (const code of [prefixCode(2, 1), erredCode(2)]) {
      expect(palette.colours[code]).not.toBe(plain.colours[code]);
      expect(palette.colours[code]).not.toBe(0);
    }
    expect(palette.compute(1, true)?.colour).toBe(theme.erred.colour);
    expect(palette.compute(2, true)?.colour).not.toBe(theme.erred.colour);
  });

  it('has a code and a colour for any prefix and kind', () => {
    const palette = new Palette(theme, new Set());
    palette.know(70_000);
    const errors = [0, 7199, 7200, 65_535].map(erredCode);
    expect(errors.every(code => isErred(code) && code < 65_536 && palette.colours[code] === palette.colours[errors[0]])).toBe(
      true
    );
    expect([0, 7199, 7200, 65_535].some(prefix => isErred(prefixCode(prefix, 1)))).toBe(false);
    for (const prefix of [0, 15, 16, 7199, 7200, 65_535]) {
      const code = prefixCode(prefix, 7);
      expect(code).toBeLessThan(65_536);
      expect(palette.colours[code]).toBe(palette.colours[prefixCode(prefix % 16, 1)]);
    }
    expect(palette.colours[kindCode(255, 1)]).not.toBe(0);
  });
});
