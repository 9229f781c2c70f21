import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { tool } from '../../scripts/lib/environment.mjs';
import type { Lab } from './harness/lab';
import type { NotebookFile } from './harness/notebook';
import { expect, test } from './harness/test';

const CLIENT = `
from dask.distributed import Client
client = Client(n_workers=2, threads_per_worker=1, memory_limit="300 MiB", dashboard_address=":0")
client`;

const MIME_TYPE = 'application/vnd.dask-panes.client+json';

/** An output with several representations. */
interface Shown {
  readonly output_type: string;
  readonly data: Readonly<Record<string, string | string[] | Readonly<Record<string, unknown>>>>;
}

/** Address, port and path of a dashboard, as Dask writes it by default. */
const DASHBOARD = /^http:\/\/127\.0\.0\.1:\d+\/status$/;

/** A row of a card. */
function rowOf(card: Locator, row: string): Locator {
  return card.locator(`[data-row="${row}"]`);
}

/** A representation as one text: Jupyter saves lines. */
function text(value: unknown): string {
  return Array.isArray(value) ? value.join('') : String(value);
}

/** Open a copy of a saved notebook as another user would, when its kernel is gone; returns the output of its first cell. */
async function reopened(lab: Lab, saved: NotebookFile): Promise<Locator> {
  await lab.shutdownKernels();
  const copy = { ...saved, metadata: { ...saved.metadata, title: 'a copy, which nobody has trusted' } };
  writeFileSync(join(lab.root, lab.name, 'copy.ipynb'), JSON.stringify(copy));
  await lab.leave();
  return (await lab.openFile(`${lab.name}/copy.ipynb`)).output(0);
}

