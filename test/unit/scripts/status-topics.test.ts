import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statusTopics } from '../../../scripts/lib/catalogue.mjs';
import { TOPICS } from '../../../src/feed/schema';

const BENCHMARKS = join(import.meta.dirname, '../../bench');
/** A list of texts, in Python or TypeScript. */
const LIST = /[[({]\s*(?:["'][\w-]+["']\s*,?\s*){2,}[\])}]/g;

test('the topics of the benchmarks come from the plots of the Status layout', async () => {
  const topics = await statusTopics();
  expect(topics).toEqual(expect.arrayContaining(['meta', 'tasks', 'running', 'prefixes', 'workers']));
  expect(new Set(topics).size).toBe(topics.length);
});

// Those in folders make recordings, which no pane reads live.
test('no benchmark of live panes has a list of topics of its own', () => {
  const known = new Set<string>(TOPICS);
  const lists = readdirSync(BENCHMARKS)
    .filter(file => /\.(py|ts|mjs)$/.test(file))
    .flatMap(file =>
      [...readFileSync(join(BENCHMARKS, file), 'utf8').matchAll(LIST)]
        .map(([list]) => [...list.matchAll(/[\w-]+/g)].map(([word]) => word))
        .filter(words => words.filter(word => known.has(word)).length > 1 && words.includes('tasks'))
        .map(words => `${file}: ${words.join(', ')}`)
    );
  expect(lists).toEqual([]);
});
