/** Fifty panes closed and ten reloads: nothing of them is left, in the page, in the kernel and on the scheduler. */
import type { Lab } from '../e2e/harness/lab';
import type { Notebook } from '../e2e/harness/notebook';
import { expect, test } from '../e2e/harness/test';
import { alive, held, watchHeld } from './leaks';

const CLIENT = `from distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=':0')
results = client.gather(client.map(abs, range(50), pure=False))`;

/** What of ours lives in the kernel and on its scheduler. */
const HELD = `
import asyncio, gc, threading
import dask_panes.kernel.activate as _activate
def _held():
    sessions = list(_activate.channel().clients.sessions.values())
    scheduler = client.cluster.scheduler
    return {
        'tabs': len(_activate.channel().tabs.known),
        'subscribers': sum(len(s.delivery.subscribers) for s in sessions),
        'tasks': sum(len(s.work.tasks) for s in sessions),
        'threads': len([t for t in threading.enumerate() if 'panes' in repr(t)]),
        'plugins': len([p for p in scheduler.plugins if 'panes' in p]),
        'handlers': len([h for h in scheduler.handlers if 'panes' in h])
    }`;

function inKernel(notebook: Notebook): Promise<Readonly<Record<string, number>>> {
  return notebook.value('_held()', HELD);
}

async function openAll(lab: Lab, plots: readonly string[]): Promise<void> {
  for (const plot of plots) {
    await lab.command('dask-panes:open', { plot, mode: 'tab-after' });
    await expect(lab.pane(plot)).toHaveAttribute('data-state', /^(live|idle|empty|none|limited)$/);
  }
}

async function closeAll(lab: Lab): Promise<void> {
  await lab.page.evaluate(() => {
    for (const widget of [...window.jupyterapp.shell.widgets('main')]) {
      if (widget.node.dataset.plot !== undefined) {
        widget.close();
      }
    }
  });
  await expect(lab.page.locator('[data-plot][data-state]')).toHaveCount(0);
}

test('closing fifty panes and reloading ten times leaves nothing', async ({ lab }) => {
  test.setTimeout(900_000);
  await lab.page.addInitScript(watchHeld);
  await lab.reload();
  const sidebar = await lab.sidebar();
  const notebook = await lab.openNotebook([CLIENT]);
  await notebook.run(0);
  const plots = await sidebar.locator('.dp-Plot').evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset.plot ?? ''));
  expect(plots.length).toBeGreaterThan(25);
  // What a plot loads when it is shown first stays loaded, and what is asked of the cluster for it is asked slowly from then on.
  await openAll(lab, plots);
  await lab.page.evaluate(() => {
    Object.assign(window, { daskPanesClass: Object.getPrototypeOf(window.daskPanesTest.pane('task-stream')) });
  });
  await closeAll(lab);
  const [page, kernel] = [await held(lab.page), await inKernel(notebook)];
  expect(kernel).toMatchObject({ tabs: 1, plugins: 1 });

  let opened = 0;
  while (opened < 50) {
    await openAll(lab, plots);
    opened += plots.length;
    await closeAll(lab);
  }
  expect(await held(lab.page)).toEqual(page);
  await expect.poll(() => inKernel(notebook)).toEqual(kernel);
  // Places that remember the last one (focus, menus) may hold that; of about a hundred that were closed no more are left.
  await expect.poll(() => alive(lab.page, 'window.daskPanesClass')).toBeLessThanOrEqual(3);

  await openAll(lab, ['task-stream']);
  const live = await inKernel(notebook);
  for (let i = 0; i < 10; i++) {
    await lab.reload();
    await lab.paneIs('task-stream', 'live', 'idle', 'empty');
  }
  const again = await lab.notebook(notebook.path);
  // A page that is gone says no good-bye: the lease of its tab runs out after a minute.
  await expect.poll(() => inKernel(again), { timeout: 90_000 }).toEqual(live);
  const connections = (await again.onServer()) as unknown as { readonly connections: number };
  expect(connections.connections).toBe(1);
});
