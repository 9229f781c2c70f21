/** What the results of each function hold in memory. */
import type { Bytes } from '../../base/units';
import type { Run } from '../../run/run';
import type { FunctionValue } from '../../charts/bars/function-bars';
import { oneLine } from '../../plot/text';

/** A function whose results are in memory; `value` is their size in bytes, each counted once. */
export interface FunctionMemory extends FunctionValue {
  readonly value: Bytes;
  /** Results in memory. */
  readonly count: number;
  /** Size of further copies on other workers. */
  readonly copies: Bytes;
}

/** Functions with results in memory, each result counted once however many workers hold it. */
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
