import { expect, it } from 'vitest';
import { setNumberLocale } from '../../../../src/base/format';
import type { LongTable, TablePlot } from '../../../../src/plot/plot';
import { tasks } from '../../../../src/plots/tasks/all-tasks';
import { Run } from '../../../../src/run/run';
import { LongSource } from '../../../../src/views/table/long/source';
import { context } from '../../plots/cluster';

it('says that a copy of very many rows has not all of them, until the table is sorted or searched again', () => {
  setNumberLocale('en');
  const sourceOf = (count: number): { source: LongSource; take: () => void } => {
    const long = (): LongTable => ({
      ...{ columns: [], identity: 'a', count, ask: () => [] },
      *rows() {
        return { count, row: i => ({ id: String(i), cells: [] }), key: i => i, fits: () => null };
      }
    });
    const plot: TablePlot = { ...tasks, long };
    const source = new LongSource(plot, null, () => undefined);
    return { source, take: () => void source.take(new Run(), context(), { column: '', descending: false }, '') };
  };
  for (const [count, words] of [
    [100_000, ''],
    [100_001, 'only the first 100,000 rows were copied']
  ] as const) {
    const { source, take } = sourceOf(count);
    take();
    expect(source.words(context())).toBe('');
    expect(source.copy()).toHaveLength(100_000);
    expect(source.words(context())).toBe(words);
    source.renew();
    take();
    expect(source.words(context())).toBe('');
  }
});
