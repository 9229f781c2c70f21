/**
 * Exact quantiles of unsorted numbers.
 *
 * Many numbers are first counted by their exponent and the first bits of their mantissa: the bits of positive floats are
 * ordered as the floats are. Only the numbers of the buckets that have a quantile are then ordered.
 */

/** Bits of a float that do not determine its bucket: 8 bits of exponent and 4 of mantissa are left. */
const SHIFT = 19;
const BUCKETS = 2 ** (31 - SHIFT);
/** Fewer numbers are not counted first. */
const WORTH_COUNTING = 2048;
/** Numbers that are looked at between two yields: about a millisecond. */
const STEP = 250_000;

/**
 * Quantiles of the first `length` numbers with linear interpolation, as `numpy.quantile` computes them by default.
 * Reorders the numbers. NaN if there are none.
 *
 * @param values - from 0 on, without -0 and NaN
 * @param wanted - from 0 to 1, ascending
 */
export function quantiles(values: Float32Array<ArrayBuffer>, length: number, wanted: readonly number[]): number[] {
  for (const steps = quantileSteps(values, length, wanted); ; ) {
    const { done, value } = steps.next();
    if (done) {
      return value;
    }
  }
}

/** {@link quantiles} in steps of about a millisecond. */
export function* quantileSteps(
  values: Float32Array<ArrayBuffer>,
  length: number,
  wanted: readonly number[]
): Generator<void, number[], void> {
  if (length < WORTH_COUNTING || wanted.length === 0) {
    return ofFew(values, length, wanted);
  }
  const bits = new Uint32Array(values.buffer, values.byteOffset, length);
  const counts = new Uint32Array(BUCKETS);
  for (let from = 0; from < length; from += STEP) {
    count(bits, from, Math.min(length, from + STEP), counts);
    yield;
  }
  const marked = new Uint8Array(BUCKETS);
  const places: Place[] = [];
  let [size, first] = [0, 0];
  for (const q of wanted) {
    const place = placeOf(counts, q * (length - 1));
    if (marked[place.bucket] === 0) {
      marked[place.bucket] = 1;
      first = size;
      size += counts[place.bucket];
    }
    places.push({ ...place, first });
  }
  const members = new Float32Array(size);
  for (let from = 0, taken = 0; from < length; from += STEP) {
    taken = collect(bits, from, Math.min(length, from + STEP), marked, members, taken);
    yield;
  }
  let sorted = 0;
  return places.map(({ at, bucket, rank, first }) => {
    const low = select(members, sorted, size, first + rank);
    sorted = first + rank;
    if (Number.isInteger(at)) {
      return low;
    }
    const high = rank + 1 < counts[bucket] ? least(members, sorted + 1, size) : leastAbove(bits, bucket);
    return low + (high - low) * (at - Math.floor(at));
  });
}

function ofFew(values: Float32Array, length: number, wanted: readonly number[]): number[] {
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

/** Count numbers by bucket. */
function count(bits: Uint32Array, from: number, to: number, counts: Uint32Array): void {
  for (let i = from; i < to; i++) {
    counts[bits[i] >>> SHIFT] += 1;
  }
}

/** Where a quantile is. */
interface Place {
  /** In sorted order; mostly between two numbers. */
  readonly at: number;
  /** Bucket of the number at or before it, and that number's place among those of the bucket. */
  readonly bucket: number;
  readonly rank: number;
  /** Where the numbers of the bucket begin among those of all such buckets, in sorted order. */
  readonly first: number;
}

function placeOf(counts: Uint32Array, at: number): Omit<Place, 'first'> {
  let rank = Math.floor(at);
  let bucket = 0;
  for (; rank >= counts[bucket]; bucket++) {
    rank -= counts[bucket];
  }
  return { at, bucket, rank };
}

/** Copy the numbers of marked buckets behind the first `taken` of `members`. Returns how many these then are. */
function collect(
  bits: Uint32Array,
  from: number,
  to: number,
  marked: Uint8Array,
  members: Float32Array<ArrayBuffer>,
  taken: number
): number {
  const out = new Uint32Array(members.buffer);
  let end = taken;
  for (let i = from; i < to; i++) {
    if (marked[bits[i] >>> SHIFT] !== 0) {
      out[end++] = bits[i];
    }
  }
  return end;
}

/** The least number in the buckets after one. */
function leastAbove(bits: Uint32Array, bucket: number): number {
  const first = (bucket + 1) << SHIFT;
  let found = Number.MAX_SAFE_INTEGER;
  for (let i = 0; i < bits.length; i++) {
    found = bits[i] >= first && bits[i] < found ? bits[i] : found;
  }
  return new Float32Array(Uint32Array.of(found).buffer)[0];
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
