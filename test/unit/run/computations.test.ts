import { expect, test } from 'vitest';
import { Computations } from '../../../src/run/tables/computations';

function body(rows: { id: number; tasks: number }[], texts: { id: number; code: string }[], kept = 0) {
  return {
    columns: {
      id: Uint16Array.from(rows, row => row.id),
      tasks: Uint32Array.from(rows, row => row.tasks)
    },
    moves: {},
    scalars: {
      kept,
      texts: texts.map(text => ({ client: 'c', cell: 3, cell_id: '', line: 0, origin: 'cell', span: '', ...text }))
    }
  };
}

test('the newest is first, rows are replaced, and what has not arrived is not known', () => {
  const computations = new Computations();
  computations.apply(body([{ id: 0, tasks: 5 }], []));
  expect(computations.list[0]).toMatchObject({ client: '', cell: 0, code: '' });
  computations.apply(body([{ id: 1, tasks: 7 }], [{ id: 0, code: 'x' }]));
  computations.apply(body([{ id: 0, tasks: 6 }], []));
  expect(computations.list.map(({ id, code, values }) => [id, code, values.tasks])).toEqual([
    [1, '', 7],
    [0, 'x', 6]
  ]);
  expect(computations.list[0].values.compute).toBeNaN();
});

test('what the collector has dropped is dropped here, and a copy is independent', () => {
  const computations = new Computations();
  for (let id = 0; id < 5000; id++) {
    computations.apply(body([{ id, tasks: 1 }], [{ id, code: 'x' }], Math.max(0, id - 999)));
  }
  expect(computations.list).toHaveLength(1000);
  expect(computations.dropped).toBe(4000);
  const copy = computations.copy();
  computations.clear();
  expect(computations.list).toHaveLength(0);
  expect(copy.list).toHaveLength(1000);
  expect(copy.list[0]).toMatchObject({ id: 4999, code: 'x' });
});
