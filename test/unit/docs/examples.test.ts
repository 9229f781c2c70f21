/** The pictures of "How to read this plot" are in every wheel: few bytes, and one for each plot that can have one. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleFile, MOST_EXAMPLE_BYTES } from '../../../scripts/docs/examples.mjs';
import { ROOT } from '../../../scripts/lib/environment.mjs';
import { EXAMPLE_PICTURES } from '../../../src/panes/examples/pictures';
import { PLOTS } from '../../../src/plots';

const FOLDER = join(ROOT, 'style', 'pictures');
/** Real work on GPUs, or Python 3.12, is needed for a picture of them. */
const WITHOUT = ['gpu-memory', 'gpu-utilization', 'profile-server', 'rmm-memory', 'activity-timeseries'];

test('every plot has a picture, except where no real work could be had', () => {
  const missing = PLOTS.filter(({ id }) => !EXAMPLE_PICTURES.has(id)).map(({ id }) => id);
  expect(missing.filter(id => !WITHOUT.includes(id))).toEqual([]);
  const possible = [...EXAMPLE_PICTURES.keys()].flatMap(id => [exampleFile(id, 'light'), exampleFile(id, 'dark')]);
  expect(readdirSync(FOLDER).filter(name => !possible.includes(name))).toEqual([]);
});

test('all pictures together are small', () => {
  const bytes = readdirSync(FOLDER).reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(MOST_EXAMPLE_BYTES);
});
