// Which tests reach which statements: measured once for each test file, and again when it has changed.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { ROOT } from '../lib/environment.mjs';
import { RESULTS } from '../lib/stages.mjs';
import { digestOf } from './sample.mjs';

export const FOLDER = join(RESULTS, 'mutation');

/**
 * @typedef {object} Test - a file of vitest, or one test of pytest
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
 * Tests of another reach than the code itself (they would measure the machine, the network or the documentation), and those whose code
 * runs in kernels and jobs of their own, where no probe is seen.
 */
const LEFT_OUT = new RegExp(
  'test/unit/(docs|scripts|harness)/|test/bridge/test_(actions|channel|citizen|clusters|display|examples|faults|idle|life|limited|local|options|' +
    'preload|profile|reach|silence|sources|turns|visualize|widget)[.]py'
);

/** @param {'typescript' | 'python'} language */
function testFiles(language) {
  const [folder, pattern] = language === 'typescript' ? ['test/unit', /\.test\.ts$/] : ['test/bridge', /^test_\w+\.py$/];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => pattern.test(name))
    .map(name => `${folder}/${name}`)
    .filter(file => !LEFT_OUT.test(file))
    .sort();
}

/** @param {string} file - relative to the checkout */
function digest(file) {
  return digestOf(readFileSync(join(ROOT, file), 'utf8'));
}

/** What is known of one language's tests. */
export class Coverage {
  /** @param {'typescript' | 'python'} language */
  constructor(language) {
    this.language = language;
    this.path = join(FOLDER, `coverage-${language}.json`);
    /** @type {Record<string, Measured>} */
    this.known = existsSync(this.path) ? JSON.parse(readFileSync(this.path, 'utf8')) : {};
    /** @type {Map<string, string>} */
    this.digests = new Map();
  }

  /**
   * Measure the test files that are new or changed.
   *
   * @param {import('./engines.mjs').Engine} engine
   * @param {readonly string[]} sources
   * @param {() => boolean} enough - whether the time is over
   */
  async measure(engine, sources, enough) {
    mkdirSync(dirname(this.path), { recursive: true });
    const files = testFiles(this.language);
    this.known = Object.fromEntries(Object.entries(this.known).filter(([file]) => files.includes(file)));
    const changed = files.filter(file => this.known[file]?.digest !== digest(file));
    const out = join(FOLDER, `hits-${this.language}.jsonl`);
    for (const [i, file] of changed.entries()) {
      if (enough()) {
        console.log(`${changed.length - i} test files of ${this.language} are not measured yet`);
        return;
      }
      rmSync(out, { force: true });
      const begin = performance.now();
      const passed = await engine.cover(file, sources, out);
      const seconds = (performance.now() - begin) / 1000;
      const lines = existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : [];
      const tests = lines.map(line => ({ seconds, failed: !passed, ...JSON.parse(line) }));
      this.known[file] = {
        digest: digest(file),
        sources: Object.fromEntries(sources.map(source => [source, digest(source)])),
        tests: tests.map(test => ({ ...test, test: isAbsolute(test.test) ? relative(ROOT, test.test) : test.test }))
      };
      writeFileSync(this.path, JSON.stringify(this.known));
      const failed = tests.filter(test => test.failed).length;
      console.log(`measured ${file}: ${tests.length} in ${seconds.toFixed(1)} s${failed > 0 ? `, ${failed} failed` : ''}`);
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
  testsOf({ file, probe }, noticed) {
    const now = this.digests.get(file) ?? digest(file);
    this.digests.set(file, now);
    const stem = (file.split('/').at(-1) ?? '').replace(/\.\w+$/, '').replace('-', '_');
    const named = (/** @type {Test} */ { test }) => Number(test.replaceAll('-', '_').includes(stem));
    return Object.values(this.known)
      .flatMap(({ sources, tests }) =>
        tests.filter(
          ({ hits, failed }) => !failed && file in hits && (sources[file] !== now || probe < 0 || hits[file].includes(probe))
        )
      )
      .sort(
        (a, b) =>
          (noticed[b.test] ?? 0) - (noticed[a.test] ?? 0) ||
          named(b) - named(a) ||
          a.seconds - b.seconds ||
          (a.test < b.test ? -1 : 1)
      );
  }
}
