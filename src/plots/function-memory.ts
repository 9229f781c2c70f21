/** What the results of each function hold in memory, as far as the scheduler's totals tell. */
import type { Bytes } from '../base/units';
import type { Run } from '../run/run';
import type { FunctionValue } from './function-bars';
import { prefixCounts } from './prefix-counts';

/** A function whose results are in memory; `value` is their size in bytes. */
export interface FunctionMemory extends FunctionValue {
  readonly value: Bytes;
  /** Results in memory. */
  readonly count: number;
  /** Whether the size is known and not reckoned from a mean. */
  readonly exact: boolean;
}

/**
 * Functions with results in memory, each result counted once however many workers hold it.
 *
 * `TaskPrefix.nbytes_total` counts a result until the scheduler has forgotten all tasks of its group, so it is what is
 * in memory only while nothing of the function was released. Afterwards the size is the number of results in memory
 * times the mean of those that the function returned; Dask's total stays its upper bound.
 */
export function functionMemory(run: Run): readonly FunctionMemory[] {
  return prefixCounts(run)
    .filter(each => each.memory > 0)
    .map(({ id, label, memory, released }) => {
      const total = run.prefixes.get(id, 'nbytes');
      const exact = released === 0 && !(run.prefixes.get(id, 'suspicious') > 0);
      return { id, label, count: memory, exact, value: exact ? total : reckoned(run, id, memory, total) };
    });
}

function reckoned(run: Run, id: number, count: number, total: Bytes): Bytes {
  const results = run.tasks.resultsOfPrefix[id];
  return results === undefined || results.count === 0 ? total : Math.min(total, (count * results.bytes) / results.count);
}
