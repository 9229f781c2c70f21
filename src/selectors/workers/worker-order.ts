/** The order of workers in plots. */
import type { Run } from '../../run/run';
import { forgetBySize, keepBySize, type Keeping } from '../../plot/kept';
import type { PlotOption } from '../../plot/plot';
import { compareNames } from '../../plot/text';
import type { WorkerRow } from './worker-rows';

/** The option for the order, shared by plots with a row for each worker. */
export const WORKER_SORT: PlotOption = {
  id: 'sort',
  label: 'Order',
  choices: [
    { value: 'name', label: 'by name' },
    { value: 'address', label: 'by address' },
    { value: 'use', label: 'by use' }
  ],
  initial: 'name'
};

/**
 * Workers in the chosen order. The order by use is that of the moment of the choice.
 *
 * @param sort - a value of {@link WORKER_SORT}
 * @param use - the meaning of `use` in this plot; sorted in descending order
 */
export function orderWorkers(
  run: Run,
  context: Keeping,
  rows: readonly WorkerRow[],
  sort: string,
  use: (row: WorkerRow) => number
): readonly WorkerRow[] {
  if (sort === 'use') {
    return keepBySize(run, context, rows, use);
  }
  forgetBySize(run, context);
  return sort === 'address' ? [...rows].sort((a, b) => compareNames(a.address, b.address) || a.id - b.id) : rows;
}
