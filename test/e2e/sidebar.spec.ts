import type { Locator } from '@playwright/test';
import type { Lab } from './harness/lab';
import { tasksInTitle } from './harness/stream';
import { expect, test } from './harness/test';

/** A cluster that is made quickly: its worker is a thread of the kernel. */
const CLIENT = `
from dask.distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=":0")`;

const work = (tasks: number): string => `_ = client.gather(client.map(abs, range(${tasks}), pure=False))`;

/** Some that have to be there, whatever else there is. */
const PLOTS = [
  'task-stream',
  'progress',
  'cluster-memory',
  'workers-memory',
  'workers',
  'nprocessing',
  'cpu',
  'occupancy',
  'workers-transfer-bytes'
];

/** Ids of all plots that the command knows. */
async function catalogue(lab: Lab): Promise<string[]> {
  const plots = await lab.page.evaluate(async () => {
    const { args } = await window.jupyterapp.commands.describedBy('dask-panes:open');
    const properties = args?.properties as { readonly plot: { readonly enum: string[] } } | undefined;
    return properties?.plot.enum ?? [];
  });
  expect(plots).toEqual(expect.arrayContaining(PLOTS));
  return plots;
}

/** Ids of the plots that the list shows now. */
function listed(sidebar: Locator): Promise<(string | undefined)[]> {
  return sidebar.locator('.dp-Plot').evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset.plot));
}

/** All plots but those that are listed only while a worker has a GPU. */
async function withoutGpu(lab: Lab): Promise<string[]> {
  const all = await catalogue(lab);
  const gpu = ['gpu-memory', 'gpu-utilization', 'rmm-memory'];
  expect(all).toEqual(expect.arrayContaining(gpu));
  return all.filter(id => !gpu.includes(id));
}

/** The key of the client that a pane shows. */
function shownClient(lab: Lab, plot: string): Promise<string | null> {
  return lab.pane(plot).getAttribute('data-client');
}

