import { expect, test } from 'vitest';
import { Run } from '../../../src/run/run';
import { oneBefore } from '../../../src/selectors/computations/chosen';
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

test('one of many is found by its number, and its functions are the same list until they change', () => {
  const computations = new Computations();
  const ids = Array.from({ length: 1000 }, (_, i) => 3 * i);
  const functions = {
    computation: Uint16Array.from([3, 3, 6]),
    prefix: Uint16Array.from([0, 1, 0]),
    left: Uint32Array.from([1, 2, 3])
  };
  computations.apply({
    ...body(
      ids.map(id => ({ id, tasks: id })),
      []
    ),
    moves: functions
  });
  expect(ids.every(id => computations.find(id)?.values.tasks === id)).toBe(true);
  expect([-1, 1, 2998, 3000].map(id => computations.find(id))).toEqual([undefined, undefined, undefined, undefined]);
  const [before, other, copy] = [computations.functionsOf(3), computations.functionsOf(6), computations.copy()];
  expect(computations.functionsOf(3)).toBe(before);
  expect(before.map(({ prefix, left }) => [prefix, left])).toEqual([
    [0, 1],
    [1, 2]
  ]);
  const grown = { computation: Uint16Array.from([3, 3]), prefix: Uint16Array.from([0, 2]), left: Uint32Array.from([9, 4]) };
  computations.apply({ ...body([], []), moves: grown });
  expect(computations.functionsOf(3).map(({ prefix, left }) => [prefix, left])).toEqual([
    [0, 9],
    [1, 2],
    [2, 4]
  ]);
  expect(computations.functionsOf(6)).toBe(other);
  expect(copy.functionsOf(3)).toBe(before);
  expect(computations.functionsOf(9)).toEqual([]);
});

test('older ones in progress are kept until the collector drops them', () => {
  const computations = new Computations();
  const all = Array.from({ length: 6 }, (_, id) => ({ id, tasks: 1 }));
  const kept = (from: number, older: number[], unkept = 0): readonly number[] => {
    const { scalars, ...rest } = body([], []);
    computations.apply({ ...rest, scalars: { ...scalars, kept: from, older, unkept } });
    return computations.list.map(({ id }) => id);
  };
  computations.apply(body(all, []));
  expect(kept(4, [1, 2])).toEqual([5, 4, 2, 1]);
  expect(computations.dropped).toBe(2);
  expect(computations.copy().dropped).toBe(2);
  expect(kept(4, [2], 7)).toEqual([5, 4, 2]);
  expect([computations.dropped, computations.unkept, computations.copy().unkept]).toEqual([3, 7, 7]);
  computations.apply({ columns: {}, moves: {}, scalars: {} });
  expect(computations.list.map(({ id }) => id)).toEqual([5, 4, 2]);
  const run = Object.assign(new Run(), { computations });
  const before = (id: number): number | undefined => {
    const found = computations.list.find(each => each.id === id);
    return found && oneBefore(run, found)?.id;
  };
  expect([5, 4, 2].map(before), 'the third one is not kept').toEqual([4, undefined, undefined]);
  expect(kept(5, [])).toEqual([5]);
  expect(computations.unkept).toBe(0);
});
