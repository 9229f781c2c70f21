import type { Theme } from '../../../base/theme';
import type { CssPixels, DevicePixels } from '../../../base/units';
import type { Pen } from '../../canvas/drawn/pen';
import type { Camera, Content } from '../camera';
import type { Places } from './places';

/** Drawing environment of scenes. Contexts use device pixels. */
export interface Brush {
  readonly context: Pen;
  readonly camera: Camera;
  readonly theme: Theme;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

/** Position of a node, in CSS pixels from the view's upper left corner. */
export interface NodeBox {
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** Nodes with their positions, and how to draw them. Nodes are numbered from 0; -1 means none. */
export interface Scene {
  readonly places: Places;
  readonly content: Content;
  /** What the ids of its nodes mean. */
  readonly subject: string;
  /** Nodes of the critical path, one after the other. */
  path: readonly number[];
  /** Identifies a node across scenes. */
  idOf(node: number): number;
  nodeOf(id: number): number;
  hit(camera: Camera, x: CssPixels, y: CssPixels): number;
  boxOf(camera: Camera, node: number): NodeBox;
  /** Draw the layer below the nodes. Returns whether links were omitted because there were too many. */
  drawLinks(brush: Brush, selected: number): boolean;
  /**
   * Draw the nodes.
   *
   * @param hidden - names of dimmed states
   * @param leftOut - which nodes are dimmed since others are selected, where no neighbourhood is shown; `null` for none
   */
  drawNodes(brush: Brush, selected: number, hidden: ReadonlySet<string>, leftOut?: LeftOut): void;
}

/** Whether a node is outside the selection; `null` where nothing is left out. */
export type LeftOut = ((node: number) => boolean) | null;

/** The selected node and its neighbours; `null` without a selection. */
export function neighbourhood({ links }: Places, selected: number): ReadonlySet<number> | null {
  if (selected < 0) {
    return null;
  }
  const { needs, neededBy } = links;
  return new Set([
    selected,
    ...needs.list.subarray(needs.start[selected], needs.start[selected + 1]),
    ...neededBy.list.subarray(neededBy.start[selected], neededBy.start[selected + 1])
  ]);
}

/** Nodes outside the neighbourhood are dimmed. */
export const DIMMED = 0.22;

/** Whether a node is dimmed: it is not near the selected one, or, without one, not of what is selected in all views. */
export function isBehind(node: number, near: ReadonlySet<number> | null, leftOut: LeftOut): boolean {
  return near === null ? (leftOut?.(node) ?? false) : !near.has(node);
}
