import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkNames, checkWords } from '../../../scripts/lint-words.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dask panes words '));
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Locations of violations, as `file:line`. */
function found(): string[] {
  return checkWords(root).map(({ file, line }) => `${file}:${line}`);
}

describe('words of comments and pages', () => {
  it.each([
    ['a line comment', 'src/a.ts', 'f();\n// Drawn anew.', 2],
    ['a block comment', 'src/a.tsx', '/**\n * Fine.\n * Lets go of it.\n */', 3],
    ['a style sheet', 'style/a.css', '\n/* For somebody. */', 2],
    ['a Python comment', 'bridge/dask_panes/a.py', 'x = "#"  # Dear.', 1],
    ['a comment of a test', 'test/unit/a.test.ts', '// In vain.', 1],
    ['a docstring', 'bridge/dask_panes/a.py', '"""One.\n\nTold of it.\n"""', 3],
    ['a page', 'docs/look.md', '# A\n\nWhoever reads this.', 3],
    ['a comment with a verb as a noun', 'src/a.ts', '// At its begin.\n// At the beginning.', 1]
  ])('refuses them in %s', (_name, path, text, line) => {
    write(path, text);
    expect(found()).toEqual([`${path}:${line}`]);
  });

  it('ignores strings, code, generated pages, and workloads whose text identifies recordings', () => {
    write('test/advice/workloads/a.py', '# Somebody waits.');
    write('src/a.ts', "const a = 'anew // anew';\nconst b = `// dear`;\nconst anew = 1;");
    write('bridge/dask_panes/a.py', 'a = "somebody # somebody"\nanew = 1\n');
    write('docs/look.md', '```\nanew\n```\n\nA `dear` name.');
    write('docs/plots.md', 'anew');
    expect(found()).toEqual([]);
  });

  it('refuses them in texts of the extension, also where one is on two lines', () => {
    const fine = 'msgid "Open \\"A\\""\nmsgstr ""\n';
    write(
      'bridge/dask_panes/locale/dask_panes.pot',
      `${fine}\nmsgid ""\n"One is drawn "\n"for ever."\nmsgid_plural ""\n"Two"\nmsgstr[0] "anew"\n`
    );
    expect(checkWords(root).map(({ text }) => text)).toEqual(['"for ever" in "One is drawn for ever.": forever']);
  });

  it('proposes the plain word', () => {
    write('src/a.ts', '// anew');
    expect(checkWords(root)[0]?.text).toContain('again');
  });
});

describe('words of names', () => {
  /** Locations of violations, as `file:line`. */
  function named(): string[] {
    return checkNames(root).map(({ file, line }) => `${file}:${line}`);
  }

  it.each([
    ['a variable', 'src/a.ts', 'f();\nconst told = 1;', 2],
    ['a part of a name', 'src/a.tsx', 'const toldTasks = 1;', 1],
    ['a type', 'test/unit/a.test.ts', 'interface Told {}', 1],
    ['a constant', 'test/bench/a.mjs', 'const MAKE_ANEW = 1;', 1],
    ['a method', 'examples/a/index.ts', 'class A {\n  tell(): void {}\n}', 2],
    ['an import with another name', 'src/a.ts', "import { answer as told } from './b';", 1],
    ['an expression in a regular position', 'src/a.ts', 'f(a / 2, told / 3);', 1],
    ['a Python variable', 'bridge/dask_panes/a.py', 'x = 1\nself._told = {}', 2],
    ['a Python test', 'test/bridge/test_a.py', 'def test_dear_tables_are_slow() -> None: ...', 1],
    ['the name of a file', 'src/save-and-tell.ts', '', 1]
  ])('refuses them in %s', (_name, path, text, line) => {
    write(path, text);
    expect(named()).toEqual([`${path}:${line}`]);
  });

  it('ignores strings, comments, regular expressions and other words', () => {
    write(
      'src/a.ts',
      "// told\nconst a = 'told'; const b = `told`; const c = /told/; /* tell */ const satellite = intelligence;"
    );
    write('src/b.ts', 'const laneWord = goldTotal;');
    write('bridge/dask_panes/a.py', '"""told"""\na = "told"  # told\n');
    expect(named()).toEqual([]);
  });

  it('leaves names that are stored or public', () => {
    write('src/panes/tokens.ts', 'readonly anew?: boolean;');
    write('test/unit/plots/shuffle.test.ts', 'told: column;');
    expect(named()).toEqual([]);
  });

  it('proposes plain words', () => {
    write('src/a.ts', 'const anew = 1;');
    expect(checkNames(root)[0]?.text).toContain('"anew" as a name: again');
  });
});
