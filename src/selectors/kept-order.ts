/** An order by size that a person chose, kept while sizes change. */
import { Beside } from '../run/beside';
import type { Run } from '../run/run';

/** Places of rows by id, by plot. */
const chosen = new Beside(() => new Map<string, Map<number, number>>());

/**
 * Rows by size, the largest first, as it was when the order was chosen: no row changes its place by itself, new rows
 * come last, and choosing anew sorts anew.
 *
 * @param plot - whose choice it is
 * @param size - what is compared; NaN comes last
 */
export function keepBySize<T extends { readonly id: number }>(
  run: Run,
  rows: readonly T[],
  plot: string,
  size: (row: T) => number
): readonly T[] {
  const orders = chosen.of(run);
  const order = orders.get(plot) ?? new Map<number, number>();
  orders.set(plot, order);
  const known = (row: T): number => (Number.isFinite(size(row)) ? size(row) : -1);
  for (const row of rows.filter(each => !order.has(each.id)).sort((a, b) => known(b) - known(a))) {
    order.set(row.id, order.size);
  }
  return [...rows].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

/** Another order was chosen: the next choice by size sorts anew. */
export function forgetBySize(run: Run, plot: string): void {
  chosen.of(run).delete(plot);
}
