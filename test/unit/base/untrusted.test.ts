// What others wrote may be anything that JSON and msgpack can say: no reader throws, and what does not fit counts as missing.
import { describe, expect, it } from 'vitest';
import {
  amountOf,
  boundedText,
  countOf,
  isAmount,
  isMap,
  isWhole,
  listOf,
  mapOf,
  numberOf,
  textOf,
  textsOf
} from '../../../src/base/untrusted';
import { parseJson } from '../../../src/base/untrusted-json';

const NUMBERS = [0, 1.5, -1, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];
const HOSTILE = [
  ...[undefined, null, true, false, 'text', '', '7', '\ud800', 7n],
  ...NUMBERS,
  ...[
    [],
    [1],
    [['a']],
    {},
    { length: 3 },
    { a: 1 },
    JSON.parse('{"__proto__": {"polluted": true}}'),
    new Uint8Array(2),
    new Date(0)
  ]
];

describe('a reader of untrusted values', () => {
  it('returns a value of its type for every value, and does not change that', () => {
    for (const value of HOSTILE) {
      const before = value instanceof Uint8Array || typeof value === 'bigint' ? '' : JSON.stringify(value);
      expect(isMap(mapOf(value))).toBe(true);
      expect(Array.isArray(listOf(value))).toBe(true);
      expect(textsOf(value).every(text => typeof text === 'string')).toBe(true);
      expect(typeof textOf(value)).toBe('string');
      expect(typeof boundedText(value, 3)).toBe('string');
      expect(typeof numberOf(value)).toBe('number');
      expect(isWhole(countOf(value))).toBe(true);
      expect(isAmount(amountOf(value))).toBe(true);
      parseJson(value);
      expect(value instanceof Uint8Array || typeof value === 'bigint' ? '' : JSON.stringify(value)).toBe(before);
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('takes a map only for a map, and a list only for a list', () => {
    expect([{}, { a: 1 }].every(isMap)).toBe(true);
    expect([null, [], 'a', 1, new Float64Array(1), new DataView(new ArrayBuffer(1)), undefined].some(isMap)).toBe(false);
    expect([mapOf({ a: 1 }), mapOf([1]), mapOf(null), mapOf('a'), mapOf(undefined)]).toEqual([{ a: 1 }, {}, {}, {}, {}]);
    expect([listOf([1]), listOf({ a: 1 }), listOf({ length: 1 }), listOf('ab'), listOf(undefined)]).toEqual([
      [1],
      [],
      [],
      [],
      []
    ]);
  });

  it('takes a number only for a number, and a text only for a text', () => {
    expect([textOf('a'), textOf(1), textOf(undefined)]).toEqual(['a', '', '']);
    expect([numberOf(3), numberOf('3'), numberOf(null, 7), numberOf(undefined)]).toEqual([3, 0, 7, 0]);
    expect(numberOf(Number.NaN, 7)).toBeNaN();
    expect(textsOf(['a', 1, null, 'b', ['c']])).toEqual(['a', 'b']);
  });

  it('counts in whole numbers that are exact', () => {
    expect(NUMBERS.map(countOf)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect([countOf(3), countOf('3'), countOf(Number.MAX_SAFE_INTEGER), countOf(-0)]).toEqual([
      3,
      0,
      Number.MAX_SAFE_INTEGER,
      -0
    ]);
  });

  it('takes no amount that is negative, too large or not a number', () => {
    expect(NUMBERS.map(amountOf)).toEqual([0, 1.5, 0, 0, 0, 0, 0]);
    expect(amountOf(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('cuts a text between characters, not within one', () => {
    expect(boundedText('abc', 3)).toBe('abc');
    expect(boundedText('abcd', 3)).toBe('abc');
    expect(boundedText('a😀😀😀', 2)).toBe('a😀');
    expect(boundedText('😀'.repeat(1_000_000), 3)).toBe('😀😀😀');
    expect(boundedText(7, 3)).toBe('');
  });

  it('leaves a lone surrogate as it is, alone or at the cut', () => {
    expect(boundedText('\ud800', 1)).toBe('\ud800');
    expect(boundedText('ab\udc00\ud800\ud800', 3)).toBe('ab\udc00');
  });

  it('reads JSON, and nothing where there is none', () => {
    expect(parseJson('{"a": [1, null]}')).toEqual({ a: [1, null] });
    expect(['', '{', '{"a": 1', 'NaN', '\u0000', '7 8'].map(parseJson)).toEqual([null, null, null, null, null, null]);
    expect([null, undefined, 7, { a: 1 }, ['1']].map(parseJson)).toEqual([null, null, null, null, null]);
    expect(parseJson('1e999')).toBe(Number.POSITIVE_INFINITY);
  });
});
