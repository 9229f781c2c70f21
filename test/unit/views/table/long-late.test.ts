import { afterEach, expect, it, vi } from 'vitest';
import type { Feed } from '../../../../src/feed/feed';
import type { LongTable, TablePlot } from '../../../../src/plot/plot';
import { tasks } from '../../../../src/plots/tasks/all-tasks';
import { Run } from '../../../../src/run/run';
import { LongSource } from '../../../../src/views/table/long/source';
import { context } from '../../plots/cluster';

afterEach(() => void vi.useRealTimers());

it('says after five seconds that the scheduler has not answered for a row in view', async () => {
  vi.useFakeTimers();
  let answer: (value: null) => void = () => undefined;
  const feed = { request: () => new Promise(resolve => (answer = resolve)) } as unknown as Feed;
  const question = { about: '0', name: 'key', args: {}, take: () => undefined, fail: () => undefined };
  const long = (): LongTable => ({
    ...{ columns: [], identity: 'a', count: 1, ask: ids => (ids.length > 0 ? [question] : []) },
    *rows() {
      return { count: 1, row: i => ({ id: String(i), cells: [] }), key: i => i, fits: () => null };
    }
  });
  const plot: TablePlot = { ...tasks, long };
  const changed = vi.fn();
  const source = new LongSource(plot, feed, changed);
  source.take(new Run(), context(), { column: '', descending: false }, '');
  source.show(0, 1, -1);
  changed.mockClear();
  await vi.advanceTimersByTimeAsync(4900);
  expect([source.words(context()), changed.mock.calls.length]).toEqual(['', 0]);
  await vi.advanceTimersByTimeAsync(200);
  expect([source.words(context()), changed.mock.calls.length]).toEqual(['the scheduler has not answered yet', 1]);
  answer(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(source.words(context())).toBe('');
});
