/** The plugin for cell outputs: clients, also in an output widget, and finished profilers. */
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IThemeManager } from '@jupyterlab/apputils';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator } from '@jupyterlab/translation';
import { serverUrl } from '../base/jupyter/server-url';
import { Settings } from '../base/jupyter/settings';
import { Lazy } from '../base/lazy';
import { liveCode } from '../clients/live-code';
import type { Clients } from '../clients/model';
import { IClients } from '../clients/tokens';
import type { Actor } from '../panes/actions/actor';
import { IActor } from '../panes/actions/token';
import { loaded } from '../panes/lazy-widget';
import { translation } from '../panes/plugin';
import { type DaskPanes, IDaskPanes } from '../panes/tokens';
import { outputFactory } from './cell/mime';
import { MIME_TYPE, PROFILE_MIME_TYPE } from './names';
import type { ClientViewServices } from './view';

/** Optional services of the plugin. */
const OPTIONAL = [IClients, IDaskPanes, IThemeManager, ITranslator, ISettingRegistry, IActor];

/** JupyterLab's services for {@link OPTIONAL}. */
type Found = readonly [
  clients: Clients | null,
  panes: DaskPanes | null,
  themes: IThemeManager | null,
  translator: ITranslator | null,
  registry: ISettingRegistry | null,
  actor: Actor | null
];

/** The views of clients, and what they need of the page. */
const clientCode = new Lazy(async () => (await Promise.all([import('./code'), liveCode.get()]))[0]);
const profileCode = new Lazy(() => import('./profile/code'));

function servicesOf(
  app: JupyterFrontEnd,
  [clients, panes, themes, translator, registry, actor]: Found
): (code: { pageStyle(themes: IThemeManager | null): ClientViewServices['themeChanged'] }) => ClientViewServices {
  const settings = new Settings(registry, app.started);
  const services = { trans: translation(translator), baseUrl: serverUrl(), clients, panes, actor, settings };
  return code => ({ ...services, themeChanged: code.pageStyle(themes) });
}

/** The Client in a cell. */
export const clientOutputPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:client-output',
  description: 'Shows a Dask client or cluster in an output, live while a kernel knows it, and finished profilers.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  optional: OPTIONAL,
  activate: (app: JupyterFrontEnd, registry: IRenderMimeRegistry, ...found: Found): void => {
    const trans = translation(found[3]);
    const services = servicesOf(app, found);
    const client = async () => {
      const code = await loaded(clientCode, trans);
      return new code.RenderedClient(services(code), registry);
    };
    const profile = async () => {
      const code = await loaded(profileCode, trans);
      return new code.RenderedProfile(services(code));
    };
    registry.addFactory(outputFactory(MIME_TYPE, client, trans));
    registry.addFactory(outputFactory(PROFILE_MIME_TYPE, profile, trans));
  }
};
