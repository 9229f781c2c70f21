/** Plugins for cell outputs: a Client by a MIME renderer and an ipywidget, and finished profilers. */
import { IJupyterWidgetRegistry } from '@jupyter-widgets/base';
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IThemeManager } from '@jupyterlab/apputils';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { ITranslator } from '@jupyterlab/translation';
import { pageStyle } from '../base/page-style';
import { serverUrl } from '../base/jupyter/server-url';
import { Settings } from '../base/jupyter/settings';
import type { Clients } from '../clients/model';
import { IClients } from '../clients/tokens';
import { translation } from '../panes/plugin';
import { type DaskPanes, IDaskPanes } from '../panes/tokens';
import { clientRendererFactory } from './cell/mime';
import { profileRendererFactory } from './profile/mime';
import type { ClientViewServices } from './view';
import { clientWidgetClasses, WIDGET_MODULE, WIDGET_MODULE_VERSION } from './widget';

/** Optional services for both plugins. */
const OPTIONAL = [IClients, IDaskPanes, IThemeManager, ITranslator, ISettingRegistry];

function servicesOf(
  app: JupyterFrontEnd,
  clients: Clients | null,
  panes: DaskPanes | null,
  themes: IThemeManager | null,
  translator: ITranslator | null,
  registry: ISettingRegistry | null
): ClientViewServices {
  return {
    trans: translation(translator),
    baseUrl: serverUrl(),
    clients,
    panes,
    themeChanged: pageStyle(themes),
    settings: new Settings(registry, app.started)
  };
}

/** JupyterLab's services for {@link OPTIONAL}. */
type Found = Parameters<typeof servicesOf> extends [JupyterFrontEnd, ...infer Rest] ? Rest : never;

const rendererPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:client-output',
  description: 'Shows a Dask client or cluster in an output, live while a kernel knows it, and finished profilers.',
  autoStart: true,
  requires: [IRenderMimeRegistry],
  optional: OPTIONAL,
  activate: (app: JupyterFrontEnd, registry: IRenderMimeRegistry, ...services: Found): void => {
    const found = servicesOf(app, ...services);
    registry.addFactory(clientRendererFactory(found, registry));
    registry.addFactory(profileRendererFactory(found));
  }
};

const widgetPlugin: JupyterFrontEndPlugin<void> = {
  id: 'dask-panes:client-widget',
  description: 'Draws dask_panes.ClientWidget in ipywidgets layouts.',
  autoStart: true,
  optional: [IJupyterWidgetRegistry, ...OPTIONAL],
  activate: (app: JupyterFrontEnd, registry: IJupyterWidgetRegistry | null, ...services: Found): void => {
    registry?.registerWidget({
      name: WIDGET_MODULE,
      version: WIDGET_MODULE_VERSION,
      exports: clientWidgetClasses(servicesOf(app, ...services))
    });
  }
};

/** The plugins of the Client in a cell. */
export const clientViewPlugins: JupyterFrontEndPlugin<void>[] = [rendererPlugin, widgetPlugin];
