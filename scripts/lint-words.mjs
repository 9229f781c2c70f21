// Words that comments, docstrings and pages of the documentation do not use, with what to write instead.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './lib/environment.mjs';
import { sourcesIn } from './rooms/sources.mjs';

/** Coined or archaic expressions, and the plain ones. */
export const WORDS = Object.freeze({
  anew: 'again',
  dear: 'expensive',
  'lets? go of': 'release or drop',
  somebody: 'name the user, the subscriber or the caller',
  'tell(s|ing)? of': 'report or show',
  'told of': 'notified, or receives',
  'who(ever)? comes': 'a late subscriber',
  whoever: 'name the user, the subscriber or the caller'
});

const PATTERN = new RegExp(`\\b(${Object.keys(WORDS).join('|')})\\b`, 'gi');

/** The checked folders. Tests other than the harness are not checked. */
const FOLDERS = ['src', 'bridge/dask_panes', 'scripts', 'style', 'docs', 'test/e2e/harness'];

/** Generated files, and pages that cite titles of tests. */
const SKIPPED =
  /^docs\/((api|configuration|plots|faults|seeds)\.md|_build\/)|^src\/(feed\/(schema|bridge-source)|sidebar\/hosting\/rules)\.ts$/;

/** Strings come first so that their text is skipped; the named group is the text to check. */
const SCRIPT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<text>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g;
const PYTHON = /(?<text>"""[\s\S]*?""")|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<comment>#[^\n]*)/g;
const MARKDOWN = /```[\s\S]*?```|`[^`\n]*`|(?<text>[^`]+)/g;

/**
 * @param {string} root - a checkout
 * @returns {import('./rooms/sources.mjs').Violation[]}
 */
export function checkWords(root) {
  return FOLDERS.filter(folder => existsSync(join(root, folder))).flatMap(folder =>
    sourcesIn(join(root, folder), '.ts', '.tsx', '.mjs', '.css', '.py', '.md')
      .map(path => `${folder}/${path}`)
      .filter(path => !SKIPPED.test(path) && statSync(join(root, path)).isFile())
      .flatMap(path => wordsIn(path, readFileSync(join(root, path), 'utf8')))
  );
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {import('./rooms/sources.mjs').Violation[]}
 */
function wordsIn(file, text) {
  const parts = text.matchAll(file.endsWith('.py') ? PYTHON : file.endsWith('.md') ? MARKDOWN : SCRIPT);
  return [...parts].flatMap(part =>
    [...(part.groups?.text ?? part.groups?.comment ?? '').matchAll(PATTERN)].map(found => ({
      file,
      line: text.slice(0, part.index + found.index).split('\n').length,
      text: `"${found[0]}" in a comment or a page: ${plain(found[0])}`
    }))
  );
}

/** @param {string} word */
function plain(word) {
  const entry = Object.entries(WORDS).find(([pattern]) => new RegExp(`^(${pattern})$`, 'i').test(word));
  return entry?.[1] ?? '';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const violations = checkWords(ROOT);
  for (const { file, line, text } of violations) {
    console.error(`${relative('.', join(ROOT, file))}:${line}: ${text}`);
  }
  process.exitCode = violations.length ? 1 : 0;
}
