/** The Jupyter server itself fails: killed and started again on its port, stopped and going on. It is one of our own. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { freePort } from '../e2e/harness/jupyter-process';
import { Lab } from '../e2e/harness/lab';
import { startOn } from '../e2e/harness/server';
import { tasksInTitle } from '../e2e/harness/stream';

const CLIENT = `from distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=':0')
client`;
const WORK = 'results = client.gather(client.map(abs, range(20), pure=False))';

/** A Jupyter server that a test may kill, and start again with everything but its kernels. */
class OwnServer {
  private end: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly port: number,
    private readonly home: string
  ) {}

  async start(): Promise<void> {
    this.end = await startOn(this.port, this.home);
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    process.kill(this.pid, name);
  }

  async stop(): Promise<void> {
    await this.end();
  }

  /** Of the server itself, which writes it down, not of the process that looks after it. */
  private get pid(): number {
    const folder = join(this.home, 'runtime');
    const [newest] = readdirSync(folder)
      .filter(name => /^jpserver-\d+\.json$/.test(name))
      .map(name => join(folder, name))
      .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
    const { pid } = JSON.parse(readFileSync(newest, 'utf8')) as { readonly pid: number };
    return pid;
  }
}

const test = base.extend<{ server: OwnServer; lab: Lab }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
  server: async ({}, use) => {
    const home = join(ROOT, 'test-results', 'jupyter-faults');
    rmSync(home, { recursive: true, force: true });
    const server = new OwnServer(await freePort(), home);
    await server.start();
    await use(server);
    await server.stop();
  },
  lab: async ({ page, server }, use, info) => {
    expect(server).toBeDefined();
    const lab = new Lab(page, `server-${info.workerIndex}-${info.repeatEachIndex}`);
    await lab.open();
    await use(lab);
    expect(lab.ownErrors()).toEqual([]);
  }
});

test('a server that is stopped and goes on, then is killed and started again on its port', async ({ lab, server }) => {
  test.setTimeout(300_000);
  const notebook = await lab.openNotebook([CLIENT, WORK]);
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream');
  await notebook.run(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(20);

  server.signal('SIGSTOP');
  try {
    await expect(stream).toHaveAttribute('data-state', 'disconnected', { timeout: 9000 });
    await expect(stream.locator('.dp-Banner')).toContainText('The Jupyter server does not answer.');
  } finally {
    server.signal('SIGCONT');
  }
  await lab.paneIs('task-stream', 'live', 'idle');
  await notebook.execute('more = client.gather(client.map(abs, range(5), pure=False))');
  await expect.poll(() => tasksInTitle(stream)).toBe(25);

  server.signal('SIGKILL');
  await expect(stream).toHaveAttribute('data-state', 'disconnected', { timeout: 6000 });
  expect(await tasksInTitle(stream)).toBe(25);
  await expect(notebook.output(0).locator('.dp-ClientView')).toHaveAttribute('data-state', 'disconnected');

  await server.start();
  // Its kernels ended with it: what they did stays, and a new kernel is shown without a reload. JupyterLab's own question about
  // the connection may lie over the page for a while, so nothing is clicked.
  await expect(stream).toHaveAttribute('data-state', 'closed', { timeout: 60_000 });
  expect(await tasksInTitle(stream)).toBe(25);
  // As long as JupyterLab believes in the session, it would ask the server to change its kernel.
  await lab.page.evaluate(() => window.jupyterapp.serviceManager.sessions.refreshRunning());
  await lab.page.waitForFunction(path => window.daskPanesTest.panel(path).sessionContext.session === null, notebook.path);
  await lab.page.evaluate(async path => {
    await window.daskPanesTest.panel(path).sessionContext.changeKernel({ name: 'python3' });
  }, notebook.path);
  await notebook.runAgain(0);
  await lab.paneIs('task-stream', 'empty');
  await notebook.runAgain(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(20);
});
