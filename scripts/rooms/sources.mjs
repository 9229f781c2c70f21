// The sources of a checkout and what they import, by their text.
import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * @typedef {object} Violation
 * @property {string} file - relative to the checkout
 * @property {number} line - from 1
 * @property {string} text - what is wrong
 */

/** What a build or a test run leaves in the folders of the sources. */
const MADE = /(^|\/)(labextension|__pycache__|node_modules)\//;

/**
 * @param {string} folder
 * @param {...string} endings
 * @returns {string[]} paths in it, with `/`, in order
 */
export function sourcesIn(folder, ...endings) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => path.split(sep).join('/'))
    .filter(path => endings.some(ending => path.endsWith(ending)) && !MADE.test(path))
    .sort();
}

/**
 * @param {string} root
 * @param {string} path
 * @param {RegExp} pattern - its first group is what is imported
 */
export function importsOf(root, path, pattern) {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(pattern)].map(match => ({
    name: match[1] ?? '',
    at: { file: path, line: text.slice(0, match.index + match[0].length).split('\n').length }
  }));
}
