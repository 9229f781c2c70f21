// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { PlotContext } from '../../../src/plot/plot';
import { workersMemory } from '../../../src/plots/memory/workers-memory';
import { progress } from '../../../src/plots/tasks/progress';
import { RowSearchField } from '../../../src/views/vega/row-search';
import type { ViewHost } from '../../../src/views/view';
import { cluster, context } from '../plots/cluster';
import { translate as trans } from '../translate';

const SIZE = { width: 400, height: 300 };
const run = cluster({
  workers: Array.from({ length: 2000 }, (_, i) => ({ name: `w${i}`, host: i < 3 ? 'fast-host' : `host-${i}` })),
  prefixes: [
    { name: 'load', processing: 1 },
    { name: 'Fit', processing: 2 }
  ]
});

beforeEach(() => setNumberLocale('en'));

const rowsOf = (plot: typeof workersMemory, search?: string): unknown =>
  plot.picture(run, context(search === undefined ? {} : { saved: { search } }), SIZE).rows;

describe('rows of bars', () => {
  it('are found by name, address and host', () => {
    expect(rowsOf(workersMemory)).toMatchObject({ count: 2000, of: 2000, pitch: 8 });
    // Few rows are as high as those of few workers: with names.
    expect(rowsOf(workersMemory, ' W1234 ')).toMatchObject({ count: 1, of: 2000, pitch: 25 });
    expect(rowsOf(workersMemory, 'fast-HOST')).toMatchObject({ count: 3 });
    expect(rowsOf(workersMemory, 'tcp://')).toMatchObject({ count: 2000 });
    expect(rowsOf(workersMemory, '<b>')).toMatchObject({ count: 0, of: 2000 });
    expect(rowsOf(progress, 'fit')).toMatchObject({ count: 1, of: 2 });
  });
});

describe('the field above many rows', () => {
  let saved: Record<string, string | number | boolean>;
  let drawings: number;
  const field = (change: Partial<PlotContext> = {}): RowSearchField => {
    const host = { trans, saved, save: (more: typeof saved) => Object.assign(saved, more) } as unknown as ViewHost;
    Object.defineProperty(host, 'context', { get: () => context({ saved, ...change }) });
    return new RowSearchField(host, () => {
      drawings += 1;
    });
  };
  const rows = (count: number, of?: number) => ({ count, pitch: 8, margins: { top: 0, bottom: 0 }, ...(of ? { of } : {}) });
  const input = ({ node }: RowSearchField): HTMLInputElement => node.querySelector('input') as HTMLInputElement;

  beforeEach(() => {
    saved = {};
    drawings = 0;
  });

  it('is there where rows have no names, saves what is typed, and says how many rows it finds', () => {
    const search = field();
    expect(search.update(rows(100, 100), 300)).toBe(false);
    expect(search.height).toBe(0);
    expect(search.update(rows(2000, 2000), 300)).toBe(true);
    expect(search.height).toBeGreaterThan(0);
    expect(search.node.querySelector('.dp-Table-found')?.textContent).toBe('2,000 rows');
    input(search).value = 'fast';
    input(search).dispatchEvent(new Event('input'));
    expect([saved.search, drawings]).toEqual(['fast', 1]);
    expect(search.update(rows(3, 2000), 300)).toBe(false);
    expect(search.node.querySelector('.dp-Table-found')?.textContent).toBe('3 of 2,000 rows');
  });

  it('is not there for rows that are not searched, in a low pane and where nothing is saved', () => {
    const search = field();
    expect(search.update(rows(500), 300)).toBe(false);
    expect(search.update(undefined, 300)).toBe(false);
    expect(search.update(rows(500, 500), 80)).toBe(false);
    expect(field({ saved: undefined }).update(rows(500, 500), 300)).toBe(false);
  });

  it('announces what was searched, not that rows come', () => {
    const search = field();
    const spoken: (string | null | undefined)[] = [];
    for (const count of [2000, 2001, 2002]) {
      search.update(rows(count, count), 300);
      spoken.push(search.node.querySelector('[aria-live]')?.textContent);
    }
    expect(search.node.querySelector('.dp-Table-found')?.textContent).toBe('2,002 rows');
    expect(spoken).toEqual(['2,000 rows', '2,000 rows', '2,000 rows']);
    expect(search.node.querySelector('[role=status]')).toBeNull();
  });

  it('stays as long as it leaves rows out, and comes back with what was searched', () => {
    saved = { search: 'w1' };
    const search = field();
    expect(input(search).value).toBe('w1');
    expect(search.update(rows(0, 12), 300)).toBe(true);
    expect(search.node.querySelector('.dp-Table-found')?.textContent).toBe('0 of 12 rows');
  });
});
