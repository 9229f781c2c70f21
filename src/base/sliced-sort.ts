/**
 * Sort in slices: a merge sort of row numbers that yields, so that a frame is never long.
 *
 * Guarantees: stable; NaN last in either direction; between two yields it looks at about `STEP` elements.
 */

/** Elements between two yields: below a millisecond. */
const STEP = 20_000;
/** Runs that are sorted by insertion first. */
const RUN = 16;

/**
 * Sort numbers of rows by a key.
 *
 * @param order - sorted in place
 * @param keys - by number of a row
 * @param direction - 1 ascending, -1 descending
 */
export function* slicedSort(order: Uint32Array, keys: Float64Array, direction: 1 | -1): Generator<void, void, void> {
  const before = (a: number, b: number): boolean => {
    const [x, y] = [keys[a], keys[b]];
    return Number.isNaN(y) ? !Number.isNaN(x) : direction > 0 ? x < y : x > y;
  };
  const { length } = order;
  for (let from = 0; from < length; from += RUN) {
    insert(order, from, Math.min(length, from + RUN), before);
    if (from % STEP < RUN) {
      yield;
    }
  }
  let source: Uint32Array = order;
  let target: Uint32Array = new Uint32Array(length);
  for (let width = RUN; width < length; width *= 2) {
    let looked = 0;
    for (let from = 0; from < length; from += 2 * width) {
      const middle = Math.min(length, from + width);
      const end = Math.min(length, from + 2 * width);
      let [a, b] = [from, middle];
      for (let at = from; at < end; at++) {
        const second = b < end && (a >= middle || before(source[b], source[a]));
        target[at] = second ? source[b++] : source[a++];
        if (++looked % STEP === 0) {
          yield;
        }
      }
    }
    [source, target] = [target, source];
  }
  if (source !== order) {
    order.set(source);
  }
}

function insert(order: Uint32Array, from: number, end: number, before: (a: number, b: number) => boolean): void {
  for (let i = from + 1; i < end; i++) {
    const value = order[i];
    let at = i;
    for (; at > from && before(value, order[at - 1]); at--) {
      order[at] = order[at - 1];
    }
    order[at] = value;
  }
}
