/** JupyterLab's settings: ours, and what Dask's own configuration says. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { expect, test } from './harness/test';

test("the settings show Dask's own configuration as the kernel has it", async ({ lab }) => {
  const notebook = await lab.openNotebook([
    'print(1)',
    "import dask\n_ = dask.config.set({'dask-panes.attach': False, 'dask-panes.ring-rows': '<b>many</b>', 'dask-panes.intervals': {'tasks': '200ms'}})"
  ]);
  await notebook.run(0);
  await lab.command('settingeditor:open', { query: 'Dask Panes' });
  const form = lab.page.locator('.dp-Configuration');
  await expect(form.getByText('This kernel has not imported Dask yet.')).toBeVisible();
  await lab.command('docmanager:open', { path: notebook.path });
  await notebook.run(1);
  await lab.command('settingeditor:open', { query: 'Dask Panes' });
  await form.getByRole('button', { name: 'Ask again' }).click();
  await expect(form.locator('[data-option="attach"]')).toHaveText('false');
  await expect(form.locator('[data-option="intervals"]')).toHaveText('tasks: 200 ms');
  await expect(form.locator('.dp-Configuration-problem')).toContainText("ring-rows: '<b>many</b>' is not a whole number");
  await form.scrollIntoViewIfNeeded();
  const folder = join(ROOT, 'test-results', 'screenshots');
  mkdirSync(folder, { recursive: true });
  await lab.page.screenshot({ path: join(folder, 'settings.png') });
});