test('without a cluster the list is complete, and panes opened early wait and fill; dask_panes.show opens them from a cell', async ({
  lab
}) => {
  const sidebar = await lab.sidebar();
  const all = (await withoutGpu(lab)).sort();
  await expect.poll(async () => (await listed(sidebar)).sort()).toEqual(all);
  await expect(sidebar).toContainText('No kernel is running');

  await lab.openPlot('task-stream');
  await lab.paneIs('task-stream', 'none');
  await expect(lab.pane('task-stream')).toContainText('No Dask client yet');
  await lab.command('application:close');
  await expect(lab.pane('task-stream')).toHaveCount(0);

  const notebook = await lab.openNotebook([
    CLIENT,
    work(30),
    'import dask_panes; dask_panes.show("progress")',
    'dask_panes.show()',
    'dask_panes.show("no such plot")'
  ]);
  await expect(sidebar.locator('.dp-Clients')).toContainText('no Dask client yet: run Client()');
  await sidebar.locator('.dp-Plot[data-plot="progress"]').click();
  const progress = lab.pane('progress');
  await lab.paneIs('progress', 'none');
  await expect(progress).toContainText('no Dask client');
  await expect(progress.locator('.dp-Message')).toContainText('Client()');
  await expect(sidebar.locator('.dp-Plot[data-plot="progress"] .dp-Plot-open')).toHaveText('open');
  const stream = await lab.openPlot('task-stream', { mode: 'split-bottom' });
  await lab.paneIs('task-stream', 'none');
  await expect(stream).toContainText('Run Client() in a notebook');

  await notebook.run(0);
  await expect(progress).toContainText('No tasks.');
  await lab.paneIs('task-stream', 'empty');
  await expect(stream).toContainText('The cluster has 1 worker. Tasks appear here as they run.');
  await notebook.run(1);
  await expect(progress.locator('.dp-Pane-counts')).toContainText('30 / 30 done');
  await expect.poll(() => tasksInTitle(stream)).toBe(30);
  await expect(progress.locator('.dp-VegaView canvas')).toBeVisible();
  const row = sidebar.locator('.dp-Row[data-followed="true"]');
  await expect(row).toContainText('notebook.ipynb');
  // A cluster that has rested for long, on a busy machine, says since when.
  await expect(row).toContainText(/LocalCluster · 1 worker · 2 threads|idle since .+ · 1 worker|1 worker · \d+ s ago/);
  await expect(row).toContainText('0 / 2 busy');
  const link = await notebook.value<string>('client.dashboard_link');
  await expect(sidebar.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', link);

  await test.step('dask_panes.show acts in the browser and leaves nothing in the cell', async () => {
    for (const plot of ['progress', 'task-stream']) {
      await lab.openPlot(plot);
      await lab.command('application:close');
      await expect(lab.pane(plot)).toHaveCount(0);
    }
    await notebook.run(2);
    await expect(lab.pane('progress')).toBeVisible();
    await expect(lab.pane('cluster-memory')).toHaveCount(0);
    await notebook.run(3);
    await expect(lab.pane('cluster-memory')).toBeVisible();
    await expect(lab.pane('task-stream')).toBeVisible();
    await notebook.run(4);
    await expect(lab.page.getByText('There is no layout or plot named "no such plot"')).toBeVisible();
    for (const cell of [2, 3, 4]) {
      expect(await notebook.outputs(cell)).toEqual([]);
    }
  });

  await test.step('with many clients, their list scrolls by itself, and layouts stay in view', async () => {
    await notebook.execute('more = [Client(client.cluster) for _ in range(15)]');
    const clients = sidebar.locator('.dp-Clients');
    await expect(clients.locator('.dp-Row')).toHaveCount(16);
    await sidebar.evaluate(node => node.scrollTo(0, 0));
    await expect(sidebar.locator('.dp-Layout').last()).toBeInViewport({ ratio: 1 });
    await expect(sidebar.getByRole('button', { name: 'New cluster' })).toBeInViewport({ ratio: 1 });
    await clients.locator('.dp-Row').last().scrollIntoViewIfNeeded();
    await expect(clients.locator('.dp-Row').last()).toBeInViewport();
    await expect(sidebar.locator('.dp-Layout').last()).toBeInViewport({ ratio: 1 });
  });
});

test('the bars in the sidebar are those of the client whose row has them, also where another one has just closed', async ({
  lab
}) => {
  const sidebar = await lab.sidebar();
  const other = await lab.openNotebook([CLIENT, work(7)], 'other');
  await other.run(0);
  await other.run(1);
  const notebook = await lab.openNotebook([CLIENT, work(30), 'client.close(); client.cluster.close()']);
  await notebook.run(0);
  await notebook.run(1);
  const row = sidebar.locator('.dp-Row').filter({ has: lab.page.locator('.dp-MiniBars') });
  await expect(row).toContainText('notebook.ipynb');
  await expect(row).toHaveAttribute('data-followed', 'true');
  await expect(row.locator('.dp-MiniBar-figure').first()).toHaveText('30 / 30');
  await lab.openPlot('progress');
  await expect(lab.pane('progress').locator('.dp-Pane-counts')).toContainText('30 / 30 done');
  await notebook.run(2);
  await expect(row).toContainText('other.ipynb');
  await expect(row.locator('.dp-MiniBar-figure').first()).toHaveText('7 / 7');
  // It is not the one that panes follow, as the status bar says, too.
  await expect(row).toContainText('Panes still show notebook.ipynb, whose client has closed.');
  await expect(lab.page.locator('#jp-bottom-panel, #jp-main-statusbar').getByText('Dask: other.ipynb ·')).toBeVisible();
  // The pane keeps what the active notebook did.
  await expect(lab.pane('progress').locator('.dp-Pane-counts')).toContainText('30 / 30 done');
  await lab.openPlot('progress');
  await lab.command('application:close');
  await expect(row).toHaveAttribute('data-followed', 'true');
});

test('plots are found by other names, and opened without a mouse; the command palette opens layouts and plots', async ({
  lab
}) => {
  const sidebar = await lab.sidebar();
  const search = sidebar.getByRole('searchbox', { name: 'Search plots' });
  const keys = lab.page.keyboard;
  await expect.poll(async () => (await listed(sidebar)).length).toBe((await withoutGpu(lab)).length);
  const all = await listed(sidebar);
  // Screen readers jump from heading to heading.
  expect(await sidebar.getByRole('heading').allInnerTexts()).toHaveLength(await sidebar.locator('.dp-Section').count());
  await test.step('a press that does not travel opens a plot once; dropped where nothing takes it, a plot opens nothing', async () => {
    const row = sidebar.locator('.dp-Plot[data-plot="cpu"]');
    await row.click();
    await expect(lab.pane('cpu')).toHaveCount(1);
    await row.click();
    await expect(lab.pane('cpu')).toHaveCount(1);
    await lab.drag(sidebar.locator('.dp-Plot[data-plot="workers"]'), sidebar.locator('.dp-Plot[data-plot="progress"]'));
    await expect(lab.page.locator('.dp-DragImage')).toHaveCount(0);
    await expect(lab.pane('workers')).toHaveCount(0);
    await expect(lab.pane('progress')).toHaveCount(0);
  });

  await search.fill('gantt');
  await expect.poll(() => listed(sidebar)).toEqual(['task-stream', 'local-tasks']);
  await keys.press('Enter');
  await expect(lab.pane('task-stream')).toBeVisible();

  await search.fill('nothing of this name');
  await expect(sidebar).toContainText('No plot matches.');
  await search.press('Escape');
  await expect.poll(() => listed(sidebar)).toEqual(all);
  await expect(search).toHaveValue('');

  // The list is one stop of the Tab key; arrows walk in it.
  await search.press('ArrowDown');
  await expect(sidebar.locator(`.dp-Plot[data-plot="${all[0]}"]`)).toBeFocused();
  await keys.press('ArrowDown');
  await expect(sidebar.locator('.dp-Plot[data-plot="progress"]')).toBeFocused();
  await keys.press('Enter');
  await expect(lab.pane('progress')).toBeVisible();
  await search.press('Tab');
  await expect(sidebar.locator('.dp-Plot[data-plot="progress"]')).toBeFocused();
  await keys.press('End');
  await expect(sidebar.locator(`.dp-Plot[data-plot="${all.at(-1)}"]`)).toBeFocused();

  await sidebar.getByRole('button', { name: 'Status' }).press('Enter');
  await expect(lab.pane('cluster-memory')).toBeVisible();
  await expect(sidebar.getByRole('button', { name: 'Status' })).toHaveAttribute('aria-pressed', 'true');

  await lab.command('application:close-all');
  await expect(lab.page.locator('.dp-Pane')).toHaveCount(0);
  for (const [query, plot] of [
    ['Task processing', 'nprocessing'],
    ['Status layout', 'workers-memory']
  ]) {
    const input = lab.page.locator('.lm-CommandPalette-input');
    const item = lab.page.locator('.lm-CommandPalette-item', { hasText: query });
    // It hides, and empties, when something else takes the focus, as the launcher does at the start.
    await expect(async () => {
      await lab.command('apputils:activate-command-palette');
      await input.fill(query, { timeout: 3000 });
      await expect(item).toHaveCount(1, { timeout: 5000 });
      await input.press('Enter', { timeout: 3000 });
      await expect(lab.pane(plot)).toBeVisible({ timeout: 10_000 });
    }).toPass();
  }
  const items = await lab.page.evaluate(() => {
    const { commands } = window.jupyterapp;
    return commands.listCommands().filter(id => id.startsWith('dask-panes:') && commands.label(id) !== '');
  });
  expect(items).toEqual(
    expect.arrayContaining(['dask-panes:layout', 'dask-panes:open', 'dask-panes:pause-all', 'dask-panes:show-sidebar'])
  );
  await lab.page.keyboard.press('Alt+Shift+D');
  await expect(sidebar).toBeFocused();
  await lab.page.keyboard.press('Tab');
  await expect(sidebar.locator(':focus')).toHaveCount(1);
});

test('panes follow the active notebook; a pinned one stays', async ({ lab }) => {
  const one = await lab.openNotebook([CLIENT, work(10)], 'one');
  await one.run(0);
  await one.run(1);
  const two = await lab.openNotebook([CLIENT, work(20)], 'two');
  await two.run(0);
  await two.run(1);
  const [first, second] = [await one.value<string>('client.id'), await two.value<string>('client.id')];

  const progress = await lab.openPlot('progress');
  await expect(progress.locator('.dp-Pane-counts')).toContainText('20 / 20 done');
  await expect.poll(() => shownClient(lab, 'progress')).toBe(second);

  const stream = await lab.openPlot('task-stream', { mode: 'split-bottom' });
  await stream.locator('.dp-Chip').click();
  await lab.page
    .getByRole('menuitemcheckbox', { name: 'one.ipynb' })
    .or(lab.page.getByRole('menuitem', { name: 'one.ipynb' }))
    .click();
  await expect(stream.locator('.dp-Pane-counts')).toContainText('10 executions');
  await expect(stream.locator('.dp-Chip')).toHaveAttribute('data-pinned', 'true');

  await one.activate();
  await expect.poll(() => shownClient(lab, 'progress')).toBe(first);
  await two.activate();
  await expect.poll(() => shownClient(lab, 'progress')).toBe(second);
  expect(await shownClient(lab, 'task-stream')).toBe(first);

  // The second notebook connects to the first one's scheduler, by its address.
  const address = await one.value<string>('client.scheduler.address');
  await two.activate();
  const sidebar = await lab.sidebar();
  await sidebar.getByRole('button', { name: 'Connect to address…' }).click();
  const dialog = lab.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Insert the code' }).click();
  await expect(dialog.getByRole('alert').first()).toContainText('An address such as');
  await dialog.locator('input[name="scheduler"]').fill(address);
  await dialog.getByRole('button', { name: 'Insert the code' }).click();
  await expect(lab.page.locator('.jp-Cell').filter({ hasText: `client = Client("${address}")` })).toHaveCount(1);
  await sidebar.locator('.dp-Row-more').first().click();
  await expect(lab.page.getByRole('menuitem', { name: 'Restart the cluster…' })).toBeVisible();
  await lab.page.keyboard.press('Escape');
});

test('an arrangement that was saved replaces a layout after a reload, from a cell, and is removed; favourites stay on top', async ({
  lab
}) => {
  const sidebar = await lab.sidebar();
  const notebook = await lab.openNotebook([
    `${CLIENT}\nimport dask_panes`,
    'dask_panes.show("my PANES")',
    'dask_panes.show("My pains")'
  ]);
  await notebook.run(0);
  await lab.command('dask-panes:layout', { name: 'memory' });
  await lab.openPlot('cpu');
  await sidebar.getByRole('button', { name: 'Save layout…' }).click();
  const dialog = lab.page.getByRole('dialog');
  await dialog.locator('input').fill('My panes');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const saved = sidebar.getByRole('button', { name: 'My panes' });
  await expect(saved).toHaveAttribute('aria-pressed', 'true');

  await lab.command('dask-panes:layout', { name: 'profile' });
  await expect(lab.pane('memory-by-key')).toHaveCount(0);
  await expect(lab.pane('cpu')).toHaveCount(1);
  const row = sidebar.locator('.dp-Plot[data-plot="workers"]');
  await row.press('f');
  const first = sidebar.locator('.dp-Plot').first();
  await expect(first).toHaveAttribute('data-plot', 'workers');

  await lab.reload();
  const again = await lab.notebook(notebook.path);
  await again.run(1);
  await expect(lab.pane('memory-by-key')).toBeVisible();
  await expect(lab.pane('profile')).toHaveCount(0);
  await again.run(2);
  await expect(lab.page.getByText('There is no layout or plot named "My pains". Did you mean "My panes"')).toBeVisible();
  await expect(first).toHaveAttribute('data-plot', 'workers');
  await row.press('f');
  await expect(first).toHaveAttribute('data-plot', 'task-stream');
  await lab.page.evaluate(() => void window.jupyterapp.commands.execute('dask-panes:remove-layout', { name: 'My panes' }));
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(saved).toHaveCount(0);
});
