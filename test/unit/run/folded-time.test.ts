import { describe, expect, it } from 'vitest';
import { FoldedTime, Folding } from '../../../src/run/folded-time';
import { BusyPeriods, type Pause, SHORTEST_PAUSE } from '../../../src/run/lanes/busy-periods';
import { randomOf } from './synthetic';

const EPOCH = 1_700_000_000;

function pausesOf(random: () => number, count: number): Pause[] {
  const list: Pause[] = [];
  let time = EPOCH;
  for (let i = 0; i < count; i++) {
    const from = time + 0.01 + 60 * random() ** 3;
    time = from + SHORTEST_PAUSE + 10 ** (4 * random());
    list.push({ from, to: time });
  }
  return list;
}

const SEEDS = Array.from({ length: 12 }, (_, i) => i + 1);

describe('FoldedTime', () => {
  it.each(SEEDS)('is increasing and invertible in both directions, seed %i', seed => {
    const random = randomOf(seed);
    const perColumn = 10 ** (3 * random() - 2);
    const pauses = pausesOf(random, Math.floor(30 * random()));
    const folded = new FoldedTime(EPOCH, perColumn, pauses, 4 + Math.floor(60 * random()));
    const end = (pauses[pauses.length - 1]?.to ?? EPOCH) + 100;
    const times = Array.from({ length: 500 }, () => EPOCH - 50 + random() * (end - EPOCH + 50));
    times.push(...pauses.flatMap(({ from, to }) => [from, to, (from + to) / 2]));
    times.sort((a, b) => a - b);
    let last = Number.NEGATIVE_INFINITY;
    for (const time of times) {
      const column = folded.columnOf(time);
      expect(column, `seed ${seed}`).toBeGreaterThanOrEqual(last);
      expect(folded.timeOf(column), `seed ${seed}`).toBeCloseTo(time, 4);
      last = column;
    }
    const columns = Array.from({ length: 500 }, () => -100 + random() * (last + 200)).sort((a, b) => a - b);
    let before = Number.NEGATIVE_INFINITY;
    for (const column of columns) {
      const time = folded.timeOf(column);
      expect(time, `seed ${seed}`).toBeGreaterThanOrEqual(before);
      expect(folded.columnOf(time), `seed ${seed}`).toBeCloseTo(column, 2);
      before = time;
    }
  });

  it.each(SEEDS)('has true, evenly passing times outside of the folded pauses, seed %i', seed => {
    const random = randomOf(seed);
    const perColumn = 10 ** (2 * random() - 2);
    const folded = new FoldedTime(EPOCH, perColumn, pausesOf(random, 20), 40);
    const [from, to] = [-20 + Math.floor(100 * random()), 3000 + Math.floor(3000 * random())];
    const stretches = folded.stretches(from, to);
    const folds = folded.folds.filter(fold => fold.from < to && fold.to > from);
    // Stretches and folds cover the columns exactly once.
    const parts = [...stretches, ...folds].sort((a, b) => a.from - b.from);
    expect(Math.max(from, parts[0].from), `seed ${seed}`).toBe(from);
    for (const [i, part] of parts.entries()) {
      expect(Math.min(to, part.to), `seed ${seed}`).toBe(parts[i + 1]?.from ?? to);
    }
    for (const { from: begin, to: end, removed } of stretches) {
      for (const column of [begin, begin + random() * (end - begin)]) {
        const even = EPOCH + (column + removed) * perColumn;
        expect(folded.timeOf(column), `seed ${seed}`).toBeCloseTo(even, 5);
        expect(folded.columnOf(even + perColumn * 1e-3, 7), `seed ${seed}`).toBeCloseTo(column + 1e-3 - 7, 2);
      }
    }
    // A folded pause takes the same number of columns, however long it is, and nothing else is left out.
    for (const { from: begin, to: end, pause } of folded.folds) {
      expect(end - begin).toBe(40);
      expect(folded.columnOf(pause.from)).toBeLessThanOrEqual(begin);
      expect(folded.columnOf(pause.to)).toBeGreaterThanOrEqual(end);
      expect(pause.to - pause.from).toBeGreaterThan(40 * perColumn);
    }
  });

  it('is the time itself without pauses', () => {
    const folded = new FoldedTime(EPOCH, 0.25, [], 10);
    expect(folded.columnOf(EPOCH + 10, 3)).toBe(37);
    expect(folded.timeOf(40)).toBe(EPOCH + 10);
    expect(folded.stretches(-5, 5)).toEqual([{ from: -5, to: 5, removed: 0 }]);
  });
});

