import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { HostSpec } from './new-cluster-dialog';

/**
 * Kernel specs that may host a cluster: that of the active notebook first, then the server's default. Whether one starts an
 * ipykernel is known when it has started: a spec need not even name its language.
 */
export function hostSpecs({ serviceManager }: JupyterFrontEnd, notebooks: INotebookTracker | null): readonly HostSpec[] {
  const models = serviceManager.kernelspecs.specs;
  const active = notebooks?.currentWidget?.sessionContext.session?.kernel?.name;
  const able = Object.values(models?.kernelspecs ?? {}).flatMap(spec =>
    spec && ['python', ''].includes(spec.language.toLowerCase()) ? [{ name: spec.name, label: spec.display_name }] : []
  );
  const rank = ({ name }: HostSpec): number => (name === active ? 0 : name === models?.default ? 1 : 2);
  return able.sort((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label));
}

/** The folder in which the active notebook's kernel started, '' if there is none. */
export function hostFolder(notebooks: INotebookTracker | null): string {
  const path = notebooks?.currentWidget?.sessionContext.session?.path ?? '';
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Insert a code cell below the active one of the active notebook; `false` if there is no notebook. */
export function insertCell({ shell }: JupyterFrontEnd, notebooks: INotebookTracker | null, source: string): boolean {
  const panel = notebooks?.currentWidget;
  const { model } = panel?.content ?? {};
  if (!panel || !model || model.readOnly) {
    return false;
  }
  const index = panel.content.activeCellIndex + 1;
  model.sharedModel.insertCell(index, { cell_type: 'code', source, metadata: {} });
  panel.content.activeCellIndex = index;
  panel.content.deselectAll();
  shell.activateById(panel.id);
  return true;
}
