import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, IThemeManager, Notification } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ITranslator } from '@jupyterlab/translation';
import { pageStyle } from '../base/page-style';
import type { HostedClusters } from '../clients/hosting/model';
import { IHostedClusters } from '../clients/hosting/tokens';
import type { Clients } from '../clients/model';
import { isRecording } from '../clients/recordings/recordings';
import { IClients } from '../clients/tokens';
import type { PaneManager } from '../panes/manager';
import { IPaneManager } from '../panes/manager-token';
import { translation } from '../panes/plugin';
import { OPEN_RECORDING } from '../recording/plugin';
import { addHostingCommands } from './hosting/commands';
import { HostingDesk } from './hosting/desk';
import { hostFolder, hostSpecs, insertCell } from './hosting/surroundings';
import { DaskSidebar } from './sidebar';

/** Third-party sidebars have ranks between 501 and 899. */
const RANK = 600;
const SHOW = 'dask-panes:show-sidebar';

/** Clients, layouts, plots and hosted clusters in the left area. */
export const sidebarPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:sidebar',
  description: 'Lists Dask clients, layouts, plots and hosted clusters in the left sidebar.',
  autoStart: true,
  requires: [IClients, IPaneManager, IHostedClusters],
  optional: [ILayoutRestorer, ICommandPalette, IThemeManager, INotebookTracker, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    clients: Clients,
    manager: PaneManager,
    hosted: HostedClusters,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    themes: IThemeManager | null,
    notebooks: INotebookTracker | null,
    translator: ITranslator | null
  ): void => {
    const trans = translation(translator);
    const warn = (message: string): void => {
      Notification.warning(message, { autoClose: 8000 });
    };
    const desk = new HostingDesk(
      hosted,
      {
        specs: () => hostSpecs(app, notebooks),
        folder: () => hostFolder(notebooks),
        insert: source => insertCell(app, notebooks, source),
        reveal: () => {
          app.shell.activateById(sidebar.id);
          sidebar.revealHosted();
        },
        showPanes: (path, client) => manager.showClient(path, client),
        warn
      },
      trans
    );
    const sidebar = new DaskSidebar({
      clients,
      manager,
      trans,
      actions: {
        show: (path, client) => {
          if (isRecording(client)) {
            void app.commands.execute(OPEN_RECORDING, { path });
          } else {
            manager.showClient(path, client);
          }
        },
        saveReport: (path, client) => void manager.saveReport({ follow: false, path, client }),
        warn
      },
      hosted,
      hosting: desk
    });
    app.shell.add(sidebar, 'left', { rank: RANK, type: 'Dask Panes' });
    restorer?.add(sidebar, sidebar.id);
    pageStyle(themes).connect(() => sidebar.retheme());
    app.commands.addCommand(SHOW, {
      label: trans.__('Show the Dask sidebar'),
      caption: trans.__('Clients, layouts, plots and hosted clusters'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => app.shell.activateById(sidebar.id)
    });
    palette?.addItem({ command: SHOW, category: trans.__('Dask') });
    addHostingCommands(app.commands, palette, desk, trans);
  }
};
