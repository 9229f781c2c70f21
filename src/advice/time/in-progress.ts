import { countLeading } from '../../base/arrays';
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { stateOf } from '../../selectors/tasks/computation-words';
import { prefixCounts } from '../../selectors/tasks/prefix-counts';

/**
 * Whether tasks of a computation are still to be done. In recordings of earlier versions, those that nobody needs any more
 * since another one has failed are left as long as a client has the future of the failed one; the scheduler does nothing with
 * them.
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
 * Computations that a user may have asked for: those of cells, and those that the client of a notebook submits outside of all
 * cells, as callbacks of sliders and of pictures that are moved do. A thread that an earlier cell has started looks the same.
 */
export function askedFor({ computations: { list } }: Run): readonly Computation[] {
  const notebooks = new Set(list.filter(({ cell, client }) => cell > 0 && client !== '').map(({ client }) => client));
  return list.filter(({ cell, client }) => cell > 0 || notebooks.has(client));
}

/** Times by function, in order. */
type Times = ReadonlyMap<number, readonly Seconds[]>;

/** What failed in a run. */
interface Failed {
  readonly versions: string;
  /** When computations were submitted in which tasks of a function failed. */
  readonly submitted: Times;
  /** When tasks erred since their worker had ended: the first and the last of each kind. */
  readonly killed: Times;
}

const failed = new WeakMap<Run, Failed>();

/** Looked up once for all computations: many cells may have failed. */
function failedOf(run: Run): Failed {
  const versions = `${run.version('computations')} ${run.version('errors')}`;
  const known = failed.get(run);
  if (known?.versions === versions) {
    return known;
  }
  const submitted = run.computations.list
    .filter(({ values }) => values.erred > 0)
    .flatMap(({ id, values }) => failedIn(run, id).map(prefix => [prefix, values.since] as const));
  const killed = run.errors.list
    .filter(({ kind, deaths }) => kind === 'erred' && deaths > 0)
    .flatMap(({ prefix, first, last }) => [[prefix, first] as const, [prefix, last] as const]);
  const found = { versions, submitted: timesOf(submitted), killed: timesOf(killed) };
  failed.set(run, found);
  return found;
}

function timesOf(entries: readonly (readonly [prefix: number, time: Seconds])[]): Times {
  const found = new Map<number, Seconds[]>();
  for (const [prefix, time] of [...entries].sort(([, a], [, b]) => a - b)) {
    const times = found.get(prefix) ?? [];
    times.push(time);
    found.set(prefix, times);
  }
  return found;
}

/** The first of some times after one; Infinity if there is none. */
function firstAfter(times: readonly Seconds[], moment: Seconds): Seconds {
  return times[countLeading(times.length, i => times[i] <= moment)] ?? Number.POSITIVE_INFINITY;
}

/** Functions of a computation of which tasks failed. */
function failedIn(run: Run, id: number): readonly number[] {
  return run.computations
    .functionsOf(id)
    .filter(({ failed }) => failed > 0)
    .map(({ prefix }) => prefix);
}

/**
 * The last that is known of a computation: a graph, an execution, or a task that erred since its worker had ended, which leaves
 * no execution: until then it was tried again. Of failures of one function, the times of the first and the last are known.
 */
export function lastOf(run: Run, { id, values }: Computation): Seconds {
  const { since, stop, last, erred } = values;
  const executed = Math.max(stop || 0, last || 0);
  if (!(erred > 0)) {
    return executed;
  }
  const own = failedIn(run, id);
  const { submitted, killed } = failedOf(run);
  // What the same function did later may be of another computation.
  const next = own.reduce(
    (first, prefix) => Math.min(first, firstAfter(submitted.get(prefix) ?? [], since)),
    Number.POSITIVE_INFINITY
  );
  return own.reduce((latest, prefix) => {
    const times = killed.get(prefix) ?? [];
    const before = times[countLeading(times.length, i => times[i] < next) - 1] ?? Number.NEGATIVE_INFINITY;
    return before >= since ? Math.max(latest, before) : latest;
  }, executed);
}

/** When a computation ended: now while it is open, and when its graph had been read if it has executed nothing. */
export function endOf(run: Run, computation: Computation): Seconds {
  return isOpen(run, computation) ? run.clock.latest : Math.max(lastOf(run, computation), computation.values.since);
}
