// `npm run setup`: everything that a fresh checkout needs, and nothing twice. Uses Node's own modules only.
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NPM, ROOT, VENV, checkNode, environment, findPython, tool, venvWorks } from './lib/environment.mjs';
import { main, must } from './lib/process.mjs';
import { digest, exclusively, once } from './lib/stamp.mjs';

/** The extension as it is built. */
const LABEXTENSION = join(ROOT, 'bridge', 'dask_panes', 'labextension');
/** The page of reports, built next to it. */
const REPORT_PAGE = join(ROOT, 'bridge', 'dask_panes', 'files', 'report.html');
const PROGRAM = join(ROOT, 'bridge', 'dask_panes', 'files', 'program.mjs');
/** Where JupyterLab looks for it. */
const INSTALLED = join(VENV, 'share', 'jupyter', 'labextensions', 'dask-panes');

/**
 * Node's packages, exactly as locked.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function installNodePackages(env) {
  const major = process.versions.node.split('.')[0] ?? '';
  const value = digest(['package-lock.json', '.npmrc'], [major]);
  return once(join(ROOT, 'node_modules', '.dask-panes-stamp'), value, async () => {
    say('Installing the Node packages');
    await must(NPM, ['ci', '--no-progress'], { cwd: ROOT, env });
  });
}

/**
 * The virtual environment with the locked Python packages.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function installPythonPackages(env) {
  const python = findPython();
  const value = digest(['requirements-dev.txt'], [python.version]);
  return once(join(VENV, '.dask-panes-stamp'), value, async () => {
    if (!venvWorks()) {
      say(`Making a virtual environment with Python ${python.version}`);
      rmSync(VENV, { recursive: true, force: true });
      await must(python.program, ['-m', 'venv', VENV], { cwd: ROOT });
    }
    say('Installing the Python packages');
    const quiet = ['--quiet', '--disable-pip-version-check'];
    await must(tool('python'), ['-m', 'pip', 'install', ...quiet, 'uv>=0.9'], { cwd: ROOT, env });
    const compiled = ['--quiet', '--compile-bytecode'];
    await must(tool('uv'), ['pip', 'install', ...compiled, '-r', 'requirements-dev.txt'], { cwd: ROOT, env });
  });
}

/**
 * The extension, built from the sources as they are.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function build(env = environment()) {
  return exclusively(() => buildExtension(env));
}

/** @param {NodeJS.ProcessEnv} env */
async function buildExtension(env) {
  const configuration = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'scripts/bridge-source.mjs',
    'scripts/report-page.mjs',
    'scripts/program'
  ];
  const inputs = ['src', 'style', 'schema', 'bridge/dask_panes', ...configuration];
  const stamp = join(ROOT, 'lib', '.dask-panes-stamp');
  if (!existsSync(join(LABEXTENSION, 'package.json')) || !existsSync(REPORT_PAGE) || !existsSync(PROGRAM)) {
    rmSync(stamp, { force: true });
  }
  await once(stamp, digest(inputs), async () => {
    say('Building the extension');
    await must(NPM, ['run', '--silent', 'build'], { cwd: ROOT, env });
  });
}

/**
 * The package itself: Python from the checkout, the extension as a link to what was built.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function installPackage(env) {
  const value = digest(['package.json', 'pyproject.toml', 'install.json', 'bridge/dask_panes.yaml', 'requirements-dev.txt']);
  return once(join(VENV, '.dask-panes-package-stamp'), value, async () => {
    say('Installing dask-panes from this checkout');
    const fromCheckout = ['pip', 'install', '--quiet', '--no-deps', '--reinstall-package', 'dask-panes', '-e', '.'];
    // Removing the old installation through the link would empty the folder that was built.
    rmSync(INSTALLED, { recursive: true, force: true });
    // The build hook would run npm a second time; the extension is already built.
    await must(tool('uv'), fromCheckout, { cwd: ROOT, env: { ...env, SKIP_JUPYTER_BUILDER: '1' } });
    // The installation copies the extension; with a link, a rebuild is visible after a reload of the page.
    rmSync(INSTALLED, { recursive: true, force: true });
    symlinkSync(LABEXTENSION, INSTALLED, 'junction');
  });
}

/** @param {string} text */
function say(text) {
  console.error(`dask-panes: ${text} …`);
}

/** Make the checkout ready to start and to test; quick where it is so already. */
export async function setup() {
  checkNode();
  await exclusively(install);
}

async function install() {
  const env = environment();
  const renewed = await installPythonPackages(env);
  await installNodePackages(env);
  await buildExtension(env);
  if (renewed) {
    rmSync(join(VENV, '.dask-panes-package-stamp'), { force: true });
  }
  await installPackage(env);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await setup();
    console.log('dask-panes: ready. `npm start` opens the demo, `npm test` runs every check.');
  });
}
