// Runs with each test file that is measured: writes down which probes of the sources it reached.
import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

afterAll(() => {
  const out = process.env.MUTATION_HITS;
  /** @type {Record<string, Uint8Array>} */
  const hits = Reflect.get(globalThis, '__mutationHits') ?? {};
  if (out !== undefined) {
    const reached = Object.entries(hits).map(([file, marks]) => [file, [...marks.keys()].filter(i => marks[i] === 1)]);
    appendFileSync(out, `${JSON.stringify({ test: expect.getState().testPath, hits: Object.fromEntries(reached) })}\n`);
  }
});
