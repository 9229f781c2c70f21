/** What selects a computation in all views. */
import type { Run } from '../../run/run';
import { isDisputed, mayBeOwned, rowsOwnedBy } from '../../run/selection/owned-rows';
import { type SelectedComputation, type Selection, selectionOf } from '../../run/selection/selection';
import { type Computation, isDivided } from '../../run/tables/computations';
import { isOutside } from '../selection/picked';
import { periodOf } from '../tasks/computation-words';
import { beginOf } from './reading';

/** Lists with all functions of a computation, as made here. */
const wholes = new WeakSet<readonly string[]>();

/** Whether a list of functions was made by {@link selectedBy}. */
export function isMadeHere(functions: readonly string[]): boolean {
  return wholes.has(functions);
}

function namesOf(run: Run, { id }: Computation): readonly string[] {
  return [...new Set(run.computations.functionsOf(id).map(({ prefix }) => run.prefixNames[prefix]))];
}

/** Whether these are all functions of the selected computation; also where a layout has kept them. */
export function isWholeOfSelected(run: Run, functions: readonly string[]): boolean {
  const found = selectedComputation(run);
  const names = found === null ? [] : namesOf(run, found);
  return wholes.has(functions) || (names.length === functions.length && names.every(name => functions.includes(name)));
}

/**
 * Its executions; `null` if none of its tasks has run. Its time and its functions are selected, too: for views of anything but
 * executions, and where it is not known which executions are its own. Where not all functions are known, its time.
 */
export function selectedBy(run: Run, computation: Computation): Partial<Selection> | null {
  const period = periodOf(run, computation);
  if (period === null) {
    return null;
  }
  const { tasks, unfollowed } = computation.values;
  const own = run.computations.functionsOf(computation.id);
  const names = namesOf(run, computation);
  const whole = own.length > 0 && own.reduce((sum, each) => sum + each.tasks, 0) === tasks && !(unfollowed > 0);
  const functions = whole && names.every(name => name !== undefined) ? { functions: names } : {};
  wholes.add(names);
  return { period, ...functions, computation: { run: run.identity, id: computation.id } };
}

/** The selected computation, if it is one of this run that is kept; `null` otherwise. */
export function selectedComputation(run: Run): Computation | null {
  const { computation } = selectionOf(run).current;
  return computation?.run === run.identity ? (run.computations.find(computation.id) ?? null) : null;
}

/**
 * Whether another computation was in progress at a time of a computation, with tasks of some functions as far as is known.
 *
 * @param functions - `null` for all
 */
export function hasCompany(run: Run, { run: identity, id }: SelectedComputation, functions: readonly string[] | null): boolean {
  const mayHave = (other: Computation): boolean => {
    const shares = run.computations.functionsOf(other.id);
    return (
      functions === null ||
      !isDivided(other, shares) ||
      shares.map(({ prefix }) => run.prefixNames[prefix]).some(name => name === undefined || functions.includes(name))
    );
  };
  const own = identity === run.identity ? run.computations.find(id) : undefined;
  const period = own === undefined ? null : periodOf(run, own);
  return run.computations.list.some(other => {
    const theirs = other.id === id ? null : periodOf(run, other);
    return period !== null && theirs !== null && theirs.from < period.to && theirs.to > period.from && mayHave(other);
  });
}

/** Whether tasks of others may be among those of the selected computation. */
export function isMixed(run: Run): boolean {
  const { computation } = selectionOf(run).current;
  // Where it is not known itself, its time and its functions are all that is selected.
  return computation?.run === run.identity && (rowsOwnedBy(run, computation.id) === null || isDisputed(run, computation.id));
}

/**
 * Conditions on tasks of what a view shows of a run: the selected computation stays selected with them, so that it is the one that
 * is shown. Executions of others are left out; `null` where all are.
 */
export function withinSelected(run: Run, conditions: Partial<Selection>): Partial<Selection> | null {
  const shown = selectedComputation(run);
  if (shown === null) {
    return conditions;
  }
  const { computation, period } = selectionOf(run).current;
  const within = { computation, period: period ?? selectedBy(run, shown)?.period ?? null };
  const { rows } = conditions;
  if (!rows) {
    return { ...within, ...conditions };
  }
  const owned = rowsOwnedBy(run, shown.id);
  if (owned === null) {
    // They may be of others, and outside of its time.
    return { computation, rows };
  }
  const numbers = rows.numbers.filter(row => mayBeOwned(owned, row));
  return numbers.length === 0 ? null : { ...within, rows: { ...rows, numbers } };
}

/** What stays selected where conditions no longer are: the computation, if they were made by {@link withinSelected}. */
export function selectedWithout(run: Run, { computation, functions, rows }: Partial<Selection>): Partial<Selection> {
  const shown = selectedComputation(run);
  const within = rows || (functions && !isMadeHere(functions));
  return shown !== null && computation?.id === shown.id && within ? (selectedBy(run, shown) ?? {}) : {};
}

/** Whether another computation is selected, another time than that of a computation, or functions that it has none of. */
export function isComputationLeftOut(run: Run, computation: Computation): boolean {
  const { current } = selectionOf(run);
  if (current.computation?.run === run.identity) {
    return current.computation.id !== computation.id;
  }
  const { functions } = current;
  const period = periodOf(run, computation);
  const own = run.computations.functionsOf(computation.id);
  const begin = beginOf(computation);
  return (
    isOutside(current, period?.from ?? begin, period?.to ?? begin) ||
    (functions !== null && own.length > 0 && !own.some(({ prefix }) => functions.includes(run.prefixNames[prefix] ?? '')))
  );
}
