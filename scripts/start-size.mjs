// Runs at the end of `npm run build`: what every page of every user loads at its start stays small.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ROOT } from './lib/environment.mjs';

/** The most that scripts and styles may have before a pane is opened, compressed. */
export const START_GZIP_BYTES = 50_000;
/** Where the bundler leaves the extension. */
const STATIC = join(ROOT, 'bridge', 'dask_panes', 'labextension', 'static');
/** What JupyterLab asks of an extension when a page starts. */
const EXPOSED = ['./extension', './style'];

/**
 * The files of the built extension that a page loads at its start.
 *
 * @returns {string[]} names in {@link STATIC}, in order
 * @throws Error if the bundler writes its entry in another form
 */
export function startFiles() {
  const files = readdirSync(STATIC);
  const entries = files.filter(name => /^remoteEntry\.\w+\.js$/.test(name));
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) {
    throw new Error(`${STATIC} has ${entries.length} entries: run \`npm run build\``);
  }
  const text = readFileSync(join(STATIC, entry), 'utf8');
  const chunks = EXPOSED.flatMap(name => {
    // "./extension": () => n.e(811).then(…), or Promise.all([n.e(811), n.e(12)]).then(…)
    const loads = new RegExp(`"${name}":\\s*\\(\\)\\s*=>([^]*?)\\.then`).exec(text)?.[1] ?? '';
    const ids = [...loads.matchAll(/\.e\("?([\w-]+)"?\)/g)].map(found => found[1] ?? '');
    const found = ids.flatMap(id => files.filter(file => file.startsWith(`${id}.`) && file.endsWith('.js')));
    if (found.length === 0 || found.length !== ids.length) {
      throw new Error(`${entry} does not say which files ${name} loads`);
    }
    return found;
  });
  return [...new Set([entry, ...chunks])].sort();
}

/**
 * Compressed size of files of the built extension, each alone, as a server sends them.
 *
 * @param {readonly string[]} names
 */
export function gzipBytes(names) {
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(join(STATIC, name)), { level: 9 }).length, 0);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const bytes = gzipBytes(startFiles());
  console.log(`A page loads ${bytes} bytes at its start (gzip); ${START_GZIP_BYTES} at most.`);
  if (bytes > START_GZIP_BYTES) {
    console.error('Load what is not needed then by `import()`: see "What a page loads at its start" in docs/development.md.');
    process.exitCode = 1;
  }
}
