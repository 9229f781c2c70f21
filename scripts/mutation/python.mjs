// Tries mutants of Python, one after the other: the tests that reach it, until one notices it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, environment, tool } from '../lib/environment.mjs';
import { Coverage, digestOfFile } from './coverage.mjs';

/**
 * @typedef {import('./points.mjs').Point} Point
 * @typedef {import('./sample.mjs').Mutant} Mutant
 *
 * @typedef {object} Engine
 * @property {(order: object) => Promise<any>} ask
 * @property {() => Promise<void>} end
 */

/** Seconds of tests, by their time without a mutation, after which a mutant counts as not noticed. */
const MOST = 12;

/** @returns {Engine} */
export function python() {
  const child = spawn(tool('python'), [join(ROOT, 'scripts/mutation/bridge/engine.py')], {
    cwd: ROOT,
    env: environment(),
    stdio: ['pipe', 'pipe', 'inherit']
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async order => {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const { value, done } = await lines.next();
      if (done) {
        throw new Error('the process with pytest has ended');
      }
      return JSON.parse(value);
    },
    end: async () => {
      child.stdin.end();
      await new Promise(resolve => (child.exitCode === null ? child.once('exit', resolve) : resolve(null)));
    }
  };
}

/**
 * @param {Engine} engine
 * @param {readonly Mutant[]} mutants
 * @param {readonly string[]} sources - all that have probes
 * @param {import('./results.mjs').Results} results
 * @param {() => boolean} enough
 * @param {boolean} again - tries those again that no test noticed before
 * @param {() => boolean} half - whether half of the time is over: what is not measured by then is measured by the next run
 */
export async function tryPython(engine, mutants, sources, results, enough, again, half) {
  const coverage = new Coverage();
  await coverage.measure(engine, sources, half);
  /** @type {Record<string, Record<string, number>>} */
  const counts = {};
  for (const [i, mutant] of mutants.entries()) {
    const { file, start, end, text } = mutant;
    counts[file] ??= {};
    const tests = coverage.testsOf(mutant, counts[file]);
    const known = results.of(mutant);
    const fresh = tests.some(({ test }) => known?.tried?.[fileOf(test)] !== digestOfFile(fileOf(test)));
    if (enough() || known?.outcome === 'noticed' || (known !== undefined && !fresh && !again)) {
      continue;
    }
    /** @type {typeof tests} */
    const few = [];
    for (let seconds = 0; few.length < tests.length && seconds < MOST; seconds += few.at(-1)?.seconds ?? 0) {
      few.push(tests[few.length]);
    }
    const begin = performance.now();
    const limit = 40 + 3 * few.reduce((sum, { seconds }) => sum + seconds, 0);
    const order = { file, start, end, text, tests: few.map(({ test }) => test), seconds: limit };
    const { status, by } = tests.length === 0 ? { status: 0, by: '' } : await engine.ask(order);
    if (status === 0) {
      results.pass(mutant, '', '', tests.length > 0);
      for (const test of new Set(tests.map(each => fileOf(each.test)))) {
        results.pass(mutant, test, digestOfFile(test), true);
      }
    } else {
      results.notice(mutant, status === null ? 'time' : by);
      counts[file][by] = (counts[file][by] ?? 0) + 1;
    }
    results.save();
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const outcome = `${results.of(mutant)?.outcome} in ${seconds} s by ${by || `${few.length} of ${tests.length}`}`;
    console.log(`${i + 1} ${file}:${mutant.line} ${outcome}\n    ${mutant.from}\n    ${mutant.to}`);
  }
}

/** @param {string} test - as pytest names it */
function fileOf(test) {
  return test.split('::')[0];
}
