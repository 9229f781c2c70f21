// What the generated pages share.

/**
 * The first line of a generated page.
 *
 * @param {string} from - what it is generated from
 */
export function generated(from) {
  return `<!-- Generated from ${from} by \`npm run docs:pages\`. Do not edit. -->`;
}

/**
 * Plain text as Markdown shows it unchanged, also within a table.
 *
 * @param {string} text
 */
export function escaped(text) {
  // An underscore within a word is no emphasis.
  return text.replaceAll(/[\\*<>|`]|(?<!\w)_|_(?!\w)/g, found => `\\${found}`);
}

/**
 * A text in English as a sentence.
 *
 * @param {string} text
 */
export function sentence(text) {
  const whole = `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/**
 * A table; cells are Markdown.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @returns {string[]} lines
 */
export function table(head, rows) {
  /** @param {readonly string[]} cells */
  const line = cells => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)];
}
