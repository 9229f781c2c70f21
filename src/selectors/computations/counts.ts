/** Progress of computations: totals of the tasks of each function in the selected one, or in those that are present. */
import type { Seconds } from '../../base/units';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { type Computation, type ComputationFunction, isDivided } from '../../run/tables/computations';
import { presentComputations } from '../tasks/computation-words';
import { type FunctionCounts, type PrefixCounts, prefixCounts } from '../tasks/prefix-counts';
import { selectedComputation } from './selected';

/** Counts of functions are up to two updates older than those of computations. */
const LATE: Seconds = 1;

/** Functions of a computation that are kept at most (topic `computations` of the schema). */
const MOST_FUNCTIONS = 200;

/**
 * Why functions are counted by episode and not by computation: there is none, it has more tasks or functions than are
 * followed, its tasks are not all known by function for another reason, or tasks in progress belong to none that is kept.
 */
export type Otherwise = 'none' | 'large' | 'unknown' | 'others';

/** The computations whose tasks are counted, with the counts of their functions; else why there are none. */
export type PresentCounts =
  | { readonly computations: readonly Computation[]; readonly counts: readonly FunctionCounts[] }
  | { readonly computations: null; readonly otherwise: Otherwise };

const cache = new WeakMap<Run, { version: string; present: PresentCounts }>();
const ofSelected = new WeakMap<Run, { version: string; present: PresentCounts }>();

function versionOf(run: Run): string {
  return `${run.version('computations')} ${run.version('prefixes')} ${run.clock.latest}`;
}

/** Counts of the computations in progress and of the newest. */
export function presentCounts(run: Run): PresentCounts {
  const version = versionOf(run);
  const last = cache.get(run);
  if (last?.version === version) {
    return last.present;
  }
  const computations = countedComputations(run);
  const otherwise = otherwiseOf(run, computations);
  const present = otherwise === null ? count(run, computations) : { computations: null, otherwise };
  cache.set(run, { version, present });
  return present;
}

/** Counts of one client among several, `null` if it has submitted nothing. */
export function ownCounts(run: Run, client: string): PresentCounts | null {
  const computations = countedComputations(
    run,
    run.computations.list.filter(each => each.client === client)
  );
  return computations.length > 0 ? count(run, computations) : null;
}

/** Counts of the selected computation; without one that has tasks, {@link presentCounts}. */
export function shownCounts(run: Run): PresentCounts {
  const selected = selectedComputation(run);
  if (selected === null || !(selected.values.tasks > 0)) {
    return presentCounts(run);
  }
  const version = `${selected.id} ${versionOf(run)}`;
  const last = ofSelected.get(run);
  if (last?.version === version) {
    return last.present;
  }
  const present = count(run, [selected]);
  ofSelected.set(run, { version, present });
  return present;
}

/**
 * Those in progress, and the newest that has tasks: a user who submits something while a task runs in the background wants to see
 * what was submitted, also when it is over first.
 */
function countedComputations(run: Run, list = run.computations.list): readonly Computation[] {
  const present = presentComputations(run, list);
  const newest = list.find(({ values }) => values.tasks > 0);
  return newest === undefined || present.includes(newest) ? present : [newest, ...present];
}

/** Why the computations that are present are not those to count; `null` if they are. */
function otherwiseOf(run: Run, computations: readonly Computation[]): Otherwise | null {
  if (computations.length === 0) {
    return 'none';
  }
  const followed = computations.every(({ values }) => !(values.unfollowed > 0));
  const others = isOver(run, computations) && followed && prefixCounts(run).some(each => each.active > 0);
  return others ? 'others' : null;
}

function count(run: Run, computations: readonly Computation[]): PresentCounts {
  const episodes = new Map(prefixCounts(run).map(each => [each.id, each]));
  const settled = isOver(run, computations);
  const shares = computations.map(each => run.computations.functionsOf(each.id));
  const undivided = computations.filter((each, i) => !isDivided(each, shares[i]));
  if (undivided.length > 0) {
    return { computations: null, otherwise: undivided.every(each => isLarge(run, each)) ? 'large' : 'unknown' };
  }
  const byFunction = new Map<number, Part>();
  for (const [i, computation] of computations.entries()) {
    for (const share of shares[i]) {
      const part = byFunction.get(share.prefix) ?? { shares: [], computations: [] };
      byFunction.set(share.prefix, part);
      part.shares.push(share);
      part.computations.push(computation);
    }
  }
  const counts = [...byFunction.entries()]
    .sort(([a], [b]) => a - b)
    .map(([id, part]) => functionCounts(run, id, part, episodes.get(id), settled))
    .filter(each => each.all > 0);
  return { computations, counts };
}

