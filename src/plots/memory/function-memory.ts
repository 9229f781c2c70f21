/** Memory used by the results of each function. */
import type { Bytes } from '../../base/units';
import type { Run } from '../../run/run';
import type { FunctionValue } from '../../charts/bars/function-bars';
import { oneLine } from '../../plot/text';

/** A function with results in memory; `value` is their size in bytes, with each result counted once. */
export interface FunctionMemory extends FunctionValue {
  readonly value: Bytes;
  /** Results in memory. */
  readonly count: number;
  /** Size of additional copies on other workers. */
  readonly copies: Bytes;
}

/** Functions with results in memory. Each result is counted once, however many workers have a copy. */
export function functionMemory(run: Run): readonly FunctionMemory[] {
  return [...run.held.ids]
    .sort((a, b) => a - b)
    .map(id => ({
      id,
      label: oneLine(run.prefixNames[id] ?? ''),
      count: run.held.get(id, 'results'),
      value: run.held.get(id, 'nbytes'),
      copies: run.held.get(id, 'copies')
    }))
    .filter(each => each.count > 0);
}
