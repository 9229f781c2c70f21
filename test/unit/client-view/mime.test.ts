// @vitest-environment jsdom
import { MimeModel, RenderMimeRegistry, standardRendererFactories } from '@jupyterlab/rendermime';
import { Widget } from '@lumino/widgets';
import { describe, expect, it } from 'vitest';
import { RenderedClient } from '../../../src/client-view/cell/rendered';
import { outputFactory } from '../../../src/client-view/cell/mime';
import { MIME_TYPE } from '../../../src/client-view/names';
import type { JSONObject } from '@lumino/coreutils';
import { fakeSettings } from './fakes';
import { saved } from './saved';
import { translate } from '../translate';

const json = (fields: Record<string, unknown> = {}): JSONObject => saved(fields) as JSONObject;

const services = {
  trans: translate,
  baseUrl: 'http://localhost/',
  clients: null,
  panes: null,
  actor: null,
  themeChanged: null,
  settings: fakeSettings()
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
  made.addFactory(outputFactory(MIME_TYPE, async () => new RenderedClient(services, made), services.trans));
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

  it('draws the facts of an untrusted model, draws them again, and leaves the model as it was', async () => {
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

describe("Dask's own view", () => {
  /** The output of a cluster in a page, with its button. */
  async function output(data: JSONObject, trusted: boolean): Promise<{ node: HTMLElement; button: HTMLButtonElement | null }> {
    const renderer = registry().createRenderer(MIME_TYPE);
    await renderer.renderModel(new MimeModel({ trusted, data }));
    Widget.attach(renderer, document.body);
    return { node: renderer.node, button: renderer.node.querySelector<HTMLButtonElement>('button[aria-expanded]') };
  }

  it('is one click away, sanitised where the output is not trusted, and goes again', async () => {
    const html = '<b>LocalCluster</b><img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';
    const { node, button } = await output({ 'text/html': html, 'text/plain': '', [MIME_TYPE]: json() }, false);
    expect(button?.textContent).toBe("Dask's own view");
    button?.click();
    await new Promise(resolve => setTimeout(resolve));
    expect(node.querySelector('b')?.textContent).toBe('LocalCluster');
    expect(node.querySelectorAll('script, [onerror]')).toHaveLength(0);
    expect(globalThis).not.toHaveProperty('hacked');
    const pressed = node.querySelector<HTMLButtonElement>('button[aria-expanded="true"]');
    pressed?.click();
    expect(node.querySelector('b')).toBeNull();
  });

  it('is the HTML while no kernel has the widget', async () => {
    const { node, button } = await output({ ...bundle, 'text/html': '<b>LocalCluster</b>' } as JSONObject, true);
    button?.click();
    await new Promise(resolve => setTimeout(resolve));
    expect(node.querySelector('b')?.textContent).toBe('LocalCluster');
  });

  it('is not offered where the output holds nothing but text', async () => {
    const { button } = await output({ 'text/plain': '<Client>', [MIME_TYPE]: json() }, true);
    expect(button).toBeNull();
  });
});
