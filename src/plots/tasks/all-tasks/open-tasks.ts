/** Which tasks have not ended, as the graph knows them, and up to which execution the table lists, so that no task has two rows. */
import { TASK_STATE } from '../../../feed/schema';
import type { ExecutionList } from '../../../run/lanes/execution-list';
import type { Run } from '../../../run/run';
import { UNFINISHED_STATES } from '../../../selectors/tasks/unfinished';

const CODES = new Set(UNFINISHED_STATES.map(state => TASK_STATE.indexOf(state)));
/** Tasks looked at between two yields. */
const STEP = 20_000;

/**
 * Number of the first execution that is not listed. Executions come more often than the states of tasks: the newest are listed
 * once it is known whose they are, since by its state a task may still be one that has not ended.
 */
export function listedUntil({ executed, graph, hasEnded }: Run): number {
  const known = Math.max(executed.end, graph.counted);
  // While a graph is read, for a minute, its executions have no task yet, and the tasks no row.
  return !Number.isNaN(known) && graph.waiting === 0 && !hasEnded ? known : Number.POSITIVE_INFINITY;
}

/** Numbers of the tasks that have not ended. */
export function* unfinished(run: Run, list: ExecutionList): Generator<void, Uint32Array, void> {
  const { graph } = run;
  const ended = yield* endedSince(run, list);
  const found: number[] = [];
  for (let number = graph.first; number < graph.end; number++) {
    if (CODES.has(graph.state(number)) && !ended.has(number)) {
      found.push(number);
    }
    if (number % STEP === 0) {
      yield;
    }
  }
  return Uint32Array.from(found);
}

/** Numbers of the tasks whose ends the states do not know of yet. */
function* endedSince({ executed, graph }: Run, list: ExecutionList): Generator<void, ReadonlySet<number>, void> {
  const found = new Set<number>();
  if (Number.isNaN(graph.counted)) {
    return found;
  }
  for (let row = Math.max(graph.counted, executed.first, list.base); row < executed.end; row++) {
    if (list.has(row - list.base)) {
      found.add(executed.task(row));
    }
    if (row % STEP === 0) {
      yield;
    }
  }
  return found;
}
