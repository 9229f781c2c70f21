import { listOf, mapOf, numberOf, textOf } from '../../base/untrusted';
import type { Bytes } from '../../base/units';

/** A task that waits on a worker. */
export interface WaitingTask {
  readonly key: string;
  readonly priority: string;
}

/** A result in a worker's memory, or spilled to its disk. */
export interface HeldResult {
  readonly key: string;
  readonly nbytes: Bytes;
  /** On how many other workers it is, too. */
  readonly copies: number;
}

/** What one worker has: the answer to the request `holdings`. All texts are untrusted. */
export interface Holdings {
  /** Tasks assigned to it that did not run at its last heartbeat. */
  readonly waiting: number;
  /** Those of them that go first, and among how many these were found. */
  readonly first: readonly WaitingTask[];
  readonly waitingLooked: number;
  readonly results: number;
  readonly nbytes: Bytes;
  /** The largest results, and among how many these were found: the newest. */
  readonly largest: readonly HeldResult[];
  readonly resultsLooked: number;
  readonly resources: readonly { readonly name: string; readonly taken: number; readonly all: number }[];
}

/** The answer of a scheduler, which may be anything. */
export function readHoldings(answer: unknown): Holdings {
  const { waiting, first, waiting_looked, results, nbytes, largest, results_looked, resources } = mapOf(answer);
  return {
    waiting: numberOf(waiting),
    first: listOf(first)
      .map(listOf)
      .map(([key, priority]) => ({ key: textOf(key), priority: textOf(priority) })),
    waitingLooked: numberOf(waiting_looked),
    results: numberOf(results),
    nbytes: numberOf(nbytes),
    largest: listOf(largest)
      .map(listOf)
      .map(([key, size, copies]) => ({ key: textOf(key), nbytes: numberOf(size), copies: numberOf(copies) })),
    resultsLooked: numberOf(results_looked),
    resources: listOf(resources)
      .map(listOf)
      .map(([name, taken, all]) => ({ name: textOf(name), taken: numberOf(taken), all: numberOf(all) }))
  };
}
