/** The tasks of the graph that are those of the selected computation. */
import type { TaskSet } from '../../run/graph/graph-part';
import type { Run } from '../../run/run';
import type { OwnFunctions, Whose } from '../../run/selection/own-functions';
import { type OwnedRows, rowsOwnedBy } from '../../run/selection/owned-rows';
import { selectedComputation } from '../computations/selected';

/** Of the computation, of another one, and of one of the two: it is not known which. */
const [OWN, OTHER, DISPUTED] = [1, 2, 4];
const FLAGS: Readonly<Record<Whose, number>> = { own: OWN, other: OTHER, unknown: DISPUTED };

/** The tasks of the selected computation; `null` without one. */
export interface SelectedTasks {
  /** `null` where not all of its executions are known, or none of its tasks is in the graph. */
  readonly tasks: TaskSet | null;
  /** Whether tasks among them may be those of another computation in progress. */
  readonly disputed: boolean;
  /** Tasks of a computation that is over, and not among them: they did not run, or are not kept. */
  readonly missing: number;
}

const UNKNOWN: SelectedTasks = { tasks: null, disputed: false, missing: 0 };

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
    return UNKNOWN;
  }
  const { first, latest } = run.graph;
  const flags = flagsOf(run, owned);
  const { functions } = owned;
  const isActive = functions?.isActive === true;
  let [size, version, disputed] = [0, 0, false];
  for (let at = 0; at < flags.length; at++) {
    const isAsked = flags[at] === 0 && first + at >= latest;
    const known = isAsked ? flagOf(functions, run.graph.prefix(first + at)) : flags[at];
    const isOwn = (known & (OWN | DISPUTED)) > 0;
    flags[at] = isOwn ? OWN : OTHER;
    disputed ||= isOwn && (known & OWN) === 0;
    if (isOwn) {
      size += 1;
      version = (Math.imul(version, 31) + first + at) | 0;
    }
  }
  if (size === 0) {
    return UNKNOWN;
  }
  return {
    tasks: { name: `computation ${selected.id}`, size, version, has: number => flags[number - first] === OWN },
    disputed,
    missing: isActive ? 0 : Math.max(0, selected.values.tasks - size)
  };
}

/**
 * For whom each task of the graph was executed, from the first one on; 0 for those of which no execution is known. There may be
 * 400,000 executions: the bounds are walked along with them, since `whose` would search for each.
 */
function flagsOf({ executed, graph }: Run, { bounds, functions, end }: OwnedRows): Uint8Array {
  const { first, tasks } = executed;
  const flags = new Uint8Array(graph.size);
  let passed = 0;
  for (let i = 0; i < tasks.length; i++) {
    while (bounds[passed] <= first + i) {
      passed += 1;
    }
    const at = tasks[i] - graph.first;
    if (at >= 0 && at < flags.length) {
      const byRow = passed % 2 === 1 ? OWN : OTHER;
      flags[at] |= first + i >= end ? flagOf(functions, graph.prefix(tasks[i])) : byRow;
    }
  }
  return flags;
}

function flagOf(functions: OwnFunctions | null, prefix: number): number {
  return FLAGS[functions?.of(prefix) ?? 'other'];
}
