/** The same view for ipywidgets: the browser side of `dask_panes.ClientWidget`. */
import { DOMWidgetModel, DOMWidgetView, type ExportMap, JupyterLuminoPanelWidget } from '@jupyter-widgets/base';
import { readFacts } from './cell/facts';
import { WIDGET_MODULE, WIDGET_MODULE_VERSION } from './names';
import { ClientView, type ClientViewServices } from './view';

/** Contains the static facts; nothing is sent back. */
class ClientModel extends DOMWidgetModel {
  override defaults(): ReturnType<DOMWidgetModel['defaults']> {
    return {
      ...super.defaults(),
      _model_name: 'ClientModel',
      _model_module: WIDGET_MODULE,
      _model_module_version: WIDGET_MODULE_VERSION,
      _view_name: 'ClientView',
      _view_module: WIDGET_MODULE,
      _view_module_version: WIDGET_MODULE_VERSION,
      facts: {}
    };
  }
}

/** The classes that the widget registry passes to the manager. */
export function clientWidgetClasses(services: ClientViewServices): ExportMap {
  class ClientWidgetView extends DOMWidgetView {
    override _createElement(): HTMLElement {
      this.luminoWidget = new JupyterLuminoPanelWidget({ view: this });
      return this.luminoWidget.node;
    }

    override _setElement(el: HTMLElement): void {
      if (this.el || el !== this.luminoWidget.node) {
        throw new Error('The element of a Dask client view is made by the view itself.');
      }
      this.el = this.luminoWidget.node;
    }

    override render(): void {
      super.render();
      const view = new ClientView(readFacts(this.model.get('facts')), services);
      if (this.luminoWidget instanceof JupyterLuminoPanelWidget) {
        this.luminoWidget.addWidget(view);
      }
      this.listenTo(this.model, 'change:facts', () => view.setFacts(readFacts(this.model.get('facts'))));
    }
  }
  return { ClientModel, ClientView: ClientWidgetView };
}
