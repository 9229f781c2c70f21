/** Totals of computations, to compare two of one run or of two runs. */
import type { Bytes, Seconds, Share } from '../../base/units';
import type { Run } from '../../run/run';
import { type Computation, isDivided } from '../../run/tables/computations';
import { rowsOfComputation } from '../../run/selection/owned-rows';
import { NOTHING_SELECTED } from '../../run/selection/selection';
import { selectionStatistics } from '../selection/statistics';
import { busyShare, lacksRunning } from '../computations/busy';
import { ranIn, stateOf, wallTime } from '../tasks/computation-words';
import type { FunctionsFigures } from './difference';

/** Totals of one computation; NaN where not known. */
export interface ComputationFigures {
  readonly wall: Seconds;
  readonly tasks: number;
  readonly busy: Share;
  readonly compute: Seconds;
  readonly transfer: Seconds;
  readonly disk: Seconds;
  readonly results: Bytes;
  readonly errors: number;
  /** Graphs that were submitted, their size, and what it took to pack and to read them. */
  readonly submissions: number;
  readonly graph: Bytes;
  readonly packing: Seconds;
  readonly reading: Seconds;
  readonly functions: FunctionsFigures;
}

/** Most executions that a median is made of. */
const MOST = 1_000_000;

/** Computations whose medians are kept. */
const KEPT = 20;

interface Medians {
  /** Number of executions that had arrived then; -1 if more would change nothing. */
  readonly arrived: number;
  readonly of: ReadonlyMap<number, Seconds>;
}

const medians = new WeakMap<Run, Map<string, Medians>>();

/** Figures of a computation. */
export function figuresOf(run: Run, computation: Computation): ComputationFigures {
  const { tasks, compute, transfer, disk, nbytes, erred, submissions, graph, packing, reading, unfollowed } = computation.values;
  const functions = run.computations.functionsOf(computation.id);
  // The difference to a lower bound says nothing.
  const all = !(unfollowed > 0);
  const known = (value: number): number => (all ? value : Number.NaN);
  const busy = lacksRunning(run, computation) ? Number.NaN : known(busyShare(run, computation));
  const found = stateOf(computation) === 'active' ? new Map<number, Seconds>() : mediansOf(run, computation);
  return {
    wall: known(wallTime(run, computation)),
    ...{ tasks, compute: known(compute), transfer: known(transfer), disk: known(disk), busy },
    ...{ results: known(nbytes), errors: known(erred) },
    ...{ submissions, graph, packing, reading },
    functions: {
      byName: new Map(
        functions
          .filter(each => all && each.tasks > 0)
          .map(each => [
            run.prefixNames[each.prefix] ?? '',
            { count: each.done, total: each.compute, longest: each.longest, median: found.get(each.prefix) ?? Number.NaN }
          ])
      ),
      whole: isDivided(computation, functions)
    }
  };
}

/**
 * Medians by function: of its executions, where they are known. Else a median is known where as many executions of the function
 * ran in the time of the computation as it had itself, so that all are its own.
 */
function mediansOf(run: Run, computation: Computation): ReadonlyMap<number, Seconds> {
  const known = medians.get(run) ?? new Map<string, Medians>();
  medians.set(run, known);
  const { id, values } = computation;
  const key = `${run.identity} ${id} ${values.done} ${values.erred} ${values.stop} ${rowsOfComputation(run, id) !== null}`;
  const last = known.get(key);
  if (last !== undefined && (last.arrived < 0 || last.arrived === run.tasks.count)) {
    return last.of;
  }
  const own = new Map(run.computations.functionsOf(id).map(each => [each.prefix, each.done]));
  const period = ranIn(run, computation);
  const few = values.done + values.erred <= MOST;
  const selected = { run: run.identity, id };
  const found =
    period !== null && few ? selectionStatistics(run, { ...NOTHING_SELECTED, period, computation: selected }).functions : [];
  const of = new Map(
    found.filter(each => each.erred === 0 && own.get(each.prefix) === each.count).map(({ prefix, median }) => [prefix, median])
  );
  known.set(key, { arrived: of.size === own.size || !few ? -1 : run.tasks.count, of });
  if (known.size > KEPT) {
    known.delete([...known.keys()][0]);
  }
  return of;
}
