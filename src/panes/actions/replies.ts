/** Parses a kernel's answers about actions (`docs/feed.md`) defensively: all of it comes from a cluster. */
import { countOf, listOf, mapOf, textOf } from '../../base/untrusted';
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
  /** Those of {@link processing} that Dask gives up (`KilledWorker`) if the worker ends now. */
  readonly givenUp: number;
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

const texts = (value: unknown): readonly string[] => listOf(value).map(textOf);

function others(value: unknown): OtherClients {
  const map = mapOf(value);
  const named = listOf(map.named).map(pair => {
    const [client, results, isClient] = listOf(pair);
    // A collector of an earlier version does not report it.
    return [textOf(client), countOf(results), isClient !== false] as const;
  });
  return { count: countOf(map.count), clients: countOf(map.clients ?? map.count), named };
}

/** The answer to `stakes` without a worker. */
export function readClusterStakes(value: unknown): ClusterStakes {
  const map = mapOf(value);
  const { workers, nannies, results, pending, erred, clients } = map;
  return {
    workers: countOf(workers),
    nannies: countOf(nannies),
    results: countOf(results),
    pending: countOf(pending),
    erred: countOf(erred),
    clients: others(clients)
  };
}

/** The answer to `stakes` with a worker. */
export function readWorkerStakes(value: unknown): WorkerStakes {
  const map = mapOf(value);
  const worker = mapOf(map.worker);
  return {
    workers: countOf(map.workers),
    adaptive: map.adaptive === true,
    name: textOf(worker.name),
    nanny: worker.nanny === true,
    only: countOf(worker.only),
    actors: countOf(worker.actors),
    processing: countOf(worker.processing),
    givenUp: countOf(worker.given_up)
  };
}

/** The answer to `plan_cancel` and `plan_retry`. */
export function readPlan(value: unknown): Plan {
  const map = mapOf(value);
  return {
    plan: textOf(map.plan),
    tasks: countOf(map.tasks),
    direct: countOf(map.direct),
    results: countOf(map.results),
    keys: texts(map.keys),
    shared: countOf(map.shared),
    others: others(map.others),
    otherKeys: texts(map.other_keys),
    left: countOf(map.left)
  };
}

/** The answer to `cancel` and `retry`. */
export function readDone(value: unknown): { readonly done: number; readonly leftOut: number; readonly gone: number } {
  const map = mapOf(value);
  return { done: countOf(map.done), leftOut: countOf(map.left_out), gone: countOf(map.gone) };
}

/** The answer to `trim`. */
export function readTrimmed(value: unknown): { readonly workers: number; readonly failed: number; readonly freed: Bytes } {
  const map = mapOf(value);
  return { workers: countOf(map.workers), failed: countOf(map.failed), freed: countOf(map.freed) };
}
