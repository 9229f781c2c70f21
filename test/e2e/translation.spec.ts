/** The extension in the language of JupyterLab. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const CLIENT = `
from dask.distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)`;

/** Choose JupyterLab's language, as its menu does, and load the page again. */
async function speak(lab: Lab, locale: string): Promise<void> {
  const path = join(lab.root, '..', 'settings', '@jupyterlab', 'translation-extension', 'plugin.jupyterlab-settings');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ locale }));
  await lab.reload();
}

test('in German, sidebar, panes and the task stream are German, with plural forms', async ({ lab }) => {
  await speak(lab, 'de_DE');
  const { page } = lab;
  await expect(page.getByRole('menuitem', { name: 'Datei' })).toBeVisible();

  const sidebar = await lab.sidebar();
  await expect(sidebar.getByPlaceholder('Diagramme suchen')).toBeVisible();
  await expect(sidebar).toContainText('Es läuft kein Kernel.');
  await expect(sidebar.locator('.dp-Plot[data-plot="task-stream"]')).toContainText('Aufgabenverlauf');
  // Words are found in both languages.
  for (const word of ['Fortschritt', 'progress']) {
    await sidebar.getByPlaceholder('Diagramme suchen').fill(word);
    await expect(sidebar.locator('.dp-Plot[data-plot="progress"]')).toBeVisible();
    await expect(sidebar.locator('.dp-Plot[data-plot="workers"]')).toHaveCount(0);
  }
  await sidebar.getByPlaceholder('Diagramme suchen').fill('');

  const notebook = await lab.openNotebook([
    CLIENT,
    'client.submit(sum, [1, 2]).result()',
    'client.gather(client.map(abs, range(29)))'
  ]);
  const stream = await lab.openPlot('task-stream');
  await expect(stream).toContainText('Noch kein Dask-Client');
  await expect(sidebar).toContainText('noch kein Dask-Client: Client() ausführen');
  await notebook.run(0);
  // A cluster that has rested for long, on a busy machine, says since when.
  await expect(sidebar).toContainText(/1 Worker · 2 Threads|Leerlauf seit .+ · 1 Worker|1 Worker · vor \d+ s/);
  await notebook.run(1);
  await expect(stream.locator('.dp-Pane-counts')).toContainText(/^1 Ausführung(?!en)/);
  await notebook.run(2);
  await expect(stream.locator('.dp-Pane-counts')).toContainText(/^30 Ausführungen/);
  await expect(page.locator('.lm-TabBar-tabLabel', { hasText: 'Aufgabenverlauf' })).toBeVisible();
  await stream.getByRole('button', { name: 'So liest man dieses Diagramm' }).click();
  await expect(page.locator('.dp-Popover')).toContainText('Jede Zeile ist ein Thread eines Workers');
  const folder = join(ROOT, 'test-results', 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, 'german.png') });
});
