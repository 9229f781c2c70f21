/** A cluster in a kernel of its own: from the form to the end, and what happens when it fails. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { ROOT, tool } from '../../scripts/lib/environment.mjs';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';

/** Milliseconds that a kernel with its cluster may take to start or to end. */
const START = 120_000;

const PICTURES = join(ROOT, 'test-results', 'screenshots');

interface Session {
  readonly name: string;
  readonly type: string;
}

async function sessions(lab: Lab): Promise<Session[]> {
  const all = (await (await fetch(`${lab.url}/api/sessions`)).json()) as Session[];
  return all.filter(({ type }) => type === 'dask-cluster');
}

async function kernels(lab: Lab): Promise<unknown> {
  return (await fetch(`${lab.url}/api/kernels`)).json();
}

/** Names of the files by which clusters are found. */
function files(lab: Lab): string[] {
  return readdirSync(join(lab.root, '..', 'runtime')).filter(name => name.startsWith('dask-panes-'));
}

function card(sidebar: Locator, name: string): Locator {
  return sidebar.locator(`.dp-Hosted .dp-Row[data-name="${name}"]`);
}

/** Fill the form and start. */
async function fill(dialog: Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [field, value] of Object.entries(values)) {
    await dialog.locator(`input[name="${field}"]`).fill(value);
  }
  await dialog.getByRole('button', { name: 'Start' }).click();
}

/** A picture in both themes to look at, where pictures are asked for: they take their time. */
async function picture(lab: Lab, name: string): Promise<void> {
  if (!process.env.UPDATE_SCREENSHOTS) {
    return;
  }
  mkdirSync(PICTURES, { recursive: true });
  for (const scheme of ['Light', 'Dark'] as const) {
    await lab.theme(scheme);
    await expect(lab.page.locator('.dp-Sidebar')).toHaveAttribute('data-scheme', scheme.toLowerCase());
    await lab.page.screenshot({ path: join(PICTURES, `${name}-${scheme.toLowerCase()}.png`) });
  }
  await lab.theme('Light');
}

test('the form checks, the cluster starts, a notebook connects by the line and computes', async ({ lab }) => {
  const { page } = lab;
  const sidebar = await lab.sidebar();
  const notebook = await lab.openNotebook(['1', 'client.gather(client.map(abs, range(40), pure=False))[-1]', 'client.close()']);
  await notebook.run(0);
  const dialog = page.getByRole('dialog');
  // The kernel has not imported Dask: another process of its environment has read the configuration.
  await expect(async () => {
    await sidebar.getByRole('button', { name: 'New cluster' }).click();
    const offered = dialog.locator('datalist option[value="threads"]');
    await expect(offered)
      .toHaveCount(1, { timeout: 10_000 })
      .finally(() => offered.count().then(count => (count === 0 ? page.keyboard.press('Escape') : undefined)));
  }).toPass({ timeout: START });
  expect(await notebook.value('"dask" in sys.modules', 'import sys')).toBe(false);

  // Wrong input is reported beside its field, and nothing that was typed is lost.
  await expect(dialog.locator('input[name="name"]')).toHaveValue('cluster');
  await fill(dialog, { name: '<img src=x onerror=alert(1)>', workers: '-1', memory: '4', dashboard: '0.0.0.0:80' });
  await expect(dialog.locator('.dp-Field[data-field="name"] .dp-Field-error')).toContainText('starting with a letter or digit');
  await expect(dialog.locator('.dp-Field[data-field="workers"] .dp-Field-error')).toContainText('from 0 to 512');
  await expect(dialog.locator('.dp-Field[data-field="memory"] .dp-Field-error')).toContainText('with a unit');
  await expect(dialog.locator('.dp-Field[data-field="dashboard"] .dp-Field-error')).toContainText('of this machine');
  await expect(dialog.locator('input[name="name"]')).toBeFocused();
  await expect(dialog.locator('input[name="memory"]')).toHaveValue('4');
  await picture(lab, 'new-cluster');
  expect(await sessions(lab)).toEqual([]);

  const states = await lab.witness('.dp-Hosted .dp-Row[data-name="demo.1"]', 'data-state');
  await fill(dialog, { name: 'demo.1', workers: '2', threads: '1', memory: '512 MiB', dashboard: '' });
  await expect(card(sidebar, 'demo.1')).toHaveAttribute('data-state', 'running', { timeout: START });
  expect(await states()).toContain('starting');
  await expect(card(sidebar, 'demo.1')).toContainText('2 workers · 2 threads · 1.00 GiB');
  await expect(card(sidebar, 'demo.1')).toContainText(
    /no tasks at [\d:]+( [AP]M)? \(a server that stops idle kernels may stop it\)/
  );
  expect(await sessions(lab)).toMatchObject([{ name: 'Dask cluster demo.1' }]);
  expect(files(lab)).toEqual(['dask-panes-cluster-demo.1.json']);

  // The line goes below the active cell, and nothing secret into the notebook.
  await card(sidebar, 'demo.1').getByRole('button', { name: 'Connect' }).click();
  await expect(notebook.cell(1)).toContainText('dask_panes.connect("demo.1")');
  await notebook.run(1);
  await expect(notebook.output(1)).toContainText('2');
  await lab.openPlot('progress');
  await notebook.run(2);
  await expect(lab.pane('progress').locator('.dp-Pane-counts')).toContainText('40 / 40 done');
  await lab.paneIs('progress', 'live', 'idle');
  const saved = await notebook.save();
  expect([saved.cells[1]?.source].flat().join('')).toContain('client = dask_panes.connect("demo.1")');
  expect(notebook.onDisk()).not.toContain('PRIVATE KEY');

  // Dropped into the notebook, the card is the same cell.
  await lab.drag(card(sidebar, 'demo.1').locator('.dp-Row-main'), notebook.cell(0));
  await expect.poll(async () => (await notebook.save()).cells.length).toBe(5);
  await picture(lab, 'hosted-cluster');
});

