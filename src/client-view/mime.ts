import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Panel } from '@lumino/widgets';
import { MIME_TYPE, readFacts } from './facts';
import { ClientView, type ClientViewServices } from './view';

/** Before widget-view (-10) and HTML (50 and more): the same output has Dask's HTML, for pages without us. */
const RANK = -20;

/** A displayed client in an output. */
class RenderedClient extends Panel implements IRenderMime.IRenderer {
  constructor(private readonly services: ClientViewServices) {
    super();
    this.addClass('dp-RenderedClient');
  }

  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const facts = readFacts(model.data[MIME_TYPE]);
    if (this.view) {
      this.view.setFacts(facts);
    } else {
      this.view = new ClientView(facts, this.services);
      this.addWidget(this.view);
    }
    return Promise.resolve();
  }

  private view: ClientView | null = null;
}

/**
 * Renders our MIME type. Safe without trust: facts are checked and shown as text, links are web addresses only, and
 * nothing of the output is executed.
 */
export function clientRendererFactory(services: ClientViewServices): IRenderMime.IRendererFactory {
  return {
    safe: true,
    mimeTypes: [MIME_TYPE],
    defaultRank: RANK,
    createRenderer: () => new RenderedClient(services)
  };
}
