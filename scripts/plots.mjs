// `npm run test:plots [-- PLOT …] [--again]`: every plot of the catalogue on a real cluster that gives it data, in every way of
// looking at it (test/plots), and its numbers against those of the original dashboard. Writes one JSON line a plot to
// test-results/plots.jsonl. Resumable: a plot that passed on this version of the sources is not opened again without `--again`.
// Prints the plots that did not run: event loops are not sampled on every release of Python. `--require-all` exits with 1 for
// these, too.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readCatalogue } from './lib/catalogue.mjs';
import { playwright } from './lib/chromium.mjs';
import { Advice, main } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';
import { digest } from './lib/stamp.mjs';
import { setup } from './setup.mjs';

const LINES = join(RESULTS, 'plots.jsonl');
const STATE = join(RESULTS, 'plots', 'state.json');
/** Plots that share a cluster: what an interruption costs at most. */
const BATCH = 13;
/** The test of layouts, which is no plot, among those that passed. */
const LAYOUTS = 'layouts';

/** @typedef {{ plot: string, passed: boolean, line: string }} Result */

/**
 * @param {Record<string, { sources: string, line: string }>} state
 * @param {string} sources
 * @param {string} plot
 */
const holds = (state, sources, plot) => state[plot]?.sources === sources;

/** @returns {Record<string, { sources: string, line: string }>} */
function readState() {
  return existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
}

/**
 * Run a batch and keep the lines of the plots that passed.
 *
 * @param {readonly string[]} plots
 * @param {string} sources
 * @returns {Promise<Map<string, string>>} lines by plot; empty for a plot that had no turn since the test ended early
 */
async function batch(plots, sources) {
  const output = join(RESULTS, 'plots', 'batch.jsonl');
  writeFileSync(output, '');
  const code = await playwright('plots', ['grid.spec.ts', '--reporter=list'], {
    DASK_PANES_TEST_PLOTS: plots.join(','),
    DASK_PANES_TEST_LINES: output
  });
  const state = readState();
  const lines = new Map();
  for (const line of readFileSync(output, 'utf8').split('\n').filter(Boolean)) {
    const { passed, ...result } = JSON.parse(line);
    lines.set(result.plot, JSON.stringify(result));
    // An error in the console of the page belongs to any of them.
    if (passed && code === 0) {
      state[result.plot] = { sources, line: JSON.stringify(result) };
    }
  }
  writeFileSync(STATE, JSON.stringify(state, null, 1));
  for (const plot of code === 0 ? [] : plots) {
    lines.set(plot, lines.get(plot) ?? '');
  }
  return lines;
}

/**
 * Test the layouts where there is little room, unless they passed.
 *
 * @param {string} sources
 * @param {boolean} again
 * @returns {Promise<boolean>}
 */
async function layoutsPass(sources, again) {
  if (!again && holds(readState(), sources, LAYOUTS)) {
    return true;
  }
  const passed = (await playwright('plots', ['layouts.spec.ts', '--reporter=list'])) === 0;
  if (passed) {
    writeFileSync(STATE, JSON.stringify({ ...readState(), [LAYOUTS]: { sources, line: '' } }, null, 1));
  }
  console.log(`layouts ${passed ? 'passed' : 'failed'}`);
  return passed;
}

await main(async () => {
  const options = process.argv.slice(2);
  const all = (await readCatalogue()).plots.map(({ id }) => id);
  const asked = options.filter(option => !option.startsWith('--'));
  const unknown = [
    ...asked.filter(name => !all.includes(name)),
    ...options.filter(option => /^--/.test(option) && !['--again', '--require-all'].includes(option))
  ];
  if (unknown.length > 0) {
    throw new Advice(`no plot or option ${unknown.join(', ')}`);
  }
  await setup();
  mkdirSync(dirname(STATE), { recursive: true });
  const sources = digest(['src', 'style', 'bridge', 'test/plots', 'test/e2e/harness']);
  const wanted = asked.length > 0 ? asked : all;
  const open = wanted.filter(plot => options.includes('--again') || !holds(readState(), sources, plot));
  const lines = new Map();
  for (let i = 0; i < open.length; i += BATCH) {
    for (const [plot, line] of await batch(open.slice(i, i + BATCH), sources)) {
      lines.set(plot, line);
    }
    const state = readState();
    const known = all.flatMap(plot => (holds(state, sources, plot) ? [state[plot].line] : [lines.get(plot) ?? '']));
    writeFileSync(
      LINES,
      known
        .filter(Boolean)
        .map(line => `${line}\n`)
        .join('')
    );
  }
  const layouts = asked.length > 0 || (await layoutsPass(sources, options.includes('--again')));
  const state = readState();
  const rest = wanted.filter(plot => !holds(state, sources, plot));
  const failed = rest.filter(plot => lines.has(plot));
  const left = rest.filter(plot => !lines.has(plot));
  console.log(`${wanted.length - rest.length} of ${wanted.length} plots passed`);
  for (const [words, plots] of /** @type {const} */ ([
    ['failed', failed],
    ['did not run', left]
  ])) {
    if (plots.length > 0) {
      console.log(`${words}: ${plots.join(', ')}`);
    }
  }
  return failed.length > 0 || !layouts || (options.includes('--require-all') && left.length > 0) ? 1 : 0;
});
