/** What a click on a mark selects: the tasks of the function or the worker that it stands for. */
import type { Seconds } from '../../base/units';
import type { Subject } from '../../plot/tooltip';
import type { Run } from '../../run/run';
import type { RunSelection, Selection } from '../../run/selection/selection';

/** Conditions on single tasks: a user who picks a function or a worker does not see them. */
const ALL_TASKS: Partial<Selection> = { rows: null, durations: null, erred: false, finished: false };

/** No conditions, where the last of a kind was deselected. */
const NONE: Partial<Selection> = {};

/** What stands for the same tasks in all plots; `null` for a single task, which the selection knows by its executions only. */
export function conditionsFor(subject: Subject): Partial<Selection> | null {
  switch (subject.kind) {
    case 'function':
      return { functions: namesOf(subject) };
    case 'worker':
    case 'workers':
      return { workers: namesOf(subject) };
    case 'task':
      return null;
  }
}

/** Names of one kind that are selected; `null` if the selection does not tell them apart. */
function selectedNames({ functions, workers, threads }: Selection, kind: Subject['kind']): readonly string[] | null {
  switch (kind) {
    case 'function':
      return functions;
    case 'worker':
    case 'workers':
      return workers ?? (threads && [...new Set(threads.map(({ worker }) => worker))]);
    case 'task':
      return null;
  }
}

/** What a subject is called in a selection. */
function namesOf(subject: Subject): readonly string[] {
  switch (subject.kind) {
    case 'function':
      return [subject.prefix];
    case 'worker':
      return [subject.address];
    case 'workers':
      return subject.workers;
    case 'task':
      return [subject.key];
  }
}

/** Whether others of its kind are selected and this one is not; several workers are not left out while one of them is selected. */
export function isLeftOut(selection: Selection, subject: Subject): boolean {
  const names = selectedNames(selection, subject.kind);
  return names !== null && !namesOf(subject).some(name => names.includes(name));
}

/** Whether a time, or all of a period, is outside of the selected period. */
export function isOutside({ period }: Selection, from: Seconds, to: Seconds = from): boolean {
  return period !== null && (to < period.from || from > period.to);
}

/** Whether workers are selected, and none of these, by id; an id below 0 is no worker. */
export function areOthers(run: Run, selection: Selection, ids: readonly number[]): boolean {
  const names = selectedNames(selection, 'worker');
  const addresses = ids.flatMap(id => run.workerNames[id]?.address ?? []);
  return names !== null && addresses.length > 0 && !addresses.some(address => names.includes(address));
}

/** Whether its kind is selected by name, and it is one of them: of several workers, all. */
export function isPicked(selection: Selection, subject: Subject): boolean {
  const names = selectedNames(selection, subject.kind);
  return names !== null && namesOf(subject).every(name => names.includes(name));
}

/** Select functions, whatever single tasks were selected before; `null` for all. */
export function pickFunctions(selection: RunSelection, functions: readonly string[] | null): void {
  selection.change({ ...ALL_TASKS, functions });
}

/**
 * Select executions too, or no longer if all of them are selected; `null` if these, or what is selected, are not single executions
 * of one run, with the same other conditions.
 */
function addRows(selection: RunSelection, conditions: Partial<Selection>): Partial<Selection> | null {
  const before = selection.current.rows;
  const { rows } = conditions;
  if (!rows || before === null || before.run !== rows.run || !selection.has({ ...conditions, rows: before })) {
    return null;
  }
  const numbers = new Set(before.numbers);
  const were = rows.numbers.every(number => numbers.has(number));
  for (const number of rows.numbers) {
    if (were) {
      numbers.delete(number);
    } else {
      numbers.add(number);
    }
  }
  return numbers.size === 0 ? NONE : { ...conditions, rows: { run: rows.run, numbers: [...numbers].sort((a, b) => a - b) } };
}

/** The same for functions; `null` if anything other than functions of the same kind is, or would be, selected. */
function addFunctions(selection: RunSelection, conditions: Partial<Selection>): Partial<Selection> | null {
  const [before, own] = [selection.current.functions, conditions.functions];
  if (!own || before === null || !selection.has({ ...conditions, functions: before })) {
    return null;
  }
  const others = before.filter(name => !own.includes(name));
  const functions = own.every(name => before.includes(name)) ? others : [...others, ...own];
  return functions.length === 0 ? NONE : { ...conditions, functions };
}

/**
 * Select the conditions of a row; a second time, deselect them.
 *
 * @param adds - whether single executions, or functions, that are selected stay
 * @param without - what is selected once nothing of that kind is: default, nothing
 */
export function pickRow(
  selection: RunSelection,
  conditions: Partial<Selection>,
  adds: boolean,
  without: Partial<Selection> = {}
): void {
  const all = adds ? (addRows(selection, conditions) ?? addFunctions(selection, conditions)) : null;
  const next = all ?? (selection.has(conditions) ? NONE : conditions);
  selection.select(next === NONE ? without : next);
}

/**
 * Select what a mark stands for; a second time, select it no longer. The period, and what is selected of the other kind, stay.
 *
 * @param adds - whether what is selected of its kind stays
 * @returns whether it is selected now; `null` if it stands for nothing that can be
 */
export function pick(selection: RunSelection, subject: Subject, adds: boolean): boolean | null {
  if (subject.kind === 'task') {
    return null;
  }
  const { current } = selection;
  const own = namesOf(subject);
  const before = selectedNames(current, subject.kind) ?? [];
  const others = before.filter(each => !own.includes(each));
  const was = isPicked(current, subject) && (adds || others.length === 0);
  const names = adds ? (was ? others : [...others, ...own]) : was ? [] : own;
  const listed = names.length > 0 ? names : null;
  selection.change({
    ...ALL_TASKS,
    ...(subject.kind === 'function' ? { functions: listed } : { workers: listed, threads: null })
  });
  return !was;
}
