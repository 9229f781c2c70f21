/** A JupyterLab for the tests: on a free port, with folders of its own under `test-results`. */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, tool } from '../../../scripts/lib/environment.mjs';
import { jupyterHome, labOptions } from '../../../scripts/lib/jupyter.mjs';
import { answers, freePort, stop, supervised } from './jupyter-process';

/** Folders are emptied at the start: two runs at a time need two, named by `$DASK_PANES_TEST_HOME`. */
const HOMES = process.env.DASK_PANES_TEST_HOME ?? join(ROOT, 'test-results', 'jupyter');

/** Names of the environment variables that tell the tests where it is. */
export const URL_VARIABLE = 'DASK_PANES_TEST_URL';
export const ROOT_VARIABLE = 'DASK_PANES_TEST_ROOT';
/** Names the variable with the path of another `jupyter-lab`, whose environment the kernels have, too. */
const PROGRAM_VARIABLE = 'DASK_PANES_TEST_JUPYTER_LAB';
/** Names the variable with further options of the server, as a JSON list. */
const OPTIONS_VARIABLE = 'DASK_PANES_TEST_OPTIONS';

/**
 * Start JupyterLab for the tests of one process of Playwright, and tell them where it is.
 *
 * @param worker - number of the process; no two at a time share a JupyterLab, whose sessions tests count
 * @returns what ends it
 * @throws Error with the end of its log when it does not start
 */
export async function start(worker: number): Promise<() => Promise<void>> {
  const home = join(HOMES, String(worker));
  rmSync(home, { recursive: true, force: true });
  return startOn(await freePort(), home);
}

/**
 * The same on a port and with folders that somebody else may have used before: a server that is started again.
 *
 * @param started - is given the process of the server, before it answers
 */
export async function startOn(
  port: number,
  home: string,
  started: (server: ChildProcess) => void = () => undefined
): Promise<() => Promise<void>> {
  const { root, env } = jupyterHome(home);
  const log = join(home, 'jupyter.log');
  const server = launch(port, root, env, log);
  started(server);
  const url = `http://127.0.0.1:${port}`;
  try {
    await answers(url, server, log);
  } catch (error) {
    await stop(server);
    throw error;
  }
  process.env[URL_VARIABLE] = url;
  process.env[ROOT_VARIABLE] = root;
  return () => stop(server);
}

function launch(port: number, root: string, env: NodeJS.ProcessEnv, log: string): ChildProcess {
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
  return supervised(process.env[PROGRAM_VARIABLE] ?? tool('jupyter-lab'), options, { cwd: root, env, log });
}
