/** In which order plots show workers. */
import type { Run } from '../../run/run';
import { forgetBySize, keepBySize, type Keeping } from '../../plot/kept';
import type { PlotOption } from '../../plot/plot';
import { compareNames, type WorkerRow } from './worker-rows';

/** The choice of order that plots with a row for each worker share. */
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
 * Workers in the chosen order; the one by use is that of the moment of the choice.
 *
 * @param sort - a value of {@link WORKER_SORT}
 * @param use - what `use` means for this plot; the largest comes first
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
