/** Threads by worker. */
import type { Seconds } from '../../../base/units';
import type { Lane } from '../../../run/lanes/task-store';
import type { Run } from '../../../run/run';

/** What a worker has executed. */
export interface OwnLanes {
  readonly worker: number;
  readonly lanes: readonly Lane[];
  /** Begins of tasks that run, and hold a thread. */
  readonly running: readonly Seconds[];
  /** How many threads it has; NaN if that is not known. */
  readonly threads: number;
}

/** Lanes of each worker, also of one that has ended no task. */
export function lanesByWorker({ tasks, laneNames, workers, workerNames, running }: Run): readonly OwnLanes[] {
  const found = new Map<number, OwnLanes & { readonly lanes: Lane[] }>();
  const ownOf = (worker: number): OwnLanes & { readonly lanes: Lane[] } => {
    const own = found.get(worker) ?? {
      worker,
      lanes: [],
      running: [...running.of(worker)].filter(({ seceded }) => !seceded).map(({ start }) => start),
      threads: workers.get(worker, 'nthreads') || (workerNames[worker]?.nthreads ?? Number.NaN)
    };
    found.set(worker, own);
    return own;
  };
  for (const [number, lane] of tasks.lanes.entries()) {
    const own = ownOf(laneNames[number]?.[0] ?? -1);
    if (lane !== undefined) {
      own.lanes.push(lane);
    }
  }
  for (const { worker } of running.list) {
    ownOf(worker);
  }
  return [...found.values()];
}
