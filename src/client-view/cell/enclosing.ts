/** The surroundings of an output, read from its parent widgets in any front end. */
import type { ISessionContext } from '@jupyterlab/apputils';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { Widget } from '@lumino/widgets';

/** The registry that renders the outputs of the same document: a notebook's own registry knows its widgets. */
export function enclosingRegistry(widget: Widget): IRenderMimeRegistry | null {
  return nearest<IRenderMimeRegistry>(widget, 'rendermime');
}

/** Path of the document's Jupyter session, '' if there is none. */
export function enclosingPath(widget: Widget): string {
  return nearest<ISessionContext>(widget, 'sessionContext')?.path ?? '';
}

/** A property of the nearest parent widget that has it. */
function nearest<T extends object>(widget: Widget, name: string): T | null {
  for (let above = widget.parent; above !== null; above = above.parent) {
    const value: unknown = Reflect.get(above, name);
    if (typeof value === 'object' && value !== null) {
      return value as T;
    }
  }
  return null;
}
