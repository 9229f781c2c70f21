import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(__dirname, '..', '..', '..');
const FOLDERS = ['src', 'style', 'bridge', 'scripts', 'test', 'docs', 'examples', 'schema'];
/** Folders and files that a build or a test run leaves. */
const MADE = /node_modules|labextension|__pycache__|_build|bridge-source|report\.html|[\\/]lib[\\/]/;
const TEXT = /\.(ts|mjs|py|css|md|json|yaml)$/;

const inFolders = FOLDERS.flatMap(folder =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
);
const atRoot = readdirSync(ROOT).map(name => join(ROOT, name));
// `lib` is built in the root and in examples; that of the scripts is a source.
const isMade = (path: string): boolean => MADE.test(path.replace(join('scripts', 'lib'), 'scripts-lib'));
const files = [...inFolders, ...atRoot].filter(path => TEXT.test(path) && !isMade(relative(ROOT, path)));
const texts = new Map(files.map(path => [path, readFileSync(path, 'utf8')]));
const pages = [...texts].filter(([path]) => path.endsWith('.md'));

/** A page of ours, with a heading where one is named: `docs/look.md`, "Motion". */
const REFERENCE = /`(docs\/[\w-]+\.md)`(?:,\s+(?:\*\s+)?"([^"]+)")?/g;
const references = [...texts].flatMap(([path, text]) =>
  [...text.matchAll(REFERENCE)].map(
    // A comment may break a line within a heading.
    ([, page = '', heading = '']) => [relative(ROOT, path), page, heading.replaceAll(/\s+(?:\*|#|\/\/)?\s*/g, ' ')] as const
  )
);

/** Headings of a page, without what is code in it. */
function headings(page: string): string[] {
  return page
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter(line => line.startsWith('#'))
    .map(line => line.replace(/^#+ /, ''));
}

/** The anchor of a heading, as GitHub and the site make it. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

test('there are references to look at', () => {
  expect(references.length).toBeGreaterThan(20);
});

test.each(references)('%s names %s %s, which is there', (_from, page, heading) => {
  const found = headings(readFileSync(join(ROOT, page), 'utf8'));
  expect(found.length).toBeGreaterThan(0);
  if (heading !== '') {
    expect(found.some(each => each.startsWith(heading))).toBe(true);
  }
});

test('every path in docs/ that a text or a comment names is there', () => {
  const named = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/(?<![\w./-])docs\/[\w./-]*\w/g)].map(([target]) => [path, target] as const)
  );
  expect(named.length).toBeGreaterThan(50);
  const broken = named.filter(([, target]) => !existsSync(join(ROOT, target)) && !target.startsWith('docs/_build'));
  expect(broken.map(([path, target]) => `${relative(ROOT, path)}: ${target}`)).toEqual([]);
});

test('relative links lead somewhere, also to the heading that they name', () => {
  const links = pages.flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^):#]*)(?:#([^)]*))?\)/g)].map(([, target = '', part = '']) => ({ path, target, part }))
  );
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(({ path, target, part }) => {
    const to = target === '' ? path : join(path, '..', target);
    return !existsSync(to) || (part !== '' && !headings(readFileSync(to, 'utf8')).map(anchor).includes(part));
  });
  expect(broken.map(({ path, target, part }) => `${relative(ROOT, path)}: ${target}#${part}`)).toEqual([]);
});

/** Sources without pages of the documentation. */
const code = [...texts].filter(([path]) => /\.(ts|mjs|py|css)$/.test(path));

test('files of sources that a comment names are there', () => {
  const paths = files.map(path => `/${relative(ROOT, path).replaceAll('\\', '/')}`);
  const named = code.flatMap(([path, text]) =>
    [...text.matchAll(/`(?:\.?\/)?(\w[\w/.-]*\.(?:ts|mjs|py|css))`/g)].map(([, target = '']) => [path, target] as const)
  );
  expect(named.length).toBeGreaterThan(20);
  const broken = named.filter(([, target]) => !/bridge-source/.test(target) && !paths.some(path => path.endsWith(`/${target}`)));
  expect(broken.map(([path, target]) => `${relative(ROOT, path)}: ${target}`)).toEqual([]);
});

test('links of comments name something that is there', () => {
  const link = /\{@link ([\w$.#]+)[^}]*\}/g;
  const words = new Set(code.flatMap(([, text]) => text.replaceAll(link, '').match(/[A-Za-z_$][\w$]*/g) ?? []));
  const links = code.flatMap(([path, text]) => [...text.matchAll(link)].map(([, name = '']) => [path, name] as const));
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter(([, name]) => !name.split(/[.#]/).every(part => words.has(part)));
  expect(broken.map(([path, name]) => `${relative(ROOT, path)}: ${name}`)).toEqual([]);
});

test('no comment refers to a document outside the repository', () => {
  const outside = /\(design\b|`design\/|design decision|[Ss]eed 0\d\d|\(reference,/;
  const found = [...texts].filter(([path, text]) => !path.endsWith('references.test.ts') && outside.test(text));
  expect(found.map(([path]) => relative(ROOT, path))).toEqual([]);
});