test('a cluster is scaled, found after a reload and shut down once that is confirmed', async ({ lab }) => {
  const { page } = lab;
  const sidebar = await lab.sidebar();
  const dialog = page.getByRole('dialog');
  await lab.command('dask-panes:new-cluster', {
    name: 'two',
    workers: 1,
    threads: 1,
    memory: '512 MiB',
    dashboard: '127.0.0.1:0',
    ask: false
  });
  await expect(card(sidebar, 'two')).toContainText('1 worker · 1 thread · 512 MiB', { timeout: START });
  const link = card(sidebar, 'two').getByRole('link', { name: 'Dashboard two' });
  await expect(link).toHaveAttribute('href', /^http:\/\/127\.0\.0\.1:\d+\/status$/);
  await card(sidebar, 'two').getByRole('button', { name: 'Scale' }).click();
  await dialog.locator('input[name="workers"]').fill('many');
  await dialog.getByRole('button', { name: 'Scale' }).click();
  await expect(dialog).toContainText('A whole number from 0 to 512');
  await dialog.locator('input[name="workers"]').fill('2');
  await dialog.getByRole('button', { name: 'Scale' }).click();
  await expect(card(sidebar, 'two')).toContainText('2 workers · 2 threads', { timeout: START });

  // Its own panes go by its kernel, without a notebook.
  await card(sidebar, 'two').locator('.dp-Row-main').click();
  await expect(lab.pane('cluster-memory').locator('.dp-Pane-counts')).toContainText('GiB', { timeout: START });
  await expect(lab.pane('cluster-memory').locator('.dp-Chip')).toContainText('Dask cluster two');
  await lab.reload();
  await lab.sidebar();
  await expect(card(sidebar, 'two')).toHaveAttribute('data-state', 'running', { timeout: START });
  await expect(card(sidebar, 'two')).toContainText('2 workers · 2 threads');
  await expect(sidebar.locator('.dp-Clients')).not.toContainText('Dask cluster two');

  await card(sidebar, 'two').getByRole('button', { name: 'Shut down' }).click();
  // The name is quoted: a cluster may be called like a word of the sentence.
  await expect(dialog).toContainText('Shut down "two"?');
  await expect(dialog).toContainText('This ends its workers and its kernel.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await sessions(lab)).toHaveLength(1);
  await card(sidebar, 'two').getByRole('button', { name: 'Shut down' }).click();
  await dialog.getByRole('button', { name: 'Shut down' }).click();
  await expect(card(sidebar, 'two')).toHaveCount(0, { timeout: START });
  await expect.poll(() => sessions(lab)).toEqual([]);
  await expect.poll(() => files(lab)).toEqual([]);
});

test("clusters of Dask's configuration, and where JupyterLab shows them", async ({ lab }) => {
  const { page } = lab;
  const dialog = page.getByRole('dialog');
  // An unknown kind is refused by the kernel, which says what there is; the form comes again.
  let sidebar = await lab.sidebar();
  await lab.command('launcher:create');
  // JupyterLab opens a launcher of its own where nothing else is open, before or after this one.
  await page.locator('.jp-LauncherCard:visible', { hasText: 'Dask cluster' }).click();
  // No kernel runs that could report which kinds there are, and none is started before it is asked for.
  await expect(dialog.locator('datalist')).toHaveCount(0);
  expect(await kernels(lab)).toEqual([]);
  await dialog.getByRole('button', { name: 'Look up' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Found: threads', { timeout: START });
  await expect(dialog.locator('datalist option')).toHaveAttribute('value', 'threads');
  await expect.poll(() => kernels(lab)).toEqual([]);
  await fill(dialog, { name: 'odd', preset: '<b>none</b>' });
  await expect(dialog.getByRole('alert').first()).toContainText("no preset '<b>none</b>'", { timeout: START });
  await expect(dialog.getByRole('alert').first()).toContainText("It has 'threads'");
  await expect(dialog.locator('input[name="preset"]')).toHaveValue('<b>none</b>');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => sessions(lab)).toEqual([]);

  // Initial clusters start with the page, where the setting says so.
  await lab.setting('initialClusters', true);
  sidebar = await lab.sidebar();
  await expect(card(sidebar, 'My-first')).toHaveAttribute('data-state', 'running', { timeout: START });
  await expect(card(sidebar, 'My-first')).toContainText('1 worker · 1 thread');
  await lab.reload();
  sidebar = await lab.sidebar();
  await expect(card(sidebar, 'My-first')).toHaveAttribute('data-state', 'running', { timeout: START });
  expect(await sessions(lab)).toHaveLength(1);

  const notebook = await lab.openNotebook([
    'import dask_panes; client = dask_panes.connect("My-first"); client.submit(abs, -2).result()',
    'client.close()'
  ]);
  await notebook.run(0);
  const status = page.locator('#jp-main-statusbar [role="button"]', { hasText: 'Dask:' });
  await expect(status).toHaveText(/^Dask: (0 \/ 1 busy|idle since .*1 worker|1 worker · \d+ s ago)$/);
  await notebook.run(1);
  await expect(status).toBeHidden();

  await lab.command('running:show-panel');
  const row = page.locator('#jp-running-sessions .jp-RunningSessions-item', { hasText: 'My-first' }).last();
  await row.hover();
  await row.locator('.jp-RunningSessions-itemShutdown').click();
  await dialog.getByRole('button', { name: 'Shut down' }).click();
  await expect.poll(() => sessions(lab), { timeout: START }).toEqual([]);
  // It stays so in this run of the server.
  await lab.reload();
  await lab.sidebar();
  await expect(page.locator('.dp-NewCluster')).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('dask-panes:initial:')).length)).toBe(
    1
  );
  expect(await sessions(lab)).toEqual([]);
});

