import type { Theme } from '../../../base/theme';
import type { CssPixels, DevicePixels } from '../../../base/units';
import type { Camera, Content } from '../camera';
import type { Places } from './places';

/** What scenes draw with. Contexts count device pixels. */
export interface Brush {
  readonly context: CanvasRenderingContext2D;
  readonly camera: Camera;
  readonly theme: Theme;
  /** Device pixels of one CSS pixel. */
  readonly ratio: number;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

/** Where a node is drawn, in CSS pixels from the view's upper left corner. */
export interface NodeBox {
  readonly x: CssPixels;
  readonly y: CssPixels;
  readonly width: CssPixels;
  readonly height: CssPixels;
}

/** Nodes with their places, and how they are drawn. Nodes are numbered from 0; -1 is none. */
export interface Scene {
  readonly places: Places;
  readonly content: Content;
  /** What a node is called from one scene to the next. */
  idOf(node: number): number;
  nodeOf(id: number): number;
  hit(camera: Camera, x: CssPixels, y: CssPixels): number;
  boxOf(camera: Camera, node: number): NodeBox;
  /** Draw what lies below the nodes. Returns whether some links were left out, since they would be too many. */
  drawLinks(brush: Brush, selected: number): boolean;
  /** Draw the nodes; `hidden` are names of states that are dimmed. */
  drawNodes(brush: Brush, selected: number, hidden: ReadonlySet<string>): void;
}

/** The selected node and its neighbours; `null` where nothing is selected. */
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

/** What is not of the neighbourhood stays visible, and stays behind. */
export const DIMMED = 0.22;
