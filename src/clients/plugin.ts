import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { UUID } from '@lumino/coreutils';
import { Settings } from '../base/settings';
import { ACTIVATE_LINE, ControlChannel } from '../feed/control-channel';
import { TrackedDocuments } from './documents';
import type { Clients } from './model';
import { ClientRegistry } from './registry';
import { IClients } from './tokens';

/** Finds the Dask clients of all kernels of this tab. */
export const clientsPlugin: JupyterFrontEndPlugin<Clients> = {
  id: 'dask-panes:clients',
  description: 'Finds the Dask clients in the kernels of open notebooks and consoles.',
  autoStart: true,
  provides: IClients,
  optional: [INotebookTracker, IConsoleTracker, ISettingRegistry],
  activate: (
    app: JupyterFrontEnd,
    notebooks: INotebookTracker | null,
    consoles: IConsoleTracker | null,
    registry: ISettingRegistry | null
  ): Clients => {
    const tab = UUID.uuid4();
    const settings = new Settings(registry, app.started);
    const { kernels, sessions } = app.serviceManager;
    return new ClientRegistry({
      documents: new TrackedDocuments({ notebooks, consoles, shell: app.shell }),
      sessions,
      kernels: {
        createChannel: kernel => new ControlChannel(kernel, tab),
        connect: model => kernels.connectTo({ model, handleComms: false }),
        settings,
        activation: { line: ACTIVATE_LINE, ready: settings.ready, enabled: () => settings.values.activate }
      }
    });
  }
};
