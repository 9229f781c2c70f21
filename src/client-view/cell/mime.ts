/** The renderers of our outputs, which are loaded with the first output of a type. */
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { Widget } from '@lumino/widgets';
import { LazyWidget } from '../../panes/lazy-widget';
import type { Translate } from '../../plot/plot';

/** Before widget-view (-10) and HTML (50 and more): the same output has Dask's HTML, for pages without this extension. */
const RANK = -20;

/** Renders one output. */
export type Renderer = Widget & IRenderMime.IRenderer;

/** An output before and after its renderer is loaded. */
class LazyOutput extends LazyWidget<Renderer> implements IRenderMime.IRenderer {
  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.model = model;
    await (this.content?.renderModel(model) ?? this.fill());
  }

  protected override filled(content: Renderer): void {
    if (this.model) {
      void content.renderModel(this.model);
    }
  }

  private model: IRenderMime.IMimeModel | null = null;
}

/**
 * Renders the outputs of a type, also in notebooks that are not trusted.
 *
 * @param make - makes the renderer of one output; rejects if its code cannot be loaded
 */
export function outputFactory(type: string, make: () => Promise<Renderer>, trans: Translate): IRenderMime.IRendererFactory {
  return { safe: true, mimeTypes: [type], defaultRank: RANK, createRenderer: () => new LazyOutput(make, trans) };
}
