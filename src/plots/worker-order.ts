/** In which order plots show workers. */
import { Beside } from '../run/beside';
import type { Run } from '../run/run';
import type { PlotOption } from './plot';
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

/** Orders by use that people have chosen, by plot. */
const chosenOrders = new Beside(() => new Map<string, Map<number, number>>());

/**
 * Workers in the chosen order. The order by use is the one of the moment of the choice: no row changes its place by
 * itself, new workers come last, and choosing anew sorts anew.
 *
 * @param plot - whose choice it is
 * @param sort - a value of {@link WORKER_SORT}
 * @param use - what `use` means for this plot; the largest comes first
 */
export function orderWorkers(
  run: Run,
  rows: readonly WorkerRow[],
  plot: string,
  sort: string,
  use: (row: WorkerRow) => number
): readonly WorkerRow[] {
  const orders = chosenOrders.of(run);
  if (sort !== 'use') {
    orders.delete(plot);
    return sort === 'address' ? [...rows].sort((a, b) => compareNames(a.address, b.address) || a.id - b.id) : rows;
  }
  const order = orders.get(plot) ?? new Map<number, number>();
  orders.set(plot, order);
  const size = (row: WorkerRow): number => (Number.isFinite(use(row)) ? use(row) : -1);
  const unknown = rows.filter(row => !order.has(row.id)).sort((a, b) => size(b) - size(a));
  for (const row of unknown) {
    order.set(row.id, order.size);
  }
  return [...rows].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}
