import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(__dirname, '..', '..', '..');
const FOLDERS = ['src', 'style', 'bridge/dask_panes', 'scripts', 'test', 'docs'];
/** Folders that a build or a test run leaves. */
const MADE = /node_modules|labextension|__pycache__|bridge-source|report\.html/;

const files = FOLDERS.flatMap(folder =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.(ts|mjs|py|css|md|json)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !MADE.test(path))
);

/** A page of ours, with a heading where one is named: `docs/look.md`, "Motion". */
const REFERENCE = /`(docs\/[\w-]+\.md)`(?:,\s+(?:\*\s+)?"([^"]+)")?/g;
const references = files.flatMap(path =>
  [...readFileSync(path, 'utf8').matchAll(REFERENCE)].map(
    ([, page = '', heading = '']) => [relative(ROOT, path), page, heading] as const
  )
);

test('there are references to look at', () => {
  expect(references.length).toBeGreaterThan(20);
});

test.each(references)('%s names %s %s, which is there', (_from, page, heading) => {
  const headings = readFileSync(join(ROOT, page), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('#'))
    .map(line => line.replace(/^#+ /, ''));
  expect(headings.length).toBeGreaterThan(0);
  if (heading !== '') {
    expect(headings.some(found => found.startsWith(heading))).toBe(true);
  }
});

test('links between the pages lead somewhere', () => {
  const pages = [...files.filter(path => path.endsWith('.md')), join(ROOT, 'README.md')];
  const links = pages.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => [path, target] as const)
  );
  expect(links.length).toBeGreaterThan(20);
  const broken = links.filter(([path, target]) => {
    try {
      readFileSync(join(path, '..', target));
      return false;
    } catch {
      return true;
    }
  });
  expect(broken.map(([path, target]) => `${relative(ROOT, path)}: ${target}`)).toEqual([]);
});

test('no comment refers to a document outside the repository', () => {
  const outside = /\(design\b|`design\/|design decision|[Ss]eed 0\d\d|\(reference,/;
  const found = files.filter(path => !path.endsWith('references.test.ts') && outside.test(readFileSync(path, 'utf8')));
  expect(found.map(path => relative(ROOT, path))).toEqual([]);
});
