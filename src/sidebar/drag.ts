import { MimeData } from '@lumino/coreutils';
import { Drag } from '@lumino/dragdrop';
import type { Widget } from '@lumino/widgets';
import { element } from '../base/element';
import type { CssPixels } from '../base/units';

/** A press becomes a drag after this many pixels, as in JupyterLab's file browser. */
const THRESHOLD: CssPixels = 5;
/** The MIME type accepted by Lumino's dock panels. */
const FACTORY = 'application/vnd.lumino.widget-factory';

/** Data of a dragged row. */
export interface DragSource {
  readonly label: string;
  /** By type, as in `MimeData`. */
  readonly data: ReadonlyMap<string, unknown>;
}

/** Data for a dock panel: a widget that is created only when dropped. */
export function widgetData(create: () => Widget): DragSource['data'] {
  return new Map([[FACTORY, create]]);
}

/**
 * Make the rows of a list draggable with the mouse.
 *
 * @param find - the source of the row under an event
 */
export function makeDraggable(list: HTMLElement, find: (target: EventTarget | null) => DragSource | null): void {
  list.addEventListener('mousedown', down => {
    const source = down.button === 0 ? find(down.target) : null;
    if (!source) {
      return;
    }
    const stop = (): void => {
      document.removeEventListener('mousemove', move, true);
      document.removeEventListener('mouseup', stop, true);
    };
    const move = (event: MouseEvent): void => {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= THRESHOLD) {
        stop();
        startDrag(source, event);
      }
    };
    document.addEventListener('mousemove', move, true);
    document.addEventListener('mouseup', stop, true);
  });
}

function startDrag(source: DragSource, event: MouseEvent): void {
  const mimeData = new MimeData();
  for (const [type, value] of source.data) {
    mimeData.setData(type, value);
  }
  const drag = new Drag({
    mimeData,
    dragImage: element('div', { class: 'dp-DragImage', text: source.label }),
    supportedActions: 'copy',
    proposedAction: 'copy',
    source
  });
  document.addEventListener('click', swallow, { capture: true, once: true });
  drag.start(event.clientX, event.clientY).finally(() => {
    drag.dispose();
    // A drop outside the row fires no click, so there is none to suppress.
    setTimeout(() => document.removeEventListener('click', swallow, { capture: true }), 0);
  });
}

/** The release of a drag over its own row must not open it too. */
function swallow(event: MouseEvent): void {
  event.stopPropagation();
  event.preventDefault();
}
