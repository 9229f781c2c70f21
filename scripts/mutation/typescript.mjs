// Tries mutants of TypeScript: all of the sample are in the sources at once, switched off, and each test file is run once, with
// each test of it repeated for the mutants that it reaches.
import { fork } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, environment } from '../lib/environment.mjs';
import { FOLDER, digestOfFile } from './coverage.mjs';
import { pointsOf } from './points.mjs';
import { withSwitches } from './switches.mjs';

/**
 * @typedef {import('./sample.mjs').Mutant} Mutant
 * @typedef {import('./results.mjs').Results} Results
 *
 * @typedef {object} Session
 * @property {readonly Mutant[]} mutants - by their number
 * @property {import('node:child_process').ChildProcess | null} child
 */

const PLAN = join(FOLDER, `plan-${process.pid}.json`);
const SOURCES = join(FOLDER, `sources-${process.pid}.json`);
const OUT = join(FOLDER, `findings-${process.pid}.jsonl`);
const NOW = join(FOLDER, `now-${process.pid}.json`);
const SECONDS = join(FOLDER, 'seconds.json');
/** Milliseconds after which a test that is tried with a mutant counts as endless. */
const ENDLESS = 45_000;
/** Test files tried with a mutant that is evaluated while modules are loaded, the nearest first: each takes a run of its own. */
const OF_LOADED = 8;
/** Tests of another reach than the code itself, and those that take minutes for themselves. */
const LEFT_OUT = /^(docs|scripts|harness)\/|fuzz|vega[.]test/;

/** Folders of tests of pure code: they notice most. */
const FIRST = /^test\/unit\/(run|feed|plots|views|charts|selectors)\//;

