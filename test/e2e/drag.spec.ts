import type { Locator } from '@playwright/test';
import { closeLaunchers, dockLayout } from './harness/dock';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

const CLIENT = `
from dask.distributed import Client
client = Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)`;

const WORK = '_ = client.gather(client.map(abs, range(20), pure=False))';

/** The tab of a pane. */
function tab(lab: Lab, label: string): Locator {
  return lab.page.locator('#jp-main-dock-panel .lm-TabBar-tab.dp-Tab', { hasText: label });
}

/** Where something is, in whole pixels. */
async function box(locator: Locator): Promise<{ left: number; top: number; right: number; bottom: number }> {
  await expect(locator).toBeVisible();
  const { x = 0, y = 0, width = 0, height = 0 } = (await locator.boundingBox()) ?? {};
  return { left: Math.round(x), top: Math.round(y), right: Math.round(x + width), bottom: Math.round(y + height) };
}

test('a plot dragged from the sidebar and a pane dragged by its tab stay where they were dropped', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, WORK, WORK]);
  await notebook.run(0);
  // JupyterLab restores no launcher: with one, the layouts before and after the reload would differ.
  await closeLaunchers(lab);
  const sidebar = await lab.sidebar();
  // What is above the list of plots has its height from here on. A cluster that has rested for long says since when.
  await expect(sidebar.locator('.dp-Clients')).toContainText(
    /LocalCluster · 1 worker · 2 threads|idle since .+ · 1 worker|1 worker · \d+ s ago/
  );
  const document = lab.page.locator('.jp-NotebookPanel');
  const [stream, progress] = [lab.pane('task-stream'), lab.pane('progress')];

  // From the sidebar to a split at the right of the notebook, and under it.
  await lab.drag(sidebar.locator('.dp-Plot[data-plot="task-stream"]'), document, { x: 0.85, y: 0.5 });
  await expect(stream).toBeVisible();
  await expect(async () => expect((await box(stream)).left).toBeGreaterThanOrEqual((await box(document)).right)).toPass();
  await lab.drag(sidebar.locator('.dp-Plot[data-plot="progress"]'), document, { x: 0.5, y: 0.85 });
  await expect(progress).toBeVisible();
  await expect(async () => {
    expect((await box(progress)).top).toBeGreaterThanOrEqual((await box(document)).bottom);
    expect((await box(progress)).right).toBeLessThanOrEqual((await box(stream)).left);
  }).toPass();

  // A pane by its tab: from under the notebook to the other dock area, under the task stream.
  await lab.drag(tab(lab, 'Progress'), stream, { x: 0.5, y: 0.85 });
  await expect(async () => {
    expect((await box(progress)).left).toBeGreaterThanOrEqual((await box(document)).right);
    expect((await box(progress)).top).toBeGreaterThanOrEqual((await box(stream)).bottom);
  }).toPass();

  // And one into the tabs of another.
  await lab.drag(sidebar.locator('.dp-Plot[data-plot="cpu"]'), progress);
  await expect(lab.pane('cpu')).toBeVisible();
  await expect(progress).toBeHidden();
  await expect(async () => expect((await box(lab.pane('cpu'))).top).toBeGreaterThanOrEqual((await box(stream)).bottom)).toPass();

  // JupyterLab's own menu of a tab works on it.
  await tab(lab, 'CPU').click({ button: 'right' });
  // It has the menu of the pane.
  await lab.page.locator('.lm-Menu-item', { hasText: 'Dask pane' }).hover();
  await lab.page
    .getByRole('menuitemcheckbox', { name: 'Show as table' })
    .or(lab.page.getByRole('menuitem', { name: 'Show as table' }))
    .click();
  await expect(lab.pane('cpu').getByRole('grid')).toBeVisible();
  await tab(lab, 'Task stream').click({ button: 'right' });
  await lab.page.locator('.lm-Menu-item', { hasText: 'Dask pane' }).hover();
  await lab.page.getByRole('menuitem', { name: 'Pause', exact: true }).click();
  await lab.paneIs('task-stream', 'paused');
  await tab(lab, 'Task stream').click({ button: 'right' });
  await lab.page.locator('.lm-Menu-item', { hasText: 'Dask pane' }).hover();
  await lab.page.getByRole('menuitem', { name: 'Follow live' }).click();
  await tab(lab, 'CPU').click({ button: 'right' });
  await lab.page.locator('.lm-Menu-item[data-command="application:close"]').click();
  await expect(lab.pane('cpu')).toHaveCount(0);
  await expect(document).toBeVisible();
  await lab.drag(sidebar.locator('.dp-Plot[data-plot="cpu"]'), progress);
  await expect(lab.pane('cpu')).toBeVisible();

  await notebook.run(1);
  await expect(stream.locator('.dp-Pane-counts')).toContainText('20 executions');
  const before = { layout: await dockLayout(lab), stream: await box(stream), cpu: await box(lab.pane('cpu')) };

  await lab.reload();
  await expect(stream).toBeVisible();
  await expect.poll(() => dockLayout(lab)).toEqual(before.layout);
  for (const [pane, at] of [
    [stream, before.stream],
    [lab.pane('cpu'), before.cpu]
  ] as const) {
    await expect(async () => {
      for (const [edge, place] of Object.entries(await box(pane))) {
        expect(Math.abs(place - at[edge as keyof typeof at]), edge).toBeLessThanOrEqual(3);
      }
    }).toPass();
  }

  // Still live, with the past from the cluster.
  await expect(stream.locator('.dp-Pane-counts')).toContainText('20 executions');
  await (await lab.notebook(notebook.path)).run(2);
  await expect(stream.locator('.dp-Pane-counts')).toContainText('40 executions');
  await tab(lab, 'Progress').click();
  // How long the reload took decides whether both cells are one run of the function.
  await expect(progress.locator('.dp-Pane-counts')).toContainText(/(20 \/ 20|40 \/ 40) done/);
  await lab.paneIs('progress', 'live', 'idle');
});
