// @vitest-environment jsdom
import { MimeModel, RenderMimeRegistry, standardRendererFactories } from '@jupyterlab/rendermime';
import { Widget } from '@lumino/widgets';
import { describe, expect, it } from 'vitest';
import { MIME_TYPE } from '../../../src/client-view/facts';
import { clientRendererFactory } from '../../../src/client-view/mime';
import type { JSONObject } from '@lumino/coreutils';
import { saved } from './saved';

const json = (fields: Record<string, unknown> = {}): JSONObject => saved(fields) as JSONObject;

const services = {
  trans: (text: string): string => text,
  baseUrl: 'http://localhost/',
  clients: null,
  panes: null,
  themeChanged: null
};
const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';

function registry(): RenderMimeRegistry {
  const made = new RenderMimeRegistry({ initialFactories: standardRendererFactories });
  made.addFactory(
    {
      safe: false,
      mimeTypes: [WIDGET_VIEW],
      createRenderer: () =>
        new (class extends Widget {
          renderModel = (): Promise<void> => Promise.resolve();
        })()
    },
    -10
  );
  made.addFactory(clientRendererFactory(services));
  return made;
}

const bundle = {
  'text/plain': '<Client>',
  'text/html': '<a href="http://127.0.0.1:8787/status">',
  [WIDGET_VIEW]: {},
  [MIME_TYPE]: json()
};

describe('the renderer of an output', () => {
  it.each(['ensure', 'any'] as const)('comes before HTML and widgets (safe: %s)', safe => {
    expect(registry().preferredMimeType(bundle, safe)).toBe(MIME_TYPE);
  });

  it('leaves outputs without our type to others', () => {
    const { [MIME_TYPE]: _, ...others } = bundle;
    expect(registry().preferredMimeType(others, 'ensure')).toBe('text/html');
  });

  it('draws the facts of an untrusted model, draws them anew, and leaves the model as it was', async () => {
    const renderer = registry().createRenderer(MIME_TYPE);
    const data = { [MIME_TYPE]: json() };
    const before = JSON.stringify(data);
    await renderer.renderModel(new MimeModel({ trusted: false, data }));
    expect(renderer.node.textContent).toContain('tcp://127.0.0.1:38215');
    await renderer.renderModel(
      new MimeModel({ trusted: false, data: { [MIME_TYPE]: json({ address: 'tls://10.0.0.1:8786' }) } })
    );
    expect(renderer.node.textContent).toContain('tls://10.0.0.1:8786');
    expect(renderer.node.querySelectorAll('.dp-ClientView-card')).toHaveLength(1);
    expect(JSON.stringify(data)).toBe(before);
    renderer.dispose();
  });
});
