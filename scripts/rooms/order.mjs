// Imports point back along the order of the rooms, in TypeScript and in Python; Vega and JupyterLab stay in theirs.
import { join, posix } from 'node:path';
import { importsOf, sourcesIn } from './sources.mjs';

/** Rooms of `src`; a room imports from itself and from those before it. `index` is the entry. */
export const TYPESCRIPT_ROOMS = [
  'base',
  'feed',
  'run',
  'plot',
  'selectors',
  'advice',
  'clients',
  'charts',
  'views',
  'plots',
  'plot-frame',
  'panes',
  'client-view',
  'configuration',
  'recording',
  'sidebar',
  'report',
  'terminal',
  'index'
];
/** Folders that are also part of a report: a page without JupyterLab. */
const SHARED_ROOMS = ['run', 'plot', 'selectors', 'advice', 'charts', 'views', 'plots', 'plot-frame', 'report', 'terminal'];
/** Rooms that do not import each other, though one has to come first in the order. */
const STRANGERS = [['plots', 'views']];
/** Rooms of `bridge/dask_panes`; `__init__` is the public API. */
export const PYTHON_ROOMS = ['scheduler', 'feed', 'kernel', 'clusters', 'local', 'files', '__init__'];
/** The part of the package that runs in the scheduler, sent there as source text. */
const COLLECTOR = 'scheduler/collector/';

/** Packages that only some rooms may import. */
const PACKAGES = [
  { name: /^vega(-|$|\/)/, rooms: ['views'], why: 'Vega is imported in views only' },
  {
    name: /^@(jupyterlab|jupyter-widgets|lumino\/(widgets|dragdrop|commands))/,
    rooms: TYPESCRIPT_ROOMS.filter(room => !SHARED_ROOMS.includes(room)),
    why: 'reports share this room, and are read where there is no JupyterLab'
  }
];

/** @typedef {import('./sources.mjs').Violation} Violation */

/**
 * All imports that break the order of the rooms.
 *
 * @param {string} root - a checkout
 * @returns {Violation[]}
 */
export function checkOrder(root) {
  return [...checkTypeScript(root), ...checkPython(root)];
}

/** @param {string} root */
function checkTypeScript(root) {
  const pattern = /(?:^|[^\w.])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
  return sourcesIn(join(root, 'src'), '.ts', '.tsx').flatMap(path => {
    const room = roomOf(path);
    return importsOf(root, join('src', path), pattern).flatMap(({ name, at }) => {
      if (!name.startsWith('.')) {
        return PACKAGES.filter(rule => rule.name.test(name) && !rule.rooms.includes(room)).map(rule => ({
          ...at,
          text: `${name}: ${rule.why}`
        }));
      }
      const target = posix.normalize(posix.join(posix.dirname(path), name));
      if (target.startsWith('../style/')) {
        return SHARED_ROOMS.includes(room) ? [{ ...at, text: `${name}: reports share this room, and have one style sheet` }] : [];
      }
      return order(TYPESCRIPT_ROOMS, room, target === '.' ? 'index' : roomOf(target), at);
    });
  });
}

/** A module as text, `"dask_panes.local"` or `"files.saving:save"`: what imports by it would escape the order. */
const AS_TEXT = new RegExp(`["'](?:dask_panes\\.|(?=\\w+\\.\\w))(${PYTHON_ROOMS.slice(0, -1).join('|')})\\b`, 'g');

/** @param {string} root */
function checkPython(root) {
  const pattern =
    /^[ \t]*(?:from|import)[ \t]+(\.+[\w.]*(?:[ \t]+import[ \t]+\w+)?|dask_panes[\w.]*(?:[ \t]+import[ \t]+\w+)?)/gm;
  return sourcesIn(join(root, 'bridge', 'dask_panes'), '.py').flatMap(path => {
    const room = roomOf(path);
    const file = join('bridge', 'dask_panes', path);
    const named = importsOf(root, file, AS_TEXT).flatMap(({ name, at }) => order(PYTHON_ROOMS, room, name, at));
    const imported = importsOf(root, file, pattern).flatMap(({ name, at }) => {
      const target = pythonTarget(path, name);
      if (path.startsWith(COLLECTOR) && !`${target}/`.startsWith(COLLECTOR)) {
        return [{ ...at, text: `${name}: the collector is shipped alone and imports nothing else of the package` }];
      }
      const to = target.split('/')[0] ?? '';
      // Modules next to the folders, such as `_version`, are shared by all.
      return PYTHON_ROOMS.includes(to) ? order(PYTHON_ROOMS, room, to, at) : [];
    });
    return [...named, ...imported];
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
  if (STRANGERS.some(pair => from !== to && pair.includes(from) && pair.includes(to))) {
    return [{ ...at, text: `${from} imports from ${to}: they know each other by the contract in plot only` }];
  }
  if (source >= 0 && target >= 0) {
    return target <= source ? [] : [{ ...at, text: `${from} imports from ${to}, which comes after it` }];
  }
  // A room that is not in the list would escape the rule.
  return [{ ...at, text: `room ${source < 0 ? from : to} is not listed in lint-rooms` }];
}
