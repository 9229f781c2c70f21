import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LAYOUTS } from '../../../src/panes/docking/layouts';
import { PLOTS } from '../../../src/plots';

it('what dask_panes.show() takes is what there is', () => {
  const file = fileURLToPath(new URL('../../../bridge/dask_panes/kernel/shown.py', import.meta.url));
  const names = [...readFileSync(file, 'utf8').matchAll(/^ {4}"([a-z-]+)",$/gm)].map(([, name]) => name);
  expect(names).toEqual([...new Set([...LAYOUTS, ...PLOTS].map(({ id }) => id))].sort());
});