/** @returns {string[]} test files: those of pure code first, then those without a page, then the quickest */
function testFiles() {
  const seconds = existsSync(SECONDS) ? JSON.parse(readFileSync(SECONDS, 'utf8')) : {};
  return readdirSync(join(ROOT, 'test/unit'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts') && !LEFT_OUT.test(name))
    .map(name => `test/unit/${name}`)
    .sort(
      (a, b) =>
        Number(FIRST.test(b)) - Number(FIRST.test(a)) ||
        Number(hasPage(a)) - Number(hasPage(b)) ||
        (seconds[a] ?? 5) - (seconds[b] ?? 5) ||
        (a < b ? -1 : 1)
    );
}

/** @param {string} file */
function hasPage(file) {
  return readFileSync(join(ROOT, file), 'utf8').startsWith('// @vitest-environment jsdom');
}

/**
 * How near a test file is to a source: whether it imports it, or a file of its folder, and how many names their paths share.
 *
 * @param {string} test
 * @param {string} file
 */
function nearness(test, file) {
  const text = readFileSync(join(ROOT, test), 'utf8');
  const path = file.replace(/[.]ts$/, '');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const names = new Set(test.split(/[/.-]/));
  return (
    20 * Number(text.includes(`/${path}'`)) +
    10 * Number(text.includes(`/${folder}`)) +
    path.split(/[/-]/).filter(name => names.has(name)).length
  );
}

/**
 * Test files to be tried with a mutant that is on from the start.
 *
 * @param {Mutant} mutant
 * @param {Results} results
 * @param {string} part
 */
function loadersOf(mutant, results, part) {
  const { early = [], always = {}, tried = {} } = results.of(mutant) ?? {};
  const near = (/** @type {string} */ test) => nearness(test, mutant.file);
  return (
    early
      // One that has changed since may fail without the mutant, too.
      .filter(test => test.includes(part) && existsSync(join(ROOT, test)) && tried[test] === digestOfFile(test))
      .sort((a, b) => near(b) - near(a))
      .slice(0, OF_LOADED)
      .filter(test => always[test] !== tried[test])
  );
}

/**
 * @param {readonly Mutant[]} mutants
 * @param {Results} results
 * @param {() => boolean} enough
 * @param {boolean} again - tries those again that a test did not notice before
 * @param {string} part - only tests with this in their path
 */
export async function tryTypescript(mutants, results, enough, again, part) {
  const numbered = mutants.map((mutant, number) => ({ ...mutant, number }));
  const files = [...new Set(mutants.map(({ file }) => file))];
  const sourceOf = (/** @type {string} */ file) => {
    const { source, loops } = pointsOf(file);
    return withSwitches(
      source,
      numbered.filter(each => each.file === file),
      loops
    );
  };
  writeFileSync(SOURCES, JSON.stringify(Object.fromEntries(files.map(file => [file, sourceOf(file)]))));
  /** @type {Session} */
  const session = { mutants, child: null };
  try {
    for (const test of testFiles().filter(file => file.includes(part))) {
      const digest = digestOfFile(test);
      const due = (/** @type {number} */ number) => {
        const known = results.of(mutants[number]);
        return known?.outcome !== 'noticed' && (again || known?.tried?.[test] !== digest);
      };
      let open = [...mutants.keys()].filter(due);
      // What an earlier test left behind may end a run early: a new one goes on.
      for (let round = 0; round < 5 && open.length > 0 && !enough(); round++) {
        const begin = performance.now();
        const { noticed, reached, whole, early, left } = await runFile(session, test, open, -1);
        const seconds = (performance.now() - begin) / 1000;
        for (const number of open) {
          const by = noticed.get(number);
          if (by !== undefined) {
            results.notice(mutants[number], `${test}: ${by}`);
          } else if (whole) {
            results.pass(mutants[number], test, digest, reached.has(number), early.includes(number));
          }
        }
        results.save();
        const known = existsSync(SECONDS) ? JSON.parse(readFileSync(SECONDS, 'utf8')) : {};
        writeFileSync(SECONDS, JSON.stringify({ ...known, [test]: Math.round(seconds * 10) / 10 }));
        console.log(
          `${test}: ${open.length} tried, ${reached.size} reached, ${noticed.size} noticed in ${seconds.toFixed(0)} s${whole ? '' : `, left early by ${left.slice(0, 300)}`}`
        );
        if (whole || noticed.size === 0) {
          break;
        }
        open = [...mutants.keys()].filter(due);
      }
    }
    for (const [number, mutant] of mutants.entries()) {
      for (const test of loadersOf(mutant, results, part)) {
        if (!enough() && results.of(mutant)?.outcome !== 'noticed') {
          const { passed, by } = await runFile(session, test, [], number);
          if (passed) {
            results.passAlways(mutant, test, digestOfFile(test));
          } else {
            results.notice(mutant, `${test}: ${by}`);
            console.log(`${test}: noticed ${mutant.file}:${mutant.line}, evaluated while it is loaded`);
          }
          results.save();
        }
      }
    }
  } finally {
    await end(session);
    for (const file of [PLAN, SOURCES, OUT, NOW]) {
      rmSync(file, { force: true });
    }
  }
}

/**
 * Run a test file.
 *
 * @param {Session} session
 * @param {string} test
 * @param {readonly number[]} open - mutants to be tried
 * @param {number} always - the mutant that is on from the start; -1 for none
 */
async function runFile(session, test, open, always) {
  writeFileSync(PLAN, JSON.stringify({ mutants: open, always, out: OUT, now: NOW }));
  rmSync(OUT, { force: true });
  rmSync(NOW, { force: true });
  if (session.child === null) {
    const env = environment({ MUTATION_PLAN: PLAN, MUTATION_SOURCES: SOURCES });
    const path = join(ROOT, 'scripts/mutation/vitest.mjs');
    session.child = fork(path, [], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await answer(session.child);
  }
  session.child.send(test);
  const ran = await answer(session.child);
  /** @type {import('./runner.mjs').Finding[]} */
  const findings = existsSync(OUT)
    ? readFileSync(OUT, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    : [];
  const noticed = new Map(findings.flatMap(found => ('noticed' in found ? [[found.noticed, found.by]] : [])));
  const reached = new Set(findings.flatMap(found => ('reached' in found ? found.reached : [])));
  const early = findings.flatMap(found => ('loaded' in found ? found.loaded : []));
  if (ran === null) {
    await end(session);
    const now = existsSync(NOW) ? readFileSync(NOW, 'utf8') : '';
    if (now !== '') {
      const { number, by } = JSON.parse(now);
      noticed.set(number, `${by} (time)`);
    }
  }
  // A file whose tests have all been repeated counts as skipped; one that cannot be loaded as failed.
  const left = findings.flatMap(found => ('left' in found ? [found.left] : []));
  const whole = ran?.passed === true && left.length === 0;
  return { noticed, reached, early, whole, left: left[0] ?? '', passed: ran?.passed ?? false, by: ran?.by ?? 'time' };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<import('./vitest.mjs').Ran | null>} its next message; `null` when it hangs or has ended
 */
function answer(child) {
  return new Promise(resolve => {
    const begin = Date.now();
    const watch = setInterval(() => {
      const since = existsSync(NOW) ? statSync(NOW).mtimeMs : begin;
      if (Date.now() - since > ENDLESS) {
        done(null);
      }
    }, 1000);
    const done = (/** @type {any} */ value) => {
      clearInterval(watch);
      child.off('message', done);
      child.off('exit', gone);
      resolve(value);
    };
    const gone = () => done(null);
    child.once('message', done);
    child.once('exit', gone);
  });
}

/** @param {Session} session */
async function end(session) {
  const { child } = session;
  session.child = null;
  if (child !== null && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await new Promise(resolve => child.once('exit', resolve));
  }
}
