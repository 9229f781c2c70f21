// Files that import each other, directly or through others; a type-only import counts.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { importsOf, sourcesIn } from './sources.mjs';

const TYPESCRIPT = /(?:^|[^\w.])(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]/g;
const PYTHON = /^[ \t]*from[ \t]+(\.+[\w.]*[ \t]+import[ \t]+(?:\([^)]*\)|[^\n]*))/gm;
const PACKAGE = 'bridge/dask_panes';

/**
 * @param {string} root - a checkout
 * @returns {string[][]} the files of each circle
 */
export function circles(root) {
  return [typescript(root), python(root)].flatMap(stronglyConnected);
}

/** @param {string} root */
function typescript(root) {
  const files = sourcesIn(join(root, 'src'), '.ts', '.tsx').map(path => `src/${path}`);
  const known = new Set(files);
  return new Map(
    files.map(file => [
      file,
      importsOf(root, file, TYPESCRIPT).flatMap(({ name }) => {
        const base = posix.normalize(posix.join(posix.dirname(file), name));
        return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].filter(path => known.has(path)).slice(0, 1);
      })
    ])
  );
}

/** @param {string} root */
function python(root) {
  const files = sourcesIn(join(root, PACKAGE), '.py').map(path => `${PACKAGE}/${path}`);
  return new Map(files.map(file => [file, importsOf(root, file, PYTHON).flatMap(({ name }) => modules(root, file, name))]));
}

/**
 * @param {string} root
 * @param {string} file - that imports
 * @param {string} statement - `.names import Names, OTHER`
 * @returns {string[]} files that it loads, the package's own `__init__` excepted
 */
function modules(root, file, statement) {
  const [module = '', names = ''] = statement.split(/\s+import\s+/);
  const dots = /^\.+/.exec(module)?.[0].length ?? 0;
  let folder = posix.dirname(file);
  for (let up = 1; up < dots; up++) {
    folder = posix.dirname(folder);
  }
  const base = posix.join(folder, ...module.slice(dots).split('.').filter(Boolean));
  if (existsSync(join(root, `${base}.py`))) {
    return [`${base}.py`];
  }
  const each = names
    .replace(/[()\s]/g, ' ')
    .split(',')
    .map(name => name.trim().split(/\s+/)[0] ?? '');
  return each.map(name => `${base}/${name}.py`).filter(path => existsSync(join(root, path)));
}

/**
 * Tarjan's algorithm.
 *
 * @param {Map<string, string[]>} edges
 * @returns {string[][]} components of more than one file
 */
function stronglyConnected(edges) {
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  /** @param {string} file */
  const visit = file => {
    const own = { index: seen.size, low: seen.size, open: true };
    seen.set(file, own);
    stack.push(file);
    for (const target of edges.get(file) ?? []) {
      const other = seen.get(target) ?? visit(target);
      if (other.open) {
        own.low = Math.min(own.low, other.low);
      }
    }
    if (own.low === own.index) {
      const component = stack.splice(stack.indexOf(file));
      for (const member of component) {
        Object.assign(seen.get(member) ?? own, { open: false });
      }
      if (component.length > 1) {
        found.push(component.sort());
      }
    }
    return own;
  };
  for (const file of edges.keys()) {
    if (!seen.has(file)) {
      visit(file);
    }
  }
  return found;
}
