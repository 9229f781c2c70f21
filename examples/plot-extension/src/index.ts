/** A plot of another extension: it stands in the sidebar, the palette and restored layouts like those of Dask Panes. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { type DaskPanes, IDaskPanes } from 'dask-panes';
import { tasksByHost } from './tasks-by-host';

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes-plot-example:plugin',
  description: 'Adds a plot of finished tasks by host to Dask Panes.',
  autoStart: true,
  requires: [IDaskPanes],
  activate: (_app: JupyterFrontEnd, panes: DaskPanes) => {
    panes.registerPlot(tasksByHost);
  }
};

export default plugin;
