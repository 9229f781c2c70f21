// `npm run test:matrix [-- --again]`: kernels and schedulers of other Python, Dask and ipykernel releases, each pair in
// environments of its own, tested by test/matrix. Resumable: a pair that passed with these sources is not run again without `--again`.
// Says what did not run and why, and writes dated rows into docs/matrix.md.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT, environment, tool } from './lib/environment.mjs';
import { capture, main, run } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';
import { digest } from './lib/stamp.mjs';
import { holds, today, writeTable } from './lib/tried.mjs';
import { setup } from './setup.mjs';

/**
 * @typedef {object} Environment
 * @property {string} python - minor version
 * @property {string} dask - release of dask and distributed; `latest`
 * @property {string} ipykernel - major version, or major and minor
 * @property {readonly string[]} [more] - packages that others need without saying so
 */

/** @type {Readonly<Record<string, Environment>>} */
const ENVIRONMENTS = {
  oldest: { python: '3.10', dask: '2024.8.0', ipykernel: '6' },
  'oldest ipykernel': { python: '3.10', dask: '2024.8.0', ipykernel: '6.0', more: ['ipython_genutils'] },
  older: { python: '3.11', dask: '2025.5.0', ipykernel: '6' },
  '3.10': { python: '3.10', dask: 'latest', ipykernel: '7' },
  3.11: { python: '3.11', dask: 'latest', ipykernel: '7' },
  3.12: { python: '3.12', dask: 'latest', ipykernel: '7' },
  3.13: { python: '3.13', dask: 'latest', ipykernel: '7' },
  'old on new': { python: '3.12', dask: '2024.8.0', ipykernel: '6' }
};

/** Kernel and scheduler: every environment by itself, then across Pythons and releases. */
const PAIRS = [
  ...Object.keys(ENVIRONMENTS).map(name => /** @type {const} */ ([name, name])),
  ['3.11', '3.12'],
  ['3.11', '3.13'],
  ['3.13', '3.10'],
  ['3.11', 'older'],
  // A client of 2024.8 cannot talk to a scheduler of 2025, with or without us: the graph is sent in another form.
  ['oldest', 'old on new'],
  ['older', '3.11']
];

const FOLDER = join(RESULTS, 'matrix');
const STATE = join(FOLDER, 'state.json');
/** What a result depends on, besides the releases. */
const SOURCES = ['bridge', 'test/matrix', 'test/bridge', 'pyproject.toml'];

/**
 * @param {string} minor - such as `3.12`
 * @returns {string | null} an interpreter of this machine
 */
function interpreter(minor) {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const known = existsSync(versions) ? readdirSync(versions) : [];
  const candidates = [
    ...known.filter(name => name.startsWith(`${minor}.`)).map(name => join(versions, name, 'bin', 'python')),
    `python${minor}`
  ];
  const version = 'import sys; print("%d.%d" % sys.version_info[:2])';
  return candidates.find(path => capture(path, ['-c', version]) === minor) ?? null;
}

/**
 * @param {string} name
 * @returns {Promise<string>} its interpreter
 * @throws Error that says why there is none
 */
async function provide(name) {
  const { python, dask, ipykernel, more = [] } = ENVIRONMENTS[name];
  const base = interpreter(python);
  if (base === null) {
    throw new Error(`no Python ${python} on this machine`);
  }
  const venv = join(FOLDER, name.replaceAll(' ', '-'));
  const own = join(venv, 'bin', 'python');
  if (!existsSync(own) || capture(own, ['-c', 'import distributed, ipykernel, cryptography']) === null) {
    const pin = dask === 'latest' ? '' : `==${dask}`;
    const packages = [`dask${pin}`, `distributed${pin}`, `ipykernel==${ipykernel}.*`, 'cryptography', ...more];
    const made =
      (await run(tool('uv'), ['venv', '--quiet', '--clear', '--python', base, venv])) === 0 &&
      (await run(tool('uv'), ['pip', 'install', '--quiet', '--python', own, ...packages])) === 0;
    if (!made) {
      throw new Error(`${packages.join(' ')} could not be installed on Python ${python}`);
    }
  }
  return own;
}

/** @param {string} python */
function versions(python) {
  const code =
    'import sys, distributed, ipykernel; print("%d.%d.%d" % sys.version_info[:3], distributed.__version__, ipykernel.__version__)';
  return (capture(python, ['-c', code]) ?? '').split(' ');
}

/**
 * @param {string} kernel
 * @param {string} scheduler
 * @returns {Promise<{ outcome: string, detail: string }>}
 */
async function test(kernel, scheduler) {
  let pythons;
  try {
    pythons = [await provide(kernel), await provide(scheduler)];
  } catch (error) {
    return { outcome: 'not run', detail: error instanceof Error ? error.message : String(error) };
  }
  const env = environment({ MATRIX_KERNEL: pythons[0], MATRIX_SCHEDULER: pythons[1] });
  const only = kernel === scheduler ? [] : ['-k', 'elsewhere'];
  const code = await run(tool('python'), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test/matrix', ...only], {
    cwd: ROOT,
    env
  });
  const [k, s] = pythons.map(versions);
  const detail = `Python ${k[0]}, Dask ${k[1]}, ipykernel ${k[2]} → Python ${s[0]}, Dask ${s[1]}`;
  return { outcome: code === 0 ? 'passed' : 'FAILED', detail };
}

/** @param {Record<string, { outcome: string, detail: string, date: string }>} state */
function writeResults(state) {
  const rows = PAIRS.map(([kernel, scheduler]) => {
    const { outcome, detail, date } = state[`${kernel} → ${scheduler}`] ?? { outcome: 'not run' };
    const key = `${kernel} | ${kernel === scheduler ? 'the same' : scheduler}`;
    return { key, cells: outcome === 'not run' ? null : [detail, outcome, date] };
  });
  writeTable('kernels', rows);
}

await main(async () => {
  await setup();
  mkdirSync(FOLDER, { recursive: true });
  const again = process.argv.includes('--again');
  const sources = digest(SOURCES);
  const state = !again && existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
  for (const [kernel, scheduler] of PAIRS) {
    const name = `${kernel} → ${scheduler}`;
    if (holds(state[name], sources)) {
      continue;
    }
    console.error(`\n── ${name}`);
    state[name] = { ...(await test(kernel, scheduler)), sources, date: today() };
    writeFileSync(STATE, JSON.stringify(state, null, 1));
    writeResults(state);
  }
  const tried = PAIRS.map(pair => pair.join(' → '));
  for (const name of tried) {
    console.log(`${state[name].outcome.padEnd(8)} ${name}${state[name].outcome === 'not run' ? `: ${state[name].detail}` : ''}`);
  }
  return tried.every(name => state[name].outcome === 'passed') ? 0 : 1;
});
