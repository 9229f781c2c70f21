// `npm run test:faults [-- --again] [PART …]`: the fault tests that take too long, or need too much, for `npm test`.
// Resumable: a part that passed on this version of the sources is not run again without `--again`. Lists what did not run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, environment, tool } from './lib/environment.mjs';
import { playwright } from './lib/chromium.mjs';
import { Advice, capture, main, run } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';
import { digest } from './lib/stamp.mjs';
import { holds } from './lib/tried.mjs';
import { setup } from './setup.mjs';

/**
 * @typedef {object} Part
 * @property {() => Promise<number>} test - returns the exit status
 * @property {() => string} [lacks] - what is missing on this machine, else an empty text
 */

/** @type {Readonly<Record<string, Part>>} */
const PARTS = {
  clocks: {
    test: () => pytest('test/faults/test_clocks.py'),
    lacks: () =>
      capture('faketime', ['--version']) === null ? 'faketime is not installed (Debian, Ubuntu: apt install faketime)' : ''
  },
  large: {
    test: () => pytest('test/bridge', { DASK_PANES_TEST_SHARE: '1' }, '-k', '20000_submits or 100_000_tasks')
  },
  takeover: { test: () => pytest('test/bridge/test_life.py', { DASK_PANES_TEST_SECONDS: '60' }, '-k', 'register_in_turn') },
  leftovers: { test: () => browser('faults/leftovers') },
  server: { test: () => browser('faults/server') },
  stalled: { test: () => browser('faults/load', 'stands still') },
  output: { test: () => browser('faults/load', 'prints') },
  tasks: { test: () => browser('faults/load', 'hundred thousand') }
};

const STATE = join(RESULTS, 'faults', 'state.json');

/**
 * @param {string} file
 * @param {Readonly<Record<string, string>>} [more] - variables of the environment
 * @param {...string} options
 */
function pytest(file, more = {}, ...options) {
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', file, ...options];
  return run(tool('python'), args, { cwd: ROOT, env: environment(more) });
}

/**
 * @param {string} file
 * @param {string} [title]
 */
function browser(file, title) {
  return playwright('faults', [file, ...(title === undefined ? [] : ['-g', title])]);
}

await main(async () => {
  const asked = process.argv.slice(2).filter(name => name !== '--again');
  const unknown = asked.filter(name => !(name in PARTS));
  if (unknown.length > 0) {
    throw new Advice(`no part ${unknown.join(', ')}: there are ${Object.keys(PARTS).join(', ')}`);
  }
  await setup();
  const sources = digest(['src', 'bridge', 'test/faults', 'test/bridge', 'test/e2e/harness']);
  mkdirSync(dirname(STATE), { recursive: true });
  const again = process.argv.includes('--again');
  const state = !again && existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
  for (const [name, { test, lacks }] of Object.entries(PARTS)) {
    if (asked.length > 0 && !asked.includes(name)) {
      continue;
    }
    const missing = lacks?.() ?? '';
    if (missing !== '') {
      state[name] = { outcome: 'not run', detail: missing };
    } else if (!holds(state[name], sources)) {
      console.error(`\n── ${name}`);
      const outcome = (await test()) === 0 ? 'passed' : 'FAILED';
      state[name] = { outcome, sources, detail: new Date().toISOString().slice(0, 16) };
    }
    writeFileSync(STATE, JSON.stringify(state, null, 1));
  }
  const names = Object.keys(PARTS);
  for (const name of names) {
    const known = state[name]?.sources === undefined || state[name].sources === sources ? state[name] : undefined;
    const { outcome, detail } = known ?? { outcome: 'not run', detail: 'not asked for on these sources' };
    console.log(`${outcome.padEnd(8)} ${name}: ${detail}`);
  }
  return (asked.length > 0 ? asked : names).every(name => state[name]?.outcome === 'passed') ? 0 : 1;
});
