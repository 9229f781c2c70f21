import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { holds, outcomeOfParts, SHIPPED, withTable } from '../../../scripts/lib/tried.mjs';

const PAGE = `# Tried

<!-- networks -->

| network | parts | outcome | date |
|---|---|---|---|
| nginx | nginx 1.22 | passed | 2026-11-22 |
| gone | | passed | 2026-11-22 |

<!-- end of networks -->

The end.
`;

function lines(page: string): string[] {
  return page.split('\n').filter(line => line.startsWith('|'));
}

test('rows that were tried here are written, others stay, new ones are not run, old ones go', () => {
  const rows = [
    { key: 'nginx', cells: null },
    { key: 'ssh', cells: ['OpenSSH | 9', 'FAILED', '2026-11-23'] },
    { key: 'hub', cells: null }
  ];
  const page = withTable(PAGE, 'networks', rows);
  expect(lines(page)).toEqual([
    '| network | parts | outcome | date |',
    '|---|---|---|---|',
    '| nginx | nginx 1.22 | passed | 2026-11-22 |',
    '| ssh | OpenSSH \\| 9 | FAILED | 2026-11-23 |',
    '| hub |  | not run |  |'
  ]);
  expect(page.endsWith('\nThe end.\n')).toBe(true);
  expect(withTable(page, 'networks', rows)).toBe(page);
});

test('a key of two cells', () => {
  const page = PAGE.replace('| network | parts |', '| kernel | scheduler |');
  const rows = [{ key: '3.11 | the same', cells: ['passed', '2026-11-22'] }];
  expect(lines(withTable(page, 'networks', rows)).at(-1)).toBe('| 3.11 | the same | passed | 2026-11-22 |');
});

test('a page without the table is an error', () => {
  expect(() => withTable('# Tried', 'networks', [])).toThrow('no table between <!-- networks -->');
});

test('what passed holds for the sources with which it passed', () => {
  expect(holds({ outcome: 'passed', sources: 'new' }, 'new')).toBe(true);
  expect(holds({ outcome: 'passed', sources: 'old' }, 'new')).toBe(false);
  expect(holds({ outcome: 'FAILED: browser', sources: 'new' }, 'new')).toBe(false);
  // As scripts kept it before they recorded the sources.
  expect(holds({ outcome: 'passed' }, 'new')).toBe(false);
  expect(holds(undefined, 'new')).toBe(false);
});

test('what is tried in parts has passed when all have', () => {
  expect(outcomeOfParts(60_000, 1_000_000, 0)).toBe('passed so far: 60,000 of 1,000,000');
  expect(outcomeOfParts(1_000_000, 1_000_000, 0)).toBe('passed');
  expect(outcomeOfParts(40_000, 1_000_000, 2)).toBe('failed parts: 2');
});

test.each(['networks', 'labs'])('npm run test:%s tries again what has passed with other sources, styles or packages', name => {
  expect(SHIPPED).toEqual(expect.arrayContaining(['src', 'bridge', 'style', 'schema', 'package-lock.json']));
  expect(SHIPPED.filter(path => !existsSync(path))).toEqual([]);
  const script = `scripts/${name}.mjs`;
  const sources = /const SOURCES = \[(.*)\];/.exec(readFileSync(script, 'utf8'))?.[1];
  expect(sources).toContain('...SHIPPED');
  expect(sources).toContain(script);
});
