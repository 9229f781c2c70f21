// The dated tables of docs/matrix.md: what was tried, where and when.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './environment.mjs';

const PAGE = join(ROOT, 'docs', 'matrix.md');

/**
 * @typedef {object} Row
 * @property {string} key - its first cells, such as `3.11 | 3.12`
 * @property {readonly string[] | null} cells - its further cells; `null` when nothing was tried here: what the page says stays
 */

/**
 * The page with one of its tables renewed.
 *
 * @param {string} page
 * @param {string} name - of the table, as in the comments around it
 * @param {readonly Row[]} rows - all that the table has from now on
 * @returns {string}
 * @throws Error when the page has no such table
 */
export function withTable(page, name, rows) {
  const [opening, closing] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(opening) + opening.length, page.indexOf(closing)];
  if (from < opening.length || to < from) {
    throw new Error(`docs/matrix.md has no table between ${opening.trim()} and ${closing}`);
  }
  const [titles = '', line = '', ...old] = page.slice(from, to).trim().split('\n');
  const columns = titles.split('|').length - 2;
  const lines = rows.map(({ key, cells }) => {
    const known = old.find(text => text.startsWith(`| ${key} |`));
    if (cells === null && known !== undefined) {
      return known;
    }
    const missing = columns - key.split('|').length;
    const shown = cells ?? [...Array(Math.max(0, missing - 2)).fill(''), 'not run', ''];
    return `| ${[key, ...shown.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))].join(' | ')} |`;
  });
  return `${page.slice(0, from)}\n${[titles, line, ...lines].join('\n')}\n\n${page.slice(to)}`;
}

/**
 * Renew one of the tables of docs/matrix.md.
 *
 * @param {string} name
 * @param {readonly Row[]} rows
 */
export function writeTable(name, rows) {
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), name, rows));
}

/** What the extension and the package are made of, for digests of what was tried with them. */
export const SHIPPED = [
  'src',
  'style',
  'schema',
  'bridge',
  'package.json',
  'package-lock.json',
  'pyproject.toml',
  'tsconfig.json'
];

/**
 * What a resumable script has tried.
 *
 * @typedef {object} Tried
 * @property {string} outcome
 * @property {string} [sources] - digest of the sources that it was tried with; absent where a script kept none
 */

/**
 * Whether something need not be tried again: it passed, and with these sources.
 *
 * @param {Tried | undefined} tried
 * @param {string} sources - from `digest`
 * @returns {boolean}
 */
export function holds(tried, sources) {
  return tried?.outcome === 'passed' && tried.sources === sources;
}

/**
 * The outcome of what is tried in parts: it has passed when the last part has.
 *
 * @param {number} done - mutations or whatever the parts consist of
 * @param {number} all
 * @param {number} failed - number of parts that failed
 * @returns {string}
 */
export function outcomeOfParts(done, all, failed) {
  if (failed > 0) {
    return `failed parts: ${failed}`;
  }
  return done < all ? `passed so far: ${done.toLocaleString('en')} of ${all.toLocaleString('en')}` : 'passed';
}

/** @returns {string} the date of this day */
export function today() {
  return new Date().toISOString().slice(0, 10);
}
