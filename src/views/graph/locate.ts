import type { CssPixels } from '../../base/units';

/** Event that asks a graph for the position of a node: see {@link LocateNodeDetail}. */
export const LOCATE_NODE_EVENT = 'dp-locate-node';

/**
 * Detail of {@link LOCATE_NODE_EVENT}: `reply` is called synchronously with a point of the view's node, or `null` if it
 * is not drawn.
 */
export interface LocateNodeDetail {
  /** Number of a task, or id of a box. */
  readonly id: number;
  readonly reply: (point: { readonly x: CssPixels; readonly y: CssPixels } | null) => void;
}
