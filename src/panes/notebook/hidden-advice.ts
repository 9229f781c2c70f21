/** Causes that are "not helpful", kept in the metadata of notebooks. Loaded with the first pane. */
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { HiddenStore } from '../../advice/hidden';
import { mapOf, textsOf } from '../../base/untrusted';

/** Our key in a notebook's metadata: `{"hidden_advice": ["gil", …]}`. */
export const METADATA = 'dask_panes';
const HIDDEN = 'hidden_advice';
/** Bounds of what is read: a notebook may come from anybody. */
const MOST = 100;
const LONGEST = 100;

/** Reads and writes the metadata of the notebooks that are open here; the user saves them. */
export class NotebookCauses implements HiddenStore {
  constructor(private readonly notebooks: INotebookTracker) {}

  of(path: string): ReadonlySet<string> | null {
    const panel = this.writable(path);
    if (panel === null) {
      return null;
    }
    const causes = readHidden(panel.content.model?.getMetadata(METADATA));
    const print = JSON.stringify(causes);
    const before = this.known.get(panel);
    if (before?.print === print) {
      return before.causes;
    }
    const found = { print, causes: new Set(causes) };
    this.known.set(panel, found);
    return found.causes;
  }

  keep(path: string, causes: readonly string[]): boolean {
    const model = this.writable(path)?.content.model;
    if (!model) {
      return false;
    }
    const { [HIDDEN]: _, ...others } = mapOf(model.getMetadata(METADATA));
    const hidden = readHidden({ [HIDDEN]: causes });
    const kept = hidden.length > 0 ? { ...others, [HIDDEN]: [...hidden] } : others;
    if (Object.keys(kept).length > 0) {
      model.setMetadata(METADATA, kept);
    } else {
      model.deleteMetadata(METADATA);
    }
    return true;
  }

  /** The notebook of a session, if it may be written. */
  private writable(path: string): NotebookPanel | null {
    const panel = this.notebooks.find(each => each.sessionContext.path === path);
    const { context, content } = panel ?? {};
    const writes = context?.contentsModel?.writable !== false && content?.model?.readOnly === false;
    return panel !== undefined && writes ? panel : null;
  }

  private readonly known = new WeakMap<NotebookPanel, { readonly print: string; readonly causes: ReadonlySet<string> }>();
}

/** The causes of our metadata; none where it is not as we write it. */
function readHidden(value: unknown): readonly string[] {
  const causes = textsOf(mapOf(value)[HIDDEN]).filter(cause => cause.length <= LONGEST);
  return [...new Set(causes)].slice(0, MOST);
}