test('a client in a cell is live, links to the dashboard and opens panes, and shows its facts wherever its notebook is read', async ({
  lab
}) => {
  const notebook = await lab.openNotebook([
    CLIENT,
    'client.cluster',
    'import dask_panes, ipywidgets\nipywidgets.HBox([dask_panes.ClientWidget(client), ipywidgets.Label("beside")])',
    '_ = client.gather(client.map(abs, range(50)))'
  ]);
  await notebook.run(0);
  const card = notebook.output(0).locator('.dp-ClientView');
  await expect(card).toHaveAttribute('data-state', /^(live|idle)$/);
  await expect(rowOf(card, 'workers')).toHaveText('2 · 2 threads');
  await expect(rowOf(card, 'memory')).toContainText('/ 600 MiB');
  const address = await notebook.value<string>('client.scheduler.address');
  await expect(card.locator('.dp-ClientView-where')).toHaveText(`LocalCluster · ${address}`);
  const link = await notebook.value<string>('client.dashboard_link');
  expect(link).toMatch(DASHBOARD);

  const saved = await test.step("Dask's own representations are saved as they are without us", async () => {
    const file = await notebook.save();
    const [output] = (file.cells[0].outputs ?? []) as readonly Shown[];
    expect(Object.keys(output.data).sort()).toEqual([MIME_TYPE, 'text/html', 'text/plain']);
    expect(text(output.data['text/plain'])).toBe(await notebook.value<string>('repr(client)'));
    expect(text(output.data['text/plain'])).toMatch(
      /^<Client: 'tcp:\/\/127\.0\.0\.1:\d+' processes=2 threads=2, memory=600\.00 MiB>$/
    );
    expect(text(output.data['text/html'])).toContain(`href="${link}"`);
    expect(output.data[MIME_TYPE]).toMatchObject({ dashboard: link, workers: 2 });

    const options = ['--to', 'html', '--stdout', '--log-level=ERROR'];
    const page = execFileSync(tool('jupyter-nbconvert'), [...options, join(lab.root, notebook.path)], { encoding: 'utf8' });
    expect(page).toContain(`href="${link}"`);
    expect(page).toMatch(/Client-[0-9a-f-]{36}/);
    return file;
  });

  await test.step("the link leads to Dask's own page, on the port that it has taken", async () => {
    const anchor = rowOf(card, 'dashboard').getByRole('link');
    await expect(anchor).toHaveAttribute('href', link);
    const opened = lab.page.context().waitForEvent('page');
    await anchor.click();
    const dashboard = await opened;
    await expect(dashboard).toHaveTitle(/Dask/);
    expect(dashboard.url()).toBe(link);
    await dashboard.close();
  });

  // The same for its cluster, and in a layout of widgets.
  await notebook.run(1);
  const cluster = notebook.output(1).locator('.dp-ClientView');
  await expect(cluster.locator('.dp-ClientView-title')).toHaveText('Cluster');
  await expect(cluster).toHaveAttribute('data-state', /^(live|idle)$/);
  await expect(rowOf(cluster, 'dashboard').getByRole('link')).toHaveAttribute('href', link);
  await notebook.run(2);
  const widget = notebook.output(2).locator('.dp-ClientView');
  await expect(widget).toHaveAttribute('data-state', /^(live|idle)$/);
  await expect(notebook.output(2)).toContainText('beside');
  await expect(rowOf(widget, 'dashboard').getByRole('link')).toHaveAttribute('href', link);

  await test.step('it moves while others work', async () => {
    await expect(rowOf(card, 'tasks')).toHaveText('none yet');
    await notebook.run(3);
    await expect(rowOf(card, 'tasks')).toContainText('50 / 50');
    await expect(rowOf(widget, 'tasks')).toContainText('50 / 50');
    await notebook.execute('client.cluster.scale(3); client.wait_for_workers(3)');
    await expect(rowOf(card, 'workers')).toHaveText('3 · 3 threads');
    await expect(rowOf(cluster, 'workers')).toHaveText('3 · 3 threads');
  });

  await test.step('it opens panes', async () => {
    await card.getByRole('button', { name: 'Task stream' }).click();
    await expect(lab.pane('task-stream').locator('.dp-Pane-counts')).toContainText('50 executions');
    await expect(lab.pane('progress')).toHaveCount(0);
    await card.getByRole('button', { name: 'Status' }).click();
    await expect(lab.pane('progress')).toBeVisible();
    await expect(lab.pane('workers-memory')).toBeVisible();
  });

  await test.step('its workers and tasks are acted on where they are shown, after a dialog that says what is lost', async () => {
    const dialog = lab.page.getByRole('dialog');
    const item = (name: string): Locator => lab.page.getByRole('menuitem', { name });
    const shown = await lab.openPlot('workers');
    const rows = shown.locator('.dp-Table-body [role="row"]');
    await expect(rows).toHaveCount(3);
    await rows.first().getByRole('gridcell').first().click({ button: 'right' });
    await item('Retire worker…').click();
    await expect(dialog).toContainText('None of its results has to move.');
    await dialog.getByRole('button', { name: 'Leave as it is' }).click();
    expect(await notebook.value<number>('len(client.scheduler_info()["workers"])')).toBe(3);
    await shown.getByRole('button', { name: 'Actions' }).click();
    await item('Retire worker…').click();
    await dialog.getByRole('button', { name: 'Retire' }).click();
    await expect(rowOf(card, 'workers')).toHaveText('2 · 2 threads');
    await expect(rows).toHaveCount(2);
    // A client has one action at a time, and the worker is gone before the action has ended.
    const running = 'len(activate.channel()._actions._running)';
    await expect.poll(() => notebook.value<number>(running, 'from dask_panes.kernel import activate')).toBe(0);

    await notebook.execute(
      'from distributed import Event\ndef held(i): Event("held").wait()\nheld_tasks = client.map(held, range(30))'
    );
    const progress = lab.pane('progress').locator('.dp-VegaView-scroll');
    await lab.page.locator('.lm-TabBar-tab', { hasText: 'Progress' }).click();
    await expect(lab.pane('progress').locator('.dp-Pane-counts')).toContainText('0 / 30 done');
    // The picture follows its words a moment later: what a user points at is what they click.
    await expect(async () => {
      await progress.hover({ position: { x: 59, y: 40 } });
      await progress.hover({ position: { x: 60, y: 40 } });
      await expect(lab.page.locator('.dp-Tooltip-title')).toContainText('held', { timeout: 2000 });
    }).toPass();
    await progress.click({ button: 'right', position: { x: 60, y: 40 } });
    await item('Cancel tasks…').click();
    await expect(dialog).toContainText('30 unfinished tasks that this client wants are cancelled.');
    await dialog.getByRole('button', { name: 'Cancel tasks' }).click();
    await expect.poll(() => notebook.value<string[]>('sorted({f.status for f in held_tasks})')).toEqual(['cancelled']);
    await notebook.execute('Event("held").set()');
    expect(await notebook.value<number>('client.submit(abs, -7).result()')).toBe(7);
    await expect(card.getByRole('button', { name: 'Actions' })).toBeEnabled();
  });

  await notebook.execute('client.close()');
  await expect(card).toHaveAttribute('data-state', 'closed');

  await test.step('opened by somebody else: the facts as they were, and when; nothing to press', async () => {
    const again = (await reopened(lab, saved)).locator('.dp-ClientView');
    await expect(again).toHaveAttribute('data-state', 'saved');
    await expect(again.locator('.dp-ClientView-state')).toHaveText(/^as of \d\d:\d\d$/);
    await expect(rowOf(again, 'workers')).toHaveText('2 · 2 threads');
    await expect(rowOf(again, 'dashboard').getByRole('link')).toHaveAttribute('href', link);
    await expect(again.getByRole('button')).toHaveText(["Dask's own view"]);
  });
});

