// `npm run docs`: the site of the documentation, into docs/_build/html. A warning of Sphinx is an error.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, environment } from './lib/environment.mjs';
import { main, must } from './lib/process.mjs';
import { provideVenv } from './lib/venvs.mjs';

const DOCS = join(ROOT, 'docs');
const BUILD = join(DOCS, '_build');

/** @returns {string[]} what pip is given: the lines of the file that are no comments */
function requirements() {
  const lines = readFileSync(join(DOCS, 'requirements.txt'), 'utf8').split('\n');
  return lines.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'));
}

await main(async () => {
  await must(process.execPath, [join(ROOT, 'scripts', 'docs', 'pages.mjs')]);
  const bin = await provideVenv(join(BUILD, 'venv'), requirements());
  const options = ['--fail-on-warning', '--keep-going', '--fresh-env', '--quiet', '-d', join(BUILD, 'doctrees')];
  await must(join(bin, 'sphinx-build'), [...options, '-b', 'html', DOCS, join(BUILD, 'html')], { env: environment() });
  console.log(`The documentation is in ${join(BUILD, 'html', 'index.html')}`);
});