describe('Folding', () => {
  it.each(SEEDS)('finds the zoom at which a period fills a width, seed %i', seed => {
    const random = randomOf(seed);
    const width = 300 + Math.floor(1500 * random());
    const folding = new Folding(pausesOf(random, Math.floor(40 * random())), width, [56, 14, 4]);
    const to = (folding.pauses[folding.pauses.length - 1]?.to ?? EPOCH) + 5 + 100 * random();
    const perColumn = folding.perColumnFor(EPOCH, to, width);
    const folded = folding.at(EPOCH, perColumn);
    const columns = folded.columnOf(to) - folded.columnOf(EPOCH);
    expect(columns, `seed ${seed}`).toBeLessThanOrEqual(width + 1e-3);
    expect(columns, `seed ${seed}`).toBeGreaterThan(width / 2 - 2 * folded.folds.length);
  });

  it('has the end of a run of many pauses in view', () => {
    const pauses = Array.from({ length: 100 }, (_, i) => ({ from: EPOCH + 3603 * i + 3, to: EPOCH + 3603 * (i + 1) }));
    const folding = new Folding(pauses, 500, [56, 14, 4]);
    const to = EPOCH + 360_303;
    const columns = folding.at(EPOCH, folding.perColumnFor(EPOCH, to, 500)).columnOf(to);
    expect(columns).toBeLessThanOrEqual(500);
    expect(columns).toBeGreaterThan(400);
  });

  it('folds no more than half of a picture', () => {
    const pauses = pausesOf(randomOf(5), 100);
    const folding = new Folding(pauses, 1000, [56, 14, 4]);
    const to = pauses[99].to + 1;
    const folded = folding.at(EPOCH, folding.perColumnFor(EPOCH, to, 1000));
    expect(folded.folds.reduce((sum, fold) => sum + fold.to - fold.from, 0)).toBeLessThanOrEqual(500);
  });

  it('counts the time that is no pause', () => {
    const folding = new Folding([{ from: 10, to: 30 }], 100, [10]);
    expect(folding.busyIn(0, 40)).toBe(20);
    expect(folding.busyIn(20, 25)).toBe(0);
    expect(folding.busyIn(0, 5)).toBe(5);
  });

  it('folds the longest of very many pauses', () => {
    const pauses = Array.from({ length: 1000 }, (_, i) => ({ from: i * 100, to: i * 100 + 20 + (i % 50) }));
    const { pauses: kept } = new Folding(pauses, 1000, [4]);
    expect(kept.length).toBe(256);
    expect(Math.min(...kept.map(({ from, to }) => to - from))).toBeGreaterThan(50);
    expect(kept.every(({ from }, i) => i === 0 || from >= kept[i - 1].to)).toBe(true);
  });
});

describe('BusyPeriods', () => {
  it.each(SEEDS)('has the pauses that a look at all intervals finds, in any order of arrival, seed %i', seed => {
    const random = randomOf(seed);
    const intervals = Array.from({ length: 200 }, () => {
      const from = EPOCH + 2000 * random();
      return { from, to: from + 20 * random() ** 4 };
    });
    const running = random() < 0.5 ? Number.POSITIVE_INFINITY : EPOCH + 2500 * random();
    const busy = new BusyPeriods();
    for (const { from, to } of intervals) {
      busy.add(from, to);
    }
    const expected: Pause[] = [];
    let end = Number.POSITIVE_INFINITY;
    for (const { from, to } of [...intervals, { from: running, to: running }].sort((a, b) => a.from - b.from)) {
      const until = Math.min(from, running);
      if (until - end > SHORTEST_PAUSE && until < Number.POSITIVE_INFINITY) {
        expected.push({ from: end, to: until });
      }
      end = Number.isFinite(end) ? Math.max(end, to) : to;
    }
    expect(busy.pauses(running), `seed ${seed}`).toEqual(expected);
    expect(busy.until(Number.POSITIVE_INFINITY).pauses(running)).toEqual(expected);
  });

  it('is bounded: the shortest pauses are forgotten', () => {
    const busy = new BusyPeriods();
    for (let i = 0; i < 6000; i++) {
      busy.add(i * 1000, i * 1000 + 100 + (i % 7));
    }
    const pauses = busy.pauses(Number.POSITIVE_INFINITY);
    expect(pauses.length).toBe(4095);
    expect(Math.min(...pauses.map(({ from, to }) => to - from))).toBeGreaterThan(893);
  });

  it('does not change its version while the newest period grows', () => {
    const busy = new BusyPeriods();
    busy.add(EPOCH, EPOCH + 1);
    const { version } = busy;
    busy.add(EPOCH + 1, EPOCH + 3);
    busy.add(EPOCH + 0.5, EPOCH + 0.6);
    expect([busy.version, busy.end]).toEqual([version, EPOCH + 3]);
    busy.add(EPOCH + 50, EPOCH + 51);
    expect(busy.version).not.toBe(version);
    expect(busy.until(EPOCH + 40).pauses(Number.POSITIVE_INFINITY)).toEqual([]);
    busy.clear();
    expect(busy.pauses(EPOCH)).toEqual([]);
  });
});
