import { expect, it, vi } from 'vitest';
import { lastOf } from '../../../src/advice/time/in-progress';
import type { TopicBody } from '../../../src/feed/frame';
import { ERROR_KIND } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';
import { EPOCH, made } from './made';

/** Cells in which a task of a function failed since its worker had ended, 10 s after each other; each took 2 s. */
function failedCells(count: number, functionOf: (cell: number) => number): Run {
  const cells = Array.from({ length: count }, (_, i) => i);
  const errors: TopicBody = {
    columns: {
      id: Uint32Array.from(cells),
      kind: Uint8Array.from(cells, () => ERROR_KIND.indexOf('erred')),
      prefix: Uint32Array.from(cells, i => 1 + functionOf(i)),
      count: Uint32Array.from(cells, () => 1),
      first: Float64Array.from(cells, i => EPOCH + 10 * i + 2),
      last: Float64Array.from(cells, i => EPOCH + 10 * i + 2)
    },
    scalars: { texts: cells.map(id => ({ id, type: 'KilledWorker', deaths: 4 })) }
  };
  return made({
    functions: cells.map(i => `f${i}`),
    computations: cells.map(i => ({ since: 10 * i, last: 10 * i, tasks: 1, erred: 1 })),
    shares: cells.map(i => ({ computation: i, prefix: functionOf(i), tasks: 1, failed: 1 })),
    topics: { errors }
  });
}

const lasts = (run: Run): number[] => run.computations.list.map(each => lastOf(run, each) - EPOCH);

it.each([
  ['one function', () => 0],
  ['a function each', (i: number) => i]
])('the end of a cell whose task failed with its worker is that failure, with %s', (_, functionOf) => {
  expect(lasts(failedCells(4, functionOf)).sort((a, b) => a - b)).toEqual([2, 12, 22, 32]);
});

it('many cells that failed are looked at a few times each, not each for each other one', () => {
  const looks = (count: number): number => {
    const run = failedCells(count, i => i);
    const functions = vi.spyOn(run.computations, 'functionsOf');
    const errors = vi.spyOn(run.errors, 'list', 'get');
    lasts(run);
    return functions.mock.calls.length + errors.mock.calls.length;
  };
  expect(looks(100)).toBeLessThanOrEqual(201);
  expect(looks(400)).toBeLessThanOrEqual(801);
});
