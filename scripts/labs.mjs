// `npm run test:labs [-- NAME …] [--again]`: releases of JupyterLab and Notebook other than the locked ones. Each gets a
// separate environment for three tests: the sources against its type declarations, JupyterLab's own check of compatibility,
// and test/labs in a browser. Resumable: a row that passed with these sources is not run again without `--again`. Lists what
// did not run with them, and writes dated rows into docs/matrix.md.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NPM, ROOT } from './lib/environment.mjs';
import { playwright } from './lib/chromium.mjs';
import { capture, main, must, run } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';
import { digest } from './lib/stamp.mjs';
import { holds, SHIPPED, today, writeTable } from './lib/tried.mjs';
import { provideVenvWithCheckout } from './lib/venvs.mjs';
import { setup } from './setup.mjs';

/**
 * @typedef {object} Release
 * @property {'jupyterlab' | 'notebook'} program
 * @property {string} version - in pip's format
 */

/** @type {Readonly<Record<string, Release>>} */
const RELEASES = {
  'JupyterLab 4.0': { program: 'jupyterlab', version: '4.0.*' },
  'JupyterLab 4.3': { program: 'jupyterlab', version: '4.3.*' },
  'JupyterLab newest': { program: 'jupyterlab', version: '4.*' },
  'Notebook 7.0': { program: 'notebook', version: '7.0.*' },
  'Notebook newest': { program: 'notebook', version: '7.*' }
};

/** The tests of each program. */
const TESTS = { jupyterlab: ['labs/jupyterlab', 'e2e/output-keys'], notebook: ['e2e/notebook7'] };

/** A typical user's packages in a kernel besides Jupyter. */
const KERNEL = ['distributed', 'ipykernel', 'ipywidgets', 'cryptography'];
const FOLDER = join(RESULTS, 'labs');
const STATE = join(FOLDER, 'state.json');
/** What a result depends on, besides the release. */
const SOURCES = [...SHIPPED, 'scripts/labs.mjs', 'test/labs', 'test/e2e'];
const OTHER_SOURCES = 'not tried with these sources';

/** @param {string} name */
const folderOf = name => join(FOLDER, name.replaceAll(' ', '-').toLowerCase());

/**
 * Whether the sources compile against the declarations of the release, using all packages as shipped with it.
 *
 * @param {string} name
 * @param {string} bin
 */
async function typesFit(name, bin) {
  const folder = join(folderOf(name), 'types');
  const staging = 'import json, os, jupyterlab; print(os.path.join(os.path.dirname(jupyterlab.__file__), "staging"))';
  const { resolutions } = JSON.parse(
    readFileSync(join(capture(join(bin, 'python'), ['-c', staging])?.trim() ?? '', 'package.json'), 'utf8')
  );
  const ours = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies;
  // Not every package was published with every patch release.
  const shipped = Object.entries(resolutions).map(([id, range]) => [id, String(range).replace(/^~(\d+\.\d+)\..*/, '~$1.0')]);
  const own = shipped.filter(([id]) => id in ours);
  const others = Object.entries(ours).filter(([id]) => !/^@(jupyterlab|lumino)\//.test(id) && id !== 'react');
  // One copy of each: with two, their types differ by name.
  const overrides = shipped
    .filter(([id]) => /^@(jupyterlab|lumino)\//.test(id))
    .map(([id, range]) => [id, id in ours ? `$${id}` : range]);
  const manifest = {
    private: true,
    dependencies: Object.fromEntries([...own, ...others]),
    devDependencies: { '@types/react': resolutions['@types/react'] ?? '^18.0.26' },
    overrides: Object.fromEntries(overrides)
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 1));
  await must(NPM, ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-progress', '--silent'], { cwd: folder });
  for (const part of ['src', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  const compiler = [
    join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
    '--noEmit',
    '--composite',
    'false',
    '--incremental',
    'false'
  ];
  return (await run(process.execPath, [...compiler, '-p', '.'], { cwd: folder })) === 0;
}

/**
 * What `jupyter labextension list` reports for this extension.
 *
 * @param {string} bin
 */
function isCompatible(bin) {
  const listed = capture(join(bin, 'python'), ['-c', LIST]) ?? '';
  console.log(
    listed
      .split('\n')
      .filter(line => /dask-panes|ompatible|onflict/.test(line))
      .join('\n')
  );
  return /dask-panes.*enabled.*OK/.test(listed) && !/not compatible/.test(listed);
}

/** It writes to both streams. */
const LIST = `
import subprocess, sys
done = subprocess.run([sys.executable, "-m", "jupyterlab.labextensions", "list"], capture_output=True, text=True)
print(done.stdout + done.stderr)
`;

/**
 * @param {string} name
 * @returns {Promise<{ outcome: string, detail: string }>}
 */
async function test(name) {
  const { program, version: asked } = RELEASES[name];
  const bin = await provideVenvWithCheckout(join(folderOf(name), 'venv'), [`${program}==${asked}`, ...KERNEL]);
  const version = capture(join(bin, 'python'), ['-c', `import ${program}; print(${program}.__version__)`])?.trim() ?? '';
  const failed = [];
  if (program === 'jupyterlab' && !(await typesFit(name, bin))) {
    failed.push('types');
  }
  if (!isCompatible(bin)) {
    failed.push('compatibility');
  }
  // Notebook adds its pages to the same server.
  const env = { DASK_PANES_TEST_JUPYTER_LAB: join(bin, 'jupyter-lab') };
  if ((await playwright('labs', TESTS[program], env)) !== 0) {
    failed.push('browser');
  }
  return { outcome: failed.length ? `FAILED: ${failed.join(', ')}` : 'passed', detail: version };
}

/** @param {Record<string, { outcome: string, detail: string, date: string, sources?: string }>} state */
function writeResults(state) {
  const rows = Object.keys(RELEASES).map(name => {
    const { outcome, detail, date } = state[name] ?? { outcome: 'not run' };
    return { key: name, cells: outcome === 'not run' ? null : [detail, outcome, date] };
  });
  writeTable('releases', rows);
}

await main(async () => {
  await setup();
  mkdirSync(FOLDER, { recursive: true });
  const options = process.argv.slice(2);
  const again = options.includes('--again');
  const asked = options.filter(option => !option.startsWith('--'));
  const sources = digest(SOURCES);
  const state = existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
  for (const name of Object.keys(RELEASES)) {
    if ((asked.length && !asked.includes(name)) || (!again && holds(state[name], sources))) {
      continue;
    }
    console.error(`\n── ${name}`);
    /** @type {{ outcome: string, detail: string }} */
    let result;
    try {
      result = await test(name);
    } catch (error) {
      result = { outcome: 'not run', detail: error instanceof Error ? error.message : String(error) };
    }
    state[name] = { ...result, sources, date: today() };
    writeFileSync(STATE, JSON.stringify(state, null, 1));
    writeResults(state);
  }
  for (const name of Object.keys(RELEASES)) {
    const { outcome, detail } = state[name]?.sources === sources ? state[name] : { outcome: 'not run', detail: OTHER_SOURCES };
    console.log(`${outcome.padEnd(10)} ${name} ${detail}`);
  }
  return Object.keys(RELEASES).every(name => holds(state[name], sources)) ? 0 : 1;
});
