// One vitest that stays: its parent sends one test file after another, and which mutants are to be tried with it. A test that
// never returns can only be ended with its process, so this is a process of its own.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { loadConfigFromFile } from 'vite';
import { createVitest } from 'vitest/node';
import { ROOT } from '../lib/environment.mjs';

/**
 * @typedef {object} Ran
 * @property {boolean} passed - whether the test file passed as a whole
 * @property {string} by - the first test in it that failed
 */

/** The mutated sources, by their file. @type {Record<string, string>} */
const mutated = JSON.parse(readFileSync(process.env.MUTATION_SOURCES ?? '', 'utf8'));

// Those of tests with modules of their own, which are mutated here; files are not chosen by project, so that there are none.
const loaded = await loadConfigFromFile({ command: 'serve', mode: 'test' }, join(ROOT, 'vitest.config.mts'));
const settings = loaded?.config.test?.projects?.flatMap(each =>
  typeof each === 'object' && 'test' in each ? [each.test] : []
)[0];

const vitest = await createVitest(
  'test',
  {
    ...settings,
    config: false,
    root: ROOT,
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
    pool: 'threads',
    runner: join(ROOT, 'scripts/mutation/runner.mjs'),
    testTimeout: 20_000
  },
  {
    plugins: [
      {
        name: 'mutants',
        enforce: 'pre',
        transform(code, id) {
          const file = relative(ROOT, id.replace(/\?.*/, ''));
          return { code: mutated[file] ?? code, map: null };
        }
      }
    ]
  }
);
await vitest.standalone();

/** @param {string} test @returns {Promise<Ran>} */
async function obey(test) {
  const path = join(ROOT, test);
  const { testModules } = await vitest.runTestSpecifications([vitest.getRootProject().createSpecification(path)]);
  // All modules of earlier runs are among them, with their state of then.
  const own = testModules.find(({ moduleId }) => moduleId === path);
  const first = [...(own?.children.allTests('failed') ?? [])][0];
  return { passed: own?.state() === 'passed' || own?.state() === 'skipped', by: first?.fullName ?? 'the file as a whole' };
}

process.on('message', message => {
  void obey(String(message)).then(
    ran => process.send?.(ran),
    error => {
      console.error(error);
      process.exit(1);
    }
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
