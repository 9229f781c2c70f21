import { expect, test } from './harness/test';

const WORK = `
from dask.distributed import Client, wait
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None)
kept = client.map(abs, range(500), pure=False)
_ = wait(kept)`;

test('a table of many rows goes where the wheel says, and no further', async ({ lab }) => {
  const notebook = await lab.openNotebook([WORK]);
  await notebook.run(0);
  const pane = await lab.openPlot('tasks');
  await expect(pane.locator('.dp-Pane-counts')).toContainText('500');
  const table = pane.locator('.dp-Table-scroll');
  await expect.poll(() => table.evaluate(node => node.scrollHeight > 4 * node.clientHeight)).toBe(true);
  await table.hover();
  await lab.page.mouse.wheel(0, 300);
  await expect.poll(() => table.evaluate(node => node.scrollTop)).toBeGreaterThan(0);
  // Rows are drawn for what is in view, and the browser must not follow one of them.
  for (let frame = 0; frame < 30; frame++) {
    await lab.frames();
  }
  expect(await table.evaluate(node => node.scrollTop)).toBe(300);
});
