/** Tasks by function and state, for progress. */
import { formatCount } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { PrefixesColumn } from '../../feed/schema';
import type { Subject } from '../../plot/tooltip';
import type { Run } from '../../run/run';
import { oneLine } from '../../plot/text';

/**
 * Counts of one prefix in its newest episode: tasks since the function last had nothing to do (docs, feed: Episodes).
 */
export interface PrefixCounts {
  /** Index into the run's dictionary of prefixes: the colour slot. */
  readonly id: number;
  /** The function's name on one line. */
  readonly label: string;
  /** Finished and released; includes tasks that the scheduler has forgotten. */
  readonly released: number;
  readonly memory: number;
  /** Whether `memory` is what it is, not the most that it can be. */
  readonly memoryKnown: boolean;
  /** Includes tasks that the scheduler has forgotten. */
  readonly erred: number;
  readonly processing: number;
  readonly queued: number;
  readonly noWorker: number;
  readonly waiting: number;
  /**
   * Whether it is known which of the unfinished ones run, and how fast. Otherwise `processing`, `queued` and `noWorker` are the least
   * that they can be, and `waiting` the most.
   */
  readonly statesKnown: boolean;
  /** Finished with a result. */
  readonly done: number;
  /** Not finished yet. */
  readonly active: number;
  readonly all: number;
  /** Since the function first appeared in the scheduler. */
  readonly ever: EverCounts;
  /** When the first tasks of the episode arrived, scheduler time; NaN if the feed does not report it. */
  readonly since: Seconds;
  /** Time since which it has no active task; 0 while it has one, NaN if the feed does not report it. */
  readonly until: Seconds;
  /** Rank among the functions that began at the same time. */
  readonly order: number;
}

/** Counts of one prefix as a row of progress: there may be 100,000 of them, so that they are not copied. */
export interface FunctionCounts extends PrefixCounts {
  readonly kind: 'function';
  /** The same as {@link PrefixCounts.id}. */
  readonly prefix: number;
}

/** Counts of one prefix over all its episodes. */
export interface EverCounts {
  /** Finished with a result. */
  readonly done: number;
  readonly memory: number;
  readonly erred: number;
  /** Cancelled before running; not included in `all`. */
  readonly cancelled: number;
  readonly all: number;
}

/** Totals by state, over all functions. */
export type TaskTotals = Omit<PrefixCounts, 'id' | 'label' | 'ever' | 'since' | 'until' | 'order'>;

interface Counted {
  readonly version: number;
  readonly every: readonly FunctionCounts[];
  /** Those with tasks. */
  readonly counts: readonly FunctionCounts[];
}

const cache = new WeakMap<Run, Counted>();

/** A function by its index, for actions on its tasks; a label may be cut or on one line, the name is not. */
export function functionSubject(run: Run, id: number): Subject | null {
  const prefix = run.prefixNames[id];
  return prefix === undefined ? null : { kind: 'function', prefix };
}

/** Counts of every prefix with tasks, in order of first appearance. */
export function prefixCounts(run: Run): readonly FunctionCounts[] {
  return countsOf(run).counts;
}

/** Counts of every prefix, also of those whose newest episode has no tasks, in order of first appearance. */
export function everyPrefixCounts(run: Run): readonly PrefixCounts[] {
  return countsOf(run).every;
}

function countsOf(run: Run): Counted {
  const version = run.version('prefixes');
  const last = cache.get(run);
  if (last?.version === version) {
    return last;
  }
  const every = [...run.prefixes.ids].sort((a, b) => a - b).map(id => countsOfPrefix(run, id));
  const counted = { version, every, counts: every.filter(each => each.all > 0) };
  cache.set(run, counted);
  return counted;
}

/** Whether the feed reports since when tasks are counted; else counts cover the scheduler's whole life. */
export function knowsEpisodes(run: Run): boolean {
  return run.prefixes.ids.every(id => Number.isFinite(run.prefixes.get(id, 'since')));
}

/**
 * Whether the scheduler reports how many tasks are queued or fit no worker. Else these counts are 0 whatever they are, and
 * there may be more tasks than `active` and `all` say.
 */
export function knowsAllTasks(run: Run): boolean {
  return !['queued', 'no_worker'].some(column => run.meta.unknown?.includes(column));
}

/** A number of tasks among which queued ones count; with a sign where there may be more. */
export function taskCountText(run: Run, count: number, format = formatCount): string {
  return `${knowsAllTasks(run) ? '' : '≥ '}${format(count)}`;
}

/** Counts of one prefix; all of them 0 for one that is not known. */
export function countsOfPrefix(run: Run, id: number): FunctionCounts {
  const { prefixes } = run;
  const place = prefixes.place(id);
  const get = (column: PrefixesColumn): number => {
    const value = prefixes.at(place, column);
    return Number.isFinite(value) ? value : 0;
  };
  const [processing, queued, noWorker, waiting] = [get('processing'), get('queued'), get('no_worker'), get('waiting')];
  const active = processing + queued + noWorker + waiting;
  const ever = readEver(get, active);
  const done = Math.max(0, ever.done - get('done_before'));
  const erred = Math.max(0, ever.erred - get('erred_before'));
  const memory = Math.min(done, Math.max(0, ever.memory - get('memory_before')));
  return {
    id,
    kind: 'function',
    prefix: id,
    label: oneLine(run.prefixNames[id] ?? ''),
    released: done - memory,
    memory,
    memoryKnown: true,
    erred,
    processing,
    queued,
    noWorker,
    waiting,
    statesKnown: true,
    done,
    active,
    all: done + erred + active,
    ever,
    since: prefixes.at(place, 'since'),
    until: prefixes.at(place, 'until'),
    order: get('order')
  };
}

function readEver(get: (column: PrefixesColumn) => number, active: number): EverCounts {
  const memory = get('memory');
  const done = get('released') + get('forgotten') + memory;
  const erred = get('erred') + get('forgotten_erred');
  return { done, memory, erred, cancelled: get('cancelled'), all: done + erred + active };
}

/** Sums over all functions. */
export function taskTotals(counts: readonly PrefixCounts[]): TaskTotals {
  const totals = {
    ...{ released: 0, memory: 0, memoryKnown: true, erred: 0, processing: 0, queued: 0, noWorker: 0, waiting: 0 },
    ...{ statesKnown: true, done: 0, active: 0, all: 0 }
  };
  // Once over all of them: there may be 100,000.
  for (const each of counts) {
    totals.released += each.released;
    totals.memory += each.memory;
    totals.memoryKnown &&= each.memoryKnown;
    totals.erred += each.erred;
    totals.processing += each.processing;
    totals.queued += each.queued;
    totals.noWorker += each.noWorker;
    totals.waiting += each.waiting;
    totals.statesKnown &&= each.statesKnown;
    totals.done += each.done;
    totals.active += each.active;
    totals.all += each.all;
  }
  return totals;
}

/** How many tasks of all functions have ended, over all episodes. */
export function tasksEver(counts: readonly PrefixCounts[]): number {
  return counts.reduce((all, { ever }) => all + ever.done + ever.erred, 0);
}
