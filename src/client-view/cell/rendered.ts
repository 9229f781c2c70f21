import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { Panel } from '@lumino/widgets';
import { MIME_TYPE } from '../names';
import { readFacts } from './facts';
import { enclosingPath } from './enclosing';
import { OutputOwnView } from './own';
import { ClientView, type ClientViewServices } from '../view';

/**
 * A displayed client in an output. Safe without trust: facts are checked and shown as text, links are web addresses only, and
 * nothing of the output is executed.
 */
export class RenderedClient extends Panel implements IRenderMime.IRenderer {
  constructor(
    private readonly services: ClientViewServices,
    registry: IRenderMimeRegistry
  ) {
    super();
    this.addClass('dp-RenderedClient');
    this.own = new OutputOwnView(this, registry);
  }

  override dispose(): void {
    this.own.dispose();
    super.dispose();
  }

  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    const facts = readFacts(model.data[MIME_TYPE]);
    this.own.update(model);
    if (this.view) {
      this.view.setFacts(facts);
    } else {
      this.view = new ClientView(facts, this.services, { own: this.own, path: () => enclosingPath(this) });
      this.addWidget(this.view);
    }
    return Promise.resolve();
  }

  private view: ClientView | null = null;
  private readonly own: OutputOwnView;
}
