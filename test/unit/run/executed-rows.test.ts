import { expect, test } from 'vitest';
import { ExecutedRows } from '../../../src/run/graph/executed-rows';
import type { TopicBody } from '../../../src/feed/frame';

const body = (first: number, ...numbers: number[]): TopicBody => ({
  columns: { number: Uint32Array.from(numbers) },
  scalars: { first }
});

test('rows have the tasks that frames name; repeated rows change nothing', () => {
  const rows = new ExecutedRows();
  rows.apply(body(10, 3, 2 ** 32 - 1));
  rows.apply(body(11, 2 ** 32 - 1, 5));
  expect([9, 10, 11, 12, 13].map(row => rows.task(row))).toEqual([-1, 3, -1, 5, -1]);
  const copy = rows.copy();
  rows.apply(body(13, 7));
  expect([copy.task(13), rows.task(13), copy.end]).toEqual([-1, 7, 13]);
});

test('rows that do not continue the others replace them', () => {
  const rows = new ExecutedRows();
  rows.apply(body(0, 1, 2));
  rows.apply(body(5, 9));
  expect([rows.first, rows.end, rows.task(1), rows.task(5)]).toEqual([5, 6, -1, 9]);
  rows.clear();
  expect([rows.first, rows.end]).toEqual([0, 0]);
});

test('the oldest rows are dropped beyond 400,000', () => {
  const rows = new ExecutedRows();
  for (let first = 0; first < 600_000; first += 50_000) {
    rows.apply({ columns: { number: new Uint32Array(50_000).fill(first) }, scalars: { first } });
  }
  expect(rows.end).toBe(600_000);
  expect(rows.end - rows.first).toBeGreaterThanOrEqual(400_000);
  expect(rows.end - rows.first).toBeLessThan(400_000 + 65_536);
  expect(rows.task(599_999)).toBe(550_000);
});
