import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import type { IRunningSessions } from '@jupyterlab/running';
import { messageOf } from '../../base/untrusted';
import type { HostedCluster, HostedClusters } from '../../clients/hosting/model';
import { daskPanesIcon } from '../../panes/icons';
import type { PaneManager } from '../../panes/manager';
import type { Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import { HostingCommandIDs, SHOW_SIDEBAR } from '../hosting/commands';

/** What the section of the running panel works with. */
export interface RunningOptions {
  readonly app: Pick<JupyterFrontEnd, 'commands' | 'serviceManager'>;
  readonly hosted: HostedClusters;
  readonly manager: Pick<PaneManager, 'showClient'>;
  readonly trans: Translate;
}

/** The section of the running panel with the clusters in kernels of their own. */
export function runningClusters({ app, hosted, manager, trans }: RunningOptions): IRunningSessions.IManager {
  return {
    name: trans.__('Dask clusters'),
    running: () => hosted.list.map(item),
    // JupyterLab has asked.
    shutdownAll: () => {
      for (const cluster of hosted.list) {
        cluster.shutDown().catch((error: unknown) => {
          const message = trans.__('%1 could not be shut down: %2', cluster.name, oneLine(messageOf(error)));
          Notification.warning(message, { autoClose: false });
        });
      }
    },
    refreshRunning: () => void app.serviceManager.sessions.refreshRunning(),
    runningChanged: hosted.changed,
    shutdownLabel: trans.__('Shut down'),
    shutdownAllLabel: trans.__('Shut down all'),
    shutdownAllConfirmationText: trans.__(
      'Are you sure you want to shut down all Dask clusters? Their tasks and results are lost.'
    )
  };

  /** Nothing is known of a cluster until the sidebar has been visible. */
  async function show(cluster: HostedCluster): Promise<void> {
    if (!cluster.facts?.client) {
      await cluster.look();
    }
    const { path, facts } = cluster;
    if (facts?.client) {
      manager.showClient(path, facts.client);
    } else {
      // Its card says why there is nothing to show.
      void app.commands.execute(SHOW_SIDEBAR);
    }
  }

  /** Its name; with a number where several have it, as two windows may each have started one. */
  function labelOf(cluster: HostedCluster): string {
    const same = hosted.list.filter(({ name }) => name === cluster.name);
    return same.length > 1 ? trans.__('%1 (%2)', cluster.name, same.indexOf(cluster) + 1) : cluster.name;
  }

  function item(cluster: HostedCluster): IRunningSessions.IRunningItem {
    const { id, name } = cluster;
    return {
      open: () => void show(cluster),
      shutdown: () => void app.commands.execute(HostingCommandIDs.shutDown, { name, id }),
      icon: () => daskPanesIcon,
      label: () => labelOf(cluster),
      labelTitle: () => trans.__('Dask cluster %1', labelOf(cluster))
    };
  }
}
