import type { Seconds } from '../../base/units';
import type { Computation } from '../../run/tables/computations';

/** How long the scheduler read each graph of a computation, on average; 0 if that is not known. */
export function readingEach({ values: { reading, submissions } }: Computation): Seconds {
  return (reading || 0) / Math.max(1, submissions || 1);
}
