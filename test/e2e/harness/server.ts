/** A JupyterLab for the tests: on a free port, with separate folders under `test-results`. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, tool } from '../../../scripts/lib/environment.mjs';
import { jupyterHome, labOptions } from '../../../scripts/lib/jupyter.mjs';
import { answers, freePort, type Place, stop, supervised } from './jupyter-process';

/** Folders are cleared at the start: two simultaneous runs need two, set by `$DASK_PANES_TEST_HOME`. */
const HOMES = process.env.DASK_PANES_TEST_HOME ?? join(ROOT, 'test-results', 'jupyter');

/** Names of the environment variables with its address for the tests. */
export const URL_VARIABLE = 'DASK_PANES_TEST_URL';
export const ROOT_VARIABLE = 'DASK_PANES_TEST_ROOT';
/** Name of the variable with the path of another `jupyter-lab`, whose environment the kernels use as well. */
const PROGRAM_VARIABLE = 'DASK_PANES_TEST_JUPYTER_LAB';
/** Name of the variable with further options of the server, as a JSON list. */
const OPTIONS_VARIABLE = 'DASK_PANES_TEST_OPTIONS';

/**
 * Start JupyterLab for the tests of one process of Playwright, and publish its address.
 *
 * @param worker - number of the process; each uses its own JupyterLab, because tests count its sessions
 * @returns a function that ends it
 * @throws Error with the end of its log if it does not start
 */
export async function start(worker: number): Promise<() => Promise<void>> {
  const home = join(HOMES, String(worker));
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  return startOn(await freePort(), home);
}

/** Reset settings that tests changed, such as the theme: they are stored on the server, which the next test shares. */
export function freshSettings(): void {
  const root = process.env[ROOT_VARIABLE];
  if (root !== undefined) {
    rmSync(join(root, '..', 'settings'), { recursive: true, force: true, maxRetries: 5 });
    jupyterHome(join(root, '..'));
  }
}

/** Server options for tests with special requirements. */
export interface Serving {
  /** URL path of the server, with a slash at both ends. */
  readonly prefix?: string;
  /** Options that replace those that disable the password and the check for forged requests. */
  readonly options?: readonly string[];
}

/** Variables of its kernels, and through them of workers. */
const KERNELS = {
  // Most clusters of the tests have no dashboard: Bokeh takes more than a second to import. Each serves its metrics anyway,
  // and warns where another one has the usual port.
  PYTHONWARNINGS: 'ignore:Port 8787 is already in use',
  // Dask's configuration of a site: a kind of clusters, and one that starts where JupyterLab's setting says so.
  DASK_DASK_PANES__HOSTING__PRESETS: JSON.stringify({
    threads: {
      module: 'distributed',
      class: 'LocalCluster',
      args: [],
      kwargs: { processes: 0, n_workers: 1, threads_per_worker: 1 }
    }
  }),
  DASK_LABEXTENSION__INITIAL: JSON.stringify([{ name: 'My first', preset: 'threads' }])
};

/** Anyone who can reach it may use it. */
export const OPEN = ['--ServerApp.disable_check_xsrf=True', '--IdentityProvider.token='];

/** The same on a given port and with existing folders: a restarted server. */
export async function startOn(
  port: number,
  home: string,
  { prefix = '/', options = OPEN }: Serving = {}
): Promise<() => Promise<void>> {
  const { root, env } = jupyterHome(home);
  const log = join(home, 'jupyter.log');
  const sockets = mkdtempSync(join(tmpdir(), 'dask-panes-'));
  const runtime = join(sockets, 'runtime');
  symlinkSync(join(home, 'runtime'), runtime);
  // A kernel whose workers are processes is killed in the end, by Jupyter or by itself, and leaves its temporary files.
  const temporary = join(sockets, 'tmp');
  mkdirSync(temporary);
  const place = { cwd: root, env: { ...env, ...KERNELS, JUPYTER_RUNTIME_DIR: runtime, TMPDIR: temporary }, log };
  const server = launch(port, [...options, `--ServerApp.base_url=${prefix}`], place);
  const end = async (): Promise<void> => {
    await stop(server);
    // A process that ends may write a last file meanwhile.
    rmSync(sockets, { recursive: true, force: true, maxRetries: 5 });
  };
  const url = `http://127.0.0.1:${port}${prefix.slice(0, -1)}`;
  try {
    await answers(url, server, log);
  } catch (error) {
    await end();
    throw error;
  }
  process.env[URL_VARIABLE] = url;
  process.env[ROOT_VARIABLE] = root;
  return end;
}

function launch(port: number, more: readonly string[], place: Place): ChildProcess {
  const options = [
    ...labOptions(place.cwd),
    '--no-browser',
    '--ServerApp.ip=127.0.0.1',
    `--ServerApp.port=${port}`,
    '--ServerApp.port_retries=0',
    // Sockets by path, and a short one: a port that is free now may be taken by a cluster before the kernel binds it.
    '--KernelManager.transport=ipc',
    '--LabApp.expose_app_in_browser=True',
    ...more,
    ...(JSON.parse(process.env[OPTIONS_VARIABLE] ?? '[]') as readonly string[])
  ];
  return supervised(process.env[PROGRAM_VARIABLE] ?? tool('jupyter-lab'), options, place);
}
