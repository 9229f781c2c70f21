// The topics that the panes of the Status layout subscribe to, from the plots themselves: benchmarks measure what people open.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT } from './environment.mjs';

/** Named by the bundler only; its imports are those of the extension. */
const ENTRY = join(ROOT, 'src', 'status-topics.ts');
const SOURCE = `
import { layoutById } from './panes/docking/layouts';
import { plotById } from './plots';
export const topics = [...new Set(['meta', ...layoutById('status').plots.flatMap(id => plotById(id).topics)])];`;
/** Within the checkout, where Node finds the packages; ignored by git. */
const BUNDLE = join(ROOT, 'test-results', 'status-topics.mjs');

/** @returns {Promise<string[]>} each once, `meta` first as every pane wants it */
export async function statusTopics() {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'node',
    // Only the descriptions of the plots are read: nothing is drawn.
    external: /^(vega|react|@jupyterlab\/|@lumino\/)/,
    plugins: [{ name: 'status-topics', resolveId: id => (id === ENTRY ? id : null), load: id => (id === ENTRY ? SOURCE : null) }]
  });
  await bundle.write({ file: BUNDLE, format: 'esm' });
  await bundle.close();
  const { topics } = await import(pathToFileURL(BUNDLE).href);
  return topics;
}
