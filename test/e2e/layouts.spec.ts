/** Layouts replace each other, and what the card opens goes on with the next client of the notebook. */
import { type Area, dockLayout } from './harness/dock';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const CLIENT = `
from dask.distributed import Client
client = Client(n_workers=1, threads_per_worker=1, memory_limit="300 MiB", dashboard_address=":0")
client`;

/** The tabs beside the notebook, and whether all of them are at its right. */
async function panesOf(lab: Lab): Promise<{ readonly plots: readonly string[]; readonly beside: boolean }> {
  const flat = (area: Area): readonly string[] => ('tabs' in area ? area.tabs : area.children.flatMap(flat));
  const layout = await dockLayout(lab);
  const [document, ...others] = layout !== null && 'children' in layout ? layout.children.map(flat) : [[]];
  const beside = layout !== null && 'orientation' in layout && layout.orientation === 'horizontal' && document.length === 1;
  return { plots: others.flat().sort(), beside };
}

test('a layout replaces the one before, also after a reload; panes of the card go on with the next client, a pinned one stays', async ({
  lab
}) => {
  const notebook = await lab.openNotebook([CLIENT, 'client.close()', CLIENT]);
  await notebook.run(0);
  const card = notebook.output(0).locator('.dp-ClientView');
  await card.getByRole('button', { name: 'Status' }).click();
  await lab.paneIs('task-stream', 'live', 'idle', 'empty');
  await expect(lab.page.locator('.dp-Chip[data-pinned="true"]')).toHaveCount(0);
  await lab.reload();
  await lab.paneIs('task-stream', 'live', 'idle', 'empty');

  const errors = ['errors', 'events', 'logs', 'task-stream'];
  await lab.command('dask-panes:layout', { name: 'errors' });
  expect(await panesOf(lab)).toEqual({ plots: errors, beside: true });
  await lab.command('dask-panes:layout', { name: 'status' });
  expect(await panesOf(lab)).toMatchObject({ beside: true, plots: { length: 8 } });
  await lab.command('dask-panes:layout', { name: 'errors' });
  expect(await panesOf(lab)).toEqual({ plots: errors, beside: true });

  // Pinned by hand, a pane is the user's and no longer the layout's.
  const first = await notebook.value<string>('client.id');
  await lab.pane('errors').locator('.dp-Chip').click();
  await lab.page
    .getByRole('menuitemcheckbox', { name: 'notebook.ipynb' })
    .or(lab.page.getByRole('menuitem', { name: 'notebook.ipynb' }))
    .click();
  await expect(lab.pane('errors').locator('.dp-Chip')).toHaveAttribute('data-pinned', 'true');
  await lab.command('dask-panes:layout', { name: 'memory' });
  const memory = ['cluster-memory', 'errors', 'memory-by-key', 'memory-timeseries', 'workers-memory'];
  expect((await panesOf(lab)).plots).toEqual(memory);

  await notebook.run(1);
  await lab.paneIs('workers-memory', 'closed', 'empty');
  await notebook.run(2);
  const second = await notebook.value<string>('client.id');
  const shown = (plot: string): Promise<string | undefined> =>
    lab.page.evaluate(id => window.daskPanesTest.pane(id).live?.info.key, plot);
  for (const plot of memory.filter(id => id !== 'errors')) {
    await expect.poll(() => shown(plot)).toBe(second);
  }
  expect(await shown('errors')).toBe(first);
});
