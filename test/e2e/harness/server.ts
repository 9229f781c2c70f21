/** A JupyterLab for the tests: on a free port, with folders of its own under `test-results`. */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, tool } from '../../../scripts/lib/environment.mjs';
import { jupyterHome, labOptions } from '../../../scripts/lib/jupyter.mjs';
import { answers, freePort, type Surroundings, stop, supervised } from './jupyter-process';

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
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  return startOn(await freePort(), home);
}

/** Forget what tests have set in JupyterLab, as a theme: its settings are on the server, and the next test has the same one. */
export function freshSettings(): void {
  const root = process.env[ROOT_VARIABLE];
  if (root !== undefined) {
    rmSync(join(root, '..', 'settings'), { recursive: true, force: true, maxRetries: 5 });
    jupyterHome(join(root, '..'));
  }
}

/** How a server is started where a test does not want what most want. */
export interface Serving {
  /** Path under which it serves, with a slash at both ends. */
  readonly prefix?: string;
  /** Options in place of those that switch the password and the check of forged requests off. */
  readonly options?: readonly string[];
}

/** Everybody who reaches it may use it. */
const OPEN = ['--ServerApp.disable_check_xsrf=True', '--IdentityProvider.token='];

/** The same on a port and with folders that somebody else may have used before: a server that is started again. */
export async function startOn(
  port: number,
  home: string,
  { prefix = '/', options = OPEN }: Serving = {}
): Promise<() => Promise<void>> {
  const { root, env } = jupyterHome(home);
  const log = join(home, 'jupyter.log');
  const server = launch(port, [...options, `--ServerApp.base_url=${prefix}`], { cwd: root, env, log });
  const url = `http://127.0.0.1:${port}${prefix.slice(0, -1)}`;
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

function launch(port: number, more: readonly string[], surroundings: Surroundings): ChildProcess {
  const options = [
    ...labOptions(surroundings.cwd),
    '--no-browser',
    '--ServerApp.ip=127.0.0.1',
    `--ServerApp.port=${port}`,
    '--ServerApp.port_retries=0',
    '--LabApp.expose_app_in_browser=True',
    ...more,
    ...(JSON.parse(process.env[OPTIONS_VARIABLE] ?? '[]') as readonly string[])
  ];
  return supervised(process.env[PROGRAM_VARIABLE] ?? tool('jupyter-lab'), options, surroundings);
}
