import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(__dirname, '..', '..', '..');

/** Every file of the tests by its name. */
const files = new Map(
  readdirSync(join(ROOT, 'test'), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.(ts|py)$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map(entry => [entry.name, join(entry.parentPath, entry.name)])
);

/** Cells of every row of every table of the page. */
const rows = readFileSync(join(ROOT, 'docs', 'faults.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| fault '))
  .map(line => line.replace(/^\| | \|$/g, '').split(' | '));

test('the page has rows, each with five cells', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(row => row.length !== 5 || row.some(cell => cell.trim() === ''))).toEqual([]);
});

const holding = rows.flatMap(row => (row[4] ?? '').split(' · ').map(held => [row[0], held] as const));

test.each(holding)('%s is held by %s', (_fault, held) => {
  const [name, title = ''] = held.split(/: (.*)/);
  const path = files.get(name);
  expect(path, `${name} exists`).toBeDefined();
  const text = readFileSync(path ?? '', 'utf8');
  expect(title).not.toBe('');
  expect(name.endsWith('.py') ? text.includes(`def ${title}(`) : text.includes(title)).toBe(true);
});
