/** `examples/plot-extension`, built by its own build and installed beside ours: a plot of a third party is equal to our own. */
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, environment, tool } from '../../scripts/lib/environment.mjs';
import { ROOT_VARIABLE } from './harness/server';
import { expect, test } from './harness/test';

const PLOT = 'example.tasks-by-host';
const NAME = 'dask-panes-plot-example';

const CLIENT = `
from dask.distributed import Client
client = Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None)`;
const WORK = '_ = client.gather(client.map(abs, range(30), pure=False))';

/** Build a copy of the example as its own `npm run build` does, with the packages of this checkout. */
async function build(): Promise<string> {
  const folder = join(ROOT, 'test-results', `plot-extension-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(ROOT, 'examples', 'plot-extension'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'dask-panes'), 'junction');
  const run = promisify(execFile);
  await run(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')], { cwd: folder });
  await run(tool('jupyter-builder'), ['build', '.'], { cwd: folder, env: environment() });
  return join(folder, 'labextension');
}

/** Where the server of this process looks for extensions that a user installs. */
function installed(): string {
  return join(process.env[ROOT_VARIABLE] ?? '', '..', 'data', 'labextensions', NAME);
}

test.afterEach(() => {
  // The next test has the same server.
  rmSync(installed(), { recursive: true, force: true });
});

test('a plot of another extension is in the sidebar, the palette and restored layouts, draws, has a table, and shows a recording', async ({
  lab
}) => {
  const built = await build();
  mkdirSync(join(installed(), '..'), { recursive: true });
  cpSync(built, installed(), { recursive: true });
  await lab.reload();
  const notebook = await lab.openNotebook([CLIENT, WORK]);

  await test.step('the sidebar lists it, and opens it', async () => {
    const sidebar = await lab.sidebar();
    const row = sidebar.locator(`.dp-Plot[data-plot="${PLOT}"]`);
    await expect(row).toContainText('finished tasks of each host');
    await expect(row.locator('svg path')).toHaveAttribute('d', /^M1 2h12v3H1z/);
    await row.click();
    await lab.paneIs(PLOT, 'none');
  });

  await test.step('it draws, and shows its table', async () => {
    await notebook.run(0);
    await expect(lab.pane(PLOT)).toContainText('No task has finished yet.');
    await notebook.run(1);
    await expect(lab.pane(PLOT).locator('.dp-Pane-counts')).toHaveText('1 host');
    await expect(lab.pane(PLOT).locator('canvas')).toBeVisible();
    await lab.pane(PLOT).getByRole('button', { name: 'How to read this plot' }).click();
    const picture = lab.page.getByRole('img', { name: 'Three hosts, of which one has finished half as much as the others' });
    await expect(picture).toBeVisible();
    expect(await picture.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth)).toBe(240);
    await lab.page.keyboard.press('Escape');
    await lab.choose(PLOT, 'Show as table');
    await expect.poll(async () => (await lab.tableRows(PLOT)).map(row => row.tasks)).toEqual(['30']);
  });

  await test.step('the palette calls it by its title', async () => {
    const label = await lab.page.evaluate(plot => window.jupyterapp.commands.label('dask-panes:open', { plot }), PLOT);
    expect(label).toBe('Tasks by host');
  });

  await test.step('a command of it selects in all panes, and reads what is selected', async () => {
    const select = (name: string): Promise<unknown> =>
      lab.page.evaluate(
        async ([id, name]) => JSON.parse(JSON.stringify(await window.jupyterapp.commands.execute(id, { name }))),
        ['dask-panes-plot-example:select-function', name] as const
      );
    expect(await select('abs')).toMatchObject([{ functions: null }, { functions: ['abs'] }]);
    expect(await select('sum')).toMatchObject([{ functions: ['abs'] }, { functions: ['sum'] }]);
  });

  await test.step('it comes back after a reload', async () => {
    await lab.reload();
    await expect(lab.pane(PLOT).locator('.dp-Pane-counts')).toHaveText('1 host');
  });

  await test.step('it is of a recording, too', async () => {
    await lab.openPlot(PLOT);
    await lab.command('application:close');
    await expect(lab.pane(PLOT)).toHaveCount(0);
    const file = `${lab.name}/run.dask-run`;
    copyFileSync(join(ROOT, 'test', 'fixtures', 'run.dask-run'), join(lab.root, file));
    await lab.command('dask-panes:open-recording', { path: file });
    const recording = lab.page.locator('.dp-Recording');
    await expect(recording).toHaveAttribute('data-state', 'ready');
    await recording.getByRole('button', { name: 'Tasks by host', exact: true }).click();
    await lab.paneIs(PLOT, 'recorded');
    await expect(lab.pane(PLOT).locator('.dp-Pane-counts')).toHaveText('1 host');
  });
});
