/** A kernel whose environment has Dask and not this package: said, and put right with one click. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tool } from '../../scripts/lib/environment.mjs';
import { toldTasks } from './harness/stream';
import { expect, test } from './harness/test';

const KERNEL = 'bare';
const CELLS = [
  `import importlib.util
from distributed import Client
client = Client(n_workers=1, threads_per_worker=2, memory_limit='512MiB', dashboard_address=':0')
print(importlib.util.find_spec('dask_panes'))`,
  `futures = client.map(lambda x: x + 1, range(30))
print(sum(client.gather(futures)))`
];

/** A virtual environment with what a person needs for Dask in a notebook, as a kernel of the JupyterLab of this run. */
function makeKernel(root: string): void {
  const home = dirname(root);
  const venv = join(home, KERNEL);
  execFileSync(tool('uv'), ['venv', '--quiet', '--clear', '--python', tool('python'), venv]);
  const python = join(venv, 'bin', 'python');
  execFileSync(tool('uv'), ['pip', 'install', '--quiet', '--python', python, 'distributed', 'ipykernel']);
  const spec = join(home, 'data', 'kernels', KERNEL, 'kernel.json');
  mkdirSync(dirname(spec), { recursive: true });
  writeFileSync(
    spec,
    JSON.stringify({
      argv: [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
      display_name: 'Bare',
      language: 'python',
      metadata: { debugger: true }
    })
  );
}

test('a kernel without dask_panes: the pane says so, and one click shows what its client did', async ({ lab }) => {
  makeKernel(lab.root);
  await lab.page.evaluate(() => window.jupyterapp.serviceManager.kernelspecs.refreshSpecs());
  const notebook = await lab.openNotebook(CELLS, 'notebook', KERNEL);
  await notebook.runAll();
  expect(await notebook.outputs(0)).toMatchObject([{ output_type: 'stream', text: 'None\n' }]);
  const stream = await lab.openPlot('task-stream');
  await expect(stream).toContainText('dask_panes is missing in the kernel of notebook.ipynb');
  await expect((await lab.sidebar()).locator('.dp-Clients')).toContainText('dask_panes is missing in this kernel');

  await stream.getByRole('button', { name: 'Add' }).click();
  await lab.paneIs('task-stream', 'empty', 'idle', 'live');
  await expect(stream).toContainText('30 earlier tasks not seen');
  await notebook.runAgain(1);
  await notebook.execute('client.gather(client.map(lambda x: x * 2, range(25)))');
  await expect.poll(() => toldTasks(stream)).toBe(25);

  const saved = await notebook.save();
  expect(JSON.stringify(saved)).not.toContain('dask_panes_add');
});
