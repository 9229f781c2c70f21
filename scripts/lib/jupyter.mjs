// A JupyterLab with separate settings, workspaces and configuration, so that the user's are not changed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from './environment.mjs';

/** Settings that differ from JupyterLab's defaults: no question about news in the lower right corner of the panes. */
const SETTINGS = {
  '@jupyterlab/apputils-extension/notification.jupyterlab-settings': { fetchNews: 'false', checkForUpdates: false }
};

/** No check at each page load whether a build is needed, which runs Node for most of a second: prebuilt extensions need none. */
const PAGE = { buildCheck: false };

/**
 * The folders of a separate JupyterLab, created if missing.
 *
 * @param {string} home - the parent folder
 * @returns {{ root: string, env: NodeJS.ProcessEnv }} the root folder of its file browser, and its environment
 */
export function jupyterHome(home) {
  const folders = {
    JUPYTER_CONFIG_DIR: join(home, 'config'),
    JUPYTER_DATA_DIR: join(home, 'data'),
    JUPYTER_RUNTIME_DIR: join(home, 'runtime'),
    JUPYTERLAB_SETTINGS_DIR: join(home, 'settings'),
    JUPYTERLAB_WORKSPACES_DIR: join(home, 'workspaces'),
    IPYTHONDIR: join(home, 'ipython')
  };
  const root = join(home, 'notebooks');
  for (const folder of [root, ...Object.values(folders)]) {
    mkdirSync(folder, { recursive: true });
  }
  write(join(folders.JUPYTER_CONFIG_DIR, 'labconfig', 'page_config.json'), PAGE);
  for (const [name, value] of Object.entries(SETTINGS)) {
    write(join(folders.JUPYTERLAB_SETTINGS_DIR, name), value);
  }
  // A kernel of the same name in the user's home folder must not take precedence over the checkout's.
  return { root, env: environment({ ...folders, JUPYTER_PREFER_ENV_PATH: '1' }) };
}

/**
 * @param {string} file
 * @param {unknown} value
 */
function write(file, value) {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

/**
 * Options of `jupyter lab` for the demo and for the tests.
 *
 * @param {string} root - the root folder of the file browser
 * @returns {string[]}
 */
export function labOptions(root) {
  const asRoot = process.getuid?.() === 0 ? ['--allow-root'] : [];
  return [`--ServerApp.root_dir=${root}`, '--LabApp.extension_manager=readonly', ...asRoot];
}
