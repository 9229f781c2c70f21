import { describe, expect, it } from 'vitest';
import { Messages, readCalls } from '../../../scripts/i18n/messages.mjs';

/** Messages and violations of a source file. */
function read(source: string, file = 'src/a.ts', found = new Messages()): ReturnType<Messages['sorted']> {
  readCalls(file, source, found);
  return found.sorted();
}

describe('the texts of a source file', () => {
  it('are the literals of the calls, also of nested ones and of those in types of TypeScript', () => {
    const source = `
      const f = <T extends string>(trans: Bundle, n: number): T =>
        trans.__('%1 of ' + 'all', this.services.trans._n('1 worker', '%2 workers', n, format(n))) as T;
      const t = \`\${trans.__("it's")} \${/'\\//.test(x)}\`;`;
    expect(read(source)).toEqual({
      messages: [
        { text: '%1 of all', plural: '', references: ['src/a.ts'] },
        { text: '1 worker', plural: '%2 workers', references: ['src/a.ts'] },
        { text: "it's", plural: '', references: ['src/a.ts'] }
      ],
      violations: []
    });
  });

  it.each([
    ['trans.__(plot.title)', 'a text of __ is not a literal'],
    ["trans.__(n === 1 ? 'one' : 'many')", 'a text of __ is not a literal'],
    ['trans.__(`${n} workers`)', 'a text of __ is not a literal'],
    ["trans._n('1 worker', many, n)", 'a text of _n is not a literal'],
    ["trans.__('%1 of %2', a)", '"%1 of %2" has a placeholder without an argument'],
    ["trans._n('1 worker', '%2 workers', n)", '"1 worker" has a placeholder without an argument'],
    // Without separators, where the formatted number is given as well.
    ["trans._n('1 worker', '%1 workers', n, format(n))", '"1 worker" does not show all of its arguments'],
    ["trans.__('%1 workers', n, format(n))", '"%1 workers" does not show all of its arguments']
  ])('are not in %s', (source, text) => {
    expect(read(`const n = 1;\n${source};`).violations).toEqual([{ file: 'src/a.ts', line: 2, text }]);
  });

  it('may be spread', () => {
    expect(read("trans.__('%1 of %2', ...pair)").violations).toEqual([]);
  });

  it('have one plural: JupyterLab has one entry for each text', () => {
    const found = new Messages();
    read("trans._n('1 worker', '%1 workers', n)", 'src/a.ts', found);
    expect(read("trans.__('1 worker')", 'src/b.ts', found).violations).toEqual([
      { file: 'src/b.ts', line: 1, text: '"1 worker" has another plural, or none, in src/a.ts' }
    ]);
  });
});
