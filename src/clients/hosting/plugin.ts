import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { HostedRegistry } from './hosted-registry';
import type { HostedClusters } from './model';
import { IHostedClusters } from './tokens';

/** Starts clusters in dedicated kernels and finds them again. */
export const hostingPlugin: JupyterFrontEndPlugin<HostedClusters> = {
  id: 'dask-panes:hosting',
  description: 'Starts Dask clusters in kernels of their own, and finds those that run.',
  autoStart: true,
  provides: IHostedClusters,
  activate: (app: JupyterFrontEnd): HostedClusters => {
    const { kernels, sessions } = app.serviceManager;
    return new HostedRegistry({
      sessions,
      connect: model => kernels.connectTo({ model, handleComms: false }),
      shutdown: id => sessions.shutdown(id)
    });
  }
};
