// The translatable texts: literals of the calls `__` and `_n` in the sources, and the texts of the catalogue.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { sourcesIn } from '../rooms/sources.mjs';

/**
 * @typedef {object} Message
 * @property {string} text - the English text, or its singular
 * @property {string} plural - '' for a text without a count
 * @property {string[]} references - where it occurs: files, or parts of the catalogue
 */

/** @typedef {import('../rooms/sources.mjs').Violation} Violation */

/** Keys of the catalogue's objects whose values are shown to users. */
const SHOWN = new Set(['title', 'short', 'caption', 'howToRead', 'label', 'axisTitle', 'limitText', 'name']);
/** Passes texts of the catalogue on to `__`: the only caller without a literal. */
const CATALOGUE_CALLER = 'plot/translation.ts';

/**
 * Collect the messages of a checkout.
 *
 * @param {string} root
 * @param {import('../lib/catalogue.mjs').Catalogue} catalogue
 * @returns {{ messages: Message[], violations: Violation[] }} messages sorted by text
 */
export function collect(root, { plots, groups, layouts, keys, keyActionLabel }) {
  const found = new Messages();
  for (const path of sourcesIn(join(root, 'src'), '.ts', '.tsx')) {
    if (path !== CATALOGUE_CALLER) {
      readCalls(`src/${path}`, readFileSync(join(root, 'src', path), 'utf8'), found);
    }
  }
  for (const title of Object.values(groups)) {
    found.add({ text: title, plural: '' }, 'groups of the sidebar', 0);
  }
  for (const [kind, actions] of Object.entries(keys)) {
    for (const action of actions) {
      found.add({ text: keyActionLabel(action), plural: '' }, `keys of ${kind}`, 0);
    }
  }
  for (const plot of plots) {
    readTexts(plot, `plot ${plot.id}`, found);
  }
  for (const layout of layouts) {
    readTexts(layout, `layout ${layout.id}`, found);
  }
  return found.sorted();
}

/** Messages by text, with everything that is wrong with them. */
export class Messages {
  /** @type {Map<string, Message>} */
  byText = new Map();
  /** @type {Violation[]} */
  violations = [];

  /**
   * @param {{ text: string, plural: string }} message
   * @param {string} file - or part of the catalogue
   * @param {number} line - 0 outside files
   */
  add({ text, plural }, file, line) {
    const known = this.byText.get(text);
    if (known === undefined) {
      this.byText.set(text, { text, plural, references: [file] });
      return;
    }
    if (known.plural !== plural) {
      this.violations.push({ file, line, text: `"${text}" has another plural, or none, in ${known.references[0]}` });
    }
    if (!known.references.includes(file)) {
      known.references.push(file);
    }
  }

  sorted() {
    const messages = [...this.byText.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
    return { messages, violations: this.violations };
  }
}

/**
 * Read the calls of one source file.
 *
 * @param {string} file - its path, for references
 * @param {string} source - TypeScript
 * @param {Messages} found
 */
export function readCalls(file, source, found) {
  for (const call of calls(parseAst(source, { lang: 'ts' }, file))) {
    const line = source.slice(0, call.start).split('\n').length;
    const [name, count] = [call.callee.property.name, call.callee.property.name === '_n' ? 2 : 1];
    const texts = call.arguments.slice(0, count).map(literal);
    if (texts.length < count || texts.includes(null)) {
      found.violations.push({ file, line, text: `a text of ${name} is not a literal` });
      continue;
    }
    const [text, plural = ''] = texts;
    const given = call.arguments.length - 1 - (count - 1);
    const spread = call.arguments.some((/** @type {any} */ argument) => argument.type === 'SpreadElement');
    const positions = new Set([...`${text}${plural}`.matchAll(/%(\d+)/g)].map(([, position]) => Number(position)));
    if (!spread && [...positions].some(position => position > given)) {
      found.violations.push({ file, line, text: `"${text}" has a placeholder without an argument` });
    }
    // The first one of `_n` is the bare number, which selects the plural: where it is also given as a text, that is to be shown.
    const shown = Array.from({ length: given - (count - 1) }, (_, index) => index + count);
    if (!spread && shown.some(position => !positions.has(position))) {
      found.violations.push({ file, line, text: `"${text}" does not show all of its arguments` });
    }
    found.add({ text, plural }, file, line);
  }
}

/**
 * All calls of `….__` and `…._n` below a node of the syntax tree.
 *
 * @param {any} node
 * @returns {Generator<any>}
 */
function* calls(node) {
  if (node === null || typeof node !== 'object') {
    return;
  }
  if (node.type === 'CallExpression' && ['__', '_n'].includes(node.callee.property?.name)) {
    yield node;
  }
  for (const child of Object.values(node)) {
    yield* calls(child);
  }
}

/**
 * @param {any} node
 * @returns {string | null} the value of a string literal, also if it is put together from several
 */
function literal(node) {
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [literal(node.left), literal(node.right)];
    return left === null || right === null ? null : left + right;
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

/**
 * Read the texts of a part of the catalogue: strings under certain keys, at any depth.
 *
 * @param {unknown} value
 * @param {string} reference
 * @param {Messages} found
 */
function readTexts(value, reference, found) {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'string' && SHOWN.has(key) && child !== '') {
      found.add({ text: child, plural: '' }, reference, 0);
    } else {
      readTexts(child, reference, found);
    }
  }
}
