import { expect, test } from './harness/test';

const CLIENT = `
from dask.distributed import Client
client = Client(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0")
_ = client.gather(client.map(abs, range(50), pure=False))
client`;

test("JupyterLab's font size and a theme with other colour spaces are followed", async ({ lab }, info) => {
  const { page } = lab;
  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  await lab.openPlot('workers');
  await lab.openPlot('task-stream');
  const card = notebook.output(0).locator('.dp-ClientView');
  const row = lab.pane('workers').locator('.dp-Table-row').last();
  const pixels = (selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate(node => Number.parseFloat(getComputedStyle(node).fontSize));
  await expect(card).toBeVisible();
  const before = { card: await pixels('.dp-ClientView'), pane: await pixels('.dp-Pane') };
  await expect(row).toHaveCSS('height', '24px');

  for (let step = 0; step < 3; step++) {
    await lab.command('apputils:incr-font-size', { key: 'ui-font-size1' });
    // JupyterLab saves each step as a setting and counts from what it has applied.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--jp-ui-font-size1')))
      .toBe(`${14 + step}px`);
  }
  await expect.poll(() => pixels('.dp-Pane')).toBeCloseTo((before.pane * 16) / 13, 1);
  expect(await pixels('.dp-ClientView')).toBeCloseTo((before.card * 16) / 13, 1);
  await expect.poll(async () => Math.round((await row.boundingBox())?.height ?? 0)).toBe(Math.round((24 * 16) / 13));
  await page.screenshot({ path: info.outputPath('large-light.png') });
  await lab.command('apputils:change-theme', { theme: 'JupyterLab Dark' });
  await expect(lab.pane('workers')).toHaveAttribute('data-scheme', 'dark');
  await page.screenshot({ path: info.outputPath('large-dark.png') });
  await lab.command('apputils:change-theme', { theme: 'JupyterLab Light' });
  await expect(lab.pane('workers')).toHaveAttribute('data-scheme', 'light');

  // A theme of somebody else, dark, in another colour space; the size tells the panes to look again.
  await page.evaluate(() => document.documentElement.style.setProperty('--jp-layout-color1', 'oklch(0.25 0.02 250)'));
  await lab.command('apputils:decr-font-size', { key: 'ui-font-size1' });
  await expect(lab.pane('workers')).toHaveAttribute('data-scheme', 'dark');
});
