/** What threads did for other computations than the selected one. */
import { countLeading } from '../../../../base/arrays';
import type { Seconds, Share } from '../../../../base/units';
import { isOwned, type OwnedRows, rowsOwnedBy } from '../../../../run/selection/owned-rows';
import type { Computation } from '../../../../run/tables/computations';
import { type Facts, once } from '../../../facts';
import { knownUntil } from '../../../time/activity';
import { Grid } from '../../../time/grid';

/** Of the threads: with more that have nothing to do, the computation could have had some. */
export const FREE: Share = 0.1;
/** Parts of threads that have nothing to do. */
const IDLE = ['reading', 'outside', 'quiet', 'straggler', 'starved'] as const;

/** What threads did for others while the selected computation waited. */
export interface Held {
  /** By step. */
  readonly compute: Float64Array;
  readonly running: Float64Array;
  /** What threads computed for others in the period, also while others were free. */
  readonly all: Seconds;
  /** The other computation that took most of the period; `null` if none is known. */
  readonly most: Computation | null;
  /** Time of other computations in the period, as far as it is known whose it is, and what of it is of other clients. */
  readonly known: Seconds;
  readonly foreign: Seconds;
}

/** `null` without a selected computation, or where not all of its tasks are known. */
export const heldByOthers = once((facts): Held | null => {
  const { run, computation, partition } = facts;
  const owned = computation === null ? null : rowsOwnedBy(run, computation.id);
  if (computation === null || owned === null) {
    return null;
  }
  const { steps, byStep, threads, unanswered } = partition;
  const ended = new Ended(facts, owned);
  const [executed, going] = [ended.grid.seconds(), runningIn(facts, computation)];
  const [compute, running] = [new Float64Array(steps.count), new Float64Array(steps.count)];
  let all = 0;
  for (let i = 0; i < steps.count; i++) {
    all += Math.min(byStep.compute[i], executed[i]);
    const free = IDLE.reduce((sum, part) => sum + byStep[part][i], 0);
    // Before its graph has been read, there is no task that could run. While the scheduler did not answer, none could be sent.
    if (
      unanswered[i] === 0 &&
      steps.from + i * steps.width >= computation.values.since &&
      free <= FREE * threads[i] * steps.width
    ) {
      compute[i] = Math.min(byStep.compute[i], executed[i]);
      running[i] = Math.min(byStep.running[i], going[i]);
    }
  }
  const times = [...ended.times].sort((a, b) => b[1] - a[1]);
  const sum = (of: typeof times): Seconds => of.reduce((all, [, time]) => all + time, 0);
  return {
    compute,
    running,
    all,
    most: times[0]?.[0] ?? null,
    known: sum(times),
    foreign: sum(times.filter(([{ client }]) => client !== computation.client))
  };
});

/** Executions of others that have ended. */
class Ended {
  constructor({ run, period, partition, computations }: Facts, owned: OwnedRows) {
    this.grid = new Grid(partition.steps);
    this.owners = computations
      .flatMap(computation => pairs(run.computations.rowsOf(computation.id)).map(([from, to]) => ({ from, to, computation })))
      .sort((a, b) => a.from - b.from);
    const { from, to } = period;
    for (const lane of run.tasks.lanes) {
      for (const chunk of lane?.compute.chunks ?? []) {
        for (let i = 0; chunk.end > from && chunk.first < to && i < chunk.length; i++) {
          const [start, row] = [chunk.startOf(i), chunk.rowOf(i)];
          const end = start + chunk.durationOf(i);
          if (start < to && end > from && !isOwned(owned, row)) {
            this.grid.add(start, end);
            this.note(row, Math.min(end, to) - Math.max(start, from));
          }
        }
      }
    }
  }

  readonly grid: Grid;
  readonly times = new Map<Computation, Seconds>();

  private note(row: number, time: Seconds): void {
    const { owners } = this;
    const found = owners[countLeading(owners.length, i => owners[i].from <= row) - 1];
    if (found !== undefined && row < found.to) {
      this.times.set(found.computation, (this.times.get(found.computation) ?? 0) + time);
    }
  }

  private readonly owners: readonly { readonly from: number; readonly to: number; readonly computation: Computation }[];
}

function pairs(bounds: readonly number[]): (readonly [from: number, to: number])[] {
  return bounds.flatMap((bound, i) => (i % 2 === 0 ? [[bound, bounds[i + 1]] as const] : []));
}

/** Tasks of others that have not ended, by step: those that began before, and those of functions that the computation does not have. */
function runningIn({ run, partition }: Facts, { id, values }: Computation): Float64Array {
  const grid = new Grid(partition.steps);
  const own = run.computations.functionsOf(id);
  const functions = new Set(own.map(({ prefix }) => prefix));
  const whole = own.reduce((sum, { tasks }) => sum + tasks, 0) === values.tasks - (values.unfollowed || 0);
  for (const { start, prefix, worker, seceded } of run.running.list) {
    if (!seceded && (start < values.since || (whole && !functions.has(prefix)))) {
      grid.add(start, knownUntil(run, worker));
    }
  }
  return grid.seconds();
}
