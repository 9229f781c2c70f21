import { expect, test } from 'vitest';
import { commonParts, shortName } from '../../../src/selectors/graph/short-names';

const short = (names: readonly string[], most: number) => {
  const parts = commonParts(names);
  return names.map(name => shortName(name, parts, most));
};

test('what names have in common is cut, not what distinguishes them', () => {
  expect(short(['read-parquet-left', 'read-parquet-right', 'merge'], 10)).toEqual(['read-…left', 'read…right', 'merge']);
  expect(short(['mypackage.clean_a', 'mypackage.clean_b'], 8)).toEqual(['mypack…a', 'mypack…b']);
  expect(short(['load_data', 'clean_data'], 6)).toEqual(['load_…', 'clean…']);
});

test('a name that fits stays whole; one without room keeps the beginning of what distinguishes it', () => {
  expect(short(['inc', 'increment'], 9)).toEqual(['inc', 'increment']);
  expect(short(['transform-of-left-side', 'transform-of-right-side'], 6)).toEqual(['…left…', '…righ…']);
  expect(short(['abcdef'], 1)).toEqual(['…']);
  expect(short(['abcdefgh', 'abcdefgh-2'], 5)).toEqual(['abc…h', 'ab…-2']);
});

test('of a long distinct part both ends stay: the last word of a name tells what it does', () => {
  const names = ['mean_combine-partial', 'mean_chunk-aggregate', 'mean_agg-finalize'];
  expect(short(names, 14)).toEqual(['…ombine…artial', '…hunk-a…regate', 'm…agg-finalize']);
  expect(short(names, 10)).toEqual(['…ombine-p…', '…hunk-agg…', '…agg-fina…']);
});

test('surrogate pairs are not cut apart', () => {
  const [a, b] = short(['😀😀😀😀😀a', '😀😀😀😀😀b'], 4);
  expect([a, b]).toEqual(['😀😀…a', '😀😀…b']);
});

test('many names are cut at their end', () => {
  const names = Array.from({ length: 2001 }, (_, i) => `function-${i}`);
  expect(shortName(names[7], commonParts(names), 5)).toBe('func…');
});
