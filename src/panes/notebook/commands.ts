/** From the cell of a notebook to its computations. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { FOLLOW } from '../../clients/binding';
import { type Clients, kindOf } from '../../clients/model';
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
  const client = (): boolean => {
    const path = notebooks.currentWidget?.sessionContext.path;
    return clients.kernels.some(kernel => kernel.path === path && kernel.clients.some(info => kindOf(info) === 'cluster'));
  };
  app.commands.addCommand(CELL_COMPUTATIONS, {
    label: trans.__('Show Dask computations of this cell'),
    caption: trans.__('What Dask computed for this cell, in a pane'),
    describedBy: { args: { type: 'object', properties: { here: { type: 'boolean' } } } },
    // Without a client of the notebook it is not in the menu: local schedulers know nothing about cells.
    isVisible: client,
    isEnabled: client,
    execute: ({ here }) => {
      const { currentWidget } = notebooks;
      // The cell of the context menu, which need not be the active one.
      const under = here && app.contextMenuHitTest(node => node.classList.contains('jp-Cell'));
      const cell = currentWidget?.content.widgets.find(({ node }) => node === under) ?? notebooks.activeCell;
      if (cell) {
        // Not in a pane that is pinned to the client of another notebook.
        manager.reveal('computations', { binding: FOLLOW, saved: { cell: cell.model.id } });
      }
    }
  });
}
