import { expect, test } from './harness/test';

const CLIENT = `
from dask.distributed import Client
client = Client(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0")
_ = client.gather(client.map(abs, range(50), pure=False))
client`;

test("JupyterLab's font size is followed", async ({ lab }) => {
  const { page } = lab;
  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  await lab.openPlot('workers');
  const card = notebook.output(0).locator('.dp-ClientView');
  const pixels = (selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate(node => Number.parseFloat(getComputedStyle(node).fontSize));
  await expect(card).toBeVisible();
  const before = { card: await pixels('.dp-ClientView'), pane: await pixels('.dp-Pane') };

  for (let step = 0; step < 3; step++) {
    await lab.command('apputils:incr-font-size', { key: 'ui-font-size1' });
    // JupyterLab saves each step as a setting and counts from what it has applied.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--jp-ui-font-size1')))
      .toBe(`${14 + step}px`);
  }
  await expect.poll(() => pixels('.dp-Pane')).toBeCloseTo((before.pane * 16) / 13, 1);
  expect(await pixels('.dp-ClientView')).toBeCloseTo((before.card * 16) / 13, 1);

  // The settings of the server are those of the next test, too.
  for (let step = 0; step < 3; step++) {
    await lab.command('apputils:decr-font-size', { key: 'ui-font-size1' });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue('--jp-ui-font-size1')))
      .toBe(`${15 - step}px`);
  }
});
