/** Ids of the legend of tasks, used as filters: shared by the plot that lists them and the view that draws them. */
import type { Kind } from '../../feed/schema';

/** Event of a view of tasks; `detail` has the ids of the functions in view, those with most time first. */
export const LEGEND_RANK_EVENT = 'dp-legend-rank';

/** Legend id of tasks that raised. */
export const ERRED_LEGEND = 'erred';

/** Legend ids of transfers and I/O; both directions of the disk are one entry. */
const MOVE_LEGEND: Readonly<Record<Exclude<Kind, 'compute'>, string>> = {
  transfer: 'transfer',
  'disk-read': 'disk',
  'disk-write': 'disk',
  deserialize: 'deserialize'
};

/** Legend id of a prefix, by its index in the dictionary of prefixes. */
export function prefixLegend(prefix: number): string {
  return `prefix:${prefix}`;
}

/** Legend id of a kind of transfer or I/O. */
export function moveLegend(kind: Exclude<Kind, 'compute'>): string {
  return MOVE_LEGEND[kind];
}