test('a second client has a port of its own, and a template of the link is respected', async ({ lab }) => {
  const notebook = await lab.openNotebook([
    'import dask, os\nfrom dask.distributed import Client',
    'one = Client(processes=False, n_workers=1)\none',
    'two = Client(processes=False, n_workers=1)\ntwo',
    `os.environ["HERE"] = "https://hub.example/user/me"
dask.config.set({"distributed.dashboard.link": "{HERE}/proxy/{port}/status"})
three = Client(processes=False, n_workers=1)
three`,
    `import distributed.client
from IPython.display import HTML
# As in an environment of kernels that has dask-labextension.
distributed.client.version = lambda name: '7.0.0'
HTML(two._repr_html_())`
  ]);
  await notebook.run(0);
  const links: string[] = [];
  for (const [cell, name] of [
    [1, 'one'],
    [2, 'two'],
    [3, 'three']
  ] as const) {
    await notebook.run(cell);
    const link = await notebook.value<string>(`${name}.dashboard_link`);
    await expect(notebook.output(cell).locator('.dp-ClientView-link')).toHaveAttribute('href', link);
    links.push(link);
  }
  const ports = links.map(link => /:(\d+)\/status$|proxy\/(\d+)\/status$/.exec(link)?.slice(1).join(''));
  expect(new Set(ports).size).toBe(3);
  expect(links[2]).toBe(`https://hub.example/user/me/proxy/${ports[2]}/status`);

  // The button of Dask's own repr places the panes of its client.
  await notebook.run(4);
  await notebook.output(4).getByRole('button', { name: 'Launch dashboard in JupyterLab' }).click();
  await lab.paneIs('task-stream', 'live', 'idle', 'empty');
  await expect(lab.pane('task-stream').locator('.dp-Chip')).toHaveAttribute('data-pinned', 'true');
  const id = await notebook.value<string>('two.id');
  await expect.poll(() => lab.page.evaluate(() => window.daskPanesTest.pane('task-stream').live?.info.key)).toBe(id);
});

const CLUSTER = `
from dask.distributed import Client, LocalCluster
cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
cluster`;
const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';

