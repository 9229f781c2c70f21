import type { CssPixels } from '../../base/units';
import type { Camera } from './camera';
import type { Scene } from './scene/scene';

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

/** Answer {@link LOCATE_NODE_EVENT} at an element, until the signal is aborted. */
export function answerLocate(element: HTMLElement, shown: () => Scene | null, camera: Camera, signal: AbortSignal): void {
  const onLocate = (event: Event): void => {
    if (event instanceof CustomEvent) {
      const { id, reply } = event.detail as LocateNodeDetail;
      const scene = shown();
      const node = scene?.nodeOf(id) ?? -1;
      const box = scene === null || node < 0 ? null : scene.boxOf(camera, node);
      reply(box && { x: box.x + box.width / 2, y: box.y + box.height / 2 });
    }
  };
  element.addEventListener(LOCATE_NODE_EVENT, onLocate, { signal });
}
