// How large folders and files may be. What is larger has a reason in the one list of exceptions.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { sourcesIn } from './sources.mjs';

export const MOST_FILES = 12;
export const MOST_LINES = 300;
/** Trees that are measured. Tests are read one at a time and are flat by convention. */
const TREES = ['src', 'bridge/dask_panes', 'scripts', 'style'];
const SOURCE = ['.ts', '.tsx', '.mjs', '.py', '.css'];
/** Written by a program. */
export const GENERATED = [
  'src/feed/schema.ts',
  'src/feed/schema-checks.ts',
  'src/plots/facts.ts',
  'src/panes/examples/pictures.ts',
  'src/sidebar/hosting/rules.ts',
  'src/feed/bridge-source.ts',
  'bridge/dask_panes/_version.py'
];
/** Not counted: they describe or re-export a folder. */
const UNCOUNTED = ['__init__.py'];

/**
 * @typedef {object} Size
 * @property {string} path - of a folder or a file, relative to the checkout
 * @property {'files' | 'lines'} unit
 * @property {number} value
 * @property {number} most
 */

/**
 * @param {string} root - a checkout
 * @returns {Size[]} of every folder and file
 */
export function sizes(root) {
  /** @type {Map<string, number>} */
  const folders = new Map();
  /** @type {Size[]} */
  const files = [];
  for (const tree of TREES.filter(folder => existsSync(join(root, folder)))) {
    for (const path of sourcesIn(join(root, tree), ...SOURCE).map(found => `${tree}/${found}`)) {
      if (GENERATED.includes(path) || UNCOUNTED.includes(posix.basename(path))) {
        continue;
      }
      const folder = posix.dirname(path);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
      const value = readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;
      files.push({ path, unit: 'lines', value, most: MOST_LINES });
    }
  }
  return [
    ...[...folders].map(([path, value]) => ({ path, unit: /** @type {const} */ ('files'), value, most: MOST_FILES })),
    ...files
  ];
}

/**
 * @param {string} root
 * @returns {Record<string, string>} reasons by path
 */
export function exceptions(root) {
  const path = join(root, 'scripts', 'rooms', 'exceptions.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}
