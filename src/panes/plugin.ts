import { ILabShell, ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, IThemeManager, Notification, WidgetTracker } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator, nullTranslator } from '@jupyterlab/translation';
import { Settings } from '../base/jupyter/settings';
import { Lazy } from '../base/lazy';
import { liveCode } from '../clients/live-code';
import { messageOf } from '../base/untrusted';
import type { Clients } from '../clients/model';
import { IClients } from '../clients/tokens';
import type { PlotFacts, Translate } from '../plot/plot';
import { PLOT_FACTS } from '../plots/facts';
import type { Actor } from './actions/actor';
import { IActor } from './actions/token';
import { Catalogue } from './catalogue';
import { addPaneCommands, CommandIDs } from './commands';
import { addDaskButton } from './dask-button';
import { LabDock, OwnDock } from './docking/docks';
import { LAYOUTS, type PaneLayout } from './docking/layouts';
import { addLayoutCommands } from './docking/saved/commands';
import { loaded } from './lazy-widget';
import { PaneManager } from './manager';
import type { PlotPane } from './pane/pane';
import { writePaneArgs } from './pane/pane-args';
import { IPaneManager } from './manager-token';
import { addCellCommand } from './notebook/commands';
import { type DaskPanes, IDaskPanes } from './tokens';

/** The domain of the translations. */
export const DOMAIN = 'dask_panes';

/** The texts of this extension in the user's language. */
export function translation(translator: ITranslator | null): Translate {
  return (translator ?? nullTranslator).load(DOMAIN);
}

/** A user with a client opens a pane soon: its code is loaded by then. */
function prefetchWithClient(clients: Clients, code: Lazy<unknown>): void {
  const look = (): void => {
    if (clients.kernels.some(kernel => kernel.clients.length > 0)) {
      clients.changed.disconnect(look);
      code.prefetch();
    }
  };
  clients.changed.connect(look);
}

/** Creates the panes, their commands and layouts. */
export const managerPlugin: JupyterFrontEndPlugin<PaneManager> = {
  id: 'dask-panes:plugin',
  description: 'Shows the plots of Dask clusters in dockable panes.',
  autoStart: true,
  provides: IPaneManager,
  requires: [IClients, IActor],
  optional: [ILabShell, ILayoutRestorer, ICommandPalette, IThemeManager, ISettingRegistry, INotebookTracker, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    clients: Clients,
    actor: Actor,
    labShell: ILabShell | null,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null,
    themes: IThemeManager | null,
    registry: ISettingRegistry | null,
    notebooks: INotebookTracker | null,
    translator: ITranslator | null
  ): PaneManager => {
    const trans = translation(translator);
    const settings = new Settings(registry, app.started, trans);
    const tracker = new WidgetTracker<PlotPane>({ namespace: 'dask-panes' });
    const [plots, layouts] = [new Catalogue<PlotFacts>(PLOT_FACTS), new Catalogue<PaneLayout>(LAYOUTS)];
    const warn = (message: string): void => void Notification.warning(message, { autoClose: 8000 });
    const code = new Lazy(async () => {
      const [loadedCode] = await Promise.all([import('./code'), liveCode.get()]);
      loadedCode.useShortcuts(() => app.commands.keyBindings.some(({ command }) => command === CommandIDs.key));
      if (notebooks) {
        loadedCode.keepHiddenIn(new loadedCode.NotebookCauses(notebooks));
      }
      if (labShell) {
        new loadedCode.NewDocuments(labShell, widget => tracker.has(widget)).watch();
      }
      loadedCode.addTabMenu(app, id => tracker.find(pane => pane.id === id), trans);
      loadedCode.pageStyle(themes).connect(() => manager.retheme());
      return loadedCode;
    });
    const reports = new Lazy(async () => (await Promise.all([import('./reports/save-and-notify'), liveCode.get()]))[0]);
    const manager = new PaneManager({
      plots,
      layouts,
      tracker,
      dock: labShell ? new LabDock(labShell) : new OwnDock(app),
      settings,
      code,
      services: {
        clients,
        actor,
        trans,
        lead: (shown, place) =>
          void import('./notebook/reveal')
            .then(({ revealCell }) => revealCell(app, notebooks, clients.kernels, shown, place, trans))
            .then(
              message => message === '' || warn(message),
              (error: unknown) => warn(messageOf(error))
            )
      },
      saveReport: async request => {
        try {
          const { saveAndNotify } = await loaded(reports, trans);
          return await saveAndNotify(request, app.serviceManager.contents, clients, trans);
        } catch (error) {
          warn(messageOf(error));
          return null;
        }
      },
      warn
    });
    if (notebooks) {
      addCellCommand(app, notebooks, manager, clients, trans);
    }
    addLayoutCommands(app, palette, manager, trans, warn);
    addPaneCommands({ commands: app.commands, palette, manager, settings, plots, layouts, trans });
    void app.restored.then(() =>
      addDaskButton({
        commands: app.commands,
        clients,
        trans,
        place: binding => manager.revealLayout(settings.values.defaultLayout, binding)
      })
    );
    prefetchWithClient(clients, code);
    if (restorer) {
      void restorer.restore(tracker, {
        command: CommandIDs.open,
        args: pane => writePaneArgs(pane.restoreArgs),
        name: pane => `${pane.plot.id}:${pane.restoreArgs.number}`
      });
    }
    return manager;
  }
};

/** Parts of the panes available to other plugins. */
export const panesPlugin: JupyterFrontEndPlugin<DaskPanes> = {
  id: 'dask-panes:panes',
  description: 'Lets other extensions open Dask panes and layouts.',
  autoStart: true,
  provides: IDaskPanes,
  requires: [IPaneManager],
  activate: (_: JupyterFrontEnd, manager: PaneManager): DaskPanes => manager
};
