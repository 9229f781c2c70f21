/** Parses a kernel's answers about actions (`docs/feed.md`) defensively: all of it comes from a cluster. */
import { listOf, mapOf, numberOf, textOf } from '../../feed/read-scalar';
import type { Scalar } from '../../feed/frame';
import type { Bytes } from '../../base/units';

/** Other clients, and what Dask keeps like clients: `fire_and_forget`, variables, queues, published data sets. */
export interface OtherClients {
  readonly count: number;
  /** How many of them are clients. */
  readonly clients: number;
  /** Names of the first, each with its number of results. */
  readonly named: readonly (readonly [name: string, results: number, isClient: boolean])[];
}

/** What a cluster has, for a restart of all of it. */
export interface ClusterStakes {
  readonly workers: number;
  /** Workers that a nanny can start again. */
  readonly nannies: number;
  readonly results: number;
  readonly pending: number;
  /** Failed tasks whose errors are kept. */
  readonly erred: number;
  readonly clients: OtherClients;
}

/** What one worker has. */
export interface WorkerStakes {
  /** Workers of the cluster. */
  readonly workers: number;
  /** Whether the cluster starts workers by itself. */
  readonly adaptive: boolean;
  readonly name: string;
  readonly nanny: boolean;
  /** Results that no other worker has; without actors. */
  readonly only: number;
  /** Actors that live there: Dask neither moves nor computes them again. */
  readonly actors: number;
  readonly processing: number;
}

/** What cancelling or retrying a task or a function would apply to. */
export interface Plan {
  readonly plan: string;
  /** Unfinished (or erred) tasks of the key or function. */
  readonly tasks: number;
  /** Those that the client wants itself. */
  readonly direct: number;
  /** All that would be cancelled (or retried), and the first of their keys. */
  readonly results: number;
  readonly keys: readonly string[];
  /** Those that other clients want, too. */
  readonly shared: number;
  readonly others: OtherClients;
  readonly otherKeys: readonly string[];
  /** Results that are too many for one plan. */
  readonly left: number;
}

const count = (value: Scalar | undefined): number => {
  const number = numberOf(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
};

const texts = (value: Scalar | undefined): readonly string[] => listOf(value).map(textOf);

function others(value: Scalar | undefined): OtherClients {
  const map = mapOf(value);
  const named = listOf(map.named).map(pair => {
    const [client, results, isClient] = listOf(pair);
    // A collector of an earlier version does not report it.
    return [textOf(client), count(results), isClient !== false] as const;
  });
  return { count: count(map.count), clients: count(map.clients ?? map.count), named };
}

/** The answer to `stakes` without a worker. */
export function readClusterStakes(value: Scalar): ClusterStakes {
  const map = mapOf(value);
  const { workers, nannies, results, pending, erred, clients } = map;
  return {
    workers: count(workers),
    nannies: count(nannies),
    results: count(results),
    pending: count(pending),
    erred: count(erred),
    clients: others(clients)
  };
}

/** The answer to `stakes` with a worker. */
export function readWorkerStakes(value: Scalar): WorkerStakes {
  const map = mapOf(value);
  const worker = mapOf(map.worker);
  return {
    workers: count(map.workers),
    adaptive: map.adaptive === true,
    name: textOf(worker.name),
    nanny: worker.nanny === true,
    only: count(worker.only),
    actors: count(worker.actors),
    processing: count(worker.processing)
  };
}

/** The answer to `plan_cancel` and `plan_retry`. */
export function readPlan(value: Scalar): Plan {
  const map = mapOf(value);
  return {
    plan: textOf(map.plan),
    tasks: count(map.tasks),
    direct: count(map.direct),
    results: count(map.results),
    keys: texts(map.keys),
    shared: count(map.shared),
    others: others(map.others),
    otherKeys: texts(map.other_keys),
    left: count(map.left)
  };
}

/** The answer to `cancel` and `retry`. */
export function readDone(value: Scalar): { readonly done: number; readonly leftOut: number; readonly gone: number } {
  const map = mapOf(value);
  return { done: count(map.done), leftOut: count(map.left_out), gone: count(map.gone) };
}

/** The answer to `trim`. */
export function readTrimmed(value: Scalar): { readonly workers: number; readonly failed: number; readonly freed: Bytes } {
  const map = mapOf(value);
  return { workers: count(map.workers), failed: count(map.failed), freed: count(map.freed) };
}
