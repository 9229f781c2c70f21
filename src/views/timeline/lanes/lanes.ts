/** The lanes in drawing order: by host, worker and thread. */
import type { LaneName, WorkerName } from '../../../feed/frame';
import { compareNames, oneLine } from '../../../plot/text';
import { workerLabel } from '../../../selectors/workers/worker-rows';

/** A worker with its lanes. */
export interface WorkerLanes {
  /** Id of the worker. */
  readonly worker: number;
  readonly name: string;
  /** Lanes in order of appearance; -1 is a thread that has not run anything yet. */
  readonly lanes: readonly number[];
  readonly threads: number;
  /** Whether its lanes are drawn as one. */
  readonly collapsed?: boolean;
}

/** A host with its workers, or the workers that the user has pinned. */
export interface HostLanes {
  readonly host: string;
  readonly workers: readonly WorkerLanes[];
  /** Also those of its workers that are pinned; missing for the pinned workers. */
  readonly all?: readonly WorkerLanes[];
  /** Whether its workers are drawn as one. */
  readonly collapsed?: boolean;
  /** Whether these are the pinned workers, of any host. */
  readonly pinned?: boolean;
}

/** Threads of some workers: those that they claim, or all that have run something if these are more. */
export function threadsOf(workers: readonly WorkerLanes[]): number {
  return workers.reduce((sum, { threads, lanes }) => sum + Math.max(threads, lanes.filter(lane => lane >= 0).length), 0);
}

/** Maximum rows for threads without tasks; a worker may claim any number. */
const MOST_EMPTY_ROWS = 64;

/**
 * Group lanes by worker and host. A worker without tasks has as many empty rows as threads, so that it is visible as
 * soon as it joins; a lost worker keeps the rows of its tasks but not the empty ones.
 *
 * @param isLost - whether a worker has left
 */
export function groupLanes(
  workers: readonly WorkerName[],
  lanes: readonly LaneName[],
  isLost: (worker: number) => boolean
): HostLanes[] {
  const ofWorker = new Map<number, number[]>();
  for (const [lane, name] of lanes.entries()) {
    // Missing and malformed entries are lanes that no frame has named yet.
    const worker = Array.isArray(name) ? Number(name[0]) : Number.NaN;
    if (worker >= 0 && worker < workers.length) {
      const list = ofWorker.get(worker);
      if (list === undefined) {
        ofWorker.set(worker, [lane]);
      } else {
        list.push(lane);
      }
    }
  }
  const hosts = new Map<string, WorkerLanes[]>();
  for (const [worker, facts] of workers.entries()) {
    if (facts === undefined) {
      continue;
    }
    const own = ofWorker.get(worker) ?? [];
    const threads = Number.isFinite(facts.nthreads) ? Math.max(0, Math.floor(facts.nthreads)) : 0;
    if (own.length === 0 && isLost(worker)) {
      continue;
    }
    while (!isLost(worker) && own.length < Math.min(Math.max(threads, 1), MOST_EMPTY_ROWS)) {
      own.push(-1);
    }
    const host = oneLine(String(facts.host ?? ''));
    const list = hosts.get(host) ?? [];
    list.push({ worker, name: workerLabel(facts), lanes: own, threads });
    hosts.set(host, list);
  }
  return [...hosts]
    .map(([host, list]) => ({ host, workers: list.sort((a, b) => compareNames(a.name, b.name) || a.worker - b.worker) }))
    .sort((a, b) => compareNames(a.host, b.host));
}
