/**
 * A kernel whose environment has Dask and not this package, or another version of it: said, and put right with one click.
 * And one that is not an ipykernel: reported, and left alone.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, tool } from '../../scripts/lib/environment.mjs';
import { tasksInTitle } from './harness/stream';
import { expect, test } from './harness/test';

const KERNEL = 'bare';
const CELLS = [
  `import importlib.util
from distributed import Client
client = Client(n_workers=1, threads_per_worker=2, memory_limit='512MiB', dashboard_address=None)
print(importlib.util.find_spec('dask_panes'))`,
  `futures = client.map(lambda x: x + 1, range(30))
print(sum(client.gather(futures)))`
];

/**
 * A virtual environment with what a user needs for Dask in a notebook, as a kernel of the JupyterLab of this run. Its packages
 * are those of the checkout, without this one: compiled already, and there without a network.
 *
 * @param env - further variables of the kernel's environment
 */
function makeKernel(root: string, env: Readonly<Record<string, string>> = {}): void {
  const home = dirname(root);
  const venv = join(home, KERNEL);
  execFileSync(tool('uv'), ['venv', '--quiet', '--clear', '--python', tool('python'), venv]);
  const python = join(venv, 'bin', 'python');
  const [from, to] = [sitePackages(tool('python')), sitePackages(python)];
  for (const name of readdirSync(from).filter(name => !/^dask_panes|\.pth$/.test(name) && !existsSync(join(to, name)))) {
    symlinkSync(join(from, name), join(to, name));
  }
  const spec = join(home, 'data', 'kernels', KERNEL, 'kernel.json');
  mkdirSync(dirname(spec), { recursive: true });
  writeFileSync(
    spec,
    JSON.stringify({
      argv: [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
      display_name: 'Bare',
      language: 'python',
      env,
      metadata: { debugger: true }
    })
  );
}

/** Where a Python has its packages. */
function sitePackages(python: string): string {
  return execFileSync(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], { encoding: 'utf8' }).trim();
}

/** A kernelspec as people write them by hand: what to start, and nothing else. */
function makePlainSpec(root: string): void {
  const spec = join(dirname(root), 'data', 'kernels', 'plain', 'kernel.json');
  mkdirSync(dirname(spec), { recursive: true });
  const argv = [tool('python'), '-m', 'ipykernel_launcher', '-f', '{connection_file}'];
  writeFileSync(spec, JSON.stringify({ argv, display_name: 'Plain' }));
}

/** Write the bridge as a version to come might be: another protocol, other names on the scheduler. Returns its folder. */
function makeOtherVersion(root: string): string {
  const folder = join(dirname(root), 'other-version');
  cpSync(join(ROOT, 'bridge', 'dask_panes'), join(folder, 'dask_panes'), {
    recursive: true,
    filter: path => !/labextension|__pycache__/.test(path)
  });
  const rewrite = (path: string, from: string, to: string): void => {
    const text = readFileSync(join(folder, 'dask_panes', path), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder, 'dask_panes', path), text.replace(from, to));
  };
  rewrite('feed/schema.json', '"protocol": 1', '"protocol": 2');
  rewrite('scheduler/collector/plugin.py', 'PROTOCOL = 1', 'PROTOCOL = 2');
  writeFileSync(join(folder, 'dask_panes', '_version.py'), '__version__ = "9.9.9"\n');
  return folder;
}

test('a kernelspec with nothing but a command line is an ipykernel like any other', async ({ lab }) => {
  makePlainSpec(lab.root);
  await lab.page.evaluate(() => window.jupyterapp.serviceManager.kernelspecs.refreshSpecs());
  const spec = await lab.page.evaluate(
    () => window.jupyterapp.serviceManager.kernelspecs.specs?.kernelspecs.plain as { metadata?: object; language: string }
  );
  expect([spec.language, Object.keys(spec.metadata ?? {})]).toEqual(['', []]);
  const notebook = await lab.openNotebook(
    ['from distributed import Client\nclient = Client(n_workers=1, processes=False, dashboard_address=None)'],
    'notebook',
    'plain'
  );
  const pane = await lab.openPlot('progress');
  await notebook.runAll();
  await notebook.execute('client.gather(client.map(abs, range(30)))');
  await lab.paneIs('progress', 'live', 'idle');
  await expect(pane).toContainText('30 / 30 done');
});

/** Folders as kernels have them to which the bridge was added: one that was killed, and one that runs. */
const FOLDERS = `import fcntl, pathlib, tempfile
folders = [pathlib.Path(tempfile.mkdtemp(prefix="dask-panes-")) for _ in range(2)]
locks = [(folder / "lock").open("w") for folder in folders]
locks[0].close()
fcntl.flock(locks[1], fcntl.LOCK_EX)`;

