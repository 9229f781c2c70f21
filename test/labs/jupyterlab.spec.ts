/** The least that must work in every release of JupyterLab 4: open, show work, come back. Keys: output-keys.spec.ts. */
import type { Locator } from '@playwright/test';
import type { Lab } from '../e2e/harness/lab';
import { expect, test } from '../e2e/harness/test';
import { tasksInTitle } from '../e2e/harness/stream';

const CLIENT = `from distributed import Client
client = Client(n_workers=2, threads_per_worker=1, dashboard_address=':0')
client`;
const WORK = 'results = client.gather(client.map(abs, range(30), pure=False))';

/** The card of the first cell: cells have no number of their own before JupyterLab 4.2. */
function cardIn(lab: Lab): Locator {
  return lab.page.locator('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell').first().locator('.dp-ClientView');
}

test('plots open, show work and come back after a reload', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, WORK]);
  await notebook.run(0);
  const card = cardIn(lab);
  await expect(card).toHaveAttribute('data-state', /^(live|idle)$/);
  const sidebar = await lab.sidebar();
  await expect(sidebar.locator('.dp-Clients')).toContainText('2 workers');
  await lab.command('dask-panes:layout', { name: 'status' });
  const stream = lab.pane('task-stream');
  await notebook.run(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(30);
  await lab.paneIs('progress', 'live', 'idle');
  await expect(lab.pane('progress').locator('.dp-Pane-counts')).toContainText('30');
  await lab.theme('Dark');
  await lab.reload();
  await expect.poll(() => tasksInTitle(lab.pane('task-stream'))).toBe(30);
  await lab.theme('Light');

  // A notebook that is opened while a pane is current opens beside the first one.
  await stream.click({ position: { x: 5, y: 60 } });
  const first = await lab.page.locator('.jp-NotebookPanel').boundingBox();
  await lab.openNotebook(['1'], 'second');
  await expect(lab.page.locator('.jp-NotebookPanel:not(.lm-mod-hidden)')).toHaveCount(1);
  expect(await lab.page.locator('.jp-NotebookPanel:not(.lm-mod-hidden)').boundingBox()).toEqual(first);
  await expect(stream).toBeVisible();
});
