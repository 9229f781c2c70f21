import { expect, test } from 'vitest';
import { repairs } from '../../../scripts/lib/checks.mjs';

test('lint ends with what to run, once, where that repairs what failed', () => {
  expect(repairs(['biome', 'ruff (format)', 'tsc'])).toEqual(['npm run format']);
  expect(repairs(['tsc', 'rooms'])).toEqual([]);
});
