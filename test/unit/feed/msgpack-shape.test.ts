// The walk over msgpack bytes agrees with an encoder about where a value ends, for every form that the format has.
import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { checkShape, ShapeError } from '../../../src/feed/msgpack-shape';
import { LIMITS } from '../../../src/feed/schema-checks';

/** Bytes of a value: its head, then what follows. */
function bytes(head: readonly number[], rest = 0): Uint8Array {
  const all = new Uint8Array(head.length + rest);
  all.set(head);
  return all;
}

const FORMS: [string, Uint8Array][] = [
  ['the smallest integer', bytes([0x00])],
  ['the largest short integer', bytes([0x7f])],
  ['the largest negative integer', bytes([0xff])],
  ['the smallest short integer', bytes([0xe0])],
  ['no map entry', bytes([0x80])],
  ['one map entry', bytes([0x81, 1, 2])],
  ['15 map entries', bytes([0x8f], 30)],
  ['no item', bytes([0x90])],
  ['15 items', bytes([0x9f], 15)],
  ['no letter', bytes([0xa0])],
  ['31 letters', bytes([0xbf], 31)],
  ['nil', bytes([0xc0])],
  ['false', bytes([0xc2])],
  ['true', bytes([0xc3])],
  ['binary with a length of 8 bits', bytes([0xc4, 200], 200)],
  ['binary with a length of 16 bits', bytes([0xc5, 1, 4], 260)],
  ['binary with a length of 32 bits', bytes([0xc6, 0, 1, 0, 2], 65538)],
  ['an extension with a length of 8 bits', bytes([0xc7, 5], 6)],
  ['an extension with a length of 16 bits', bytes([0xc8, 1, 0], 257)],
  ['an extension with a length of 32 bits', bytes([0xc9, 0, 0, 1, 1], 258)],
  ['a single', bytes([0xca], 4)],
  ['a double', bytes([0xcb], 8)],
  ...[1, 2, 4, 8].map((width, i): [string, Uint8Array] => [`an unsigned integer of ${width}`, bytes([0xcc + i], width)]),
  ...[1, 2, 4, 8].map((width, i): [string, Uint8Array] => [`a signed integer of ${width}`, bytes([0xd0 + i], width)]),
  ...[1, 2, 4, 8, 16].map((width, i): [string, Uint8Array] => [`an extension of ${width}`, bytes([0xd4 + i], 1 + width)]),
  ['a text with a length of 8 bits', bytes([0xd9, 40], 40)],
  ['a text with a length of 16 bits', bytes([0xda, 2, 1], 513)],
  ['a text with a length of 32 bits', bytes([0xdb, 0, 0, 2, 1], 513)],
  ['a list with a length of 16 bits', bytes([0xdc, 1, 3], 259)],
  ['a list with a length of 32 bits', bytes([0xdd, 0, 0, 1, 3], 259)],
  ['a map with a length of 16 bits', bytes([0xde, 1, 3], 518)],
  ['a map with a length of 32 bits', bytes([0xdf, 0, 0, 1, 3], 518)],
  ['lists and maps in each other', encode([[], [[1, {}], { a: [2, { b: [] }] }], 'x', [[[3]]]])]
];

describe('the shape of msgpack', () => {
  it.each(FORMS)('%s ends where it ends', (_, value) => {
    checkShape(value);
    expect(() => checkShape(value.subarray(0, -1))).toThrow('it is cut off');
    expect(() => checkShape(bytes([...value, 0]))).toThrow('something follows it');
  });

  it.each(FORMS)('%s is followed by what comes next in a list', (_, value) => {
    checkShape(bytes([0x92, ...value, 0x01]));
    expect(() => checkShape(bytes([0x92, ...value]))).toThrow('it is cut off');
  });

  it('refuses the byte that the format never uses', () => {
    expect(() => checkShape(bytes([0xc1]))).toThrow('it is not msgpack');
  });

  it('does not believe a list that claims more items than there are bytes', () => {
    expect(() => checkShape(bytes([0xdd, 0x7f, 0xff, 0xff, 0xff], 20))).toThrow('it is cut off');
    expect(() => checkShape(bytes([0xdf, 0, 0, 0, 11], 20))).toThrow('it is cut off');
  });

  it('accepts exactly the depth that a frame may have', () => {
    const nested = (levels: number): Uint8Array => Uint8Array.from({ length: levels + 1 }, (_, i) => (i < levels ? 0x91 : 0));
    checkShape(nested(LIMITS.depth));
    expect(() => checkShape(nested(LIMITS.depth + 1))).toThrow('it is too deep');
    // Lists beside each other are not deeper.
    checkShape(bytes([0x9f, ...Array.from({ length: 15 }, () => [0x91, 0x91, 0]).flat()]));
  });

  it('accepts exactly the number of values that a frame may have', () => {
    const many = (values: number): Uint8Array => {
      const all = new Uint8Array(values + 4);
      new DataView(all.buffer).setUint8(0, 0xdd);
      new DataView(all.buffer).setUint32(1, values - 1);
      return all;
    };
    checkShape(many(LIMITS.values));
    expect(() => checkShape(many(LIMITS.values + 1))).toThrow('it has too many values');
  });

  it('accepts exactly the size that a frame may have', () => {
    const large = new Uint8Array(LIMITS.frameBytes + 1);
    new DataView(large.buffer).setUint8(0, 0xc6);
    new DataView(large.buffer).setUint32(1, LIMITS.frameBytes - 5);
    checkShape(large.subarray(0, -1));
    expect(() => checkShape(large)).toThrow('it is too large');
    expect(() => checkShape(large)).toThrow(ShapeError);
  });
});
