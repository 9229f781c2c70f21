import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkWords } from '../../../scripts/lint-words.mjs';

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
    ['a docstring', 'bridge/dask_panes/a.py', '"""One.\n\nTold of it.\n"""', 3],
    ['a page', 'docs/look.md', '# A\n\nWhoever reads this.', 3]
  ])('refuses them in %s', (_name, path, text, line) => {
    write(path, text);
    expect(found()).toEqual([`${path}:${line}`]);
  });

  it('ignores strings, code and generated pages', () => {
    write('src/a.ts', "const a = 'anew // anew';\nconst b = `// dear`;\nconst anew = 1;");
    write('bridge/dask_panes/a.py', 'a = "somebody # somebody"\nanew = 1\n');
    write('docs/look.md', '```\nanew\n```\n\nA `dear` name.');
    write('docs/plots.md', 'anew');
    expect(found()).toEqual([]);
  });

  it('proposes the plain word', () => {
    write('src/a.ts', '// anew');
    expect(checkWords(root)[0]?.text).toContain('again');
  });
});
