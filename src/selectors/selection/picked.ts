/** What a click on a mark selects: the tasks of the function or the worker that it stands for. */
import type { Subject } from '../../plot/tooltip';
import type { RunSelection, Selection } from '../../run/selection/selection';

/** Conditions on single tasks: a user who picks a function or a worker does not see them. */
const ALL_TASKS: Partial<Selection> = { rows: null, durations: null, erred: false, finished: false };

/** What stands for the same tasks in all plots; `null` for a single task, which the selection knows by its executions only. */
export function conditionsFor(subject: Subject): Partial<Selection> | null {
  switch (subject.kind) {
    case 'function':
      return { functions: [subject.prefix] };
    case 'worker':
      return { workers: [subject.address] };
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
      return workers ?? (threads && [...new Set(threads.map(({ worker }) => worker))]);
    case 'task':
      return null;
  }
}

function nameOf(subject: Subject): string {
  return subject.kind === 'function' ? subject.prefix : subject.kind === 'worker' ? subject.address : subject.key;
}

/** Whether others of its kind are selected and this one is not. */
export function isLeftOut(selection: Selection, subject: Subject): boolean {
  const names = selectedNames(selection, subject.kind);
  return names !== null && !names.includes(nameOf(subject));
}

/** Whether its kind is selected by name, and it is one of them. */
export function isPicked(selection: Selection, subject: Subject): boolean {
  return selectedNames(selection, subject.kind)?.includes(nameOf(subject)) ?? false;
}

/** Select functions, whatever single tasks were selected before; `null` for all. */
export function pickFunctions(selection: RunSelection, functions: readonly string[] | null): void {
  selection.change({ ...ALL_TASKS, functions });
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
  const name = nameOf(subject);
  const before = selectedNames(current, subject.kind) ?? [];
  const others = before.filter(each => each !== name);
  const was = others.length < before.length && (adds || others.length === 0);
  const names = adds ? (was ? others : [...others, name]) : was ? [] : [name];
  const listed = names.length > 0 ? names : null;
  selection.change({
    ...ALL_TASKS,
    ...(subject.kind === 'function' ? { functions: listed } : { workers: listed, threads: null })
  });
  return !was;
}
