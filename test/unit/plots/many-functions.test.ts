import { describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { Kept, keepBySize } from '../../../src/plot/kept';
import type { VegaPlot } from '../../../src/plot/plot';
import { textWidth } from '../../../src/plot/text';
import { progress } from '../../../src/plots/tasks/progress';
import { aggregateTimePerAction } from '../../../src/plots/time/aggregate-time-per-action';
import { computeTimePerKey } from '../../../src/plots/time/compute-time-per-key';
import type { Run } from '../../../src/run/run';
import { Table } from '../../../src/run/tables/table';
import { countsOf } from '../../../src/selectors/computations/unit';
import { presentWork } from '../../../src/selectors/tasks/work-order';
import { prefixCounts } from '../../../src/selectors/tasks/prefix-counts';
import { randomOf } from '../run/synthetic';
import { cluster, context } from './cluster';

setNumberLocale('en');

const FUNCTIONS = 1000;
const SIZE = { width: 500, height: 300 };

/** Functions of which each third has a task that runs. */
function made(): Run {
  const prefixes = Array.from({ length: FUNCTIONS }, (_, i) => ({
    ...{ name: `load_${i}`, memory: 1, processing: i % 3 === 0 ? 1 : 0, compute: 1 + i, transfer: 0.5, disk_read: 0.1 },
    ...{ since: 900 + i / FUNCTIONS, until: i % 3 === 0 ? 0 : 950 + i / FUNCTIONS }
  }));
  return cluster({ time: 1000, workers: [{ name: 'a' }], prefixes });
}

/** All that a pane asks for when it draws. */
function look(plot: VegaPlot, run: Run): void {
  const pane = context({ kept: new Kept() });
  plot.empty(run, pane);
  plot.titleLine(run, pane);
  plot.legend(run, pane);
  plot.notes(run, pane);
  plot.picture(run, pane, SIZE).draw({ ...SIZE, firstRow: 0, endRow: 15 });
  plot.summary(run, pane);
}

describe('of very many functions', () => {
  it.each([progress, computeTimePerKey, aggregateTimePerAction])('$id looks each one up a few times in a drawing', plot => {
    const run = made();
    const lookUps = [vi.spyOn(Table.prototype, 'get'), vi.spyOn(Table.prototype, 'place')];
    look(plot, run);
    const calls = lookUps.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    vi.restoreAllMocks();
    // `get` looks up a place, too.
    expect(calls).toBeLessThan(13 * FUNCTIONS);
  });

  it('counts are read once for all that shows them', () => {
    const run = made();
    expect(presentWork(prefixCounts(run))).toBe(presentWork(prefixCounts(run)));
    expect(countsOf(run, context({ options: { unit: 'functions' } }))).toBe(prefixCounts(run));
  });
});

it.each([1, 2, 3])('rows by size stay where they are, and new ones follow (seed %i)', seed => {
  const random = randomOf(seed);
  const run = made();
  const pane = { kept: new Kept() };
  const ids = Array.from({ length: 60 }, (_, id) => id);
  const order: number[] = [];
  for (let round = 0; round < 20; round++) {
    const sizes = ids.map(() => Math.floor(10 * random()));
    const rows = ids.filter(() => random() < 0.5).map(id => ({ id, size: sizes[id] }));
    const fresh = rows.filter(row => !order.includes(row.id)).sort((a, b) => b.size - a.size);
    order.push(...fresh.map(row => row.id));
    const expected = order.filter(id => rows.some(row => row.id === id));
    expect(
      keepBySize(run, pane, rows, row => row.size).map(row => row.id),
      `seed ${seed}`
    ).toEqual(expected);
  }
});

it('the width of a text is that of its glyphs, whatever they are', () => {
  const [narrow, common, wide, full] = ['i', 'a', 'm', '漢'].map(textWidth);
  expect([narrow < common, common < wide, common < full]).toEqual([true, true, true]);
  expect(textWidth('ia—é漢😀')).toBeCloseTo(narrow + 2 * common + wide + 2 * full);
  expect(textWidth('')).toBe(0);
});
