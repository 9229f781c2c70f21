import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, IThemeManager, Notification } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ITranslator } from '@jupyterlab/translation';
import { Lazy } from '../base/lazy';
import type { HostedClusters } from '../clients/hosting/model';
import { IHostedClusters } from '../clients/hosting/tokens';
import type { Clients } from '../clients/model';
import { liveCode } from '../clients/live-code';
import { isRecording } from '../clients/recordings/recordings';
import { IClients } from '../clients/tokens';
import { LayoutCommandIDs } from '../panes/docking/saved/commands';
import type { Actor } from '../panes/actions/actor';
import { IActor } from '../panes/actions/token';
import { daskPanesIcon } from '../panes/icons';
import { LazyWidget, loaded } from '../panes/lazy-widget';
import type { PaneManager } from '../panes/manager';
import { IPaneManager } from '../panes/manager-token';
import { translation } from '../panes/plugin';
import { OPEN_RECORDING } from '../recording/plugin';
import { Favourites } from './favourites';
import { addHostingCommands, SHOW_SIDEBAR } from './hosting/commands';
import type { DaskSidebar, SidebarOptions } from './sidebar';

/** Third-party sidebars have ranks between 501 and 899. */
const RANK = 600;
/** Clients, hosted clusters, layouts and plots in the left area. */
export const sidebarPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:sidebar',
  description: 'Lists Dask clients, hosted clusters, layouts and plots in the left sidebar.',
  autoStart: true,
  requires: [IClients, IActor, IPaneManager, IHostedClusters],
  optional: [ILayoutRestorer, ICommandPalette, IThemeManager, INotebookTracker, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    clients: Clients,
    actor: Actor,
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
    const code = new Lazy(async () => {
      const [loadedCode] = await Promise.all([import('./code'), liveCode.get()]);
      loadedCode.pageStyle(themes).connect(() => sidebar.content?.retheme());
      return loadedCode;
    });
    const controller = new Lazy(async () => {
      const { HostingController, clusterKinds, hostFolder, hostSpecs, insertCell, readConfiguration, NO_KINDS } =
        await code.get();
      const environment = {
        specs: () => hostSpecs(app, notebooks),
        kinds: () => clusterKinds(clients, notebooks?.currentWidget?.sessionContext.session?.path),
        lookUp: async (spec: string) => (await readConfiguration(app.serviceManager.kernels, spec))?.clusters ?? NO_KINDS,
        folder: () => hostFolder(notebooks),
        insert: (source: string) => insertCell(app, notebooks, source),
        reveal: () => {
          app.shell.activateById(sidebar.id);
          void sidebar.fill().then(content => content?.revealHosted());
        },
        showPanes: (path: string, client: string) => manager.showClient(path, client),
        warn
      };
      return new HostingController(hosted, environment, trans);
    });
    const actions: SidebarOptions['actions'] = {
      show: (path, client) => {
        if (isRecording(client)) {
          void app.commands.execute(OPEN_RECORDING, { path });
        } else {
          manager.showClient(path, client);
        }
      },
      saveReport: (path, client) => void manager.saveReport({ follow: false, path, client }),
      menu: (path, key, anchor, place) => {
        const first = code.ready?.scaleActions(manager, { path, key }, trans);
        code.ready?.openClusterMenu(actor, { path, key }, trans, anchor, place, first);
      },
      warn,
      saveLayout: () => void app.commands.execute(LayoutCommandIDs.save)
    };
    const favourites = new Favourites(manager.parts.settings, warn);
    manager.opened.connect((_, plot) => favourites.open(plot));
    const sidebar = new LazyWidget<DaskSidebar>(async () => {
      // A drop of a plot cannot wait for the code of its pane.
      const [{ DaskSidebar }, hosting] = await Promise.all([
        loaded(code, trans),
        loaded(controller, trans),
        loaded(manager.parts.code, trans)
      ]);
      return new DaskSidebar({ clients, manager, trans, actions, hosted, hosting, favourites });
    }, trans);
    sidebar.id = 'dask-panes-sidebar';
    sidebar.title.icon = daskPanesIcon;
    sidebar.title.caption = trans.__('Dask');
    app.shell.add(sidebar, 'left', { rank: RANK, type: 'Dask Panes' });
    restorer?.add(sidebar, sidebar.id);
    app.commands.addCommand(SHOW_SIDEBAR, {
      label: trans.__('Show the Dask sidebar'),
      caption: trans.__('Clients, hosted clusters, layouts and plots'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => app.shell.activateById(sidebar.id)
    });
    palette?.addItem({ command: SHOW_SIDEBAR, category: trans.__('Dask') });
    addHostingCommands({ commands: app.commands, palette, controller, trans, warn });
  }
};
