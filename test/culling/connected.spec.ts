/** A server that culls idle kernels though browsers are connected: what panes send must not look like activity. */
import { expect, test } from '../e2e/harness/test';
import { CLIENT, names } from './kernels';

test('an idle notebook with live panes is culled; a computing one and a hosting kernel in use are not', async ({ lab }) => {
  test.setTimeout(600_000);
  await lab.sidebar();
  const using = await lab.openNotebook([''], 'using');
  await lab.command('dask-panes:new-cluster', { name: 'used', workers: 1, threads: 1, memory: '512 MiB', ask: false });
  await using.execute('import dask_panes\nclient = dask_panes.connect("used")\nheld = client.submit(abs, -1)\nheld.result()');
  const busy = await lab.openNotebook([CLIENT, 'import time; time.sleep(500)'], 'busy');
  await busy.run(0);
  await busy.start(1);
  const idle = await lab.openNotebook([CLIENT], 'idle');
  await idle.run(0);
  await lab.openPlot('progress');
  await lab.openPlot('workers', { mode: 'split-bottom' });
  await lab.paneIs('workers', 'live', 'idle');

  await expect.poll(() => names(lab), { timeout: 120_000 }).not.toContain('idle.ipynb');
  // Its notebook does nothing either: what is left is in use, long after the time of the culler.
  await expect.poll(() => names(lab), { timeout: 120_000 }).not.toContain('using.ipynb');
  expect(await names(lab)).toEqual(expect.arrayContaining(['busy.ipynb']));
});

test('a hosting kernel is kept while its scheduler has tasks, and culled without', async ({ lab }) => {
  test.setTimeout(600_000);
  await lab.sidebar();
  await lab.command('dask-panes:new-cluster', { name: 'used', workers: 1, threads: 1, memory: '512 MiB', ask: false });
  const using = await lab.openNotebook(['import time; time.sleep(60); del held'], 'using');
  await using.execute('import dask_panes\nclient = dask_panes.connect("used")\nheld = client.submit(abs, -1)\nheld.result()');
  await using.start(0);
  await lab.page.waitForTimeout(50_000);
  expect(await names(lab)).toContain('Dask cluster used');
  await using.finished(0);
  await expect.poll(() => names(lab), { timeout: 120_000 }).not.toContain('Dask cluster used');
});
