import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, Notification } from '@jupyterlab/apputils';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator } from '@jupyterlab/translation';
import { Settings } from '../../base/jupyter/settings';
import { Lazy } from '../../base/lazy';
import type { Clients } from '../../clients/model';
import { IClients } from '../../clients/tokens';
import { translation } from '../plugin';
import { Actor } from './actor';
import { addActionCommands } from './commands';
import { IActor } from './token';

/** Actions on clusters through their clients, and their commands. */
export const actionsPlugin: JupyterFrontEndPlugin<Actor> = {
  id: 'dask-panes:actions',
  description: 'Retires and restarts Dask workers, cancels and retries tasks, restarts clusters.',
  autoStart: true,
  provides: IActor,
  requires: [IClients],
  optional: [ICommandPalette, ISettingRegistry, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    clients: Clients,
    palette: ICommandPalette | null,
    registry: ISettingRegistry | null,
    translator: ITranslator | null
  ): Actor => {
    const trans = translation(translator);
    const actor = new Actor({
      clients,
      settings: new Settings(registry, app.started),
      code: new Lazy(() => import('./code')),
      trans,
      warn: message => void Notification.error(message, { autoClose: false })
    });
    addActionCommands({ commands: app.commands, palette, clients, actor, trans });
    return actor;
  }
};
