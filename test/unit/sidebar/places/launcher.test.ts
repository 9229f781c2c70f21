// @vitest-environment jsdom
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { Signal } from '@lumino/signaling';
import { expect, it, vi } from 'vitest';
import { placesPlugin } from '../../../../src/sidebar/places/plugin';

it('a new cluster is among the others of the launcher, in every language', async () => {
  const add = vi.fn();
  const app = {
    restored: Promise.resolve(),
    resolveOptionalService: async ({ name }: { name: string }) => (name.includes('ILauncher') ? { add } : null)
  } as unknown as JupyterFrontEnd;
  const [changed, ready] = [new Signal({}), new Promise(() => undefined)];
  const manager = { parts: { settings: { changed, ready } } };
  placesPlugin.activate(app, { changed, followed: null }, { changed, list: [] }, manager, null);
  await vi.waitFor(() => expect(add).toHaveBeenCalledOnce());
  // JupyterLab translates the title of its own section.
  expect(add.mock.calls[0][0]).not.toHaveProperty('category');
});
