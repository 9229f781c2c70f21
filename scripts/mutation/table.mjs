// The scores, the survivors, and the tables of docs/mutation.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/environment.mjs';
import { equivalentTo, interval } from './sample.mjs';

/**
 * @typedef {import('../mutation.mjs').Plan} Plan
 * @typedef {import('./results.mjs').Results} Results
 * @typedef {import('./sample.mjs').Equivalent} Equivalent
 * @typedef {import('./sample.mjs').Mutant} Mutant
 *
 * @typedef {object} Score
 * @property {string} room
 * @property {number} possible - mutants that the room has
 * @property {number} tried - of the sample, without those that are equivalent
 * @property {number} noticed
 * @property {number} unreached - by any test
 * @property {number} equivalent
 */

const PAGE = join(ROOT, 'docs', 'mutation.md');

/**
 * @param {Plan} plan
 * @param {Results} results
 * @param {readonly Equivalent[]} equivalent
 * @returns {Score}
 */
export function scoreOf({ room, possible, mutants }, results, equivalent) {
  const counted = mutants.filter(mutant => equivalentTo(equivalent, mutant) === undefined);
  const found = counted.map(mutant => results.of(mutant)?.outcome).filter(outcome => outcome !== undefined);
  return {
    room: room.name,
    possible,
    tried: found.length,
    noticed: found.filter(outcome => outcome === 'noticed').length,
    unreached: found.filter(outcome => outcome === 'unreached').length,
    equivalent: mutants.length - counted.length
  };
}

/** @param {readonly Score[]} scores */
export function table(scores) {
  const total = scores.reduce(
    (sum, { possible, tried, noticed, unreached, equivalent }) => ({
      room: 'all',
      possible: sum.possible + possible,
      tried: sum.tried + tried,
      noticed: sum.noticed + noticed,
      unreached: sum.unreached + unreached,
      equivalent: sum.equivalent + equivalent
    }),
    { room: 'all', possible: 0, tried: 0, noticed: 0, unreached: 0, equivalent: 0 }
  );
  const rows = [...scores, ...(scores.length > 1 ? [total] : [])].map(score => {
    const [low, high] = interval(score.noticed, score.tried);
    const share = score.tried === 0 ? 'not run' : `${percent(score.noticed / score.tried)} (${percent(low)} to ${percent(high)})`;
    const { room, possible, tried, noticed, unreached, equivalent } = score;
    return [room, possible, tried, noticed, unreached, equivalent, share].join(' | ');
  });
  const titles = ['room', 'possible', 'tried', 'noticed', 'reached by no test', 'equivalent', 'score (95 % interval)'];
  return [titles.join(' | '), titles.map(() => '---').join('|'), ...rows]
    .map(row => `| ${row} |`.replace('| ---', '|---').replace('--- |', '---|'))
    .join('\n');
}

/** @param {number} share */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/**
 * @param {readonly Plan[]} plans
 * @param {Results} results
 * @param {readonly Equivalent[]} equivalent
 * @returns {Mutant[]} those that no test noticed
 */
function unnoticed(plans, results, equivalent) {
  return plans
    .flatMap(({ mutants }) => mutants)
    .filter(mutant => equivalentTo(equivalent, mutant) === undefined)
    .filter(mutant => (results.of(mutant)?.outcome ?? 'noticed') !== 'noticed')
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/**
 * @param {readonly Plan[]} plans
 * @param {Results} results
 * @param {readonly Equivalent[]} equivalent
 */
export function survivors(plans, results, equivalent) {
  return unnoticed(plans, results, equivalent)
    .map(mutant => {
      const { file, line, from, to } = mutant;
      return `${file}:${line} ${results.of(mutant)?.outcome}\n    ${from}\n    ${to}`;
    })
    .join('\n');
}

/**
 * Renew the table of a seed on the page, or add it.
 *
 * @param {readonly Score[]} scores
 * @param {string} seed
 * @param {readonly Plan[]} plans
 * @param {Results} results
 * @param {readonly Equivalent[]} equivalent
 */
export function writePage(scores, seed, plans, results, equivalent) {
  const [opening, closing] = [`<!-- scores of seed ${seed} -->\n`, `<!-- end of the scores of seed ${seed} -->`];
  const found = readFileSync(PAGE, 'utf8');
  const page = found.includes(opening) ? found : `${found}\n${opening}${closing}\n`;
  const [from, to] = [page.indexOf(opening) + opening.length, page.indexOf(closing)];
  const list = unnoticed(plans, results, equivalent).map(
    mutant => `- \`${mutant.file}\`: ${code(mutant.from)} → ${code(mutant.to)}`
  );
  const date = new Date().toISOString().slice(0, 10);
  const text = `\nSeed ${seed}, as of ${date}:\n\n${table(scores)}\n\nNot noticed:\n\n${list.join('\n') || 'none'}\n\n`;
  writeFileSync(PAGE, page.slice(0, from) + text + page.slice(to));
}

/** @param {string} text */
function code(text) {
  const marks = text.includes('`') ? '``' : '`';
  return `${marks}${marks.length > 1 ? ' ' : ''}${text}${marks.length > 1 ? ' ' : ''}${marks}`;
}
