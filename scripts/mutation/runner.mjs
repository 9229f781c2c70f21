// Runs each test once as it is, and again with each mutant that it reaches. The plan comes in one file, and what was found goes
// to another.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { VitestTestRunner } from 'vitest/runners';

/**
 * @typedef {object} Plan
 * @property {readonly number[]} mutants - numbers of those to be tried
 * @property {number} always - the mutant that is on from the start, for what is evaluated while modules are loaded; -1 for none
 * @property {string} out - file for the findings, one a line
 * @property {string} now - file for what is being tried, in case it does not end
 *
 * A mutant and the test that noticed it; those that a test evaluated; those evaluated while modules were loaded; why the file
 * was left early.
 *
 * @typedef {{ noticed: number, by: string } | { reached: readonly number[] } | { loaded: readonly number[] } |
 *   { left: string }} Finding
 */

/** Rounds of loops while a mutant is on, after which they count as endless. */
const ENDLESS = 20_000_000;
/** Milliseconds for all mutants of one test. */
const MOST = 15_000;

/** @type {Plan} */
const plan = JSON.parse(readFileSync(process.env.MUTATION_PLAN ?? '', 'utf8'));

const mutants = {
  on: plan.always,
  ticks: 0,
  /** @type {Set<number>} */
  evaluated: new Set(),
  /** @param {number} number */
  is(number) {
    if (mutants.on === -1) {
      mutants.evaluated.add(number);
      return false;
    }
    return mutants.on === number;
  },
  tick() {
    if (mutants.on !== -1 && ++mutants.ticks > ENDLESS) {
      throw new Error('a loop does not end');
    }
  }
};
Reflect.set(globalThis, '__mutants', mutants);

/** @param {Finding} finding */
function report(finding) {
  appendFileSync(plan.out, `${JSON.stringify(finding)}\n`);
}

/** Mutants that no test has noticed yet, with how many tests have tried each. */
const alive = new Map(plan.mutants.map(number => [number, 0]));
/** A test fails without a mutant after one: what it left behind breaks others, too. */
let broken = false;

export default class extends VitestTestRunner {
  /** @type {number[]} */
  queue = [];
  first = true;
  begin = 0;

  /** @param {import('vitest').RunnerTestFile[]} files */
  onBeforeRunFiles(files) {
    void files;
    report({ loaded: [...mutants.evaluated] });
  }

  /** @param {any} test @override */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    this.queue = [];
    this.first = true;
    // The end is set by `pending`.
    test.repeats = plan.always === -1 && !broken ? 1_000_000 : 0;
    if (broken) {
      test.mode = 'skip';
    }
  }

  /** @param {any} test @override */
  onBeforeTryTask(test) {
    super.onBeforeTryTask(test);
    this.begin = performance.now();
    if (plan.always !== -1) {
      return;
    }
    if (this.first) {
      mutants.evaluated.clear();
    }
    mutants.on = this.first ? -1 : (this.queue[0] ?? -1);
    mutants.ticks = 0;
    if (mutants.on !== -1) {
      writeFileSync(plan.now, JSON.stringify({ number: mutants.on, by: test.name }));
    }
  }

  /** @param {any} test */
  onAfterRetryTask(test) {
    if (plan.always !== -1) {
      return;
    }
    const { on } = mutants;
    mutants.on = -1;
    const failed = test.result.state === 'fail';
    const why = test.result.errors?.[0]?.message ?? '';
    test.result.state = 'run';
    test.result.errors = undefined;
    if (this.first) {
      this.first = false;
      report({ reached: [...mutants.evaluated] });
      const each = Math.max(1, performance.now() - this.begin);
      const reached = [...mutants.evaluated].filter(number => alive.has(number));
      const few = reached.sort((a, b) => (alive.get(a) ?? 0) - (alive.get(b) ?? 0)).slice(0, Math.ceil(MOST / each));
      this.queue = failed ? [] : few;
      broken ||= failed;
    } else if (on === -1) {
      // The check after one that was noticed.
      broken ||= failed;
      this.queue = failed ? [] : this.queue.slice(1);
    } else if (failed) {
      report({ noticed: on, by: test.name });
      alive.delete(on);
      this.queue[0] = -1;
    } else {
      alive.set(on, (alive.get(on) ?? 0) + 1);
      this.queue.shift();
    }
    if (this.queue.length === 0) {
      if (broken) {
        report({ left: `${test.name}: ${why}` });
      }
      writeFileSync(plan.now, '');
      // Ends the repetitions.
      test.result.pending = true;
    }
  }
}
