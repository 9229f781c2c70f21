/** Computations that were chosen to be compared, and those that are worth it. */
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';

/** Names a computation in options: with its time, since another scheduler gives the same numbers. */
export function referenceTo({ id, values }: Computation): string {
  return `${id}@${values.since}`;
}

/** The computation that a reference names; `null` if it is not there, or not any more. */
export function computationAt(run: Run, reference: string): Computation | null {
  const [id, since] = reference.split('@');
  const found = run.computations.list.find(each => String(each.id) === id);
  return found !== undefined && (since === undefined || since === String(found.values.since)) ? found : null;
}

/** The newest before another one that has tasks; `null` where some between them are not kept. */
export function oneBefore({ computations }: Run, { id }: Computation): Computation | null {
  const found = computations.list.find(each => each.id < id && each.values.tasks > 0);
  return found !== undefined && computations.areAllKept(found.id, id) ? found : null;
}

/** The run before of the same cell, not what another client submitted in this run; `null` if that is not known. */
export function runBefore({ computations }: Run, { id, cell, cellId, client }: Computation): Computation | null {
  const earlier = (each: Computation): boolean => each.id < id && (each.client === client || each.cell !== cell);
  const same = (each: Computation): boolean => each.cellId === cellId && each.values.tasks > 0 && earlier(each);
  const found = cellId === '' ? undefined : computations.list.find(same);
  return found !== undefined && computations.areAllKept(found.id, id) ? found : null;
}