test('a kernel without dask_panes: the pane says so, and one click shows what its client did', async ({ lab }) => {
  makeKernel(lab.root);
  await lab.page.evaluate(() => window.jupyterapp.serviceManager.kernelspecs.refreshSpecs());
  const notebook = await lab.openNotebook(CELLS, 'notebook', KERNEL);
  await notebook.runAll();
  expect(await notebook.outputs(0)).toMatchObject([{ output_type: 'stream', text: 'None\n' }]);
  const stream = await lab.openPlot('task-stream');
  await expect(stream).toContainText('dask_panes is missing in the kernel of notebook.ipynb');
  await expect((await lab.sidebar()).locator('.dp-Clients')).toContainText('dask_panes is missing in this kernel');

  await notebook.execute(FOLDERS);
  await stream.getByRole('button', { name: 'Add' }).click();
  await lab.paneIs('task-stream', 'empty', 'idle', 'live');
  await expect(stream).toContainText('30 earlier tasks not seen');
  // The folder of a kernel that was killed goes, that of one that runs stays.
  expect(await notebook.value<boolean[]>('[folder.exists() for folder in folders]')).toEqual([false, true]);
  await notebook.runAgain(1);
  await notebook.execute('client.gather(client.map(lambda x: x * 2, range(25)))');
  await expect.poll(() => tasksInTitle(stream)).toBe(25);

  const saved = await notebook.save();
  expect(JSON.stringify(saved)).not.toContain('dask_panes_add');
});

test('a kernel with another version of dask_panes: both are reported, and one click shows what its client does', async ({
  lab
}) => {
  const other = makeOtherVersion(lab.root);
  makeKernel(lab.root, { PYTHONPATH: other, DASK_CONFIG: join(ROOT, 'bridge', 'dask_panes.yaml') });
  await lab.page.evaluate(() => window.jupyterapp.serviceManager.kernelspecs.refreshSpecs());
  const [client, work] = CELLS;
  const notebook = await lab.openNotebook(
    [client.replace(/^print.*/m, 'import dask_panes; print(dask_panes.__version__)'), work],
    'notebook',
    KERNEL
  );
  await notebook.runAll();
  expect(await notebook.outputs(0)).toMatchObject([{ output_type: 'stream', text: '9.9.9\n' }]);
  const stream = await lab.openPlot('task-stream');
  await expect(stream).toContainText('dask_panes 9.9.9 in the kernel of notebook.ipynb is not compatible with this extension');
  await expect((await lab.sidebar()).locator('.dp-Clients')).toContainText('dask_panes 9.9.9 of this kernel is not compatible');

  await stream.getByRole('button', { name: 'Add' }).click();
  await expect(stream).toContainText('30 earlier tasks not seen');
  await notebook.execute('client.gather(client.map(lambda x: x * 2, range(25)))');
  await expect.poll(() => tasksInTitle(stream)).toBe(25);
  // The other version's own collector is left alone.
  const plugins = await notebook.value<readonly string[]>(
    'sorted(p for p in client.cluster.scheduler.plugins if "dask-panes" in p)'
  );
  expect(plugins).toEqual(['dask-panes-1', 'dask-panes-2']);
  expect(await notebook.outputs(1)).toMatchObject([{ output_type: 'stream', text: '465\n' }]);
});

/** A kernel that repeats what it receives, on the protocol's own terms: no IPython, no Python to run a line in, no debugger. */
const ECHO = `
from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel
class Echo(Kernel):
    implementation, implementation_version, banner = 'echo', '1', 'echo'
    language_info = {'name': 'text', 'mimetype': 'text/plain', 'file_extension': '.txt'}
    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, **kwargs):
        self.send_response(self.iopub_socket, 'stream', {'name': 'stdout', 'text': code})
        return {'status': 'ok', 'execution_count': self.execution_count, 'payload': [], 'user_expressions': {}}
IPKernelApp.launch_instance(kernel_class=Echo)
`;

test('a kernel other than ipykernel is reported as not supported, and nothing is sent to it', async ({ lab }) => {
  const spec = join(dirname(lab.root), 'data', 'kernels', 'echo', 'kernel.json');
  mkdirSync(dirname(spec), { recursive: true });
  const argv = [tool('python'), '-c', ECHO, '-f', '{connection_file}'];
  writeFileSync(spec, JSON.stringify({ argv, display_name: 'Echo', language: 'text' }));
  await lab.page.evaluate(() => window.jupyterapp.serviceManager.kernelspecs.refreshSpecs());
  const notebook = await lab.openNotebook(['one', 'two'], 'notebook', 'echo');
  const stream = await lab.openPlot('task-stream');
  await expect(stream).toContainText('Not supported in the kernel of notebook.ipynb');
  await expect((await lab.sidebar()).locator('.dp-Clients')).toContainText('not supported in this kernel');
  await notebook.runAll();
  expect(await notebook.outputs(0)).toEqual([{ name: 'stdout', output_type: 'stream', text: 'one' }]);
  expect(await notebook.outputs(1)).toEqual([{ name: 'stdout', output_type: 'stream', text: 'two' }]);
  expect((await notebook.save()).cells).toMatchObject([{ execution_count: 1 }, { execution_count: 2 }]);
});
