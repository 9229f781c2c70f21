// Paths of this checkout's tools, and the required versions of Node and Python.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Advice, capture } from './process.mjs';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The virtual environment created by `npm run setup`. */
export const VENV = join(ROOT, '.venv');

const WINDOWS = process.platform === 'win32';
const BIN = join(VENV, WINDOWS ? 'Scripts' : 'bin');
/** As package.json says; `lint-engines.mjs` compares the packages with that. A later minor release of each, or the last or newer. */
const NODES_NEEDED = [
  [20, 19],
  [22, 13],
  [24, 0]
];
const PYTHON_NEEDED = [3, 10];

/** npm is a script on Windows, and needs its suffix without a shell. */
export const NPM = WINDOWS ? 'npm.cmd' : 'npm';

/**
 * Path of a program of the virtual environment.
 *
 * @param {string} name
 */
export function tool(name) {
  return join(BIN, WINDOWS ? `${name}.exe` : name);
}

/**
 * The environment of child processes: programs of the checkout come first.
 *
 * @param {Record<string, string>} [more]
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(more = {}) {
  const path = [BIN, join(ROOT, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
  return {
    ...process.env,
    ...more,
    VIRTUAL_ENV: VENV,
    PATH: path,
    // A PYTHONHOME set outside would lead out of the virtual environment.
    PYTHONHOME: undefined,
    // Container images often set this: then every kernel and worker would compile Dask again, which takes seconds.
    PYTHONDONTWRITEBYTECODE: undefined
  };
}

/**
 * @param {readonly number[]} version
 * @param {readonly number[]} needed
 */
function atLeast([major = 0, minor = 0], [needMajor = 0, needMinor = 0]) {
  return major > needMajor || (major === needMajor && minor >= needMinor);
}

/**
 * @param {string} [running] - a version of Node
 * @throws Advice if it is too old
 */
export function checkNode(running = process.versions.node) {
  const version = running.split('.').map(Number);
  const known = NODES_NEEDED.find(([major]) => major === version[0]);
  if (!atLeast(version, known ?? NODES_NEEDED[NODES_NEEDED.length - 1])) {
    throw new Advice(`Node ${running} is too old: install Node ${NODES_NEEDED[1].join('.')} or newer (https://nodejs.org).`);
  }
}

const PYTHON_FACTS = `
import importlib.util, json, sys
print(json.dumps([list(sys.version_info[:3]), all(importlib.util.find_spec(m) for m in ("venv", "ensurepip"))]))
`;

/**
 * The Python for creating the virtual environment: `$PYTHON`, else the first that is new enough.
 *
 * @returns {{ program: string, version: string }}
 * @throws Advice if there is none, or it cannot create environments
 */
export function findPython() {
  const names = process.env.PYTHON
    ? [process.env.PYTHON]
    : ['python3', 'python', ...[14, 13, 12, 11, 10].map(minor => `python3.${minor}`)];
  let old = '';
  for (const program of names) {
    const answer = capture(program, ['-c', PYTHON_FACTS]);
    if (answer === null) {
      continue;
    }
    const [version, complete] = JSON.parse(answer);
    if (!atLeast(version, PYTHON_NEEDED)) {
      old = old || `${program} is Python ${version.join('.')}`;
    } else if (!complete) {
      throw new Advice(
        `${program} cannot make virtual environments: install its venv module (Debian, Ubuntu: apt install python3-venv).`
      );
    } else {
      return { program, version: version.join('.') };
    }
  }
  const need = PYTHON_NEEDED.join('.');
  throw new Advice(
    `${old || `No Python found (looked for ${names.join(', ')})`}: install Python ${need} or newer with its venv module ` +
      '(Debian, Ubuntu: apt install python3 python3-venv), or name one in $PYTHON.'
  );
}

/** @returns {boolean} whether the virtual environment has a Python that starts */
export function venvWorks() {
  return existsSync(tool('python')) && capture(tool('python'), ['-c', 'import pip']) !== null;
}
