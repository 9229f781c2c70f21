import { describe, expect, it } from 'vitest';
import { countLeading, fromBase64, withRoom } from '../../../src/base/arrays';

describe('countLeading', () => {
  it('agrees with counting one by one, for every length and every limit', () => {
    for (let length = 0; length <= 20; length++) {
      for (let limit = 0; limit <= length; limit++) {
        expect(countLeading(length, i => i < limit)).toBe(limit);
      }
    }
  });

  it('looks at no item that is not there', () => {
    const seen: number[] = [];
    countLeading(9, i => {
      seen.push(i);
      return true;
    });
    expect(Math.max(...seen)).toBe(8);
    expect(seen.length).toBeLessThanOrEqual(4);
  });
});

describe('withRoom', () => {
  it('keeps an array that has room, and its values in a larger one', () => {
    const array = Float64Array.of(1, 2, 3);
    expect(withRoom(array, 3, Float64Array)).toBe(array);
    const larger = withRoom(array, 4, Float64Array);
    expect([...larger]).toEqual([1, 2, 3, 0, 0, 0]);
    expect(withRoom(array, 100, Float64Array).length).toBe(100);
    expect(withRoom(new Uint32Array(0), 1, Uint32Array)).toEqual(Uint32Array.of(0));
  });
});

describe('fromBase64', () => {
  it('gives every byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    expect(fromBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
    expect(() => fromBase64('%')).toThrow();
  });
});