test("a cluster is scaled on its card; Dask's own view is one click away, live, without a kernel and untrusted", async ({
  lab
}) => {
  const notebook = await lab.openNotebook([CLUSTER, 'client = Client(cluster)']);
  await notebook.run(0);
  const output = notebook.output(0);
  const card = output.locator('.dp-ClientView');
  const dialog = lab.page.getByRole('dialog');
  const own = card.getByRole('button', { name: "Dask's own view" });
  const scale = card.getByRole('button', { name: 'Scale / Adapt…' });
  const workers = async (): Promise<number> => notebook.value<number>('len(cluster.scheduler_info["workers"])');

  // Before there is a client.
  await scale.click();
  await dialog.locator('input[name="workers"]').fill('3');
  await dialog.getByRole('button', { name: 'Scale' }).click();
  await expect(card.getByRole('alert')).toHaveText('The cluster was asked for 3 workers.');
  await expect.poll(workers).toBe(3);

  // Dask's widget lives in the notebook's own manager of widgets.
  await own.click();
  await expect(output.locator('.dp-RenderedClient-own').getByRole('tab', { name: 'Scaling' })).toBeVisible();
  await own.click();
  await expect(output.locator('.dp-RenderedClient-own')).toHaveCount(0);

  await notebook.run(1);
  await expect(card).toHaveAttribute('data-state', /^(live|idle)$/);
  await expect(rowOf(card, 'workers')).toHaveText('3 · 3 threads');
  await scale.click();
  await dialog.getByText('Let Dask choose').click();
  await dialog.locator('input[name="minimum"]').fill('2');
  await dialog.locator('input[name="maximum"]').fill('4');
  await dialog.getByRole('button', { name: 'Scale' }).click();
  await expect(card.getByRole('alert')).toHaveText('Dask chooses the number of workers by the load, from 2 to 4.');
  expect(await notebook.value<boolean>('cluster._adaptive.periodic_callback is not None')).toBe(true);

  // Scaling down asks once more, and a user may change their mind.
  await scale.click();
  await expect(dialog.locator('input[name="minimum"]')).toHaveValue('2');
  await dialog.getByText('Let Dask choose').click();
  await dialog.locator('input[name="workers"]').fill('1');
  await dialog.getByRole('button', { name: 'Scale' }).click();
  await expect(dialog).toContainText('down?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await notebook.value<boolean>('cluster._adaptive.periodic_callback is not None')).toBe(true);
  await scale.click();
  await dialog.getByText('Let Dask choose').click();
  await dialog.locator('input[name="workers"]').fill('1');
  await dialog.getByRole('button', { name: 'Scale' }).click();
  await dialog.getByRole('button', { name: 'Scale down' }).click();
  await expect(rowOf(card, 'workers')).toHaveText('1 · 1 thread');
  expect(await notebook.value<boolean>('cluster._adaptive.periodic_callback is None')).toBe(true);

  // A class that fails says so on the card.
  await notebook.execute('def fail(n): raise OSError("sbatch: <b>invalid</b> account")\ncluster.scale = fail');
  await scale.click();
  await dialog.locator('input[name="workers"]').fill('2');
  await dialog.getByRole('button', { name: 'Scale' }).click();
  await expect(card.getByRole('alert')).toHaveText('OSError: sbatch: <b>invalid</b> account');
  await notebook.execute('del cluster.scale');

  const saved = await notebook.save();
  const [shown] = (saved.cells[0].outputs ?? []) as readonly Shown[];
  expect(Object.keys(shown.data).sort()).toEqual([MIME_TYPE, WIDGET_VIEW, 'text/html', 'text/plain'].sort());

  // Reopened when the kernel is gone, by a user who has not trusted it.
  const again = await reopened(lab, saved);
  await expect(again.locator('.dp-ClientView')).toHaveAttribute('data-state', 'saved');
  await expect(again.getByRole('button')).toHaveText(["Dask's own view"]);
  await again.getByRole('button').click();
  await expect(again.locator('.dp-RenderedClient-own')).toContainText('LocalCluster');
  await expect(again.locator('.dp-RenderedClient-own')).toContainText('Scheduler Info');
  await expect(again).not.toContainText('model not found');

  // On a page without the extension, it is Dask's own display, and nothing of ours is missed.
  const none =
    '(window._JUPYTERLAB ??= {})["dask-panes"] = { init() {}, get: async () => () => ({ __esModule: true, default: [] }) };';
  await lab.page.route(/\/dask-panes\/static\/remoteEntry/, route =>
    route.fulfill({ contentType: 'text/javascript', body: none })
  );
  await lab.leave();
  const elsewhere = (await lab.openFile(`${lab.name}/copy.ipynb`)).output(0);
  expect(await lab.page.evaluate(() => window.jupyterapp.listPlugins().filter(id => id.startsWith('dask-panes')))).toEqual([]);
  await expect(elsewhere).toContainText('LocalCluster');
  await expect(elsewhere.locator('.dp-ClientView')).toHaveCount(0);
});
