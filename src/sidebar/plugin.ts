import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, IThemeManager, Notification } from '@jupyterlab/apputils';
import { ITranslator } from '@jupyterlab/translation';
import type { Clients } from '../clients/model';
import { isRecording } from '../clients/recordings';
import { IClients } from '../clients/tokens';
import type { PaneManager } from '../panes/manager';
import { IPaneManager } from '../panes/manager-token';
import { translation } from '../panes/plugin';
import { OPEN_RECORDING } from '../panes/recording/plugin';
import { PLOTS } from '../plots';
import { DaskSidebar } from './sidebar';

/** Third-party sidebars stand between 501 and 899. */
const RANK = 600;
const SHOW = 'dask-panes:show-sidebar';

/** Clients, layouts and plots at the left. */
export const sidebarPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:sidebar',
  description: 'Lists Dask clients, layouts and plots in the left sidebar.',
  autoStart: true,
  requires: [IClients, IPaneManager],
  optional: [ILayoutRestorer, ICommandPalette, IThemeManager, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    clients: Clients,
    manager: PaneManager,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    themes: IThemeManager | null,
    translator: ITranslator | null
  ): void => {
    const trans = translation(translator);
    const sidebar = new DaskSidebar({
      clients,
      manager,
      catalogue: PLOTS,
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
        warn: message => Notification.warning(message, { autoClose: 8000 })
      }
    });
    app.shell.add(sidebar, 'left', { rank: RANK, type: 'Dask Panes' });
    restorer?.add(sidebar, sidebar.id);
    themes?.themeChanged.connect(() => sidebar.retheme());
    app.commands.addCommand(SHOW, {
      label: trans('Show the Dask sidebar'),
      caption: trans('Clients, layouts and plots'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => app.shell.activateById(sidebar.id)
    });
    palette?.addItem({ command: SHOW, category: trans('Dask') });
  }
};
