// The catalogue of plots and layouts, from the extension's own sources.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT } from './environment.mjs';

/**
 * @typedef {object} Catalogue
 * @property {readonly import('../../src/plot/plot').Plot[]} plots - in the order of the sidebar within each group
 * @property {Readonly<Record<string, string>>} groups - titles by id, in the order of the sidebar
 * @property {readonly import('../../src/panes/docking/layouts').PaneLayout[]} layouts
 * @property {typeof import('../../src/views/canvas/key-actions').KEY_ACTIONS} keys - what keys do, by kind of picture
 * @property {typeof import('../../src/views/canvas/key-actions').keyActionLabel} keyActionLabel
 * @property {readonly import('../../src/advice/rule').Rule[]} rules - of the adviser
 * @property {readonly import('../../src/advice/advice').Theme[]} themes - of the rules
 * @property {import('../../src/plot/translation').Translate} english
 */

/** Named by the bundler only; its imports are those of the extension. */
const ENTRY = join(ROOT, 'src', 'docs-catalogue.ts');
const SOURCE = `
export { PLOTS as plots } from './plots';
export { GROUP_TITLES as groups } from './plot/plot';
export { KEY_ACTIONS as keys, keyActionLabel } from './views/canvas/key-actions';
export { LAYOUTS as layouts } from './panes/docking/layouts';
export { RULES as rules } from './advice/rules';
export { THEMES as themes } from './advice/advice';
export { english } from './plot/translation';`;
/** Within the checkout, where Node finds the packages; ignored by git. */
const BUNDLE = join(ROOT, 'test-results', 'docs-catalogue.mjs');

/** @returns {Promise<Catalogue>} */
export async function readCatalogue() {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'node',
    // Only the descriptions of the plots are read: nothing is drawn.
    external: /^(vega|react|@jupyterlab\/|@lumino\/)/,
    plugins: [{ name: 'docs-catalogue', resolveId: id => (id === ENTRY ? id : null), load: id => (id === ENTRY ? SOURCE : null) }]
  });
  await bundle.write({ file: BUNDLE, format: 'esm' });
  await bundle.close();
  return import(pathToFileURL(BUNDLE).href);
}

/**
 * The topics that the panes of the Status layout subscribe to: benchmarks measure what people open.
 *
 * @returns {Promise<string[]>} each once, `meta` first as every pane wants it
 */
export async function statusTopics() {
  const { plots, layouts } = await readCatalogue();
  const shown = layouts.filter(({ id }) => id === 'status').flatMap(layout => layout.plots);
  if (shown.length === 0) {
    throw new Error('there is no Status layout');
  }
  return [...new Set(['meta', ...plots.filter(({ id }) => shown.includes(id)).flatMap(({ topics }) => topics)])];
}
