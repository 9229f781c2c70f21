import { describe, expect, it, vi } from 'vitest';
import type { Scalar } from '../../../src/feed/frame';
import { Run } from '../../../src/run/run';
import { keyWords } from '../../../src/views/key-words';
import { translate } from '../translate';
import { KeySearch, MOST_FOUND } from '../../../src/selectors/search/key-search';

type Args = Record<string, Scalar>;

function setUp(): {
  asked: Args[];
  answer: (value: Scalar | Error) => Promise<void>;
  search: KeySearch;
  changes: () => number;
} {
  const asked: Args[] = [];
  const waiting: ((value: Scalar | Error) => void)[] = [];
  let count = 0;
  const feed = {
    request: (name: string, args: Args = {}): Promise<Scalar> => {
      asked.push({ name, ...args });
      return new Promise((resolve, reject) => {
        waiting.push(value => (value instanceof Error ? reject(value) : resolve(value)));
      });
    }
  };
  const search = new KeySearch('executions', feed, () => {
    count += 1;
  });
  const answer = async (value: Scalar | Error): Promise<void> => {
    waiting.shift()?.(value);
    await new Promise(resolve => setTimeout(resolve));
  };
  return { asked, answer, search, changes: () => count };
}

const part = (rows: number[], reached: number, more: Args = {}): Scalar => ({
  ...{ rows, reached, before: 100, first: 0, done: reached === 0 },
  ...more
});
const RUN = { identity: 'r', end: 100 };

describe('a search for keys', () => {
  it('is late where the scheduler has not answered for five seconds, until it does', async () => {
    vi.useFakeTimers();
    const { answer, search, changes } = setUp();
    search.seek(['sum-1'], RUN);
    await vi.advanceTimersByTimeAsync(4900);
    expect([search.late, changes()]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(200);
    expect([search.late, changes()]).toEqual([true, 1]);
    expect(keyWords(new Run(), search, translate)).toContain('the scheduler has not answered yet');
    vi.useRealTimers();
    await answer(part([3], 0));
    expect([search.late, search.busy]).toEqual([false, false]);
  });

  it('goes on to older keys until it has seen all, and to those that came since', async () => {
    const { asked, answer, search, changes } = setUp();
    search.seek(['sum-1'], RUN);
    search.seek(['sum-1'], RUN);
    expect(asked).toMatchObject([{ name: 'search_keys', of: 'executions', texts: ['sum-1'], from: 0, before: null }]);
    await answer(part([90, 80], 75));
    expect([[...search.rows], search.searched, search.busy, changes()]).toEqual([[90, 80], 0.25, true, 1]);
    expect(asked[1]).toMatchObject({ from: 0, before: 75 });
    await answer(part([3], 0, { before: 75 }));
    expect([[...search.rows], search.searched, search.busy]).toEqual([[90, 80, 3], 1, false]);
    search.seek(['sum-1'], RUN);
    expect(asked).toHaveLength(2);
    search.seek(['sum-1'], { ...RUN, end: 130 });
    expect(asked[2]).toMatchObject({ from: 100, before: null });
    await answer(part([120], 100, { before: 130, done: true }));
    expect(search.rows.size).toBe(4);
    expect(search.busy).toBe(false);
  });

  it('is replaced by another text, and ended by none', async () => {
    const { asked, answer, search, changes } = setUp();
    search.seek(['a'], RUN);
    search.seek(['b'], RUN);
    await answer({ cancelled: true });
    expect(changes()).toBe(0);
    await answer(part([5], 0));
    expect([...search.rows]).toEqual([5]);
    expect(asked.map(({ search: name }) => name)).toEqual([asked[0].search, asked[0].search]);
    search.seek(['b'], { ...RUN, identity: 'other' });
    expect(search.rows.size).toBe(0);
    search.seek([], RUN);
    expect(asked[3]).toMatchObject({ texts: [] });
    await answer(part([9], 0));
    expect(search.rows.size).toBe(0);
    expect(search.busy).toBe(false);
    search.seek([], RUN);
    expect(asked).toHaveLength(4);
  });

  it('says where keys have left, and in older collectors, closed clients and reports', async () => {
    const { answer, search } = setUp();
    search.seek(['a'], RUN);
    await answer(part([], 40, { first: 40, done: true }));
    expect([search.first, search.searched]).toEqual([40, 1]);
    for (const [message, failure] of [
      ["The collector knows no request 'search_keys'.", { kind: 'older' }],
      ['The client is closed.', { kind: 'refused', reason: 'The client is closed.' }]
    ] as const) {
      search.seek([message], RUN);
      await answer(new Error(message));
      expect(search.failure).toEqual(failure);
      expect(search.busy).toBe(false);
      search.seek([message], { ...RUN, end: 1000 });
      expect(search.busy).toBe(false);
    }
    const nowhere = new KeySearch('executions', null, () => undefined);
    nowhere.seek(['a'], RUN);
    expect(nowhere.failure).toEqual({ kind: 'nowhere' });
  });

  it('does not believe every answer', async () => {
    const { answer, asked, search } = setUp();
    for (const odd of [null, 'x', {}, part([], -1), part([], Number.NaN), part([], 2 ** 60)]) {
      search.seek([String(asked.length)], RUN);
      await answer(odd);
      expect(search.failure).toMatchObject({ kind: 'refused' });
    }
    search.seek(['rows'], RUN);
    await answer({ ...(part([], 0) as object), rows: [1, -1, 'x', null, 1.5, 2] });
    expect([...search.rows]).toEqual([1, 2]);
    search.seek(['many'], RUN);
    await answer(
      part(
        Array.from({ length: MOST_FOUND + 5 }, (_, i) => i),
        50
      )
    );
    expect([search.rows.size, search.cut, search.busy]).toEqual([MOST_FOUND, true, false]);
    search.seek(['still'], RUN);
    const before = asked.length;
    for (let n = 0; n < 200 && search.busy; n++) {
      await answer(part([], 50));
    }
    expect(search.failure).toMatchObject({ kind: 'refused' });
    expect(asked.length - before).toBeLessThan(110);
  });
});
