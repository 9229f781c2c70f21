import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { Kept } from '../../../src/plot/kept';
import { memoryByKey } from '../../../src/plots/memory/memory-by-key';
import type { Run } from '../../../src/run/run';
import { cluster, context, type HeldResults, step, theme } from './cluster';
import { dataOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;
const FRAME = { width: 700, height: 300, firstRow: 0, endRow: 12 };
const title = (run: Run): string[] => memoryByKey.titleLine(run, context()).map(part => part.text);
const bars = (run: Run, sort = 'name', kept = new Kept()): unknown[] =>
  dataOf(memoryByKey, run, context({ options: { sort }, kept }), FRAME).segments.map(({ fill, value }) => [fill, value]);

const holding = (...held: readonly HeldResults[]): Run =>
  cluster({ prefixes: ['load', 'add', 'done'].map(name => ({ name, memory: 1 })), held });

describe('memory by function', () => {
  const two = (): Run =>
    holding({ prefix: 0, results: 2, nbytes: 8 * MiB }, { prefix: 1, results: 1, nbytes: 12 * MiB }, { prefix: 2 });

  it('is a bar in the colour of each function that holds something, and a total', () => {
    const [load, add] = [theme().prefix(0).colour, theme().prefix(1).colour];
    expect(bars(two())).toEqual([
      [add, 12 * MiB],
      [load, 8 * MiB]
    ]);
    expect(title(two())).toEqual(['20.0 MiB of results', '3 results']);
    expect(memoryByKey.summary(two(), context())).toBe('Results of 2 functions take 20.0 MiB, the largest add with 12.0 MiB.');
    expect(memoryByKey.notes(two(), context())).toEqual([]);
  });

  it('falls when results are released, and with the last one the bar goes', () => {
    const run = holding({ prefix: 0, results: 4, nbytes: 8 * MiB });
    expect(title(run)[0]).toBe('8.00 MiB of results');
    step(run, { held: [{ prefix: 0, results: 1, nbytes: 3 * MiB }] });
    expect(title(run)).toEqual(['3.00 MiB of results', '1 result']);
    step(run, { held: [{ prefix: 0 }] });
    expect(memoryByKey.empty(run, context())?.head).toBe('No results are held.');
  });

  it('shows which part of the results is on disk', () => {
    const run = cluster({
      workers: [{ spilled: 5 * MiB }, { spilled: 2 * MiB }],
      prefixes: [{ name: 'load', memory: 1 }],
      held: [{ prefix: 0, results: 2, nbytes: 8 * MiB }]
    });
    expect(title(run)).toEqual(['8.00 MiB of results', '2 results', '7.00 MiB on disk']);
    expect(memoryByKey.summary(run, context())).toContain('take 8.00 MiB, 7.00 MiB on disk, the largest load');
  });

  it('shows copies apart from results, which count once', () => {
    const run = holding({ prefix: 0, results: 4, nbytes: 8 * MiB, copies: 3 * MiB });
    expect(title(run)).toEqual(['8.00 MiB of results', '4 results', '3.00 MiB of copies']);
    const [result, copy] = dataOf(memoryByKey, run, context(), FRAME).segments;
    expect([result.from, result.to]).toEqual([0, 8 * MiB]);
    expect(Number(copy.from)).toBeGreaterThan(8 * MiB);
    expect(copy.value).toBe(3 * MiB);
    expect(copy.fill).not.toBe(result.fill);
    expect(memoryByKey.legend(run, context()).map(({ label }) => label)).toEqual(['results', 'other copies']);
    expect(memoryByKey.legend(two(), context())).toEqual([]);
    // Results are what the bars are; copies can be left out.
    expect(memoryByKey.legend(run, context()).map(({ inert }) => inert === true)).toEqual([true, false]);
    const without = dataOf(memoryByKey, run, context({ hidden: new Set(['copies']) }), FRAME).segments;
    expect(without.map(({ value }) => value)).toEqual([8 * MiB]);
  });

  it('keeps the order by bytes that was chosen while sizes change', () => {
    const run = two();
    const kept = new Kept();
    const order = (sort: string): unknown[] => bars(run, sort, kept).map(row => (row as unknown[])[0]);
    const [load, add] = [theme().prefix(0).colour, theme().prefix(1).colour];
    expect(order('size')).toEqual([add, load]);
    step(run, { held: [{ prefix: 0, results: 9, nbytes: 90 * MiB }] });
    expect(order('size')).toEqual([add, load]);
    order('name');
    expect(order('size')).toEqual([load, add]);
  });
});
