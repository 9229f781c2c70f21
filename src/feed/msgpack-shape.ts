/** Checks the shape of msgpack bytes before anything is decoded. */
import type { Bytes } from '../base/units';
import { LIMITS } from './schema-checks';

/** The reason why bytes are not decoded, for users. */
export class ShapeError extends Error {}

/** Size of the length field after a head byte from 0xc0 on, and the fixed size of its value. */
const LENGTHS = [0, 0, 0, 0, 1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4];
const FIXED = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 3, 5, 9, 17, 0, 0, 0, 0, 0, 0, 0];
const NEVER_USED = 0xc1;
const ARRAY_16 = 0xdc;
const MAP_16 = 0xde;

/**
 * Walk through one msgpack value without decoding it. A decoder allocates as many entries as an array claims, level by
 * level, so that a few bytes could take all memory.
 *
 * @throws ShapeError if it is truncated, has trailing bytes, or is deeper or larger than any frame or block
 */
export function checkShape(bytes: Uint8Array): void {
  const size: Bytes = bytes.length;
  if (size > LIMITS.frameBytes) {
    throw new ShapeError('it is too large');
  }
  const outer: number[] = [];
  let values = 0;
  let wanted = 1;
  let at = 0;
  while (wanted > 0) {
    wanted -= 1;
    if (at >= size || ++values > LIMITS.values) {
      throw new ShapeError(at >= size ? 'it is cut off' : 'it has too many values');
    }
    const head = bytes[at++];
    let inner = 0;
    if (head >= 0xc0 && head < 0xe0) {
      if (head === NEVER_USED) {
        throw new ShapeError('it is not msgpack');
      }
      let length = 0;
      for (const end = at + LENGTHS[head - 0xc0]; at < end; at++) {
        length = length * 256 + (bytes[at] ?? 0);
      }
      inner = head >= MAP_16 ? 2 * length : head >= ARRAY_16 ? length : 0;
      at += head >= ARRAY_16 ? 0 : length + FIXED[head - 0xc0];
    } else if (head >= 0xa0 && head < 0xc0) {
      at += head & 0x1f;
    } else if (head >= 0x80 && head < 0xa0) {
      inner = head < 0x90 ? 2 * (head & 0x0f) : head & 0x0f;
    }
    if (at + inner > size) {
      throw new ShapeError('it is cut off');
    }
    if (inner > 0) {
      if (outer.length >= LIMITS.depth) {
        throw new ShapeError('it is too deep');
      }
      outer.push(wanted);
      wanted = inner;
    }
    while (wanted === 0 && outer.length > 0) {
      wanted = outer.pop() ?? 0;
    }
  }
  if (at !== size) {
    throw new ShapeError('something follows it');
  }
}
