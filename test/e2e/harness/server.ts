/** The one JupyterLab of a run: on a free port, with folders of its own under `test-results`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, tool } from '../../../scripts/lib/environment.mjs';
import { jupyterHome, labOptions } from '../../../scripts/lib/jupyter.mjs';
import { answers, freePort, stop } from './jupyter-process';

/** Its folder is emptied at the start: two runs at a time need two, named by `$DASK_PANES_TEST_HOME`. */
const HOME = process.env.DASK_PANES_TEST_HOME ?? join(ROOT, 'test-results', 'jupyter');
const LOG = join(HOME, 'jupyter.log');

/** Names of the environment variables that tell the tests where it is. */
export const URL_VARIABLE = 'DASK_PANES_TEST_URL';
export const ROOT_VARIABLE = 'DASK_PANES_TEST_ROOT';
/** Names the variable with further options of the server, as a JSON list. */
const OPTIONS_VARIABLE = 'DASK_PANES_TEST_OPTIONS';

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
    await answers(url, server, LOG);
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
    '--LabApp.expose_app_in_browser=True',
    ...(JSON.parse(process.env[OPTIONS_VARIABLE] ?? '[]') as readonly string[])
  ];
  const server = spawn(tool('jupyter-lab'), options, { cwd: root, env, stdio: ['ignore', log, log] });
  closeSync(log);
  return server;
}
