/** Packed columns of a recording, see `docs/recording.md`; the counterpart of `dask_panes/files/format/packing.py`. */
import { listOf } from '../../base/untrusted';
import { type Column, COLUMN_TYPES } from '../frame';
import { DTYPE_CODES } from '../schema';

/** Invalid content of a file; the message is for users. */
export class RecordingError extends Error {}

const PLAIN = 0;
const PLANES = 1;
const DELTA = 2;
const DELTA_BY_ID = 3;

/** For each row the previous one with the same id, -1 if there is none. */
export function previousRows(ids: Column): Int32Array {
  const last = new Map<number, number>();
  const previous = new Int32Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    previous[i] = last.get(ids[i]) ?? -1;
    last.set(ids[i], i);
  }
  return previous;
}

/**
 * Unpack one column.
 *
 * @param packed - `[dtype code, packing, bytes]`, from a file
 * @param previous - {@link previousRows} of the table's ids, if it has any
 * @throws RecordingError if it is not a packed column
 */
export function unpackColumn(packed: unknown, previous: Int32Array | null = null): Column {
  const [code, how, bytes] = listOf(packed);
  const Typed = COLUMN_TYPES[(DTYPE_CODES as readonly unknown[]).indexOf(code)];
  if (Typed === undefined || !(bytes instanceof Uint8Array)) {
    throw new RecordingError(`no column of type ${String(code)}`);
  }
  const width = Typed.BYTES_PER_ELEMENT;
  if (bytes.length % width !== 0) {
    throw new RecordingError(`a column of ${bytes.length} bytes does not hold values of ${width}`);
  }
  const count = bytes.length / width;
  if (how === PLAIN) {
    return new Typed(bytes.slice().buffer, 0, count);
  }
  if (how === PLANES) {
    return new Typed(interleave(bytes, width).buffer, 0, count);
  }
  if ((how !== DELTA && how !== DELTA_BY_ID) || width === 1) {
    throw new RecordingError(`no column packed as ${String(how)}`);
  }
  if (how === DELTA_BY_ID && previous?.length !== count) {
    throw new RecordingError('a column refers to ids that its table does not have');
  }
  const raw = interleave(bytes, width).buffer;
  const before = how === DELTA ? null : previous;
  if (width === 8) {
    sumDoubles(new Uint32Array(raw), before);
  } else if (width === 4) {
    sum(new Uint32Array(raw), before);
  } else {
    sum(new Uint16Array(raw), before);
  }
  return new Typed(raw, 0, count);
}

/** Reassemble values from byte planes: the file contains the first bytes of all values, then the second ones. */
function interleave(bytes: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(bytes.length);
  const count = bytes.length / width;
  for (let k = 0; k < width; k++) {
    const from = k * count;
    for (let i = 0, at = k; i < count; i++, at += width) {
      raw[at] = bytes[from + i];
    }
  }
  return raw;
}

/** Convert zigzag differences to values, in place; unsigned arithmetic wraps as the writer's does. */
function sum(values: Uint16Array | Uint32Array, previous: Int32Array | null): void {
  let last = 0;
  for (let i = 0; i < values.length; i++) {
    const z = values[i];
    if (previous !== null) {
      last = previous[i] < 0 ? 0 : values[previous[i]];
    }
    values[i] = last + ((z >>> 1) ^ -(z & 1));
    last = values[i];
  }
}

/** The same for 64 bits, as pairs of 32: low half first. */
function sumDoubles(halves: Uint32Array, previous: Int32Array | null): void {
  let low = 0;
  let high = 0;
  for (let i = 0; i < halves.length; i += 2) {
    if (previous !== null) {
      const p = previous[i >> 1];
      low = p < 0 ? 0 : halves[2 * p];
      high = p < 0 ? 0 : halves[2 * p + 1];
    }
    const sign = -(halves[i] & 1);
    const deltaLow = (((halves[i] >>> 1) | (halves[i + 1] << 31)) ^ sign) >>> 0;
    const deltaHigh = (halves[i + 1] >>> 1) ^ sign;
    const total = low + deltaLow;
    halves[i] = total;
    halves[i + 1] = high + deltaHigh + (total > 0xffffffff ? 1 : 0);
    low = halves[i];
    high = halves[i + 1];
  }
}
