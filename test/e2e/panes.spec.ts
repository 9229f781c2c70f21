/** Panes and sidebar on a real cluster: what a person opens, drags and reloads. */
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const CLIENT = `from dask.distributed import Client
client = Client(n_workers=2, threads_per_worker=1, memory_limit='512MiB', dashboard_address=':0')`;
const WORK = `import time
def slow(x):
    time.sleep(0.05)
    return x
futures = client.map(slow, range(40))
time.sleep(0.1)`;

/** Ids of all panes that are open, by the element of the dock that they stand in. */
async function places(lab: Lab): Promise<Record<string, { left: number; top: number; width: number }>> {
  return lab.page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('.dp-Pane:not(.lm-mod-hidden)')].map(pane => {
        const { left, top, width } = pane.getBoundingClientRect();
        return [pane.id, { left: Math.round(left), top: Math.round(top), width: Math.round(width) }];
      })
    )
  );
}

test('panes stay where they were dragged, and live, over a reload', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, WORK]);
  await notebook.run(0);
  const sidebar = await lab.sidebar();
  await lab.command('dask-panes:layout', { name: 'status' });
  await lab.paneIs('task-stream', 'live', 'empty', 'idle');

  // From the sidebar to a split at the right of the task stream; then a tab from its place to another.
  await lab.drag(sidebar.locator('.dp-Plot[data-plot="workers"]'), lab.pane('task-stream'), { x: 0.95, y: 0.4 });
  await expect(lab.pane('workers')).toBeVisible();
  const tab = lab.page.locator('.lm-DockPanel-tabBar .lm-TabBar-tab', { hasText: 'Progress' });
  await lab.drag(tab, lab.pane('workers'), { x: 0.5, y: 0.95 });

  const before = await places(lab);
  const workers = before['dask-panes:workers:1'];
  const progress = before['dask-panes:progress:1'];
  const stream = before['dask-panes:task-stream:1'];
  expect(workers.left).toBeGreaterThan(stream.left + stream.width / 2);
  expect(progress.left).toBe(workers.left);
  expect(progress.top).toBeGreaterThan(workers.top);

  await lab.reload();
  const again = await lab.notebook(notebook.path);
  await expect(lab.pane('workers')).toBeVisible();
  await expect.poll(async () => Object.keys(await places(lab)).sort()).toEqual(Object.keys(before).sort());
  for (const [id, place] of Object.entries(await places(lab))) {
    expect(Math.abs(place.left - before[id].left), id).toBeLessThanOrEqual(4);
    expect(Math.abs(place.top - before[id].top), id).toBeLessThanOrEqual(4);
  }
  await again.run(1);
  await expect(lab.pane('progress').locator('.dp-Pane-counts')).toContainText('40 / 40');
  await lab.paneIs('workers', 'live', 'idle');
});

test('the Status layout is placed in one action, and again without a second pane', async ({ lab }) => {
  await lab.openNotebook([CLIENT]);
  const sidebar = await lab.sidebar();
  const button = sidebar.getByRole('button', { name: 'Status' });
  await button.click();
  await expect(lab.pane('task-stream')).toBeVisible();
  const first = await places(lab);
  expect(Object.keys(first).sort()).toEqual([
    'dask-panes:cluster-memory:1',
    'dask-panes:nprocessing:1',
    'dask-panes:progress:1',
    'dask-panes:task-stream:1',
    'dask-panes:workers-memory:1'
  ]);
  const [left, right] = [first['dask-panes:cluster-memory:1'], first['dask-panes:task-stream:1']];
  expect(left.left).toBeLessThan(right.left);
  expect(left.width / (left.width + right.width)).toBeGreaterThan(0.25);
  expect(left.width / (left.width + right.width)).toBeLessThan(0.35);

  await button.click();
  expect(await places(lab)).toEqual(first);
  await expect(lab.page.locator('.dp-Pane')).toHaveCount(8);
});

test('dask_panes.show opens panes and leaves the cell empty', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, 'import dask_panes; dask_panes.show("progress")']);
  await notebook.run(0);
  await notebook.run(1);
  await expect(lab.pane('progress')).toBeVisible();
  expect(await notebook.outputs(1)).toEqual([]);
});

test('the sidebar lists clients and plots, and works by keyboard', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  const sidebar = await lab.sidebar();
  const row = sidebar.locator('.dp-Row[data-followed="true"]');
  await expect(row).toContainText('notebook.ipynb');
  await expect(row).toContainText('LocalCluster · 2 workers · 2 threads');
  await expect(row).toContainText('0 / 2 busy');
  await expect(row.getByRole('link')).toHaveAttribute('href', /^http:\/\/127\.0\.0\.1:\d+\/status$/);

  const search = sidebar.getByPlaceholder('Search plots');
  await search.fill('gantt');
  const plots = sidebar.locator('.dp-Plot');
  await expect(plots).toHaveCount(2);
  await search.press('ArrowDown');
  await expect(plots.first()).toBeFocused();
  await plots.first().press('Enter');
  await expect(lab.pane('task-stream')).toBeVisible();
});
