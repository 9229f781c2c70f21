// Imports point back along the order of the rooms, in TypeScript and in Python; Vega and JupyterLab stay in theirs.
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './lib/environment.mjs';

/** Rooms of `src`; a room imports from itself and from those before it. `index` is the entry. */
const TYPESCRIPT_ROOMS = [
  'base',
  'feed',
  'run',
  'clients',
  'plots',
  'views',
  'panes',
  'sidebar',
  'client-view',
  'report',
  'index'
];
/** Rooms of `bridge/dask_panes`; `__init__` is the public API. */
const PYTHON_ROOMS = ['scheduler', 'feed', 'kernel', 'clusters', 'local', 'files', '__init__'];
/** The part of the package that runs in the scheduler, sent there as source text. */
const COLLECTOR = 'scheduler/collector/';

/** Packages that only some rooms may import. */
const PACKAGES = [
  { name: /^vega(-|$|\/)/, rooms: ['views'], why: 'Vega is imported in views only' },
  {
    name: /^@(jupyterlab|jupyter-widgets|lumino\/(widgets|dragdrop))/,
    rooms: TYPESCRIPT_ROOMS.filter(room => !['run', 'plots'].includes(room)),
    why: 'run and plots know nothing of JupyterLab and widgets'
  }
];

/**
 * @typedef {object} Violation
 * @property {string} file - relative to the checkout
 * @property {number} line - from 1
 * @property {string} text - what is wrong
 */

/**
 * All imports that break the order of the rooms.
 *
 * @param {string} root - a checkout
 * @returns {Violation[]}
 */
export function checkRooms(root) {
  return [...checkTypeScript(root), ...checkPython(root)];
}

/** @param {string} root */
function checkTypeScript(root) {
  const pattern = /(?:^|[^\w.])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
  return sources(join(root, 'src'), '.ts', '.tsx').flatMap(path => {
    const room = roomOf(path);
    return imports(root, join('src', path), pattern).flatMap(({ name, at }) => {
      if (!name.startsWith('.')) {
        return PACKAGES.filter(rule => rule.name.test(name) && !rule.rooms.includes(room)).map(rule => ({
          ...at,
          text: `${name}: ${rule.why}`
        }));
      }
      const target = posix.normalize(posix.join(posix.dirname(path), name));
      return order(TYPESCRIPT_ROOMS, room, target === '.' ? 'index' : roomOf(target), at);
    });
  });
}

/** @param {string} root */
function checkPython(root) {
  const pattern =
    /^[ \t]*(?:from|import)[ \t]+(\.+[\w.]*(?:[ \t]+import[ \t]+\w+)?|dask_panes[\w.]*(?:[ \t]+import[ \t]+\w+)?)/gm;
  return sources(join(root, 'bridge', 'dask_panes'), '.py').flatMap(path => {
    const room = roomOf(path);
    return imports(root, join('bridge', 'dask_panes', path), pattern).flatMap(({ name, at }) => {
      const target = pythonTarget(path, name);
      if (path.startsWith(COLLECTOR) && !`${target}/`.startsWith(COLLECTOR)) {
        return [{ ...at, text: `${name}: the collector is shipped alone and imports nothing else of the package` }];
      }
      const to = target.split('/')[0] ?? '';
      // Modules beside the rooms, as `_version`, are shared by all.
      return PYTHON_ROOMS.includes(to) ? order(PYTHON_ROOMS, room, to, at) : [];
    });
  });
}

/**
 * What a Python import reaches, as a path in the package.
 *
 * @param {string} path - of the importing module, in the package
 * @param {string} name - `..feed.schema`, `. import feed`, `dask_panes.feed` …
 */
function pythonTarget(path, name) {
  const [module = '', imported = '__init__'] = name.split(/\s+import\s+/);
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const rest = (dots ? module.slice(dots) : module.replace(/^dask_panes\.?/, '')).split('.').filter(Boolean);
  const folder = dots ? path.split('/').slice(0, path.split('/').length - dots) : [];
  return [...folder, ...rest, imported].join('/');
}

/**
 * @param {string} path - of a file in its tree, with `/`
 * @returns {string} the folder on top, or the file's own name without its ending
 */
function roomOf(path) {
  return (path.split('/')[0] ?? '').replace(/\.(tsx?|py)$/, '');
}

/**
 * @param {readonly string[]} rooms
 * @param {string} from
 * @param {string} to
 * @param {{ file: string, line: number }} at
 * @returns {Violation[]}
 */
function order(rooms, from, to, at) {
  const [source, target] = [rooms.indexOf(from), rooms.indexOf(to)];
  if (source >= 0 && target >= 0) {
    return target <= source ? [] : [{ ...at, text: `${from} imports from ${to}, which comes after it` }];
  }
  // A room that is not in the list would escape the rule.
  return [{ ...at, text: `room ${source < 0 ? from : to} is not listed in lint-rooms` }];
}

/**
 * @param {string} folder
 * @param {...string} endings
 * @returns {string[]} paths in it, with `/`
 */
function sources(folder, ...endings) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => endings.some(ending => path.endsWith(ending)))
    .map(path => path.split(sep).join('/'))
    .filter(path => !path.startsWith('labextension/'))
    .sort();
}

/**
 * @param {string} root
 * @param {string} path
 * @param {RegExp} pattern - its first group is what is imported
 */
function imports(root, path, pattern) {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(pattern)].map(match => ({
    name: match[1] ?? '',
    at: { file: path, line: text.slice(0, match.index + match[0].length).split('\n').length }
  }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const violations = checkRooms(ROOT);
  for (const { file, line, text } of violations) {
    console.error(`${relative('.', join(ROOT, file))}:${line}: ${text}`);
  }
  process.exitCode = violations.length ? 1 : 0;
}
