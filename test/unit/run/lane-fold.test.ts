import { describe, expect, it } from 'vitest';
import { Folding } from '../../../src/run/folded-time';
import { busyBetween, type Pause } from '../../../src/run/lanes/busy-periods';
import { ERRED } from '../../../src/run/lanes/lane-chunk';
import { Columns, EXACT, fold, foldBusy, type Grid, SEEN } from '../../../src/run/lanes/lane-fold';
import { Track } from '../../../src/run/lanes/lane-track';
import { randomOf, type Row } from './synthetic';

const EPOCH = 1_700_000_000;

function trackOf(rows: readonly Row[]): Track {
  const track = new Track();
  for (const [i, row] of rows.entries()) {
    track.append({
      start: row.start,
      duration: Math.fround(row.duration),
      label: row.prefix ?? 0,
      flags: row.status ? ERRED : 0,
      row: i,
      detail: 0
    });
  }
  return track;
}

/** What each column holds, one interval after another and one column after another. */
function reference(rows: readonly Row[], grid: Grid, from: number, to: number) {
  const busy = new Float64Array(to);
  const seen = new Uint8Array(to);
  for (const row of rows) {
    const a = (row.start - grid.anchor) / grid.perColumn - grid.first;
    const b = (row.start + Math.fround(row.duration) - grid.anchor) / grid.perColumn - grid.first;
    for (let x = Math.max(from, Math.floor(a)); x < Math.min(to, Math.max(Math.floor(a) + 1, Math.ceil(b))); x++) {
      busy[x] += Math.max(0, Math.min(b, x + 1) - Math.max(a, x));
      seen[x] |= SEEN | (row.status ? ERRED : 0);
    }
  }
  return { busy, seen };
}

function thread(count: number, seed: number, late = 0): Row[] {
  const random = randomOf(seed);
  const rows: Row[] = [];
  let time = EPOCH;
  for (let i = 0; i < count; i++) {
    time += random() < 0.1 ? random() * 0.5 : random() * 0.002;
    const duration = random() < 0.02 ? random() * 2 : random() < 0.05 ? 0 : random() * 0.02;
    rows.push({ start: time, duration, prefix: Math.floor(random() * 5), status: random() < 0.01 ? 1 : 0 });
    time += duration;
  }
  for (let i = 0; i < late; i++) {
    const from = Math.floor(random() * count);
    const [row] = rows.splice(from, 1);
    rows.splice(Math.min(rows.length, from + Math.floor(random() * 5000)), 0, row);
  }
  return rows;
}

function expectSame(rows: readonly Row[], grid: Grid, from: number, to: number): void {
  const [out, alone] = [new Columns(to), new Columns(to)];
  const track = trackOf(rows);
  fold(track, grid, from, to, EXACT, out);
  foldBusy(track, grid, from, to, Number.NEGATIVE_INFINITY, alone);
  const truth = reference(rows, grid, from, to);
  for (let x = from; x < to; x++) {
    expect(out.seen[x], `column ${x}`).toBe(truth.seen[x]);
    for (const busy of [out.busy[x], alone.busy[x]]) {
      expect(Math.abs(busy - truth.busy[x]), `column ${x}`).toBeLessThan(2e-5 * Math.max(1, truth.busy[x]));
    }
  }
}

