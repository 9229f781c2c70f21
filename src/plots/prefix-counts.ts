/** Tasks by function and state, as progress counts them. */
import type { Run } from '../run/run';
import { oneLine } from './text';

/** Counts of one prefix. */
export interface PrefixCounts {
  /** Index into the run's dictionary of prefixes: the colour slot. */
  readonly id: number;
  /** The function's name in one line. */
  readonly label: string;
  /** Finished, its result no longer held; with those that the scheduler has forgotten. */
  readonly released: number;
  readonly memory: number;
  /** With those that the scheduler has forgotten. */
  readonly erred: number;
  readonly processing: number;
  readonly queued: number;
  readonly noWorker: number;
  readonly waiting: number;
  /** Finished, with a result or an error. */
  readonly done: number;
  readonly all: number;
}

/** What states add up to, over all functions. */
export type TaskTotals = Omit<PrefixCounts, 'id' | 'label'>;

const cache = new WeakMap<Run, { version: number; counts: readonly PrefixCounts[] }>();

/** Counts of every prefix that has tasks, in order of first appearance. */
export function prefixCounts(run: Run): readonly PrefixCounts[] {
  const version = run.version('prefixes');
  const last = cache.get(run);
  if (last?.version === version) {
    return last.counts;
  }
  const ids = [...run.prefixes.ids].sort((a, b) => a - b);
  const counts = ids.map(id => read(run, id)).filter(each => each.all > 0);
  cache.set(run, { version, counts });
  return counts;
}

function read(run: Run, id: number): PrefixCounts {
  const get = (column: Parameters<typeof run.prefixes.get>[1]): number => {
    const value = run.prefixes.get(id, column);
    return Number.isFinite(value) ? value : 0;
  };
  const released = get('released') + get('forgotten');
  const erred = get('erred') + get('forgotten_erred');
  const done = released + get('memory') + erred;
  const [processing, queued, noWorker, waiting] = [get('processing'), get('queued'), get('no_worker'), get('waiting')];
  return {
    id,
    label: oneLine(run.prefixNames[id] ?? ''),
    released,
    memory: get('memory'),
    erred,
    processing,
    queued,
    noWorker,
    waiting,
    done,
    all: done + processing + queued + noWorker + waiting
  };
}

/** Sums over all functions. */
export function taskTotals(counts: readonly PrefixCounts[]): TaskTotals {
  const sum = (value: (each: PrefixCounts) => number): number => counts.reduce((all, each) => all + value(each), 0);
  return {
    released: sum(each => each.released),
    memory: sum(each => each.memory),
    erred: sum(each => each.erred),
    processing: sum(each => each.processing),
    queued: sum(each => each.queued),
    noWorker: sum(each => each.noWorker),
    waiting: sum(each => each.waiting),
    done: sum(each => each.done),
    all: sum(each => each.all)
  };
}
