/** Exact quantiles of unsorted numbers. */

/**
 * Quantiles of the first `length` numbers with linear interpolation, as `numpy.quantile` computes them by default.
 * Reorders the numbers. NaN if there are none.
 *
 * @param values - without NaN
 * @param wanted - from 0 to 1, ascending
 */
export function quantiles(values: Float32Array, length: number, wanted: readonly number[]): number[] {
  let sorted = 0;
  return wanted.map(q => {
    if (length === 0) {
      return Number.NaN;
    }
    const at = q * (length - 1);
    const below = Math.floor(at);
    // Numbers from here on are not smaller than those before: the next selection has less to order.
    const low = select(values, sorted, length, below);
    sorted = below;
    return below === at ? low : low + (least(values, below + 1, length) - low) * (at - below);
  });
}

function least(values: Float32Array, from: number, to: number): number {
  let found = Number.POSITIVE_INFINITY;
  for (let i = from; i < to; i++) {
    found = values[i] < found ? values[i] : found;
  }
  return found;
}

/**
 * The number at a position in sorted order. Afterwards, smaller numbers precede it and greater ones follow it. Hoare's
 * selection with the median of three as pivot: linear time on average, also for equal and for sorted numbers.
 *
 * @param from - position from which on the numbers may be reordered; those before it are not greater
 */
function select(values: Float32Array, from: number, to: number, position: number): number {
  let left = from;
  let right = to - 1;
  while (left < right) {
    const pivot = middleOf(values[left], values[(left + right) >> 1], values[right]);
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i] < pivot) {
        i += 1;
      }
      while (values[j] > pivot) {
        j -= 1;
      }
      if (i <= j) {
        const value = values[i];
        values[i] = values[j];
        values[j] = value;
        i += 1;
        j -= 1;
      }
    }
    if (position <= j) {
      right = j;
    } else if (position >= i) {
      left = i;
    } else {
      break;
    }
  }
  return values[position];
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
