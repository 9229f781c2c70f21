// Words that comments, docstrings, pages of the documentation and names do not use, with what to write instead.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './lib/environment.mjs';
import { sourcesIn } from './rooms/sources.mjs';

/** Coined or archaic expressions, and the plain ones. */
export const WORDS = Object.freeze({
  anew: 'again',
  '(the|its) begin': 'the start, or the beginning',
  'begin of': 'beginning of, or start of',
  dear: 'expensive',
  'all the same': 'anyway',
  '(a|the) person': 'the user',
  'but for': 'except for',
  'for ever': 'forever',
  'for people': 'for users',
  'lets? go of': 'release or drop',
  'of before': 'earlier, or from before',
  'spoken of': 'mentioned',
  'the same of': 'the same for',
  somebody: 'name the user, the subscriber or the caller',
  'tell(s|ing)? of': 'report or show',
  told: 'reported, notified or sent; distinguished for "told apart"',
  'in vain': 'wasted',
  'who(ever)? comes': 'a late subscriber',
  whoever: 'name the user, the subscriber or the caller'
});

/** Words that no name and no file name contains, and the plain ones. */
export const NAME_WORDS = Object.freeze({
  '(un|re)?(tell|tells|telling|told)': 'what it is: an answer, a report, a message; notify, send, report',
  anew: 'again, fresh or restarted',
  dear: 'expensive'
});

/**
 * Names with such a word that stay, by file.
 *
 * @type {Readonly<Record<string, { readonly names: readonly string[], readonly reason: string }>>}
 */
const KEPT = Object.freeze({
  'scripts/lint-words.mjs': { names: ['anew', 'dear', 'told'], reason: 'the words themselves' },
  'src/panes/manager.ts': { names: ['anew'], reason: 'public: an option of IDaskPanes.open' },
  'src/sidebar/plots-section.ts': { names: ['anew'], reason: 'an option of IDaskPanes.open' },
  'test/unit/sidebar/plots-section.test.ts': { names: ['anew'], reason: 'an option of IDaskPanes.open' },
  'src/panes/tokens.ts': { names: ['anew'], reason: 'public: an option of IDaskPanes.open' },
  'test/bench/_advice-score.mjs': { names: ['told'], reason: 'a key of the results that are kept' },
  'test/unit/harness/advice-score.test.ts': { names: ['told'], reason: 'a key of the results that are kept' },
  'test/unit/plots/shuffle.test.ts': { names: ['told'], reason: 'a column of the topic shuffles' }
});

const PATTERN = new RegExp(`\\b(${Object.keys(WORDS).join('|')})\\b`, 'gi');

/** The folders whose comments and pages are checked. */
const FOLDERS = ['src', 'bridge/dask_panes', 'scripts', 'style', 'docs', 'examples', 'test'];

/** The folders whose names are checked. */
const CODE_FOLDERS = ['src', 'bridge/dask_panes', 'scripts', 'examples', 'test'];

/** Generated files, and pages that cite titles of tests. */
const SKIPPED =
  /^bridge\/dask_panes\/files\/program\.mjs$|^docs\/((api|configuration|plots|faults|seeds)\.md|_build\/)|^src\/(feed\/(schema|schema-checks|bridge-source)|sidebar\/hosting\/rules)\.ts$/;

/** Comments here stay as they are: recordings of a workload are kept only as long as its text is the same. */
const RECORDED = /^test\/advice\/workloads\//;

/** Strings come first so that their text is skipped; the named group is the text to check. */
const SCRIPT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<text>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g;
const PYTHON = /(?<text>"""[\s\S]*?""")|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<comment>#[^\n]*)/g;
const SCRIPT_NAME =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/|(?<name>[A-Za-z_$][\w$]*)/g;
const PYTHON_NAME = /#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<name>[A-Za-z_]\w*)/g;
/** Texts of the extension: they are literals in the sources, so the template of the translations is read. */
const TEMPLATE = 'bridge/dask_panes/locale/dask_panes.pot';
const MESSAGE = /^msgid(?:_plural)? (?<text>(?:"(?:\\.|[^"\\\n])*"\n?)+)/gm;
const MARKDOWN = /```[\s\S]*?```|`[^`\n]*`|(?<text>[^`]+)/g;

