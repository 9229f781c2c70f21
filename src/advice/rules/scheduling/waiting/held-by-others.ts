/** What threads did for other computations than the selected one. */
import { countLeading } from '../../../../base/arrays';
import type { Seconds, Share } from '../../../../base/units';
import { type OwnedRows, rowsOwnedBy, whose } from '../../../../run/selection/owned-rows';
import type { Run } from '../../../../run/run';
import type { Period } from '../../../../run/selection/selection';
import type { Whose } from '../../../../run/selection/own-functions';
import type { Computation } from '../../../../run/tables/computations';
import { type Facts, once } from '../../../facts';
import { beginOf } from '../../../../selectors/computations/reading';
import { isOfTasks } from '../../../../selectors/tasks/computation-words';
import { endOf } from '../../../time/in-progress';
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
  /** What threads computed for others in the period, also of tasks that have not ended, and while others were free. */
  readonly all: Seconds;
  /** The other computation that took most of the period; `null` if none is known. */
  readonly most: Computation | null;
  /** Time of other computations in the period, as far as it is known whose it is, and what of it is of other clients. */
  readonly known: Seconds;
  readonly foreign: Seconds;
  /** When its own first task began, as far as it is known whose they are; Infinity before any has, or if that is not known. */
  readonly begin: Seconds;
  /** The same for tasks that may be its own, too. -Infinity if it is not known which tasks run. */
  readonly possibleBegin: Seconds;
}

/** `null` without a selected computation, or where not all of its tasks are known. */
export const heldByOthers = once((facts): Held | null => {
  const { run, computation, partition } = facts;
  const owned = computation === null ? null : rowsOwnedBy(run, computation.id);
  if (computation === null || owned === null) {
    return null;
  }
  const { steps, byStep, threads, unanswered } = partition;
  const { start } = computation.values;
  const begins = new Begins();
  const nested = nestedIn(facts, computation);
  const ended = new Ended(facts, owned, nested, begins);
  const going = new Going(facts, owned, nested, begins);
  const [executed, ran] = [ended.grid.seconds(), going.grid.seconds()];
  // Of tasks that had seceded, more are recorded than threads could run: what its own had of them, others did not.
  const own = nested.size === 0 ? ended.own.seconds() : new Float64Array(steps.count);
  const foreign = (i: number): Seconds => Math.max(0, Math.min(byStep.compute[i] - own[i], executed[i]));
  const [compute, running] = [new Float64Array(steps.count), new Float64Array(steps.count)];
  let all = 0;
  for (let i = 0; i < steps.count; i++) {
    all += foreign(i) + Math.min(byStep.running[i], ran[i]);
    const free = IDLE.reduce((sum, part) => sum + byStep[part][i], 0);
    // Before its graph has been read, there is no task that could run. While the scheduler did not answer, none could be sent.
    if (
      unanswered[i] === 0 &&
      steps.from + i * steps.width >= computation.values.since &&
      free <= FREE * threads[i] * steps.width
    ) {
      compute[i] = foreign(i);
      running[i] = Math.min(byStep.running[i], ran[i]);
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
    foreign: sum(times.filter(([{ client }]) => client !== computation.client)),
    begin: Math.min(begins.own, start || begins.own),
    possibleBegin: start > 0 || knowsRunning(run) ? Math.min(begins.possible, start || begins.possible) : Number.NEGATIVE_INFINITY
  };
});

/** What tasks submitted while a computation was in progress: they may be its own tasks, and it waits for what they submit. */
function nestedIn({ run, computations }: Facts, computation: Computation): ReadonlySet<Computation> {
  const [begin, end] = [beginOf(computation), endOf(run, computation)];
  return new Set(
    computations.filter(each => isOfTasks(each.client) && beginOf(each) >= begin && beginOf(each) <= end && each !== computation)
  );
}

/** What threads computed for others in the period; 0 where that is not known, also where it fails, which its rule says. */
export function computedForOthers(facts: Facts): Seconds {
  try {
    return heldByOthers(facts)?.all ?? 0;
  } catch {
    return 0;
  }
}

/** Whether all tasks that run are listed. */
function knowsRunning(run: Run): boolean {
  return run.has('running') && run.running.unlisted === 0;
}

/** Executions that have ended, of others and of the computation. */
class Ended {
  constructor(
    { run, period, partition, computations }: Facts,
    owned: OwnedRows,
    private readonly nested: ReadonlySet<Computation>,
    begins: Begins
  ) {
    this.period = period;
    this.own = new Grid(partition.steps);
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
          const of = whose(owned, row, chunk.labelOf(i));
          begins.note(of, start);
          if (start < to && end > from && of === 'other') {
            this.note(this.ownerOf(row), start, end);
          } else if (of === 'own' && computations.length > 1) {
            // There may be a million of them.
            this.own.add(start, end);
          }
        }
      }
    }
  }

  readonly grid: Grid;
  /** Of the computation itself. */
  readonly own: Grid;
  readonly times = new Map<Computation, Seconds>();

  private note(owner: Computation | null, start: Seconds, end: Seconds): void {
    if (owner !== null && this.nested.has(owner)) {
      return;
    }
    this.grid.add(start, end);
    if (owner !== null) {
      const { from, to } = this.period;
      this.times.set(owner, (this.times.get(owner) ?? 0) + Math.min(end, to) - Math.max(start, from));
    }
  }

  /** `null` if that is not known. */
  private ownerOf(row: number): Computation | null {
    const { owners } = this;
    const found = owners[countLeading(owners.length, i => owners[i].from <= row) - 1];
    return found !== undefined && row < found.to ? found.computation : null;
  }

  private readonly period: Period;
  private readonly owners: readonly { readonly from: number; readonly to: number; readonly computation: Computation }[];
}

function pairs(bounds: readonly number[]): (readonly [from: number, to: number])[] {
  return bounds.flatMap((bound, i) => (i % 2 === 0 ? [[bound, bounds[i + 1]] as const] : []));
}

/** Tasks of others that have not ended. */
class Going {
  constructor({ run, partition }: Facts, { functions }: OwnedRows, nested: ReadonlySet<Computation>, begins: Begins) {
    this.grid = new Grid(partition.steps);
    const inside = new Set([...nested].flatMap(({ id }) => run.computations.functionsOf(id).map(({ prefix }) => prefix)));
    for (const { start, prefix, worker, seceded } of run.running.list) {
      const of = functions?.of(prefix, start) ?? 'other';
      begins.note(of, start);
      if (!seceded && of === 'other' && !inside.has(prefix)) {
        this.grid.add(start, knownUntil(run, worker));
      }
    }
  }

  readonly grid: Grid;
}

/** When the first task of the computation began; Infinity before any has. */
class Begins {
  /** Of those that are known to be its own. */
  own: Seconds = Number.POSITIVE_INFINITY;
  /** Of those that may be its own, too. */
  possible: Seconds = Number.POSITIVE_INFINITY;

  note(of: Whose, start: Seconds): void {
    this.own = of === 'own' && start < this.own ? start : this.own;
    this.possible = of !== 'other' && start < this.possible ? start : this.possible;
  }
}
