/** Which threads a selection has in a period, and how long their workers were there. */
import type { Seconds } from '../../base/units';
import { WORKER_STATUS } from '../../feed/schema';
import { type Pause, pausedIn } from '../../run/lanes/busy-periods';
import type { Lane } from '../../run/lanes/task-store';
import type { Run } from '../../run/run';
import type { Matcher } from '../../run/selection/matcher';
import type { Period } from '../../run/selection/selection';

/** The selected threads of one worker. */
export interface WorkerThreads {
  readonly worker: number;
  /** Selected lanes: threads that have executed something. */
  readonly lanes: readonly number[];
  /** Selected threads, also those that have executed nothing. */
  readonly count: number;
  /** The part of the period in which the worker was there. */
  readonly stay: Period;
  /** Their time within it, without pauses. */
  readonly time: Seconds;
}

/** The selected threads of the workers that were there in a period. */
export interface SelectedThreads {
  readonly workers: readonly WorkerThreads[];
  readonly count: number;
  /** Workers that came or left within the period. */
  readonly moved: number;
  /** Workers for which it is not known how many threads they have, or when they came or left. */
  readonly unknown: number;
}

/** Workers between two yields. */
const STEP = 64;

/** No threads at all. */
export const NO_THREADS: SelectedThreads = { workers: [], count: 0, moved: 0, unknown: 0 };

/** Time of the threads, all together, while their workers were there. */
export function threadTime({ workers }: SelectedThreads): Seconds {
  return workers.reduce((sum, { time }) => sum + time, 0);
}

/** Threads on average: those that came or left count for the part of the period in which they were there. */
export function meanThreads(threads: SelectedThreads, { from, to }: Period): number {
  return threadTime(threads) / (to - from);
}

/** When a worker was there. */
interface Stay {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly known: boolean;
}

/**
 * The selected threads of the workers that were there at any time of a period, found in steps of some workers.
 *
 * @param pauses - parts of the period that do not count
 */
export function* threadsOf(
  run: Run,
  matcher: Matcher,
  period: Period,
  pauses: readonly Pause[] = []
): Generator<void, SelectedThreads, void> {
  const lanesOf = lanesByWorker(run);
  const workers: WorkerThreads[] = [];
  let [count, moved, unknown] = [0, 0, 0];
  for (let worker = 0; worker < run.workerNames.length; worker++) {
    if (worker % STEP === STEP - 1) {
      yield;
    }
    const all = lanesOf.get(worker) ?? [];
    const lanes = all.filter(lane => matcher.lane(lane));
    const own = countOf(run, matcher, worker, all.length, lanes.length);
    if (own.count === 0) {
      continue;
    }
    const stay = stayOf(run, worker, all, period);
    const [from, to] = [Math.max(stay.from, period.from), Math.min(stay.to, period.to)];
    const time = to - from - pausedIn(pauses, from, to);
    if (time > 0) {
      workers.push({ worker, lanes, count: own.count, stay: { from, to }, time: own.count * time });
      count += own.count;
      moved += stay.from > period.from || stay.to < period.to ? 1 : 0;
      unknown += own.known && stay.known ? 0 : 1;
    }
  }
  return { workers, count, moved, unknown };
}

function lanesByWorker(run: Run): Map<number, number[]> {
  const lanesOf = new Map<number, number[]>();
  for (const [lane, state] of run.tasks.lanes.entries()) {
    const worker = state === undefined ? undefined : run.laneNames[lane]?.[0];
    if (worker !== undefined) {
      const list = lanesOf.get(worker);
      if (list === undefined) {
        lanesOf.set(worker, [lane]);
      } else {
        list.push(lane);
      }
    }
  }
  return lanesOf;
}

/** Selected threads of a worker, of which some have executed something, and whether its number of threads is known. */
function countOf(
  run: Run,
  matcher: Matcher,
  worker: number,
  used: number,
  selected: number
): { readonly count: number; readonly known: boolean } {
  const threads = run.workerNames[worker]?.nthreads ?? Number.NaN;
  const known = threads > 0;
  const unused = matcher.unused(worker);
  if (unused === Number.POSITIVE_INFINITY) {
    // A worker starts another thread for each task that secedes: there may be more lanes than threads.
    return { count: known ? threads : selected, known };
  }
  return { count: selected + Math.min(unused, known ? Math.max(0, threads - used) : 0), known: true };
}

/** When a worker was there; what it executed shows that, too. */
function stayOf(run: Run, worker: number, lanes: readonly number[], period: Period): Stay {
  const { joined, lane } = run.workerNames[worker] ?? {};
  if (lane !== undefined) {
    // A local scheduler is there as long as its kernel.
    return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, known: true };
  }
  const left = leftAt(run, worker);
  if (joined !== undefined && joined <= period.from && left.known && left.to >= period.to) {
    // What it executed cannot make this longer, and to ask costs a look at every chunk of its lanes.
    return { from: joined, to: left.to, known: true };
  }
  const work = workOf(lanes.map(each => run.tasks.lanes[each]));
  const from = Math.min(joined ?? run.meta.started ?? Number.NEGATIVE_INFINITY, work.from);
  const to = Math.max(left.to, work.to);
  return { from, to, known: (joined !== undefined || work.from <= period.from) && (left.known || to >= period.to) };
}

/** When a worker left: Infinity while it is there, else its last heartbeat where the time is not known. */
function leftAt(run: Run, worker: number): { readonly to: Seconds; readonly known: boolean } {
  const to = run.workers.get(worker, 'left');
  if (to > 0) {
    return { to, known: true };
  }
  const status = WORKER_STATUS[run.workers.get(worker, 'status')];
  if (status === 'lost' || status === 'closed' || status === 'failed') {
    return { to: run.workers.get(worker, 'last_seen') || Number.NEGATIVE_INFINITY, known: false };
  }
  // The scheduler's facts of workers that left long ago are not kept.
  return run.workerNames[worker]?.address === ''
    ? { to: Number.NEGATIVE_INFINITY, known: false }
    : { to: Number.POSITIVE_INFINITY, known: true };
}

function workOf(lanes: readonly (Lane | undefined)[]): { readonly from: Seconds; readonly to: Seconds } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const lane of lanes) {
    for (const track of [lane?.compute, lane?.moves]) {
      from = Math.min(from, track?.past?.first ?? from);
      to = Math.max(to, track?.past?.end ?? to);
      for (const chunk of track?.chunks ?? []) {
        from = Math.min(from, chunk.first);
        to = Math.max(to, chunk.end);
      }
    }
  }
  return { from, to };
}
