// The stages of `npm test`, each with the number of tests that passed and failed in it.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { provideChromium } from './chromium.mjs';
import { ROOT, environment, tool } from './environment.mjs';
import { collect, run } from './process.mjs';

/** Where the stages leave their results; ignored by git. */
export const RESULTS = join(ROOT, 'test-results');

/**
 * @typedef {object} Outcome
 * @property {number} passed - tests, or checks, that passed
 * @property {number} failed - tests that failed; at least 1 when the stage failed
 * @property {number} [skipped] - tests that did not run
 * @property {string} [output] - what it has not written itself
 */

/**
 * Every stage by name, in the order in which they run; called with whether it leaves its output to the caller.
 *
 * @type {Readonly<Record<string, (quiet: boolean) => Promise<Outcome>>>}
 */
export const STAGES = { lint, unit, bridge, package: packaging, e2e };

/**
 * What runs beside a stage: one process that installs packages, beside tests that wait a good part of their time.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const BESIDE = { bridge: 'package' };

async function lint() {
  const { passed, failed } = await runChecks();
  return { passed, failed: failed.length };
}

function unit() {
  return vitest('unit.json');
}

function bridge() {
  // Most of these tests wait for clusters and kernels; each process of pytest has clusters of its own.
  return pytest('bridge.xml', 'test/bridge', ['-n4', '--dist=worksteal']);
}

/** @param {boolean} quiet */
function packaging(quiet) {
  return pytest('package.xml', 'test/package', [], quiet);
}

async function e2e() {
  const report = fresh('e2e.json');
  const env = environment({ CHROMIUM: await provideChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  // Most of these tests wait as well: for JupyterLab, kernels and clusters.
  const args = ['test', '--project=e2e', '--workers=3', '--reporter=list,json'];
  const code = await node(['node_modules/@playwright/test/cli.js', ...args], env);
  const { expected, unexpected, flaky, skipped } = readReport(report)?.stats ?? {
    expected: 0,
    unexpected: 0,
    flaky: 0,
    skipped: 0
  };
  return outcome(code, expected, unexpected + flaky, skipped);
}

/** @param {string} name - of the report */
async function vitest(name) {
  const report = fresh(name);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await node(['node_modules/vitest/vitest.mjs', 'run', ...reporters], environment());
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = readReport(report) ?? {};
  return outcome(code, numPassedTests, numFailedTests, numPendingTests + numTodoTests);
}

/**
 * @param {string} name - of the report
 * @param {string} folder
 * @param {readonly string[]} options
 * @param {boolean} quiet - whether its output is part of the outcome
 */
async function pytest(name, folder, options, quiet = false) {
  const report = fresh(name);
  const command = /** @type {const} */ ([tool('python'), ['-m', 'pytest', '-q', `--junitxml=${report}`, ...options, folder]]);
  const where = { cwd: ROOT, env: environment() };
  const { code, output } = quiet ? await collect(...command, where) : { code: await run(...command, where), output: '' };
  const suite = existsSync(report) ? (/<testsuite [^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? '') : '';
  const [tests = 0, failures = 0, errors = 0, skipped = 0] = ['tests', 'failures', 'errors', 'skipped'].map(key =>
    Number(new RegExp(` ${key}="(\\d+)"`).exec(suite)?.[1] ?? 0)
  );
  return { ...outcome(code, Math.max(0, tests - failures - errors - skipped), failures + errors, skipped), output };
}

/**
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function node(args, env) {
  return run(process.execPath, args, { cwd: ROOT, env });
}

/**
 * @param {number} code - exit status
 * @param {number} passed
 * @param {number} failed
 * @param {number} skipped
 * @returns {Outcome} a failure where the program failed or no test ran at all, whatever its report says
 */
function outcome(code, passed, failed, skipped) {
  const broken = code !== 0 || passed + failed === 0;
  return { passed, failed: broken ? Math.max(1, failed) : failed, skipped };
}

/**
 * @param {string} name
 * @returns {string} path of a report that does not exist yet: an old one must not count
 */
function fresh(name) {
  const report = join(RESULTS, name);
  mkdirSync(RESULTS, { recursive: true });
  rmSync(report, { force: true });
  return report;
}

/** @param {string} report */
function readReport(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
}
