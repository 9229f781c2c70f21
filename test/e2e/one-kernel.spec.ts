/** Several documents on one kernel: one conversation, and whatever happens to a document costs no pane its run. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Run } from '../../src/run/run';
import type { Lab } from './harness/lab';
import type { Notebook } from './harness/notebook';
import { expect, test } from './harness/test';

const CLIENT = `from distributed import Client
client = Client(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)`;
const WORK = 'client.gather(client.map(abs, range(10), pure=False))';

declare global {
  interface Window {
    keptRun: Run;
  }
}

/** A pane that has shown the first ten tasks. */
async function watch(lab: Lab): Promise<void> {
  await lab.openPlot('task-stream');
  await expect.poll(() => tasks(lab.page)).toBe(10);
  await lab.page.evaluate(() => {
    window.keptRun = window.daskPanesTest.run('task-stream');
  });
}

/** How many tasks the pane shows; -1 where its run is another one than at first. */
function tasks(page: Page): Promise<number> {
  return page.evaluate(() => {
    const live = window.daskPanesTest.pane('task-stream').live;
    const other = live === null || (window.keptRun !== undefined && live.run !== window.keptRun);
    return other ? -1 : live.run.tasks.count;
  });
}

/** Run ten tasks more, and wait until the pane has them. */
async function worksOn(lab: Lab, notebook: Notebook, total: number): Promise<void> {
  await notebook.execute(WORK);
  await expect.poll(() => tasks(lab.page)).toBe(total);
  await lab.paneIs('task-stream', 'live', 'idle');
}

/** Subscriptions in the kernel: of one page there is one. */
function subscriptions(notebook: Notebook): Promise<number> {
  return notebook.value<number>('len(_d.channel().tabs.known)', 'import dask_panes.kernel.activate as _d');
}

/** Open a second notebook on the kernel of the first. */
async function second(lab: Lab, first: Notebook): Promise<Notebook> {
  const other = await lab.openNotebook([WORK], 'second');
  await lab.page.evaluate(
    async ([path, from]) => {
      const { id } = window.daskPanesTest.kernel(from);
      await window.daskPanesTest.panel(path).sessionContext.changeKernel({ id });
    },
    [other.path, first.path] as const
  );
  return lab.notebook(other.path);
}

test('two notebooks on one kernel share a conversation, also after a restart', async ({ lab }) => {
  const first = await lab.openNotebook([CLIENT, WORK], 'first');
  await first.runAll();
  await watch(lab);
  const other = await second(lab, first);
  await worksOn(lab, other, 20);
  await first.activate();
  await worksOn(lab, first, 30);
  await lab.openPlot('progress');
  await lab.paneIs('progress', 'live', 'idle');
  await expect.poll(() => subscriptions(first)).toBe(1);
  // One kernel with one client, whatever the number of its notebooks.
  const rows = (await lab.sidebar()).locator('.dp-Clients .dp-Row');
  await expect(rows).toHaveCount(1);
  await expect(rows.locator('.dp-Row-name')).toHaveText(/first.*second|second.*first/);

  await lab.openPlot('task-stream');
  await other.restartKernel();
  await lab.paneIs('task-stream', 'closed');
  await other.execute(CLIENT);
  await other.execute(WORK);
  await expect.poll(() => lab.page.evaluate(() => window.daskPanesTest.pane('task-stream').live?.run.tasks.count)).toBe(10);
  await lab.paneIs('task-stream', 'live', 'idle');
  await expect.poll(() => subscriptions(other)).toBe(1);
});

test('a restart that sends the connection no status is noticed', async ({ lab }) => {
  const first = await lab.openNotebook([CLIENT, WORK], 'first');
  await first.runAll();
  await watch(lab);
  const other = await second(lab, first);
  await worksOn(lab, other, 20);
  await lab.page.evaluate(path => {
    // As with channels to the new process that open a moment too late.
    const kernel = window.daskPanesTest.kernel(path) as unknown as { _updateStatus(status: string): void };
    const update = kernel._updateStatus.bind(kernel);
    kernel._updateStatus = status => (/start/.test(status) ? undefined : update(status));
  }, first.path);
  await other.restartKernel();
  await other.execute(CLIENT);
  await lab.openPlot('task-stream');
  await other.execute(WORK);
  await expect.poll(() => lab.page.evaluate(() => window.daskPanesTest.pane('task-stream').live?.run.tasks.count)).toBe(10);
  await lab.paneIs('task-stream', 'live', 'idle');
  await expect.poll(() => subscriptions(other)).toBe(1);
});

