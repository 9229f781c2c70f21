/** Shared by all plots of a profile: the rows that a pane shows, and samples by function. */
import type { Seconds } from '../../base/units';
import type { ProfileFilter, ProfileFold, ProfileStore } from '../../run/logs/profile';
import type { Run } from '../../run/run';
import { NOTHING_SELECTED, type Selection } from '../../run/selection/selection';
import type { PlotChoice, PlotContext, PlotOption, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { StackTree } from './trees/stack-tree';
import { workerLabel } from '../workers/worker-rows';

/** Maximum number of choices in a menu: those with the most samples. */
const MOST_CHOICES = 30;
/** Option value for no filter. */
const ALL = '';

/** Samples of one function, over all its callers. */
export interface FunctionRow {
  /** Number of the function. */
  readonly id: number;
  /** Samples in which it was innermost, and in which it was anywhere on the stack. */
  readonly own: number;
  readonly total: number;
}

/**
 * The filter from the options of a pane and a selection of the run. What an option chooses counts instead of what is selected.
 * Names that the run does not have match nothing. Event loops serve all tasks: of the selection, they only know the period.
 */
export function filterOf(store: ProfileStore, run: Run, options: PlotContext['options'], selection: Selection): ProfileFilter {
  const { prefix = ALL, worker = ALL } = options;
  const { period, functions, workers } = selected(store, run, selection);
  const prefixes = prefix === ALL ? functions : [prefix];
  const addresses = worker === ALL ? workers : [worker];
  return {
    ...(prefixes === null ? {} : { prefixes: prefixes.map(name => store.prefixes.indexOf(name)) }),
    ...(addresses === null ? {} : { workers: workerNumbers(store, run, addresses) }),
    ...(period ?? {})
  };
}

/**
 * Functions of the tasks in whose samples a function is anywhere on the stack, of what the options of a pane show; `null` if
 * these are all tasks, or no tasks are sampled.
 */
export function functionsWith(
  store: ProfileStore,
  run: Run,
  options: PlotContext['options'],
  frame: number
): readonly string[] | null {
  if (frame === 0 || store === run.loops) {
    return null;
  }
  const found = store.prefixesWith(frame, filterOf(store, run, options, NOTHING_SELECTED));
  const names = [...found].map(number => store.prefixes[number] ?? '').filter(name => name !== ALL);
  return names.length === 0 || store.present('prefix').every(number => found.has(number)) ? null : names;
}

/** What of a selection applies to the samples of a store. */
export function selected(
  store: ProfileStore,
  run: Run,
  { period, functions, workers, threads, rows, durations, erred, finished }: Selection
): Pick<Selection, 'period' | 'functions' | 'workers'> & { readonly tasks: boolean } {
  if (store === run.loops) {
    return { period, functions: null, workers: null, tasks: false };
  }
  const ofThreads = threads && [...new Set(threads.map(({ worker }) => worker))];
  return { period, functions, workers: workers ?? ofThreads, tasks: rows !== null || durations !== null || erred || finished };
}

/**
 * Workers with samples at some addresses. They are chosen by address because numbers differ between feeds; several at one
 * address, one after the other, are chosen together, as in the task stream.
 */
function workerNumbers(store: ProfileStore, run: Run, addresses: readonly string[]): readonly number[] {
  const chosen = new Set(addresses);
  return store.present('worker').filter(number => chosen.has(addressOf(run, number)));
}

function addressOf(run: Run, number: number): string {
  return number === 0 ? 'scheduler' : (run.workerNames[number - 1]?.address ?? '');
}

/** The menus for task name and worker. */
export function profileOptions(storeOf: (run: Run) => ProfileStore, byPrefix: boolean): readonly PlotOption[] {
  const prefix: PlotOption = {
    id: 'prefix',
    label: 'Function of the tasks',
    choices: [{ value: ALL, label: 'all tasks' }],
    initial: ALL,
    found: run => prefixChoices(storeOf(run))
  };
  const worker: PlotOption = {
    id: 'worker',
    label: 'Worker',
    choices: [{ value: ALL, label: byPrefix ? 'all workers' : 'scheduler and workers' }],
    initial: ALL,
    found: run => workerChoices(storeOf(run), run)
  };
  return byPrefix ? [prefix, worker] : [worker];
}

/** Functions of the tasks: of very many those with the most samples, in order of first appearance, so that a menu stays as it is. */
export function prefixChoices(store: ProfileStore): readonly PlotChoice[] {
  return store
    .busiest('prefix', MOST_CHOICES)
    .map(number => store.prefixes[number] ?? '')
    .filter(name => name !== ALL)
    .map(name => ({ value: name, label: oneLine(name) }));
}

/** Servers with samples: of very many workers those with the most. */
export function workerChoices(store: ProfileStore, run: Run): readonly PlotChoice[] {
  const labels = new Map<string, string>();
  const scheduler = store.present('worker').filter(number => number === 0);
  for (const number of new Set([...scheduler, ...store.busiest('worker', MOST_CHOICES)])) {
    const address = addressOf(run, number);
    labels.set(address, number === 0 ? 'Scheduler' : workerLabel(run.workerNames[number - 1]));
  }
  labels.delete(ALL);
  return [...labels].map(([value, label]) => ({ value, label }));
}

/** Samples by function, most own samples first. A recursive function counts once. */
export function functionRows(store: ProfileStore, fold: ProfileFold): readonly FunctionRow[] {
  const own = new Float64Array(store.frames.length);
  const total = new Float64Array(store.frames.length);
  for (let stack = 1; stack < store.stacks; stack++) {
    const frame = store.frameNumber(stack);
    own[frame] += fold.own[stack];
    if (fold.total[stack] > 0 && !isCalledBy(store, stack, frame)) {
      total[frame] += fold.total[stack];
    }
  }
  return store.frames
    .map((_, id) => ({ id, own: own[id], total: total[id] }))
    .filter(row => row.total > 0)
    .sort((a, b) => b.own - a.own || b.total - a.total);
}

function isCalledBy(store: ProfileStore, stack: number, frame: number): boolean {
  for (let caller = store.parent(stack); caller > 0; caller = store.parent(caller)) {
    if (store.frameNumber(caller) === frame) {
      return true;
    }
  }
  return false;
}

/** Time represented by a number of samples: an estimate, since a busy worker samples less often than it should. */
export function sampledTime(store: ProfileStore, samples: number): Seconds {
  const { interval } = store.status;
  return interval > 0 ? samples * interval : Number.NaN;
}

/** Display name of the function of a node. */
export function stackLabel(store: Pick<StackTree, 'frame'>, stack: number, trans: Translate): string {
  if (stack === 0) {
    return trans.__('All');
  }
  const frame = store.frame(stack);
  if (frame !== null) {
    return oneLine(frame.name) || '?';
  }
  return trans.__('one of several');
}
