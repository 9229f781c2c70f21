import { expect, it } from 'vitest';
import type { TableColumn } from '../../../../src/plot/plot';
import { ColumnWidths } from '../../../../src/views/table/column-widths';

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

it('a short text keeps its width, and a column the words of its header', () => {
  const [key, result] = new ColumnWidths().fit(
    [{ ...COLUMNS[0], label: 'A very long header of a column' }, COLUMNS[1]],
    [row('short', '1', '')]
  );
  expect(key).toEqual({ most: 32, least: 32 });
  expect(result).toEqual({ most: 8, least: 8 });
});