describe('fold', () => {
  const rows = thread(20_000, 1);
  const length = rows[rows.length - 1].start - EPOCH;

  it.each([1, 0.1, 0.01, 0.001, 1e-5])('agrees with every interval taken one by one, at %s of the run', share => {
    const perColumn = (length * share) / 400;
    const first = Math.floor((length * 0.4) / perColumn);
    expectSame(rows, { anchor: EPOCH, first, perColumn }, 0, 400);
    expectSame(rows, { anchor: EPOCH, first: 0, perColumn: length / 400 }, 0, 400);
  });

  it('agrees for a part of the columns', () => {
    expectSame(rows, { anchor: EPOCH, first: 0, perColumn: length / 400 }, 150, 380);
  });

  it('agrees when records come late, even by thousands of rows', () => {
    expectSame(thread(20_000, 2, 500), { anchor: EPOCH, first: 0, perColumn: length / 400 }, 0, 400);
    expectSame([...rows].reverse(), { anchor: EPOCH, first: 0, perColumn: length / 400 }, 0, 400);
  });

  it('leaves out what ended by a time, whatever the zoom, and nothing else', () => {
    const after = EPOCH + length * 0.43;
    const left = rows.filter(row => row.start + Math.fround(row.duration) > after);
    for (const grid of [
      { anchor: EPOCH, first: 0, perColumn: length / 400 },
      { anchor: EPOCH, first: Math.floor(0.42 * 40_000), perColumn: length / 40_000 }
    ]) {
      const out = new Columns(400);
      fold(trackOf(rows), grid, 0, 400, { ...EXACT, after }, out);
      const truth = reference(left, grid, 0, 400);
      expect([...out.seen]).toEqual([...truth.seen]);
      const same = (busy: number, x: number): boolean => Math.abs(busy - truth.busy[x]) < 2e-5 * Math.max(1, truth.busy[x]);
      expect(out.busy.every(same)).toBe(true);
      foldBusy(trackOf(rows), grid, 0, 400, after, out);
      expect(out.busy.every(same)).toBe(true);
    }
  });

  it('agrees when intervals overlap', () => {
    const random = randomOf(3);
    const tangled = Array.from({ length: 3000 }, () => ({ start: EPOCH + random() * 100, duration: random() ** 4 * 20 }));
    expectSame(tangled, { anchor: EPOCH, first: 0, perColumn: 0.25 }, 0, 400);
  });

  it('shows a single interval of no length wherever it lies', () => {
    for (const at of [0, 0.5, 1, 399, 399.999]) {
      const out = new Columns(400);
      fold(trackOf([{ start: EPOCH + at, duration: 0 }]), { anchor: EPOCH, first: 0, perColumn: 1 }, 0, 400, EXACT, out);
      expect([...out.seen].filter(seen => seen !== 0)).toEqual([SEEN]);
      expect(out.seen[Math.floor(at)]).toBe(SEEN);
    }
  });

  it('names the label that has more than half of a column', () => {
    const mostly = thread(8000, 4).map((row, i) => ({
      ...row,
      duration: 0.01,
      start: EPOCH + i * 0.01,
      prefix: i % 5 < 3 ? 7 : i % 5
    }));
    const out = new Columns(20);
    fold(trackOf(mostly), { anchor: EPOCH, first: 0, perColumn: 4 }, 0, 20, EXACT, out);
    expect([...out.label]).toEqual(new Array(20).fill(7));
  });

  it('looks at few summaries where intervals are many', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => ({ start: EPOCH + i * 0.01, duration: 0.008 }));
    const out = new Columns(100);
    const visited = fold(trackOf(many), { anchor: EPOCH, first: 0, perColumn: 20 }, 0, 100, EXACT, out);
    expect(visited).toBeLessThan(100 * 8 * 4 * 2);
    const tail = fold(trackOf(many), { anchor: EPOCH, first: 0, perColumn: 20 }, 98, 100, EXACT, out);
    expect(tail).toBeLessThan(400);
  });

  it('keeps overlapping intervals of a column and more in layers of their own', () => {
    const out = new Columns(10, 4);
    const track = trackOf([
      { start: EPOCH, duration: 10, prefix: 1 },
      { start: EPOCH + 1, duration: 8, prefix: 2 },
      { start: EPOCH + 9.5, duration: 0.5, prefix: 3 }
    ]);
    fold(track, { anchor: EPOCH, first: 0, perColumn: 1 }, 0, 10, { ...EXACT, layers: 4 }, out);
    expect(track.depths).toBe(2);
    expect([...out.label.subarray(0, 9)]).toEqual(new Array(9).fill(1));
    expect([...out.label.subarray(11, 19)]).toEqual(new Array(8).fill(2));
  });

  it('does not take a corrected clock for two things at a time', () => {
    const track = trackOf([
      { start: EPOCH, duration: 1 },
      { start: EPOCH + 0.997, duration: 1 }
    ]);
    expect(track.depths).toBe(1);
  });

  it('is cut into rows for work at the same time, not for a clock that jumped once', () => {
    const chain = Array.from({ length: 100 }, (_, i) => ({ start: EPOCH + i, duration: 1 }));
    const jumped = trackOf([...chain.slice(0, 50), { start: EPOCH + 49.8, duration: 0.2 }, ...chain.slice(50)]);
    expect([jumped.depths, jumped.rows]).toEqual([2, 1]);
    const coroutines = trackOf(Array.from({ length: 100 }, (_, i) => ({ start: EPOCH + i * 0.5, duration: 1 })));
    expect(coroutines.rows).toBe(coroutines.depths);
    expect(coroutines.rows).toBeGreaterThan(1);
  });

  it('leaves air behind wide intervals and only there', () => {
    const out = new Columns(20);
    const track = trackOf([
      { start: EPOCH, duration: 8 },
      { start: EPOCH + 8, duration: 2 },
      { start: EPOCH + 10, duration: 10 }
    ]);
    fold(track, { anchor: EPOCH, first: 0, perColumn: 1 }, 0, 20, { ...EXACT, snapFrom: 3, air: 1, wideFrom: 5 }, out);
    expect([...out.busy].map(busy => (busy > 0 ? '#' : '.')).join('')).toBe('#######.###########.');
    expect(out.wide.map(wide => [wide.from, wide.to])).toEqual([
      [0, 8],
      [10, 20]
    ]);
  });
});

