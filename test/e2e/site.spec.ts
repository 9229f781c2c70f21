/** A site's defaults: JupyterLab's overrides.json ships a layout and makes it the default one. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { freePort } from './harness/jupyter-process';
import { Lab } from './harness/lab';
import { OPEN, startOn } from './harness/server';
import { expect } from './harness/test';

const HOME = join(ROOT, 'test-results', 'jupyter-site');
const tab = (...plots: readonly string[]): object => ({
  type: 'tab-area',
  widgets: plots.map(plot => ({ plot, options: {}, hidden: [], table: plot === 'workers', legend: true })),
  currentIndex: 0
});
const OVERRIDES = {
  'dask-panes:plugin': {
    defaultLayout: 'Our site',
    favourites: ['occupancy'],
    statusBar: false,
    layouts: {
      'Our site': {
        type: 'split-area',
        orientation: 'vertical',
        children: [tab('progress'), tab('workers', 'cpu')],
        sizes: [1, 2]
      }
    }
  }
};

const test = base.extend<{ lab: Lab }>({
  lab: async ({ page }, use, info) => {
    const before = { ...process.env };
    rmSync(HOME, { recursive: true, force: true });
    mkdirSync(join(HOME, 'site'), { recursive: true });
    writeFileSync(join(HOME, 'site', 'overrides.json'), JSON.stringify(OVERRIDES));
    const stop = await startOn(await freePort(), HOME, {
      options: [...OPEN, `--LabApp.app_settings_dir=${join(HOME, 'site')}`]
    });
    try {
      const lab = new Lab(page, `site-${info.workerIndex}`);
      await lab.open();
      await use(lab);
      await lab.shutdownKernels();
      expect(lab.ownErrors()).toEqual([]);
    } finally {
      await stop();
      Object.assign(process.env, before);
    }
  }
});

const CLIENT = `from distributed import Client
client = Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)`;

test("a site's overrides.json ships a layout, which is the default one until the user chooses another", async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  const sidebar = await lab.sidebar();
  const shipped = sidebar.locator('.dp-Layout', { hasText: 'Our site' });
  await expect(shipped).toBeVisible();
  await expect(sidebar.locator('.dp-Plot').first()).toHaveAttribute('data-plot', 'occupancy');

  // What asks for a layout and names none gets it: here Dask's own button on a client.
  await lab.command('dask:populate-and-launch-layout', { url: '' });
  await lab.paneIs('progress', 'live', 'idle', 'empty');
  // Now there is a client that a status bar would show.
  await expect(lab.page.locator('.jp-StatusBar-TextItem', { hasText: /^Dask/ })).toHaveCount(0);
  await expect(lab.pane('workers').getByRole('grid')).toBeVisible();
  await expect(lab.pane('task-stream')).toHaveCount(0);
  await lab.reload();
  await lab.paneIs('progress', 'live', 'idle', 'empty');

  // The user's choice counts more, and a removed layout stays away.
  await lab.page.evaluate(async () => {
    await window.jupyterapp.serviceManager.settings.save(
      'dask-panes:plugin',
      JSON.stringify({ layouts: { 'Our site': null }, defaultLayout: 'memory' })
    );
  });
  await lab.reload();
  await expect((await lab.sidebar()).locator('.dp-Layout', { hasText: 'Memory' })).toBeVisible();
  await expect(lab.page.locator('.dp-Layout', { hasText: 'Our site' })).toHaveCount(0);
  await lab.command('dask:populate-and-launch-layout', { url: '' });
  await lab.paneIs('memory-by-key', 'live', 'idle', 'empty');
});