interface Part {
  readonly shares: ComputationFunction[];
  readonly computations: Computation[];
}

/** Whether a computation has more tasks or functions than are followed. */
function isLarge(run: Run, { id, values }: Computation): boolean {
  return values.unfollowed > 0 || run.computations.functionsOf(id).length >= MOST_FUNCTIONS;
}

/** Whether a computation is over, and the counts of functions have come, too. */
export function isSettled(run: Run, computation: Computation): boolean {
  return isOver(run, [computation]);
}

function isOver(run: Run, computations: readonly Computation[]): boolean {
  return computations.every(({ values }) => !(values.left > 0)) && run.clock.latest - lastChange(computations) > LATE;
}

function lastChange(computations: readonly Computation[]): Seconds {
  return computations.reduce((last, { values }) => Math.max(last, values.last || 0, values.stop || 0), 0);
}

function functionCounts(run: Run, id: number, part: Part, episode: PrefixCounts | undefined, settled: boolean): FunctionCounts {
  const sum = (value: (share: ComputationFunction) => number): number => part.shares.reduce((all, each) => all + value(each), 0);
  const active = sum(each => each.left);
  const all = sum(each => each.tasks - each.dropped);
  const failed = sum(each => each.failed);
  // Errors that were retried successfully no longer count.
  const erred = settled && episode !== undefined ? Math.min(failed, episode.ever.erred) : failed;
  const done = Math.max(0, all - active - erred);
  const others = leftOfOthers(run, id, part.computations);
  let left = active;
  const take = (count: number | undefined): number => {
    const taken = Math.min(left, Math.max(0, (count ?? 0) - others));
    left -= taken;
    return taken;
  };
  const [processing, queued, noWorker] = [take(episode?.processing), take(episode?.queued), take(episode?.noWorker)];
  const end = lastChange(part.computations);
  // A function may have had later tasks, of a computation that is not counted.
  const until = episode !== undefined && episode.until > 0 && episode.until <= end + LATE ? episode.until : end;
  const { memory, memoryKnown } = results(run, id, part.computations, done, episode);
  return {
    id,
    kind: 'function',
    prefix: id,
    label: oneLine(run.prefixNames[id] ?? ''),
    released: done - memory,
    memory,
    memoryKnown,
    erred,
    processing,
    queued,
    noWorker,
    waiting: left,
    statesKnown: others === 0,
    done,
    active,
    all,
    ever: episode?.ever ?? { done, memory, erred, cancelled: 0, all },
    since: part.computations.reduce((first, { values }) => Math.min(first, values.since), Number.POSITIVE_INFINITY),
    until: active > 0 ? 0 : until,
    order: episode?.order ?? 0
  };
}

/** How many unfinished tasks of a function are of other computations, at most: their states are counted together. */
function leftOfOthers(run: Run, id: number, computations: readonly Computation[]): number {
  let left = 0;
  for (const other of run.computations.list) {
    if (other.values.left > 0 && !computations.includes(other)) {
      const shares = run.computations.functionsOf(other.id);
      left += isDivided(other, shares) ? (shares.find(({ prefix }) => prefix === id)?.left ?? 0) : Number.POSITIVE_INFINITY;
    }
  }
  return left;
}

/**
 * Results in memory. Known if all are of these computations, or if the function's episode is theirs alone: the collector
 * counts its results apart from earlier ones.
 */
function results(
  run: Run,
  id: number,
  computations: readonly Computation[],
  done: number,
  episode: PrefixCounts | undefined
): { memory: number; memoryKnown: boolean } {
  if (episode === undefined) {
    return { memory: 0, memoryKnown: done === 0 };
  }
  const most = Math.min(done, episode.ever.memory);
  if (most === 0 || episode.ever.done <= done) {
    return { memory: most, memoryKnown: true };
  }
  const own = new Set(computations.map(each => each.id));
  const alone =
    run.computations.unkept === 0 &&
    run.computations.list.every(
      ({ id: other, values }) =>
        own.has(other) ||
        !(values.last >= episode.since) ||
        !run.computations.functionsOf(other).some(({ prefix, tasks }) => prefix === id && tasks > 0)
    );
  const theirs = computations.some(({ values }) => values.since <= episode.since && episode.since <= values.last);
  return alone && theirs ? { memory: Math.min(done, episode.memory), memoryKnown: true } : { memory: most, memoryKnown: false };
}