describe('foldBusy', () => {
  /** Executions of 10 ms, one after another, in as many cells with pauses between them. */
  function cells(
    count: number,
    each: number
  ): { readonly track: Track; readonly pauses: readonly Pause[]; readonly end: number } {
    const pause = 3600;
    const rows: Row[] = [];
    const pauses: Pause[] = [];
    let time = EPOCH;
    for (let cell = 0; cell < count; cell++) {
      for (let i = 0; i < each; i++, time += 0.01) {
        rows.push({ start: time, duration: 0.01 });
      }
      pauses.push({ from: time, to: time + pause });
      time += pause;
    }
    return { track: trackOf(rows), pauses: pauses.slice(0, -1), end: time - pause };
  }

  /** What is visited for an overview of all stretches between the pauses, and the busy time that it finds. */
  function overview({ track, pauses, end }: ReturnType<typeof cells>, columns: number): readonly [visited: number, busy: number] {
    const folding = new Folding(pauses, columns, [4, 1]);
    const map = folding.at(EPOCH, folding.perColumnFor(EPOCH, end, columns));
    const width = Math.ceil(map.columnOf(end)) + 1;
    const out = new Columns(width);
    let [visited, busy] = [0, 0];
    for (const { from, to, removed } of map.stretches(0, width)) {
      visited += foldBusy(
        track,
        { anchor: map.anchor, first: removed, perColumn: map.perColumn },
        from,
        to,
        Number.NEGATIVE_INFINITY,
        out
      );
      busy += out.busy.subarray(from, to).reduce((sum, share) => sum + share * map.perColumn, 0);
    }
    return [visited, busy];
  }

  it('looks at an execution once, however many pauses are folded', () => {
    const run = cells(100, 300);
    const [visited, busy] = overview(run, 1500);
    expect(visited).toBeLessThan(2 * run.track.length);
    expect(busy / (run.track.length * 0.01)).toBeCloseTo(1, 4);
  });

  it('uses summaries where executions are many within a stretch, however long the pauses are', () => {
    const run = cells(50, 2000);
    const [visited] = overview(run, 400);
    expect(visited).toBeLessThan(0.3 * run.track.length);
  });

  it('passes over what ended before its columns, or before the history was cleared', () => {
    const { track, end } = cells(20, 1000);
    const perColumn = 0.01;
    const last = (end - EPOCH) / perColumn - 400;
    const out = new Columns(400);
    expect(foldBusy(track, { anchor: EPOCH, first: last, perColumn }, 0, 400, Number.NEGATIVE_INFINITY, out)).toBeLessThan(600);
    expect(foldBusy(track, { anchor: EPOCH, first: 0, perColumn: end - EPOCH }, 0, 1, end - 1, out)).toBeLessThan(600);
  });
});

describe('busyBetween', () => {
  it('is the busy time of exactly that period', () => {
    const track = trackOf([
      { start: EPOCH, duration: 2 },
      { start: EPOCH + 3, duration: 4 }
    ]);
    expect(busyBetween(track, EPOCH + 1, EPOCH + 5)).toBeCloseTo(3, 5);
    expect(busyBetween(track, EPOCH + 5, EPOCH + 5)).toBe(0);
    expect(busyBetween(track, Number.NaN, EPOCH + 5)).toBe(0);
  });
});
