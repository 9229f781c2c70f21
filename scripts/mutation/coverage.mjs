// Which tests of the bridge reach which statements: measured once for each test file, and again when it has changed.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/environment.mjs';
import { RESULTS } from '../lib/stages.mjs';
import { digestOf } from './sample.mjs';

export const FOLDER = join(RESULTS, 'mutation');

/**
 * @typedef {object} Test
 * @property {string} test
 * @property {number} seconds
 * @property {boolean} failed - without a mutation: it says nothing
 * @property {Record<string, readonly number[]>} hits - probes that it reached, by source
 *
 * @typedef {object} Measured - a test file
 * @property {string} digest - of its text
 * @property {Record<string, string>} sources - digests of the sources that had probes
 * @property {readonly Test[]} tests
 */

/**
 * Tests of another reach than the code itself (they would measure the machine), and those whose code runs in kernels and jobs
 * of their own, where no probe is seen.
 */
const LEFT_OUT = new RegExp(
  'test_(actions|channel|citizen|clusters|display|examples|faults|idle|life|limited|local|options|preload|profile|reach|' +
    'silence|sources|turns|visualize|widget)[.]py'
);

/** Seconds of a test that has no cluster of its own. */
const QUICK = 0.3;

const PATH = join(FOLDER, 'coverage.json');

/** @returns {string[]} test files: those that mention clusters least often first, since they are quick and reach most of pure code */
function testFiles() {
  const clusters = (/** @type {string} */ file) => readFileSync(join(ROOT, file), 'utf8').match(/cluster|Client\(/g)?.length ?? 0;
  return readdirSync(join(ROOT, 'test/bridge'))
    .filter(name => /^test_\w+\.py$/.test(name) && !LEFT_OUT.test(name))
    .map(name => `test/bridge/${name}`)
    .sort((a, b) => clusters(a) - clusters(b) || (a < b ? -1 : 1));
}

/** @param {string} file - relative to the checkout */
export function digestOfFile(file) {
  return digestOf(readFileSync(join(ROOT, file), 'utf8'));
}

/** What is known of the tests. */
export class Coverage {
  constructor() {
    /** @type {Record<string, Measured>} */
    this.known = existsSync(PATH) ? JSON.parse(readFileSync(PATH, 'utf8')) : {};
    /** @type {Map<string, string>} */
    this.digests = new Map();
  }

  /**
   * Measure the test files that are new or changed.
   *
   * @param {import('./python.mjs').Engine} engine
   * @param {readonly string[]} sources
   * @param {() => boolean} enough - whether the time is over
   */
  async measure(engine, sources, enough) {
    mkdirSync(FOLDER, { recursive: true });
    const files = testFiles();
    this.known = Object.fromEntries(Object.entries(this.known).filter(([file]) => files.includes(file)));
    const changed = files.filter(file => this.known[file]?.digest !== digestOfFile(file));
    const out = join(FOLDER, 'hits.jsonl');
    for (const [i, file] of changed.entries()) {
      if (enough()) {
        console.log(`${changed.length - i} test files are not measured yet`);
        return;
      }
      rmSync(out, { force: true });
      await engine.ask({ cover: out, files: sources, tests: [file], seconds: 900 });
      const lines = existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : [];
      /** @type {Test[]} */
      const tests = lines.map(line => JSON.parse(line));
      this.known[file] = {
        digest: digestOfFile(file),
        sources: Object.fromEntries(sources.map(source => [source, digestOfFile(source)])),
        tests
      };
      writeFileSync(PATH, JSON.stringify(this.known));
      console.log(`measured ${file}: ${tests.length} tests, ${tests.filter(({ failed }) => failed).length} failed`);
    }
  }

  /**
   * The tests that reach a mutation, the most promising first. Where a source has changed since a test was measured, the
   * tests that reach anything in it.
   *
   * @param {import('./points.mjs').Point} point
   * @param {Readonly<Record<string, number>>} noticed - how many mutants of this source each test noticed so far
   * @returns {Test[]}
   */
  testsOf({ file, probe = -1 }, noticed) {
    const now = this.digests.get(file) ?? digestOfFile(file);
    this.digests.set(file, now);
    const stem = (file.split('/').at(-1) ?? '').replace('.py', '');
    const named = (/** @type {Test} */ { test }) => Number(test.includes(stem));
    return Object.values(this.known)
      .flatMap(({ sources, tests }) =>
        tests.filter(
          ({ hits, failed }) => !failed && file in hits && (sources[file] !== now || probe < 0 || hits[file].includes(probe))
        )
      )
      .sort(
        (a, b) =>
          // Those without a cluster first.
          Number(a.seconds > QUICK) - Number(b.seconds > QUICK) ||
          (noticed[b.test] ?? 0) - (noticed[a.test] ?? 0) ||
          named(b) - named(a) ||
          a.seconds - b.seconds ||
          (a.test < b.test ? -1 : 1)
      );
  }
}
