// src/plots/facts.ts: what a page knows of each plot before it loads the code of plots.

/** The fields of `PlotFacts` (`src/plot/plot.ts`). */
const FIELDS = /** @type {const} */ ([
  'id',
  'title',
  'caption',
  'group',
  'icon',
  'view',
  'about',
  'needs',
  'needsScheduler',
  'synonyms',
  'topics'
]);

/** @param {readonly import('../../src/plot/plot').Plot[]} plots */
export function plotFacts(plots) {
  const facts = plots.map(plot =>
    Object.fromEntries(FIELDS.flatMap(name => (plot[name] === undefined ? [] : [[name, plot[name]]])))
  );
  return [
    '// Generated from the plots by `npm run docs:pages`. Do not edit.',
    "import type { PlotFacts } from '../plot/plot';",
    '',
    '/** What is shown of each plot before its code is loaded, in the order of `PLOTS`. */',
    `export const PLOT_FACTS: readonly PlotFacts[] = ${JSON.stringify(facts, null, 2)};`,
    ''
  ].join('\n');
}
