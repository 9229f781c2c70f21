/** Which executions are those of a selected computation. */
import type { Seconds } from '../../base/units';
import type { Run } from '../run';
import type { RowBounds } from '../tables/computations';
import { type OwnFunctions, ownFunctions, type Whose } from './own-functions';
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

/** Which executions are those of a computation. */
export interface OwnedRows {
  readonly bounds: RowBounds;
  /** From this row on it is not known yet whose they are, as at most moments of a recording, but by their functions. */
  readonly end: number;
  /** The functions of the computation; `null` if it is not one of the run. */
  readonly functions: OwnFunctions | null;
}

const NONE: OwnedRows = { bounds: [], functions: null, end: 0 };

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
  return bounds && found ? { bounds, functions: ownFunctions(run, found), end: run.computations.ownedEnd } : null;
}

/** Whose an execution is; `row` is below 0 for a task that runs. */
export function whose({ bounds, functions, end }: OwnedRows, row: number, prefix: number): Whose {
  if (row < 0 || row >= end) {
    return functions?.of(prefix) ?? 'other';
  }
  return isWithin(bounds, row) ? 'own' : 'other';
}

/** Whether an execution may be one of a computation, whatever its function is. */
export function mayBeOwned({ bounds, functions, end }: OwnedRows, row: number): boolean {
  return row >= end ? functions?.isActive === true : isWithin(bounds, row);
}

/** Whether executions that have arrived, or tasks that run, may be those of a computation or of another one in progress. */
export function isDisputed(run: Run, id: number): boolean {
  const owned = rowsOwnedBy(run, id);
  if (owned?.functions?.isActive !== true) {
    return false;
  }
  const { functions, end } = owned;
  const isUnknown = (prefix: number, start?: Seconds): boolean => functions?.of(prefix, start) === 'unknown';
  return (
    [...run.running.list].some(({ prefix, start }) => isUnknown(prefix, start)) ||
    newest(run, end).some(prefix => isUnknown(prefix))
  );
}

/** Functions of the executions from a row on; rows of a lane grow with time. */
function newest({ tasks }: Run, end: number): readonly number[] {
  const functions = new Set<number>();
  for (const lane of tasks.nextRow > end ? tasks.lanes : []) {
    const chunks = lane?.compute.chunks ?? [];
    for (let c = chunks.length - 1; c >= 0 && chunks[c].rowOf(chunks[c].length - 1) >= end; c--) {
      for (let i = chunks[c].length - 1; i >= 0 && chunks[c].rowOf(i) >= end; i--) {
        functions.add(chunks[c].labelOf(i));
      }
    }
  }
  return [...functions];
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
