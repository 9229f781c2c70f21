// Which mutants are tried, and what a share of noticed ones says about all.
import { createHash } from 'node:crypto';

/**
 * @typedef {import('./points.mjs').Point} Point
 *
 * @typedef {Point & { id: string }} Mutant
 *   The id is of its file and text, not of its line number: a result stays valid while its line does.
 *
 * @typedef {object} Equivalent - a mutant that no test can notice
 * @property {string} file
 * @property {string} from - the line
 * @property {string} to - the mutated line
 * @property {string} reason
 */

/**
 * @param {readonly Point[]} points - of whole files
 * @returns {Mutant[]}
 */
export function named(points) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return points.map(point => {
    const text = [point.file, point.from, point.to].join('\n');
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { ...point, id: digestOf(`${text}\n${count}`) };
  });
}

/**
 * The order in which mutants are tried. Its first N are a random sample, and stay it when other code is added.
 *
 * @param {readonly Mutant[]} mutants
 * @param {string} seed
 * @returns {Mutant[]}
 */
export function shuffled(mutants, seed) {
  return mutants
    .map(mutant => ({ mutant, at: digestOf(`${seed}\n${mutant.id}`) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ mutant }) => mutant);
}

/**
 * The interval of Wilson for a share, which holds for small samples and for shares near 0 and 1.
 *
 * @param {number} count
 * @param {number} of
 * @returns {[number, number]} the interval that has the true share with a probability of 95 %
 */
export function interval(count, of) {
  if (of === 0) {
    return [0, 1];
  }
  const z = 1.96;
  const share = count / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/**
 * @param {readonly Equivalent[]} list
 * @param {Point} point
 * @returns {Equivalent | undefined} what says that no test can notice it
 */
export function equivalentTo(list, point) {
  return list.find(known => known.file === point.file && known.from === point.from && known.to === point.to);
}

/** @param {string} text */
export function digestOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
