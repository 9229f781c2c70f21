// One vitest that stays: its parent sends which source is mutated and which test files to run. A test that never returns
// can only be ended with its process, so this is a process of its own.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';
import { ROOT } from '../lib/environment.mjs';
import { pointsOf, withProbes } from './points.mjs';

/**
 * @typedef {object} Order
 * @property {readonly string[]} tests - test files in the order in which to run them, until one fails
 * @property {string | null} file - the mutated source; `null` to run the tests with probes
 * @property {string} text - of that source
 * @property {readonly string[]} probed - sources that get probes
 *
 * @typedef {object} Ran
 * @property {string | null} failed - the test file that failed
 * @property {string} by - the first test in it that failed
 * @property {Record<string, number>} seconds - of each test file that ran
 */

/** @type {Order} */
let order = { tests: [], file: null, text: '', probed: [] };

const vitest = await createVitest(
  'test',
  {
    root: ROOT,
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
    pool: 'threads',
    setupFiles: ['test/setup/dom.ts', 'scripts/mutation/hits.mjs'],
    bail: 1
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        transform(code, id) {
          const file = relative(ROOT, id.replace(/\?.*/, ''));
          if (order.file === file) {
            return { code: order.text, map: null };
          }
          if (order.file === null && order.probed.includes(file)) {
            const source = readFileSync(join(ROOT, file), 'utf8');
            return { code: withProbes(file, source, pointsOf(file, source).probes), map: null };
          }
          return { code, map: null };
        }
      }
    ]
  }
);
await vitest.standalone();

/** @param {string | null} file */
function forget(file) {
  if (file !== null) {
    vitest.invalidateFile(join(ROOT, file));
  }
}

/** @param {Order} next @returns {Promise<Ran>} */
async function obey(next) {
  forget(order.file);
  order = next;
  forget(order.file);
  /** @type {Record<string, number>} */
  const seconds = {};
  for (const test of order.tests) {
    const begin = performance.now();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([
      vitest.getRootProject().createSpecification(join(ROOT, test))
    ]);
    seconds[test] = Math.round(performance.now() - begin) / 1000;
    // All modules of earlier runs are among them, with their state of then.
    const own = testModules.find(({ moduleId }) => moduleId === join(ROOT, test));
    if (own?.state() !== 'passed' || unhandledErrors.length > 0) {
      const first = [...(own?.children.allTests('failed') ?? [])][0];
      return { failed: test, by: first?.fullName ?? 'the file as a whole', seconds };
    }
  }
  return { failed: null, by: '', seconds };
}

process.on('message', message => {
  void obey(/** @type {Order} */ (message)).then(
    ran => process.send?.(ran),
    error => {
      console.error(error);
      process.exit(1);
    }
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
