import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { stateOf } from '../../selectors/tasks/computation-words';
import { prefixCounts } from '../../selectors/tasks/prefix-counts';

/**
 * Whether tasks of a computation are still to be done. In recordings of earlier versions, those that nobody needs any more since another
 * one has failed are left as long as a client has the future of the failed one; the scheduler does nothing with them.
 */
export function isInProgress(run: Run, { id, values }: Computation): boolean {
  if (!(values.left > 0) || !(values.erred > 0)) {
    return values.left > 0;
  }
  const counts = prefixCounts(run);
  const active = new Set(counts.filter(each => each.active > 0).map(each => each.id));
  const left = run.computations.functionsOf(id).filter(each => each.left > 0);
  return counts.length === 0 || left.length === 0 || left.some(({ prefix }) => active.has(prefix));
}

/** The same for what it was submitted for: not for results that were lost after it had ended. */
export function isOpen(run: Run, computation: Computation): boolean {
  return stateOf(computation) === 'active' && isInProgress(run, computation);
}

/** Pause of the user before the graph of another cell, or of a slider: nobody asks for the next sooner after the result. */
export const THOUGHT: Seconds = 1;

/**
 * Computations that a user may have asked for: those of cells, and those that the client of a notebook submits outside of all cells, as
 * callbacks of sliders and of pictures that are moved do. A thread that an earlier cell has started looks the same.
 */
export function askedFor({ computations: { list } }: Run): readonly Computation[] {
  const notebooks = new Set(list.filter(({ cell, client }) => cell > 0 && client !== '').map(({ client }) => client));
  return list.filter(({ cell, client }) => cell > 0 || notebooks.has(client));
}

/**
 * The last that is known of a computation: a graph, an execution, or a task that erred since its worker had ended, which leaves no execution:
 * until then it was tried again. Of failures of one function, the times of the first and the last are known.
 */
export function lastOf(run: Run, { id, values }: Computation): Seconds {
  const { since, stop, last, erred } = values;
  const executed = Math.max(stop || 0, last || 0);
  if (!(erred > 0)) {
    return executed;
  }
  const failedIn = (computation: number): readonly number[] =>
    run.computations
      .functionsOf(computation)
      .filter(({ failed }) => failed > 0)
      .map(({ prefix }) => prefix);
  const own = new Set(failedIn(id));
  // What the same function did later may be of another computation.
  const next = run.computations.list
    .filter(each => each.values.since > since && each.values.erred > 0 && failedIn(each.id).some(prefix => own.has(prefix)))
    .reduce((first, each) => Math.min(first, each.values.since), Number.POSITIVE_INFINITY);
  const failures = run.errors.list
    .filter(({ kind, deaths, prefix }) => kind === 'erred' && deaths > 0 && own.has(prefix))
    .flatMap(each => [each.first, each.last]);
  return Math.max(executed, ...failures.filter(time => time >= since && time < next));
}

/** When a computation ended: now while it is open, and when its graph had been read if it has executed nothing. */
export function endOf(run: Run, computation: Computation): Seconds {
  return isOpen(run, computation) ? run.clock.latest : Math.max(lastOf(run, computation), computation.values.since);
}