test('a start that fails shows its traceback and leaves nothing; the form comes again as it was', async ({ lab }) => {
  const { page } = lab;
  const folder = join(lab.root, '..', 'data', 'kernels', 'broken');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'kernel.json'),
    JSON.stringify({
      argv: [tool('python'), '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
      display_name: 'Broken <b>kernel</b>',
      language: 'python',
      metadata: { debugger: true },
      env: { DASK_DISTRIBUTED__WORKER__PRELOAD: 'no_such_module' }
    })
  );
  await page.evaluate(() => window.jupyterapp.serviceManager.kernelspecs.refreshSpecs());
  const sidebar = await lab.sidebar();
  await lab.page.evaluate(() => void window.jupyterapp.commands.execute('dask-panes:new-cluster', { workers: 1 }));
  const dialog = page.getByRole('dialog');
  await dialog.locator('select[name="spec"]').selectOption({ label: 'Broken <b>kernel</b>' });
  await fill(dialog, { name: 'broken', memory: '600 MiB' });
  await expect(dialog.locator('.dp-Failure-details')).toContainText('Traceback (most recent call last)', { timeout: START });
  await picture(lab, 'cluster-failed');
  await expect(card(sidebar, 'broken')).toHaveCount(0);
  await expect.poll(() => sessions(lab)).toEqual([]);
  await expect.poll(() => files(lab)).toEqual([]);

  await dialog.getByRole('button', { name: 'Change and try again' }).click();
  await expect(dialog.locator('input[name="name"]')).toHaveValue('broken');
  await expect(dialog.locator('input[name="memory"]')).toHaveValue('600 MiB');
  await expect(dialog.locator('select[name="spec"]')).toHaveValue('broken');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // A session that calls itself anything is shown as text, and its kernel hosts nothing.
  await page.evaluate(async () => {
    const { sessions: manager } = window.jupyterapp.serviceManager;
    await manager.startNew({
      path: 'x',
      name: '<img src=x onerror="document.title=1">',
      type: 'dask-cluster',
      kernel: { name: 'python3' }
    });
  });
  const strange = sidebar.locator('.dp-Hosted .dp-Row');
  await expect(strange.locator('.dp-Row-name')).toHaveText('<img src=x onerror="document.title=1">');
  await expect(strange).toHaveAttribute('data-state', 'empty', { timeout: START });
  await expect(strange.getByRole('button', { name: 'Connect' })).toHaveCount(0);
  await strange.getByRole('button', { name: 'Remove' }).click();
  await expect(strange).toHaveCount(0, { timeout: START });
});
