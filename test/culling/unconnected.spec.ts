/** A server that culls idle kernels without a connection, as Jupyter's own default is: ours must not keep them. */
import type { Lab } from '../e2e/harness/lab';
import { expect, test } from '../e2e/harness/test';
import { CLIENT, names, running } from './kernels';

/** Close a notebook and leave its kernel, as closing its tab does; unsaved, it would ask. */
async function closeTab(lab: Lab, path: string): Promise<void> {
  await lab.page.evaluate(async at => {
    const panel = window.daskPanesTest.panel(at);
    await panel.context.save();
    panel.close();
  }, path);
}

/** A notebook that has a client, and a pane that is bound to it for good. */
async function pinned(lab: Lab, name: string, plot: string, mode: string): Promise<string> {
  const notebook = await lab.openNotebook([CLIENT, 'import time; time.sleep(500)'], name);
  await notebook.run(0);
  const client = await notebook.value<string>('client.id');
  await lab.openPlot(plot, { mode, binding: { path: notebook.path, client } });
  await lab.paneIs(plot, 'live', 'idle');
  if (name === 'busy') {
    await notebook.start(1);
  }
  return notebook.path;
}

test('kernels of closed notebooks are culled though panes show them, unless they compute', async ({ lab }) => {
  test.setTimeout(900_000);
  const busy = await pinned(lab, 'busy', 'cpu', 'split-right');
  // A tab behind that of the next pane is hidden.
  const hidden = await pinned(lab, 'hidden', 'progress', 'split-right');
  const idle = await pinned(lab, 'idle', 'workers', 'tab-after');
  for (const path of [busy, hidden, idle]) {
    await closeTab(lab, path);
  }
  await expect
    .poll(async () => (await running(lab)).find(({ name }) => name === 'idle.ipynb')?.connections, { timeout: 30_000 })
    .toBe(1);
  await expect.poll(() => names(lab), { timeout: 300_000 }).toEqual(['busy.ipynb']);
  await lab.paneIs('workers', 'closed');
  await expect(lab.pane('workers')).toContainText('closed');
});

test('a hosted cluster without tasks is culled though the sidebar shows it; one with tasks is not', async ({ lab }) => {
  test.setTimeout(900_000);
  const sidebar = await lab.sidebar();
  const using = await lab.openNotebook(['del held'], 'using');
  await lab.command('dask-panes:new-cluster', { name: 'used', workers: 1, threads: 1, memory: '512 MiB', ask: false });
  await using.execute('import dask_panes\nclient = dask_panes.connect("used")\nheld = client.submit(abs, -1)\nheld.result()');
  await lab.command('dask-panes:new-cluster', { name: 'idle', workers: 1, threads: 1, memory: '512 MiB', ask: false });
  await expect(sidebar.locator('.dp-Hosted')).toContainText(
    /no tasks at [\d:]+( [AP]M)? \(a server that stops idle kernels may stop it\)/
  );
  await expect.poll(() => names(lab), { timeout: 200_000 }).not.toContain('Dask cluster idle');
  await expect(sidebar.locator('.dp-Hosted [data-name="idle"]')).toHaveCount(0, { timeout: 30_000 });
  await lab.page.waitForTimeout(40_000);
  expect(await names(lab)).toContain('Dask cluster used');
  await using.run(0);
  await expect.poll(() => names(lab), { timeout: 200_000 }).not.toContain('Dask cluster used');
});
