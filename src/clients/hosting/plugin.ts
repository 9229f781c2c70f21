import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { askServer } from '../../feed/kernel/ask-server';
import { SERVER_PATIENCE } from '../../feed/kernel/link-watch';
import type { Clients } from '../model';
import { IClients } from '../tokens';
import { HostedRegistry } from './hosted-registry';
import type { HostedClusters } from './model';
import { IHostedClusters } from './tokens';

/** Starts clusters in dedicated kernels and finds them again. */
export const hostingPlugin: JupyterFrontEndPlugin<HostedClusters> = {
  id: 'dask-panes:hosting',
  description: 'Starts Dask clusters in kernels of their own, and finds those that run.',
  autoStart: true,
  provides: IHostedClusters,
  requires: [IClients],
  activate: (app: JupyterFrontEnd, clients: Clients): HostedClusters => {
    const { kernels, sessions, serverSettings } = app.serviceManager;
    return new HostedRegistry({
      sessions,
      link: {
        get lost() {
          return clients.kernels.some(({ state }) => state === 'disconnected');
        },
        changed: clients.changed
      },
      connect: model => kernels.connectTo({ model, handleComms: false }),
      reachable: () => askServer(serverSettings, SERVER_PATIENCE),
      shutdown: id => sessions.shutdown(id)
    });
  }
};
