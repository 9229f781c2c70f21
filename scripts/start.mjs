// `npm start`: JupyterLab on the demo notebook, with the Status layout next to it. Options are passed to `jupyter lab`.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setup } from './setup.mjs';
import { ROOT, tool } from './lib/environment.mjs';
import { jupyterHome, labOptions } from './lib/jupyter.mjs';
import { main, must } from './lib/process.mjs';

const EXAMPLES = join(ROOT, 'docs', 'examples');
/** Location of the demo's copy of the notebook and its workspace; both keep the user's changes. */
const HOME = process.env.DASK_PANES_DEMO_HOME ?? join(ROOT, '.run');

/**
 * Copy the notebook and place the layout, unless that was done before.
 *
 * @param {string} root - the folder that the file browser shows
 * @param {NodeJS.ProcessEnv} env
 */
async function prepare(root, env) {
  const notebook = join(root, 'demo.ipynb');
  if (!existsSync(notebook)) {
    copyFileSync(join(EXAMPLES, 'demo.ipynb'), notebook);
    await must(tool('jupyter-lab'), ['workspaces', 'import', join(EXAMPLES, 'demo.jupyterlab-workspace')], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit']
    });
  }
}

/**
 * JupyterLab until it ends. It shares this terminal, so it sees an interrupt itself and asks whether to stop.
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} options
 * @returns {Promise<number>} its exit status
 */
function lab(root, env, options) {
  return new Promise((resolve, reject) => {
    const server = spawn(tool('jupyter-lab'), [...labOptions(root), ...options], { cwd: root, env, stdio: 'inherit' });
    process.on('SIGINT', () => undefined);
    process.on('SIGTERM', () => server.kill('SIGTERM'));
    server.once('error', reject);
    server.once('exit', code => resolve(code ?? 0));
  });
}

await main(async () => {
  const options = process.argv.slice(2);
  await setup();
  if (options.includes('--reset')) {
    rmSync(HOME, { recursive: true, force: true });
  }
  const { root, env } = jupyterHome(HOME);
  await prepare(root, env);
  return lab(
    root,
    env,
    options.filter(option => option !== '--reset')
  );
});