test('a first save, a console, a new name, and closing and reopening a notebook cost no pane its run', async ({ lab }) => {
  // Not in the root: the list of its files, which the page asks for, fails while one of them gets another name.
  mkdirSync(join(lab.root, lab.name), { recursive: true });
  await lab.command('notebook:create-new', { cwd: lab.name, kernelName: 'python3' });
  const path = await lab.page.evaluate(() => {
    const current = window.jupyterapp.shell.currentWidget as unknown as { context: { path: string } };
    return current.context.path;
  });
  const untitled = await lab.notebook(path);
  await untitled.execute(CLIENT);
  await untitled.execute(WORK);
  await watch(lab);

  const named = await test.step('the first save of a new notebook, which gives it a name, costs no pane its run', async () => {
    const name = 'named.ipynb';
    await untitled.activate();
    // Its promise lasts as long as the dialog.
    await lab.page.evaluate(() => void window.jupyterapp.commands.execute('docmanager:save'));
    const dialog = lab.page.locator('.jp-Dialog');
    await dialog.locator('input').first().fill(name);
    await lab.page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(lab.page.locator('.lm-TabBar-tabLabel', { hasText: name })).toBeVisible();
    const notebook = await lab.notebook(`${lab.name}/${name}`);
    await expect(lab.pane('task-stream')).toContainText(name);
    await worksOn(lab, notebook, 20);
    return notebook;
  });

  await test.step('the focus goes between a notebook and its console: the pane keeps its run', async () => {
    await named.activate();
    await lab.command('notebook:create-console');
    const console = lab.page.locator('.jp-CodeConsole');
    await expect(console).toBeVisible();
    for (let round = 1; round <= 3; round++) {
      await console.click();
      await worksOn(lab, named, 20 + 20 * round - 10);
      await named.activate();
      await worksOn(lab, named, 20 + 20 * round);
    }
    await expect.poll(() => subscriptions(named)).toBe(1);
    await console.click();
    await lab.command('application:close');
    await expect(console).toHaveCount(0);
  });

  await test.step('renaming a notebook, and closing and reopening it, cost no pane its run', async () => {
    const other = `${lab.name}/renamed.ipynb`;
    await lab.page.evaluate(([from, to]) => window.daskPanesTest.panel(from).context.rename(to), [
      named.path,
      'renamed.ipynb'
    ] as const);
    const renamed = await lab.notebook(other);
    await expect(lab.pane('task-stream')).toContainText('renamed.ipynb');
    await worksOn(lab, renamed, 90);

    await renamed.save();
    await lab.page.evaluate(at => window.daskPanesTest.panel(at).close(), other);
    await expect(lab.page.locator('.jp-NotebookPanel')).toHaveCount(0);
    // The kernel goes on, and the pane says what it does.
    await lab.paneIs('task-stream', 'live', 'idle');
    await expect.poll(() => tasks(lab.page)).toBe(90);
    const again = await lab.openFile(other);
    await worksOn(lab, again, 100);
    await expect.poll(() => subscriptions(again)).toBe(1);
  });
});

test('what is selected survives reloads with two notebooks on one scheduler', async ({ lab }) => {
  const begin = "client = Client(n_workers=1, threads_per_worker=2, processes=False, protocol='tcp://', dashboard_address=None)";
  const first = await lab.openNotebook([`from distributed import Client\n${begin}`, WORK], 'first');
  await first.runAll();
  const address = await first.value<string>('client.scheduler.address');
  const other = await lab.openNotebook([`from distributed import Client\nclient = Client('${address}')`, WORK], 'second');
  await other.runAll();
  const pane = await lab.openPlot('computations');
  await expect(pane.locator('.dp-Pane-counts')).toContainText('2 computations');
  const selected = pane.locator('.dp-Status-selected bdi');
  await pane.locator('.dp-Table-body .dp-Table-row').first().locator('[role="gridcell"]').nth(1).click();
  await expect(selected).toHaveText(/^Selected: \[2\] second\.ipynb: client\.gather/);
  const words = (await selected.textContent()) ?? '';
  for (const notebook of [other, first, other]) {
    // Each has a client of its own, and the pane follows the active one.
    await (await lab.notebook(notebook.path)).activate();
    await lab.reload();
    await expect(selected).toHaveText(words);
  }
});
