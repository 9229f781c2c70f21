/** The tasks of the graph that are those of the selected computation. */
import type { TaskSet } from '../../run/graph/graph-part';
import type { Run } from '../../run/run';
import { isOwned, rowsOwnedBy } from '../../run/selection/owned-rows';
import { selectedComputation } from '../computations/selected';

/** Executed for the computation, and for another one. */
const [OWN, OTHER] = [1, 2];

/** The tasks of the selected computation; `null` without one. */
export interface SelectedTasks {
  /** `null` where not all of its executions are known, or none of its tasks is in the graph. */
  readonly tasks: TaskSet | null;
  /** Whether tasks among them that have not run may be those of another computation in progress. */
  readonly disputed: boolean;
}

/**
 * The tasks that were executed for the selected computation; while some of its tasks are left, also those of the latest work that
 * were not executed for another one: the scheduler tells whose a task is only with its execution.
 */
export function selectedTasks(run: Run): SelectedTasks | null {
  const selected = selectedComputation(run);
  if (selected === null) {
    return null;
  }
  const owned = rowsOwnedBy(run, selected.id);
  if (owned === null) {
    return { tasks: null, disputed: false };
  }
  const { executed, graph } = run;
  const { first, latest } = graph;
  const flags = new Uint8Array(graph.size);
  for (let row = executed.first; row < executed.end; row++) {
    const at = executed.task(row) - first;
    if (at >= 0 && at < flags.length) {
      flags[at] |= isOwned(owned, row) ? OWN : OTHER;
    }
  }
  const has = (number: number): boolean => {
    const flag = flags[number - first] ?? OTHER;
    return (flag & OWN) > 0 || (flag === 0 && owned.running && number >= latest);
  };
  let size = 0;
  for (let number = first; number < graph.end; number++) {
    size += has(number) ? 1 : 0;
  }
  if (size === 0) {
    return { tasks: null, disputed: false };
  }
  const others = run.computations.list.some(({ id, values }) => id !== selected.id && values.left > 0);
  return { tasks: { name: `computation ${selected.id}`, size, has }, disputed: owned.running && others };
}
