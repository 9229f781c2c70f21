import { expect, it, vi } from 'vitest';
import type { TableColumn } from '../../../../src/plot/plot';
import { ColumnWidths, setWidths } from '../../../../src/views/table/column-widths';

const COLUMNS: readonly TableColumn[] = [
  { id: 'key', label: 'Key', align: 'left' },
  { id: 'bytes', label: 'Result', align: 'right' },
  { id: 'cpu', label: 'CPU', align: 'left' },
  { id: 'message', label: 'Message', align: 'left' }
];
const row = (key: string, bytes: string, message: string) => ({
  id: key,
  cells: [
    { text: key, value: key },
    { text: bytes, value: bytes },
    { text: '4 %', value: 4, spark: [1, 2] },
    { text: message, value: message }
  ]
});

it('a narrow pane shortens texts to a part that tells them apart, never figures, pictures or sentences', () => {
  const widths = new ColumnWidths();
  const rows = [row('k'.repeat(64), '1'.repeat(32), 'm'.repeat(90))];
  expect(widths.fit(COLUMNS, rows)).toEqual([
    { most: 40, least: 20 },
    { most: 32, least: 32 },
    { most: 14, least: 14 },
    { most: 90, least: 90 }
  ]);
  // They only grow.
  expect(widths.fit(COLUMNS, [row('short', '1', 'm')]).map(({ most }) => most)).toEqual([40, 32, 14, 90]);
});

it('what a row is about is shortened less, as far as it takes no large part of the pane', () => {
  const columns = [COLUMNS[0], { ...COLUMNS[0], id: 'error', main: true }, COLUMNS[1]];
  const cells = ['k'.repeat(64), 'e'.repeat(64), '1'].map(text => ({ text, value: text }));
  const widths = new ColumnWidths().fit(columns, [{ id: 'row', cells }]);
  expect(widths.slice(0, 2)).toEqual([
    { most: 40, least: 20 },
    { most: 40, least: 20, wanted: 40 }
  ]);
  const set = vi.fn();
  const grid = { style: { setProperty: set, minWidth: '' } };
  setWidths(grid as unknown as HTMLElement, widths);
  const least = 'min(calc(40ch + 12px), max(calc(20ch + 12px), 40cqw))';
  expect(set.mock.calls[0][1]).toContain(` minmax(${least}, calc(40ch + 12px)) `);
  expect(grid.style.minWidth).toContain(least);
  // A text that fits needs no more.
  expect(new ColumnWidths().fit([columns[1]], [{ id: 'row', cells: [{ text: 'short', value: '' }] }])[0]).not.toHaveProperty(
    'wanted'
  );
});

it('a short text keeps its width, and a column the words of its header', () => {
  const [key, result] = new ColumnWidths().fit(
    [{ ...COLUMNS[0], label: 'A very long header of a column' }, COLUMNS[1]],
    [row('short', '1', '')]
  );
  expect(key).toEqual({ most: 32, least: 32 });
  expect(result).toEqual({ most: 8, least: 8 });
});