/** Words of a name in camel case, with underscores or with hyphens. */
const PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const FORBIDDEN = new RegExp(`^(${Object.keys(NAME_WORDS).join('|')})$`, 'i');

/**
 * Names in code, and those of files.
 *
 * @param {string} root - a checkout
 * @returns {import('./rooms/sources.mjs').Violation[]}
 */
export function checkNames(root) {
  return CODE_FOLDERS.filter(folder => existsSync(join(root, folder))).flatMap(folder =>
    sourcesIn(join(root, folder), '.ts', '.tsx', '.mts', '.mjs', '.py')
      .map(path => `${folder}/${path}`)
      .filter(path => !SKIPPED.test(path) && statSync(join(root, path)).isFile())
      .flatMap(path => namesIn(path, readFileSync(join(root, path), 'utf8')))
  );
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {import('./rooms/sources.mjs').Violation[]}
 */
function namesIn(file, text) {
  const kept = KEPT[file]?.names ?? [];
  const found = [...text.matchAll(file.endsWith('.py') ? PYTHON_NAME : SCRIPT_NAME)]
    .map(({ groups, index }) => ({ name: groups?.name ?? '', index }))
    .filter(({ name }) => forbidden(name) !== undefined && !kept.includes(name))
    .map(({ name, index }) => ({ file, line: text.slice(0, index).split('\n').length, text: refusal(name) }));
  return forbidden(basename(file)) === undefined ? found : [{ file, line: 1, text: refusal(basename(file)) }, ...found];
}

/** @param {string} name */
function forbidden(name) {
  return name.match(PART)?.find(part => FORBIDDEN.test(part));
}

/** @param {string} name */
function refusal(name) {
  return `"${name}" as a name: ${plain(NAME_WORDS, forbidden(name) ?? '')}`;
}

/**
 * @param {string} root - a checkout
 * @returns {import('./rooms/sources.mjs').Violation[]}
 */
export function checkWords(root) {
  return [...messagesIn(root), ...commentsIn(root)];
}

/** @param {string} root */
function messagesIn(root) {
  return existsSync(join(root, TEMPLATE))
    ? [...readFileSync(join(root, TEMPLATE), 'utf8').matchAll(MESSAGE)].flatMap(({ groups }) => {
        const message = (groups?.text ?? '').replaceAll(/^"|"\n"|"\n?$/g, '');
        return [...message.matchAll(PATTERN)].map(([word]) => ({
          file: TEMPLATE,
          line: 1,
          text: `"${word}" in "${message}": ${plain(WORDS, word)}`
        }));
      })
    : [];
}

/** @param {string} root */
function commentsIn(root) {
  return FOLDERS.filter(folder => existsSync(join(root, folder))).flatMap(folder =>
    sourcesIn(join(root, folder), '.ts', '.tsx', '.mjs', '.css', '.py', '.md')
      .map(path => `${folder}/${path}`)
      .filter(path => !SKIPPED.test(path) && !RECORDED.test(path) && statSync(join(root, path)).isFile())
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
      text: `"${found[0]}" in a comment or a page: ${plain(WORDS, found[0])}`
    }))
  );
}

/**
 * @param {Readonly<Record<string, string>>} words
 * @param {string} word
 */
function plain(words, word) {
  const entry = Object.entries(words).find(([pattern]) => new RegExp(`^(${pattern})$`, 'i').test(word));
  return entry?.[1] ?? '';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const violations = [...checkWords(ROOT), ...checkNames(ROOT)];
  for (const { file, line, text } of violations) {
    console.error(`${relative('.', join(ROOT, file))}:${line}: ${text}`);
  }
  process.exitCode = violations.length ? 1 : 0;
}
