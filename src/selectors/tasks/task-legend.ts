/** Ids of the legend of tasks: what a click filters, shared by the plot that lists them and the view that draws them. */
import type { Kind } from '../../feed/schema';

/** Legend id of tasks that raised. */
export const ERRED_LEGEND = 'erred';

/** Legend ids of moves; both directions of the disk are one entry. */
const MOVE_LEGEND: Readonly<Record<Exclude<Kind, 'compute'>, string>> = {
  transfer: 'transfer',
  'disk-read': 'disk',
  'disk-write': 'disk',
  deserialize: 'deserialize'
};

/** Legend id of a prefix, by its position in the dictionary of prefixes. */
export function prefixLegend(prefix: number): string {
  return `prefix:${prefix}`;
}

/** Legend id of a kind of move. */
export function moveLegend(kind: Exclude<Kind, 'compute'>): string {
  return MOVE_LEGEND[kind];
}
