// `npm run docs:pages`: writes what is generated from the code: pages of the documentation, and the facts of plots. With
// --check it only compares.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, tool } from '../lib/environment.mjs';
import { capture, main } from '../lib/process.mjs';
import { readCatalogue } from '../lib/catalogue.mjs';
import { advicePage } from './advice.mjs';
import { configurationPage } from './configuration.mjs';
import { examplePictures } from './examples.mjs';
import { plotFacts } from './facts.mjs';
import { knownNames } from './known.mjs';
import { plotsPage } from './plots.mjs';

/** @param {...string} path */
const read = (...path) => readFileSync(join(ROOT, ...path), 'utf8');

/** @returns {Promise<Record<string, string>>} texts by path */
async function pages() {
  const schemas = readdirSync(join(ROOT, 'schema')).map(name => [
    `dask-panes:${name.replace('.json', '')}`,
    JSON.parse(read('schema', name))
  ]);
  const catalogue = await readCatalogue();
  return {
    'src/plots/facts.ts': plotFacts(catalogue.plots),
    'src/panes/examples/pictures.ts': examplePictures(catalogue.plots, filesIn('style', 'pictures')),
    'bridge/dask_panes/kernel/known.py': knownNames(catalogue),
    'docs/plots.md': plotsPage(
      catalogue,
      JSON.parse(read('bridge', 'dask_panes', 'feed', 'schema.json')).topics,
      filesIn('docs', 'pictures')
    ),
    'docs/advice.md': advicePage(catalogue),
    'docs/configuration.md': configurationPage(read('bridge', 'dask_panes.yaml'), Object.fromEntries(schemas)),
    'docs/api.md': apiPage()
  };
}

/** @param {...string} path */
function filesIn(...path) {
  const folder = join(ROOT, ...path);
  return new Set(existsSync(folder) ? readdirSync(folder) : []);
}

/** The docstrings are read as text: nothing of the package is imported. */
function apiPage() {
  const text = capture(tool('python'), [join(ROOT, 'scripts', 'docs', 'api.py')], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (text === null) {
    throw new Error('docs/api.md could not be generated');
  }
  return `${text}\n`;
}

/**
 * @param {string} path
 * @param {string} text
 */
function stale(path, text) {
  try {
    return read(path) !== text;
  } catch {
    return true;
  }
}

await main(async () => {
  const made = Object.entries(await pages());
  if (!process.argv.includes('--check')) {
    for (const [path, text] of made) {
      writeFileSync(join(ROOT, path), text);
    }
    return 0;
  }
  const outdated = made.filter(([path, text]) => stale(path, text));
  for (const [path] of outdated) {
    console.error(`${path} is out of date: run \`npm run docs:pages\``);
  }
  return outdated.length === 0 ? 0 : 1;
});
