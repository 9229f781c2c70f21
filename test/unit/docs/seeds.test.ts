import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(__dirname, '..', '..', '..');

/** Every file of the tests by its name. */
function testFiles(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && /\.(ts|py)$/.test(entry.name)) {
      found.set(entry.name, join(entry.parentPath, entry.name));
    }
  }
  return found;
}

const files = testFiles(join(ROOT, 'test'));
const rows = readFileSync(join(ROOT, 'docs', 'seeds.md'), 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| described'))
  .map(line => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')));

test('the page has rows', () => {
  expect(rows.length).toBeGreaterThan(40);
});

test.each(rows)('%s (%s) is held by %s', (_described, _here, held) => {
  const [name, title = ''] = held.split(/: (.*)/);
  const path = files.get(name);
  expect(path, `${name} exists`).toBeDefined();
  expect(readFileSync(path ?? '', 'utf8')).toContain(title);
});
