import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { UUID } from '@lumino/coreutils';
import { Settings } from '../base/jupyter/settings';
import { ACTIVATE_LINE } from '../feed/kernel/channel/bridge';
import { ControlChannel } from '../feed/kernel/control-channel';
import { TrackedDocuments } from './kernels/documents';
import type { Clients } from './model';
import { ClientRegistry } from './registry';
import { readFile } from './recordings/recording-files';
import { Recordings } from './recordings/recordings';
import { IClients, IRecordings } from './tokens';

/** The recordings that are open in this tab. */
export const recordingsPlugin: JupyterFrontEndPlugin<Recordings> = {
  id: 'dask-panes:recordings',
  description: 'Opens recordings of Dask clusters.',
  autoStart: true,
  provides: IRecordings,
  activate: ({ serviceManager }: JupyterFrontEnd): Recordings =>
    new Recordings(
      path => readFile(serviceManager, path),
      path =>
        serviceManager.contents.get(path, { content: false }).then(
          file => file.last_modified,
          () => ''
        )
    )
};

/** Finds the Dask clients of all kernels of this tab. */
export const clientsPlugin: JupyterFrontEndPlugin<Clients> = {
  id: 'dask-panes:clients',
  description: 'Finds the Dask clients in the kernels of open notebooks and consoles.',
  autoStart: true,
  provides: IClients,
  requires: [IRecordings],
  optional: [INotebookTracker, IConsoleTracker, ISettingRegistry],
  activate: (
    app: JupyterFrontEnd,
    recordings: Recordings,
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
      running: kernels,
      recordings,
      kernels: {
        createChannel: kernel => new ControlChannel(kernel, tab),
        languageOf: spec => app.serviceManager.kernelspecs.specs?.kernelspecs[spec]?.language,
        connect: model => kernels.connectTo({ model, handleComms: false }),
        settings,
        activation: { line: ACTIVATE_LINE, ready: settings.ready, enabled: () => settings.values.activate }
      }
    });
  }
};
