import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { memoryByKey } from '../../../src/plots/memory-by-key';
import type { Run } from '../../../src/run/run';
import { tasksBody } from '../run/synthetic';
import { cluster, context, step, theme } from './cluster';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;
const FRAME = { width: 700, height: 300, firstRow: 0, endRow: 12 };
const title = (run: Run): string[] => memoryByKey.titleLine(run, context()).map(part => part.text);
const bars = (run: Run, sort = 'name'): unknown[] =>
  memoryByKey.data(run, context({ options: { sort } }), FRAME).segments.map(({ fill, value }) => [fill, value]);

/** Let tasks of one prefix end with results of some sizes. */
function execute(run: Run, sizes: readonly number[]): void {
  const rows = sizes.map((nbytes, i) => ({ lane: 0, prefix: 0, start: 1000 + i, duration: 0.5, nbytes }));
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1001, cursor: {}, names: {}, topics: { tasks: tasksBody(rows) } }, 0);
}

describe('memory by function', () => {
  const two = (): Run =>
    cluster({
      prefixes: [
        { name: 'load', memory: 2, nbytes: 8 * MiB },
        { name: 'add', memory: 1, nbytes: 12 * MiB },
        { name: 'done', forgotten: 9, nbytes: 50 * MiB }
      ]
    });

  it('is a bar in the colour of each function that holds something, and a total', () => {
    const [load, add] = [theme().prefix(0).colour, theme().prefix(1).colour];
    expect(bars(two())).toEqual([
      [add, 12 * MiB],
      [load, 8 * MiB]
    ]);
    expect(title(two())).toEqual(['20.0 MiB in memory', '3 results']);
    expect(memoryByKey.summary(two(), context())).toBe(
      'Results of 2 functions hold 20.0 MiB in memory, most of it add with 12.0 MiB.'
    );
    expect(memoryByKey.notes(two(), context())).toEqual([]);
  });

  it('falls when results are released, though the total of Dask does not, and says that it is reckoned', () => {
    const run = cluster({ prefixes: [{ name: 'load', memory: 4, nbytes: 8 * MiB }] });
    execute(run, [MiB, 3 * MiB, 2 * MiB, 2 * MiB]);
    expect(title(run)[0]).toBe('8.00 MiB in memory');
    step(run, { prefixes: [{ name: 'load', memory: 1, released: 1, forgotten: 2, nbytes: 8 * MiB }] });
    expect(title(run)).toEqual(['≈ 2.00 MiB in memory', '1 result']);
    expect(memoryByKey.notes(run, context())).toHaveLength(1);
    step(run, { prefixes: [{ name: 'load', released: 2, forgotten: 2, nbytes: 8 * MiB }] });
    expect(memoryByKey.empty(run, context())?.head).toBe('No results in memory.');
  });

  it("never says more than Dask's total, and the total where no execution was seen", () => {
    const prefixes = [{ name: 'load', memory: 2, released: 1, nbytes: 3 * MiB }];
    const run = cluster({ prefixes });
    expect(title(run)[0]).toBe('≈ 3.00 MiB in memory');
    execute(run, [4 * MiB]);
    expect(title(run)[0]).toBe('≈ 3.00 MiB in memory');
  });

  it('keeps the order by bytes that was chosen while sizes change', () => {
    const run = two();
    const order = (sort: string): unknown[] => bars(run, sort).map(row => (row as unknown[])[0]);
    const [load, add] = [theme().prefix(0).colour, theme().prefix(1).colour];
    expect(order('size')).toEqual([add, load]);
    step(run, {
      prefixes: [
        { name: 'load', memory: 9, nbytes: 90 * MiB },
        { name: 'add', memory: 1, nbytes: 12 * MiB }
      ]
    });
    expect(order('size')).toEqual([add, load]);
    order('name');
    expect(order('size')).toEqual([load, add]);
  });
});
