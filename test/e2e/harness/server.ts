/** The one JupyterLab of a run: on a free port, with folders of its own under `test-results`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ROOT, tool } from '../../../scripts/lib/environment.mjs';
import { jupyterHome, labOptions } from '../../../scripts/lib/jupyter.mjs';

const HOME = join(ROOT, 'test-results', 'jupyter');
const LOG = join(HOME, 'jupyter.log');
/** Milliseconds that JupyterLab may take to answer; a cold machine needs about ten seconds. */
const START = 90_000;
/** Milliseconds that it may take to end its kernels and itself. */
const STOP = 20_000;

/** Names of the environment variables that tell the tests where it is. */
export const URL_VARIABLE = 'DASK_PANES_TEST_URL';
export const ROOT_VARIABLE = 'DASK_PANES_TEST_ROOT';

/**
 * Start JupyterLab; called by Playwright once before all tests.
 *
 * @returns what ends it, called after all tests
 * @throws Error with the end of its log when it does not start
 */
export default async function start(): Promise<() => Promise<void>> {
  rmSync(HOME, { recursive: true, force: true });
  const { root, env } = jupyterHome(HOME);
  const port = await freePort();
  const server = launch(port, root, env);
  const url = `http://127.0.0.1:${port}`;
  try {
    await answers(url, server);
  } catch (error) {
    await stop(server);
    throw error;
  }
  process.env[URL_VARIABLE] = url;
  process.env[ROOT_VARIABLE] = root;
  return () => stop(server);
}

function launch(port: number, root: string, env: NodeJS.ProcessEnv): ChildProcess {
  const log = openSync(LOG, 'a');
  const options = [
    ...labOptions(root),
    '--no-browser',
    '--ServerApp.ip=127.0.0.1',
    `--ServerApp.port=${port}`,
    '--ServerApp.port_retries=0',
    '--ServerApp.disable_check_xsrf=True',
    '--IdentityProvider.token=',
    '--LabApp.expose_app_in_browser=True'
  ];
  const server = spawn(tool('jupyter-lab'), options, { cwd: root, env, stdio: ['ignore', log, log] });
  closeSync(log);
  return server;
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START;
  while (Date.now() < deadline && server.exitCode === null) {
    const answer = await fetch(`${url}/api`).catch(() => null);
    if (answer?.ok) {
      return;
    }
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  throw new Error(`JupyterLab does not answer. The end of its log:\n${readFileSync(LOG, 'utf8').slice(-3000)}`);
}

/** Ask it to end, which ends its kernels too; be rough only when it does not. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) {
    return;
  }
  const ended = new Promise<void>(resolve => server.once('exit', () => resolve()));
  server.kill('SIGTERM');
  const timer = setTimeout(() => server.kill('SIGKILL'), STOP);
  await ended;
  clearTimeout(timer);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
