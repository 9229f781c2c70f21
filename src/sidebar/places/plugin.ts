/** Entries in JupyterLab's own places. Each place is optional: its package is imported when the page runs, not with the plugin. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import { ITranslator } from '@jupyterlab/translation';
import type { Token } from '@lumino/coreutils';
import type { ISignal } from '@lumino/signaling';
import type { HostedClusters } from '../../clients/hosting/model';
import { IHostedClusters } from '../../clients/hosting/tokens';
import { liveCode } from '../../clients/live-code';
import type { Clients } from '../../clients/model';
import { IClients } from '../../clients/tokens';
import type { PaneManager } from '../../panes/manager';
import { IPaneManager } from '../../panes/manager-token';
import { translation } from '../../panes/plugin';
import { HostingCommandIDs, SHOW_SIDEBAR } from '../hosting/commands';

/** The launcher, the running panel and the status bar; initial clusters. */
export const placesPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:places',
  description: 'Puts Dask clusters into the launcher, the running panel and the status bar, and starts the initial ones.',
  autoStart: true,
  requires: [IClients, IHostedClusters, IPaneManager],
  optional: [ITranslator],
  activate: (
    app: JupyterFrontEnd,
    clients: Clients,
    hosted: HostedClusters,
    manager: PaneManager,
    translator: ITranslator | null
  ): void => {
    const trans = translation(translator);
    const { settings } = manager.parts;
    const warn = (message: string): void => void Notification.warning(message, { autoClose: 8000 });
    // A front end without a place, such as Notebook 7, has no such package: nothing is put there.
    const find = <T>(token: () => Promise<Token<T>>): Promise<T | null> =>
      token().then(
        found => app.resolveOptionalService(found),
        () => null
      );
    const add = (place: () => Promise<void>): void => void place().catch((error: unknown) => console.warn('dask-panes:', error));
    void app.restored.then(() => {
      add(async () => {
        const launcher = await find(async () => (await import('@jupyterlab/launcher')).ILauncher);
        // Without a category it is among JupyterLab's own others, whose title is translated there.
        launcher?.add({ command: HostingCommandIDs.create, args: { isLauncher: true }, rank: 50 });
      });
      add(async () => {
        await once(hosted.changed, () => hosted.list.length > 0);
        const managers = await find(async () => (await import('@jupyterlab/running')).IRunningSessionManagers);
        const { runningClusters } = await import('./code');
        managers?.add(runningClusters({ app, hosted, manager, trans }));
      });
      add(async () => {
        await once(clients.changed, () => clients.followed !== null);
        const bar = await find(async () => (await import('@jupyterlab/statusbar')).IStatusBar);
        const [{ StatusItem }] = await Promise.all([import('./code'), liveCode.get()]);
        if (bar) {
          const item = new StatusItem(clients, settings, trans, () => void app.commands.execute(SHOW_SIDEBAR));
          bar.registerStatusItem('dask-panes:status', {
            item,
            align: 'right',
            rank: 900,
            isActive: () => item.wanted,
            activeStateChanged: item.wantedChanged
          });
        }
      });
      add(async () => {
        await settings.ready;
        await once(settings.changed, () => settings.values.initialClusters);
        await app.serviceManager.kernelspecs.ready;
        const { hostSpecs, initialServer, startInitial } = await import('./code');
        const spec = hostSpecs(app, null)[0]?.name ?? null;
        await startInitial({ server: initialServer(app.serviceManager), hosted, spec, trans, warn });
      });
    });
  }
};

/** When a condition holds, now or after a later change. */
function once(changed: ISignal<unknown, unknown>, holds: () => boolean): Promise<void> {
  return new Promise(resolve => {
    const look = (): void => {
      if (holds()) {
        changed.disconnect(look);
        resolve();
      }
    };
    changed.connect(look);
    look();
  });
}
