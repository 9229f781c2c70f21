// bridge/dask_panes/kernel/known.py: the names that `dask_panes.show()` takes.

/** @param {import('../lib/catalogue.mjs').Catalogue} catalogue */
export function knownNames({ plots, layouts }) {
  const names = [...new Set([...layouts, ...plots].map(({ id }) => id))].sort();
  return [
    '# Generated from the plots and layouts by `npm run docs:pages`. Do not edit.',
    '"""The layouts and plots of the extension."""',
    '',
    'from __future__ import annotations',
    '',
    '#: Ids of layouts and plots, sorted.',
    'KNOWN = (',
    ...names.map(name => `    "${name}",`),
    ')',
    ''
  ].join('\n');
}
