/** Sorted sequences; typed arrays that grow, or come from a text. */

/** A typed array whose values are numbers. */
interface NumberArray extends ArrayLike<number> {
  set(values: ArrayLike<number>): void;
}

/**
 * How many items at the start of a sequence pass a test that all later ones fail: a binary search.
 *
 * @param passes - tests the item at an index
 */
export function countLeading(length: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/**
 * An array with the same values and room for at least `length`: the same one if it has room, else one at least twice as
 * long, so that appending costs constant time on average.
 *
 * @param Kind - the constructor of the array
 */
export function withRoom<A extends NumberArray>(array: A, length: number, Kind: new (length: number) => A): A {
  if (length <= array.length) {
    return array;
  }
  const larger = new Kind(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}

/**
 * Bytes of a text in base64.
 *
 * @throws DOMException if it is none
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}
