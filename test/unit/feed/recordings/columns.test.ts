// Columns are packed here by the formulas of docs/recording.md and unpacked by the reader: each packing, each width, with and
// without ids.
import { describe, expect, it } from 'vitest';
import type { Column } from '../../../../src/feed/frame';
import { previousRows, RecordingError, unpackColumn } from '../../../../src/feed/recordings/recording-columns';
import { DTYPE_CODES } from '../../../../src/feed/schema';

const TYPES = [Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array] as const;
const IDS = new Uint32Array([7, 7, 3, 7, 3, 9, 3, 7, 9]);

/** Bytes of values; plane after plane if so wanted. */
function planes(values: Column, apart: boolean): Uint8Array {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const width = values.BYTES_PER_ELEMENT;
  return apart ? Uint8Array.from(raw, (_, at) => raw[(at % values.length) * width + Math.floor(at / values.length)]) : raw;
}

/** Zigzag differences to the row before, or to the row before of the same id, of the bits of values. */
function differences(values: Column, previous: Int32Array | null): Column {
  const Typed = TYPES.find(type => values instanceof type) ?? Uint8Array;
  const bits = BigInt(8 * values.BYTES_PER_ELEMENT);
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const read = (row: number): bigint =>
    row < 0
      ? 0n
      : Array.from(
          { length: values.BYTES_PER_ELEMENT },
          (_, k) => BigInt(view.getUint8(row * values.BYTES_PER_ELEMENT + k)) << BigInt(8 * k)
        ).reduce((sum, part) => sum + part, 0n);
  const result = new Typed(values.length);
  const out = new DataView(result.buffer);
  for (let i = 0; i < values.length; i++) {
    const difference = BigInt.asIntN(Number(bits), read(i) - read(previous === null ? i - 1 : previous[i]));
    const zigzag = BigInt.asUintN(Number(bits), (difference << 1n) ^ (difference >> (bits - 1n)));
    for (let k = 0; k < values.BYTES_PER_ELEMENT; k++) {
      out.setUint8(i * values.BYTES_PER_ELEMENT + k, Number((zigzag >> BigInt(8 * k)) & 0xffn));
    }
  }
  return result;
}

const COLUMNS: Column[] = [
  new Uint8Array([0, 255, 1, 2, 3, 250, 7, 8, 9]),
  new Uint16Array([0, 65535, 1, 40000, 3, 250, 7, 8, 9]),
  new Uint32Array([0, 0xffffffff, 1, 0x80000000, 0x7fffffff, 65536, 7, 8, 9]),
  new Float32Array([0, -1, 0.5, 1e30, Number.NaN, 3, 3, 2, -0]),
  new Float64Array([1_700_000_000.25, 1_700_000_000.5, -1e300, 1e300, Number.NaN, Number.POSITIVE_INFINITY, -0, 1, 4294967296.5])
];

describe('a packed column', () => {
  it.each(COLUMNS.map((column, i) => [column.constructor.name, i] as const))('of %s is what was packed', (_, i) => {
    const column = COLUMNS[i];
    const code = DTYPE_CODES[i];
    expect(unpackColumn([code, 0, planes(column, false)])).toEqual(column);
    expect(unpackColumn([code, 1, planes(column, true)])).toEqual(column);
    if (column.BYTES_PER_ELEMENT > 1) {
      const previous = previousRows(IDS);
      expect(unpackColumn([code, 2, planes(differences(column, null), true)])).toEqual(column);
      // Ids of the table change nothing where the differences are to the row before.
      expect(unpackColumn([code, 2, planes(differences(column, null), true)], previous)).toEqual(column);
      expect(unpackColumn([code, 3, planes(differences(column, previous), true)], previous)).toEqual(column);
    }
  });

  it('of no rows has no rows', () => {
    for (const packing of [0, 1, 2]) {
      expect(unpackColumn([DTYPE_CODES[4], packing, new Uint8Array(0)])).toEqual(new Float64Array(0));
    }
  });

  it('has differences by id only where the table has as many ids', () => {
    const packed = [DTYPE_CODES[2], 3, new Uint8Array(8)];
    expect(() => unpackColumn(packed)).toThrow('refers to ids that its table does not have');
    expect(() => unpackColumn(packed, new Int32Array(3))).toThrow('refers to ids that its table does not have');
    expect(unpackColumn(packed, new Int32Array([-1, -1]))).toEqual(new Uint32Array(2));
  });

  it('has no differences of single bytes, and no unknown packing', () => {
    expect(() => unpackColumn([DTYPE_CODES[0], 2, new Uint8Array(4)])).toThrow('no column packed as 2');
    expect(() => unpackColumn([DTYPE_CODES[1], 4, new Uint8Array(4)])).toThrow('no column packed as 4');
    expect(() => unpackColumn([DTYPE_CODES[4], 0, new Uint8Array(12)])).toThrow('12 bytes does not hold values of 8');
    expect(() => unpackColumn([DTYPE_CODES[4], 0, [1, 2]])).toThrow(RecordingError);
  });

  it('does not share its bytes with the file', () => {
    const file = new Uint8Array([1, 2, 3]);
    const column = unpackColumn([DTYPE_CODES[0], 0, file.subarray(1)]);
    file.fill(0);
    expect(column).toEqual(new Uint8Array([2, 3]));
  });

  it('finds for each row the one before with its id', () => {
    expect([...previousRows(IDS)]).toEqual([-1, 0, -1, 1, 2, -1, 4, 3, 5]);
  });
});
