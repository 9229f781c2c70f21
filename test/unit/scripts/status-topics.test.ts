import { expect, test } from 'vitest';
import { statusTopics } from '../../../scripts/lib/catalogue.mjs';

test('the topics of the benchmarks come from the plots of the Status layout', async () => {
  const topics = await statusTopics();
  expect(topics).toEqual(expect.arrayContaining(['meta', 'tasks', 'running', 'prefixes', 'workers']));
  expect(new Set(topics).size).toBe(topics.length);
});
