/** Plugins for cell outputs: a Client by a MIME renderer and an ipywidget, and finished profilers. */
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
import { MIME_TYPE, PROFILE_MIME_TYPE, WIDGET_MODULE, WIDGET_MODULE_VERSION } from './names';
import type { ClientViewServices } from './view';

/** Optional services for both plugins. */
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
/** Apart from the views of outputs: it imports a package that may be missing. */
const widgetCode = new Lazy(() => Promise.all([import('./widget'), clientCode.get()]));
const profileCode = new Lazy(() => import('./profile/code'));

function servicesOf(
  app: JupyterFrontEnd,
  [clients, panes, themes, translator, registry, actor]: Found
): (code: { pageStyle(themes: IThemeManager | null): ClientViewServices['themeChanged'] }) => ClientViewServices {
  const settings = new Settings(registry, app.started);
  const services = { trans: translation(translator), baseUrl: serverUrl(), clients, panes, actor, settings };
  return code => ({ ...services, themeChanged: code.pageStyle(themes) });
}

const rendererPlugin: JupyterFrontEndPlugin<void> = {
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

const widgetPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:client-widget',
  description: 'Draws dask_panes.ClientWidget in ipywidgets layouts.',
  autoStart: true,
  optional: OPTIONAL,
  activate: async (app: JupyterFrontEnd, ...found: Found): Promise<void> => {
    // A page without ipywidgets does not have this package, and must have the other plugins.
    const base = await import('@jupyter-widgets/base').catch((error: unknown) => {
      console.warn('dask-panes: dask_panes.ClientWidget needs ipywidgets in the environment of JupyterLab.', error);
      return null;
    });
    const registry = base && (await app.resolveOptionalService(base.IJupyterWidgetRegistry));
    const services = servicesOf(app, found);
    registry?.registerWidget({
      name: WIDGET_MODULE,
      version: WIDGET_MODULE_VERSION,
      exports: async () => {
        const [{ clientWidgetClasses }, code] = await loaded(widgetCode, translation(found[3]));
        return clientWidgetClasses(services(code));
      }
    });
  }
};

/** The plugins of the Client in a cell. */
export const clientViewPlugins: JupyterFrontEndPlugin<void>[] = [rendererPlugin, widgetPlugin];
