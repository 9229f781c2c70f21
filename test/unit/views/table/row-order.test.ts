import { expect, it } from 'vitest';
import type { TableData } from '../../../../src/plot/plot';
import { RowOrder } from '../../../../src/views/table/row-order';

const of = (...numbers: readonly number[]): TableData => ({
  columns: [{ id: 'time', label: 'Time', align: 'right' }],
  rows: numbers.map(value => ({ id: String(value), cells: [{ text: String(value), value }] }))
});

it('the order of rows that come and go for hours, as of running tasks, does not grow', () => {
  const order = new RowOrder();
  order.sortBy({ column: 'time', descending: true });
  const shown = (data: TableData): readonly string[] => order.apply(data).map(({ id }) => id);
  expect(shown(of(1, 2, 3))).toEqual(['3', '2', '1']);
  for (let i = 10; i < 5000; i++) {
    // Rows that stay keep their places before newer ones.
    expect(shown(of(1, i, 2, 3))).toEqual(['3', '2', '1', String(i)]);
  }
  expect((order as unknown as { readonly places: ReadonlyMap<string, number> }).places.size).toBeLessThan(1100);
});
