/** From the cell of a notebook to its computations. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { bindingTo } from '../../clients/binding';
import { type Binding, type Clients, newestOf } from '../../clients/model';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import type { Translate } from '../../plot/plot';
import type { PaneManager } from '../manager';

/** In the context menu of code cells: see `schema/plugin.json`. */
const CELL_COMPUTATIONS = 'dask-panes:cell-computations';

/** Register the command that shows the computations of a cell. */
export function addCellCommand(
  app: JupyterFrontEnd,
  notebooks: INotebookTracker,
  manager: PaneManager,
  clients: Clients,
  trans: Translate
): void {
  /** Its newest client, an open one if there is one. */
  const binding = (): Binding | null => {
    const path = notebooks.currentWidget?.sessionContext.path;
    const kernel = clients.kernels.find(each => each.path === path);
    const newest = (condition: (info: ClientInfo) => boolean): ClientInfo | null =>
      newestOf(kernel?.clients ?? [], 'cluster', condition);
    const info = newest(({ status }) => status !== 'closed') ?? newest(() => true);
    return info && bindingTo(clients, path ?? '', info.key, 'cluster');
  };
  const offered = (): boolean => binding() !== null;
  app.commands.addCommand(CELL_COMPUTATIONS, {
    label: trans.__('Show Dask computations of this cell'),
    caption: trans.__('What Dask computed for this cell, in a pane'),
    describedBy: { args: { type: 'object', properties: { here: { type: 'boolean' } } } },
    // Without a client of the notebook it is not in the menu: local schedulers know nothing about cells.
    isVisible: offered,
    isEnabled: offered,
    execute: ({ here }) => {
      const { currentWidget } = notebooks;
      // The cell of the context menu, which need not be the active one.
      const under = here && app.contextMenuHitTest(node => node.classList.contains('jp-Cell'));
      const cell = currentWidget?.content.widgets.find(({ node }) => node === under) ?? notebooks.activeCell;
      const own = binding();
      if (cell && own) {
        // Not in a pane that shows the client of another notebook.
        manager.reveal('computations', { binding: own, saved: { cell: cell.model.id } });
      }
    }
  });
}
