// `npm run test:fuzz [-- --mutations 1000000] [--again]`: mutated frames and recordings for both readers, in parts of 20,000.
// After Ctrl+C, the next run of the same sources continues with the next seed, unless `--again`. Writes a dated row into
// docs/matrix.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, environment, tool } from './lib/environment.mjs';
import { main, run } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';
import { digest } from './lib/stamp.mjs';
import { outcomeOfParts, today, writeTable } from './lib/tried.mjs';
import { setup } from './setup.mjs';

const FILE = join(RESULTS, 'fuzz.json');
/** Mutations of a part, by reader. In `npm test`, which has as many, most are those of the quicker reader, in TypeScript. */
const TYPESCRIPT = { FUZZ_FRAMES: '14000', FUZZ_FILES: '750' };
const PYTHON = { FUZZ_FRAMES: '5000', FUZZ_FILES: '250' };
const PART = 20_000;
/** What docs/matrix.md names, for both readers together. */
const ALL = 1_000_000;
const READERS = [
  { title: 'of the browser', counts: TYPESCRIPT },
  { title: 'in Python', counts: PYTHON }
];
/** What the readers, and what they are tried with, are made of. */
const SOURCES = ['src', 'bridge/dask_panes/feed', 'bridge/dask_panes/files', 'test/unit/feed', 'test/bridge/test_fuzz.py'];
/** Distance of the seeds of two parts, so that no mutation is tried twice. */
const SEEDS = 20_000;

const { values } = parseArgs({ options: { mutations: { type: 'string', default: String(ALL) }, again: { type: 'boolean' } } });

/** @param {number} part @returns {Promise<boolean>} whether it passed */
async function attempt(part) {
  const seed = { FUZZ_SEED: String(1 + part * SEEDS) };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/unit/feed/fuzz.test.ts'];
  const typescript = await run(process.execPath, vitest, { cwd: ROOT, env: environment({ ...seed, ...TYPESCRIPT }) });
  const pytest = ['-m', 'pytest', '-q', 'test/bridge/test_fuzz.py'];
  const python = await run(tool('python'), pytest, { cwd: ROOT, env: environment({ ...seed, ...PYTHON }) });
  return typescript === 0 && python === 0;
}

await main(async () => {
  await setup();
  const wanted = Math.ceil(Number(values.mutations) / PART);
  const sources = digest(SOURCES);
  /** @type {{ done: number, failed: number[], sources?: string }} */
  const before = existsSync(FILE) && !values.again ? JSON.parse(readFileSync(FILE, 'utf8')) : { done: 0, failed: [] };
  const state = before.sources === sources ? before : { done: 0, failed: [], sources };
  mkdirSync(dirname(FILE), { recursive: true });
  while (state.done < wanted) {
    if (!(await attempt(state.done))) {
      state.failed.push(1 + state.done * SEEDS);
    }
    state.done += 1;
    writeFileSync(FILE, JSON.stringify(state));
    console.log(`${(state.done * PART).toLocaleString('en')} mutations, failed parts: ${state.failed.length}`);
    writeTable(
      'fuzzing',
      READERS.map(({ title, counts }) => ({
        key: title,
        cells: [
          (state.done * Number(counts.FUZZ_FRAMES)).toLocaleString('en'),
          (state.done * Number(counts.FUZZ_FILES)).toLocaleString('en'),
          outcomeOfParts(state.done * PART, ALL, state.failed.length),
          today()
        ]
      }))
    );
  }
  if (state.failed.length > 0) {
    console.log(`Seeds of parts that failed (FUZZ_SEED): ${state.failed.join(', ')}`);
  }
  return state.failed.length === 0 ? 0 : 1;
});
