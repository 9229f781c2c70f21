/** Names that are written from right to left do not change places with figures beside them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { notebookName } from '../../../src/clients/status';
import type { Clients } from '../../../src/clients/model';
import { commaSeparated, tabSeparated } from '../../../src/plot/csv';
import { cutMiddle, isolated, oneLine, shortened, textWidth } from '../../../src/plot/text';

it.each([
  ['שלום-2', '\u2068שלום-2\u2069'],
  ['load مرحبا', '\u2068load مرحبا\u2069'],
  // Marks that a name brings are left out: they would end ours.
  ['\u202eשלום\u2069', '\u2068שלום\u2069'],
  ['load', 'load'],
  ['数据 Größe', '数据 Größe']
])('%s is isolated where that is needed', (name, text) => {
  expect(oneLine(name)).toBe(text);
  expect(oneLine(text)).toBe(text);
});

it('with its end where a long one is cut, and as wide as its letters', () => {
  expect(oneLine('ש'.repeat(300), 10)).toBe(`\u2068${'ש'.repeat(9)}…\u2069`);
  expect(cutMiddle(oneLine('ש'.repeat(300)), 10)).toMatch(/^\u2068.*\u2069$/);
  expect(textWidth(isolated('שלום'))).toBe(textWidth('שלום'));
});

it('is isolated alone in a text of ours, also where that is cut', () => {
  const text = `[4] ${isolated('שלום')}: x = 1`;
  expect(shortened(text, 40)).toBe(text);
  expect(shortened(text, 8)).toBe('[4] \u2068של…\u2069');
  expect(shortened(text, 12)).toBe('[4] \u2068שלום\u2069:…');
});

it('is itself in files and copies, and no formula', () => {
  const text = isolated('=שלום');
  const table = {
    columns: [{ id: 'name', label: 'Name', align: 'left' as const }],
    rows: [{ id: '1', cells: [{ text, value: text }] }]
  };
  expect([commaSeparated(table), tabSeparated(table)]).toEqual(["name\r\n'=שלום\r\n", "Name\n'=שלום"]);
});

it('is isolated if it is that of a notebook', () => {
  const clients = { kernels: [] } as unknown as Clients;
  expect([notebookName(clients, 'a/שלום.ipynb'), notebookName(clients, 'a/b.ipynb')]).toEqual([
    '\u2068שלום.ipynb\u2069',
    'b.ipynb'
  ]);
});

it('does not turn the sentence around that begins with it', () => {
  expect(readFileSync('style/base.css', 'utf8')).toMatch(/\.dp-Tooltip[^{]*\) bdi \{\s*direction: inherit;/);
});
