/**
 * A plot of another extension: it is in the sidebar, the palette and restored layouts like those of Dask Panes. And a
 * command that selects one function in all panes.
 */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { type DaskPanes, IDaskPanes, type Selection, type SharedSelection } from 'dask-panes';
import { tasksByHost } from './tasks-by-host';

/**
 * Select the executions of a function of the followed client.
 *
 * @returns what was selected before, and what is selected now; `null` without a client
 */
async function selectFunction(panes: DaskPanes, name: string): Promise<readonly [Selection, Selection] | null> {
  const followed = panes.clients.followed;
  const client = followed && panes.clients.acquire(followed.path, followed.info.key);
  if (!client) {
    return null;
  }
  try {
    const selection = await panes.selection(client.run);
    const before = selection.current;
    let after = before;
    const onChanged = (_: SharedSelection, now: Selection): void => {
      after = now;
    };
    selection.changed.connect(onChanged);
    selection.select({ functions: [name] });
    selection.changed.disconnect(onChanged);
    return [before, after];
  } finally {
    client.dispose();
  }
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes-plot-example:plugin',
  description: 'Adds a plot of finished tasks by host to Dask Panes.',
  autoStart: true,
  requires: [IDaskPanes],
  optional: [ITranslator],
  activate: (app: JupyterFrontEnd, panes: DaskPanes, translator: ITranslator | null) => {
    const trans = (translator ?? nullTranslator).load('dask_panes_plot_example');
    panes.registerPlot(tasksByHost(trans));
    app.commands.addCommand('dask-panes-plot-example:select-function', {
      label: trans.__('Select a Function in Dask Panes'),
      execute: ({ name }) => selectFunction(panes, String(name))
    });
  }
};

export default plugin;
