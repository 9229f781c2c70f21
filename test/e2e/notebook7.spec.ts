/** Notebook 7 has no dock: a panel of our own in the area below takes the panes. */
import { join } from 'node:path';
import { Lab } from './harness/lab';
import { writeNotebook } from './harness/notebook';
import { ROOT_VARIABLE, URL_VARIABLE } from './harness/server';
import { expect, test } from './harness/test';

const CLIENT = `from distributed import Client
client = Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)`;
const WORK = 'results = client.gather(client.map(abs, range(30)))';

/** Milliseconds that a kernel with its cluster may take to start. */
const START = 120_000;

/** Websockets to the kernel of the notebook. */
async function connections(): Promise<number> {
  const answer = await fetch(`${process.env[URL_VARIABLE]}/api/sessions`);
  const sessions = (await answer.json()) as readonly { path: string; kernel: { connections: number } }[];
  return sessions.find(({ path }) => path === 'notebook7.ipynb')?.kernel.connections ?? 0;
}

test('Notebook 7 shows a live pane below the notebook', async ({ page }) => {
  writeNotebook(join(process.env[ROOT_VARIABLE] ?? '', 'notebook7.ipynb'), [
    CLIENT,
    WORK,
    'client.cluster.close(); client.close()'
  ]);
  await page.goto(`${process.env[URL_VARIABLE]}/notebooks/notebook7.ipynb`);
  const prompts = page.locator('.jp-Notebook .jp-InputPrompt');
  const run = async (index: number): Promise<void> => {
    await page.locator('.jp-Notebook .jp-Cell').nth(index).click();
    await page.keyboard.press('Shift+Enter');
    await expect(prompts.nth(index)).toHaveText(`[${index + 1}]:`, { timeout: START });
  };
  // Notebook drops what is run before its kernel is connected, with and without this extension.
  await expect.poll(connections, { timeout: START }).toBeGreaterThan(0);
  await expect(page.locator('.jp-Notebook-ExecutionIndicator')).toHaveAttribute('data-status', 'idle', { timeout: START });
  await run(0);

  await page.keyboard.press('Control+Shift+C');
  await page.locator('#modal-command-palette input').fill('Task stream');
  // The list follows what is typed a moment later.
  await expect(page.locator('.lm-CommandPalette-item.lm-mod-active')).toContainText('Task stream');
  await page.keyboard.press('Enter');
  const pane = page.locator('[data-plot="task-stream"][data-state]');
  await expect(pane).toBeVisible();
  // Half of the page, below the notebook or at its right.
  await expect.poll(async () => (await pane.boundingBox())?.height ?? 0).toBeGreaterThan(250);
  await expect.poll(async () => (await pane.boundingBox())?.width ?? 0).toBeGreaterThan(400);

  await run(1);
  await expect(pane).toContainText('30 executions');
  await pane.getByRole('button', { name: 'How to read this plot' }).click();
  const picture = page.locator('.dp-Popover img');
  await expect.poll(() => picture.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth > 0)).toBe(true);
  await page.keyboard.press('Escape');
  await run(2);
  await expect(pane).toHaveAttribute('data-state', 'closed');
  await new Lab(page, 'notebook7').shutdownKernels();
});
