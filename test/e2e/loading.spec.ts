/** What a page loads at its start, and what happens when the rest cannot be loaded. */
import { gzipBytes, startFiles } from '../../scripts/start-size.mjs';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const CLIENT = `
from dask.distributed import Client
client = Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)
client`;
/** Files of the built extension. */
const FILES = /\/extensions\/dask-panes\/static\/([\w.-]+)/;
const LOST = 'could not be loaded from the Jupyter server';

/** The files of ours that the page has loaded. */
async function loadedFiles(lab: Lab): Promise<string[]> {
  const urls = await lab.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  return [...new Set(urls.flatMap(url => FILES.exec(url)?.[1] ?? []))].sort();
}

test('a page loads little before anybody looks, and the rest when it is needed', async ({ lab }) => {
  expect(await loadedFiles(lab)).toEqual(startFiles());
  expect(gzipBytes(startFiles())).toBeGreaterThan(10_000);

  // The palette has all plots, though none is loaded.
  const label = await lab.page.evaluate(() => window.jupyterapp.commands.label('dask-panes:open', { plot: 'progress' }));
  expect(label).toBe('Progress');
  await lab.openNotebook(['1']);
  expect(await loadedFiles(lab)).toEqual(startFiles());

  await lab.openPlot('progress');
  await lab.paneIs('progress', 'none');
  expect((await loadedFiles(lab)).length).toBeGreaterThan(startFiles().length);
});

test('a page without ipywidgets has everything but their widget', async ({ lab }) => {
  // The extension that shares their package is not there.
  await lab.page.route(/@jupyter-widgets\/jupyterlab-manager\/static\/remoteEntry/, route => route.abort());
  const warnings: string[] = [];
  lab.page.on('console', message => {
    if (message.type() === 'warning') {
      warnings.push(message.text());
    }
  });
  await lab.reload();
  const plugins = await lab.page.evaluate(() => {
    const { jupyterapp } = window;
    const listed = jupyterapp.listPlugins();
    const ours = listed.filter(id => id.startsWith('dask-panes'));
    return {
      ipywidgets: listed.some(id => id.startsWith('@jupyter-widgets/')),
      ours: ours.length,
      inactive: ours.filter(id => !jupyterapp.isPluginActivated(id))
    };
  });
  expect(plugins).toEqual({ ipywidgets: false, ours: expect.any(Number), inactive: [] });
  expect(plugins.ours).toBeGreaterThan(5);
  expect(warnings.join()).toContain('dask_panes.ClientWidget needs ipywidgets');

  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  await expect(notebook.output(0).locator('.dp-ClientView')).toHaveAttribute('data-state', /^(live|idle)$/);
  await lab.openPlot('progress');
  await lab.paneIs('progress', 'empty');
});

test('what cannot be loaded says so where it was asked for, and is there when it is asked for again', async ({ lab }) => {
  const { page } = lab;
  const start = startFiles();
  let lost = true;
  await page.route(FILES, route => {
    const name = FILES.exec(route.request().url())?.[1] ?? '';
    return lost && !start.includes(name) ? route.abort() : route.continue();
  });
  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  const output = notebook.output(0);
  const sidebar = page.locator('#dask-panes-sidebar');

  await test.step('in an output, in the sidebar, and for a command', async () => {
    await expect(output.getByRole('alert')).toContainText(LOST);
    await lab.command('dask-panes:show-sidebar');
    await expect(sidebar.getByRole('alert')).toContainText(LOST);
    await expect(lab.command('dask-panes:open', { plot: 'progress' })).rejects.toThrow(LOST);
    await expect(page.locator('.Toastify')).toContainText(LOST);
    await lab.command('dask-panes:new-cluster');
    await expect(page.locator('.jp-Dialog')).toHaveCount(0);
    expect(await page.locator('.dp-Pane').count()).toBe(0);
  });

  await test.step('while it is lost, another attempt says it again', async () => {
    await sidebar.getByRole('button', { name: 'Try again' }).click();
    await expect(sidebar.getByRole('alert')).toContainText(LOST);
  });

  await test.step('each place comes back by its own next action', async () => {
    lost = false;
    await output.getByRole('button', { name: 'Try again' }).click();
    await expect(output.locator('.dp-ClientView')).toHaveAttribute('data-state', /^(live|idle)$/);
    await sidebar.getByRole('button', { name: 'Try again' }).click();
    // A cluster that has rested for long says since when, instead of what it is.
    await expect(sidebar.locator('.dp-Clients')).toContainText(/LocalCluster|idle since/);
    await lab.openPlot('progress');
    await lab.paneIs('progress', 'empty');
  });
  lab.excuse(/Failed to load resource/);
});
