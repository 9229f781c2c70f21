/** Which executions are those of a selected computation. */
import type { Run } from '../run';
import type { RowBounds } from '../tables/computations';
import type { Selection } from './selection';

/** Rows of the executions of a computation; `null` where not all of them are known. */
export function rowsOfComputation(run: Run, id: number): RowBounds | null {
  const found = run.computations.find(id);
  const rows = run.computations.rowsOf(id);
  if (found === undefined || found.values.unfollowed > 0) {
    return null;
  }
  const { done, erred, renewed, left } = found.values;
  const count = countOf(rows);
  // Before the first of its tasks ends, none is its own, if it is known of others whose they are.
  const begins = count === 0 && left > 0 && done + erred === 0 && run.computations.ownedEnd > 0;
  return begins || (count > 0 && count >= done + (renewed || 0)) ? rows : null;
}

/** Lists are not changed. */
const counts = new WeakMap<RowBounds, number>();

function countOf(rows: RowBounds): number {
  let count = counts.get(rows);
  if (count === undefined) {
    count = rows.reduce((sum, row, i) => (i % 2 === 0 ? sum - row : sum + row), 0);
    counts.set(rows, count);
  }
  return count;
}

/** What a selection is restricted to, beside its other conditions. */
export interface OwnedRows {
  readonly bounds: RowBounds;
  /** Whether tasks are left, which may be any that run, and any that ended after `end`. */
  readonly running: boolean;
  /** From this row on it is not known yet whose they are, as at most moments of a recording. */
  readonly end: number;
}

const NONE: OwnedRows = { bounds: [], running: false, end: 0 };

/** The executions of the selected computation; `null` if none is selected, or where not all of them are known. */
export function ownedRows(run: Run, { computation }: Selection): OwnedRows | null {
  if (computation === null) {
    return null;
  }
  return computation.run === run.identity ? rowsOwnedBy(run, computation.id) : NONE;
}

/** The executions of a computation; `null` where not all of them are known. */
export function rowsOwnedBy(run: Run, id: number): OwnedRows | null {
  const bounds = rowsOfComputation(run, id);
  const found = run.computations.find(id);
  return bounds && { bounds, running: (found?.values.left ?? 0) > 0, end: run.computations.ownedEnd };
}

/** Whether an execution is one of a computation; `row` is below 0 for a task that runs. */
export function isOwned({ bounds, running, end }: OwnedRows, row: number): boolean {
  return row < 0 || row >= end ? running : isWithin(bounds, row);
}

/** Whether executions that have arrived may be those of a computation or of another one that is in progress. */
export function isDisputed(run: Run, id: number): boolean {
  const { list, ownedEnd } = run.computations;
  const active = list.filter(({ values }) => values.left > 0);
  return run.tasks.nextRow > ownedEnd && active.length > 1 && active.some(each => each.id === id);
}

/** Whether a row is within bounds. */
export function isWithin(bounds: RowBounds, row: number): boolean {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bounds[middle] <= row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return (low & 1) === 1;
}
