/** What is least certain is said of the recordings that show it, and of no other: `test/fixtures/advice/README.md`. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import type { Advice, Cause } from '../../../src/advice/advice';
import { openRun } from '../../../src/report/open';
import { translate } from '../translate';

const FOLDER = fileURLToPath(new URL('../../fixtures/advice', import.meta.url));

/** Recordings that show one of them. */
const SHOWN: Readonly<Record<string, Cause>> = {
  'nearly-full': 'near-limit',
  'many-threads': 'queueing',
  'held-back': 'held-back',
  'slow-sizeof': 'between-tasks',
  steps: 'between-tasks'
};
const CAUSES: readonly Cause[] = [...new Set(Object.values(SHOWN))];

async function said(name: string): Promise<Advice> {
  const { run } = await openRun(await readFile(join(FOLDER, `${name}.dask-run`)));
  return advise(run, null, translate);
}

describe('of real runs', () => {
  it.each([
    [
      'nearly-full',
      /^Memory of workers is nearly full: one had up to 754 MiB, 74 % of its limit\. For 10\.8 s, one had 70 % or more/
    ],
    [
      'many-threads',
      /^Tasks queue for the scheduler: 128 threads asked for 2,186 tasks a second of 58\.5 ms each, and got 688\./
    ],
    [
      'held-back',
      /^Workers hold back tasks: for 7\.00 s, up to 2 threads had tasks and did not start them, while 2\.0 others worked\. It costs 41 % of the time/
    ],
    [
      'slow-sizeof',
      / It costs 38 % of the time\. Most likely it takes long to find out the size of results: Dask records 52\.2 ms a task/
    ],
    [
      'steps',
      / It costs 30 % of the time\. Most likely each task waits for its way through the scheduler: workers had 1\.0 tasks for each/
    ]
  ])('%s has its cause first, with the reason', async (name, sentence) => {
    const [first] = (await said(name)).verdicts;
    expect(first?.cause).toBe(SHOWN[name]);
    expect(first?.sentence).toMatch(sentence);
  });

  const others = readdirSync(FOLDER).flatMap(file => /^(.+)\.dask-run$/.exec(file)?.[1] ?? []);

  it.each(others.filter(name => SHOWN[name] === undefined))('%s has none of these causes', async name => {
    const found = (await said(name)).verdicts.map(({ cause }) => cause);
    expect(found.filter(cause => CAUSES.includes(cause))).toEqual([]);
  });
});
