import type { Bytes, Seconds } from '../../base/units';
import type { Computation } from '../../run/tables/computations';

/** Size of graphs from which on Dask warns of it. */
export const LARGE_GRAPH: Bytes = 10_000_000;

/** How long the scheduler read each graph of a computation, on average; 0 if that is not known. */
export function readingEach({ values: { reading, submissions } }: Computation): Seconds {
  return (reading || 0) / Math.max(1, submissions || 1);
}

/** How long the client packed each of them, on average; 0 if that is not known. */
export function packingEach({ values: { packing, submissions } }: Computation): Seconds {
  return (packing || 0) / Math.max(1, submissions || 1);
}

/**
 * When a computation was submitted: the client packed its first graph, then the scheduler read it. What the client took to build and
 * to optimise the graph before is not known.
 */
export function beginOf(computation: Computation): Seconds {
  const { begun } = computation.values;
  // Earlier versions know only the sums of all its graphs.
  return begun > 0 ? begun : computation.values.since - readingEach(computation) - packingEach(computation);
}
