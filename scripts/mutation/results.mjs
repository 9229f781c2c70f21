// What was found so far, in a file, so that a run goes on where the last one ended.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER } from './coverage.mjs';

/**
 * @typedef {import('./sample.mjs').Mutant} Mutant
 *
 * @typedef {object} Result - of one mutant
 * @property {'noticed' | 'survived' | 'unreached'} outcome
 * @property {string} by - the test that noticed it
 * @property {Record<string, string>} tried - digests of the test files that did not notice it
 * @property {readonly string[]} [early] - test files that evaluate it while they load modules: it was off then
 * @property {Record<string, string>} [always] - digests of test files that did not notice it while it was on from the start
 * @property {string} date
 */

const STATE = join(FOLDER, 'results.json');

/** All results, by the ids of mutants. */
export class Results {
  constructor() {
    mkdirSync(FOLDER, { recursive: true });
    this.all = saved();
  }

  /**
   * What changed since the last {@link save}: another run may be trying other rooms. @type {Record<string, Result>} */
  changed = {};

  /** @param {Mutant} mutant @returns {Result | undefined} */
  of({ id }) {
    return this.all[id];
  }

  /**
   * A test has noticed a mutant.
   *
   * @param {Mutant} mutant
   * @param {string} by
   */
  notice(mutant, by) {
    this.put(mutant, { outcome: 'noticed', by, tried: {}, date: today() });
  }

  /**
   * The tests of a file have not noticed a mutant.
   *
   * @param {Mutant} mutant
   * @param {string} test - the file
   * @param {string} digest - of the file
   * @param {boolean} reached
   * @param {boolean} [early] - whether it was evaluated while modules were loaded
   */
  pass(mutant, test, digest, reached, early = false) {
    const known = this.all[mutant.id];
    const outcome = reached || early || known?.outcome === 'survived' ? 'survived' : 'unreached';
    const loaders = early ? { early: [...new Set([...(known?.early ?? []), test])] } : {};
    this.put(mutant, { ...known, outcome, by: '', tried: { ...known?.tried, [test]: digest }, ...loaders, date: today() });
  }

  /**
   * The tests of a file have not noticed a mutant that was on from the start.
   *
   * @param {Mutant} mutant
   * @param {string} test - the file
   * @param {string} digest - of the file
   */
  passAlways(mutant, test, digest) {
    const known = this.all[mutant.id];
    if (known !== undefined) {
      this.put(mutant, { ...known, always: { ...known.always, [test]: digest } });
    }
  }

  /** @param {Mutant} mutant @param {Result} result */
  put({ id }, result) {
    this.all[id] = result;
    this.changed[id] = result;
  }

  save() {
    writeFileSync(STATE, JSON.stringify({ ...saved(), ...this.changed }));
    this.changed = {};
  }
}

/** @returns {Record<string, Result>} */
function saved() {
  return existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
}

/** @returns {string} */
export function today() {
  return new Date().toISOString().slice(0, 10);
}
