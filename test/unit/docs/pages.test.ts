import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLE_SIZE } from '../../../scripts/docs/examples.mjs';
import { PANE_STATES } from '../../../src/clients/status';
import { CREDIT } from '../../../src/feed/schema';
import { PLOTS } from '../../../src/plots';

const ROOT = join(__dirname, '..', '..', '..');
const read = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8');

const plots = read('docs', 'plots.md');

test.each(PLOTS.map(plot => [plot.title, plot] as const))('the page of plots has %s', (title, plot) => {
  const section = plots.split(/^### /m).find(text => text.startsWith(`${title}\n`)) ?? '';
  expect(section).toContain(`\`${plot.id}\``);
  // Markdown's escapes are no part of the text.
  expect(section.replaceAll(/\\(?=[\\*_<>|`])/g, '')).toContain(plot.howToRead);
});

test('the page of development has the size of the small pictures', () => {
  const { width, height } = EXAMPLE_SIZE;
  expect(read('docs', 'development.md')).toContain(`${width} × ${height} pixels large`);
});

test('the page of development says when each part of the code is loaded', () => {
  const [, section = ''] = read('docs', 'development.md').split('## What a page loads at its start');
  const parts = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(name =>
    /(^|[\\/])code\.ts$/.test(name)
  );
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.filter(name => !section.includes(`\`${name.replaceAll('\\', '/')}\``))).toEqual([]);
});

test.each(['architecture', 'feed'])('the page %s has the credit of a tab', page => {
  expect(read('docs', `${page}.md`)).toContain(`${CREDIT.frames} frames and ${CREDIT.bytes / 1024} KiB`);
});

test('the glossary has every state of a pane, and no other', () => {
  const [, section = ''] = read('docs', 'glossary.md').split('## States of a pane');
  const named = [...section.split('\n## ')[0].matchAll(/^\| \*\*([\w-]+)\*\*(?: \(`(\w+)`\))? \|/gm)];
  expect(named.map(([, word, name]) => name ?? word).sort()).toEqual([...PANE_STATES].sort());
});

test('every page is in the table of contents of the site', () => {
  const contents = read('docs', 'index.md').split('\n');
  const pages = readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md') && name !== 'index.md');
  expect(pages.filter(name => !contents.includes(name.replace('.md', '')))).toEqual([]);
});

/** Texts of a source file that a pattern finds, with `…` for what is put in. */
function texts(path: string, pattern: RegExp): string[] {
  return [...read(...path.split('/')).matchAll(pattern)].map(([, text = '']) => text.replaceAll(/%\d/g, '…'));
}

const TRANSLATED = /trans\.__\('([^']+)'/g;
const states = [...texts('src/clients/status.ts', TRANSLATED), ...texts('src/clients/disconnected.ts', TRANSLATED)]
  // The name of a client and its state, for screen readers.
  .filter(text => text !== '…: …');
const words = texts('src/panes/pane/pane-words.ts', TRANSLATED);
const losses = texts('src/panes/pane/lost-words.ts', /'([A-Z][^']+)'/g);
const shown = [...states, ...words, ...losses];

const troubleshooting = read('docs', 'troubleshooting.md');
const [under, instead, strips] = troubleshooting.split(/^## /m).slice(1);
/** What stands in quotation marks in the first column of the tables of texts. */
const quoted = `${under}${instead}${strips}`
  .split('\n')
  .filter(line => line.startsWith('| "'))
  .flatMap(line => [...(line.split(' | ')[0] ?? '').matchAll(/"([^"]+)"/g)].map(([, text = '']) => text));

test.each(quoted)('a pane can say "%s"', text => {
  expect(shown).toContain(text);
});

test.each(states)('the page of troubleshooting has the state "%s"', text => {
  expect(quoted).toContain(text);
});

test('the page of troubleshooting has every head of a message', () => {
  const heads = [
    ...texts('src/panes/pane/pane-words.ts', /head: trans\.__\(\s*'([^']+)'/g),
    ...texts(
      'src/panes/pane/lost-words.ts',
      /(?:head: |silent: trans => |'held-up': trans => |retrying: trans => |'gave-up': trans => )trans\.__\('(The [^']+\.)'/g
    )
  ].filter(head => !head.startsWith('…. ') && !/\. /.test(head));
  expect(heads.length).toBeGreaterThan(8);
  expect(heads.filter(head => !quoted.includes(head))).toEqual([]);
});

/** What the examples of a page import from the sources: names and the path from a folder of `src/plots`. */
const imported = [
  ...read('docs', 'development.md').matchAll(/^import (?:type )?\{ ([^}]+) \} from '\.\.\/\.\.\/([^']+)';$/gm)
].flatMap(([, names = '', path = '']) => names.split(', ').map(name => [name, path] as const));

test('the examples of plots import something', () => {
  expect(imported.length).toBeGreaterThan(10);
});

test.each(imported)('%s, which an example imports, is exported by %s', (name, path) => {
  const file = [`${path}.ts`, `${path}/index.ts`].map(end => join(ROOT, 'src', end)).find(existsSync) ?? '';
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`export (?:const|function|interface|type|class) ${name}\\b`));
});
