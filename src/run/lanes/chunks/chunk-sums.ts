/** What is known of all executions of a chunk: computed once, for whatever looks at them again and again. */
import type { Seconds } from '../../../base/units';
import {
  type Chunk,
  DETAIL,
  DURATION,
  ERRED,
  FLAGS_SHIFT,
  INTERVAL_WORDS,
  LABEL_MASK,
  LOOKS,
  ROW,
  START_STRIDE
} from '../lane-chunk';

/** Sums of executions by function: {@link SUMS} numbers for each function. This is the place of the sum of durations, in seconds. */
export const TOTAL = 0;
/** Place of the sum of the sizes of results, in bytes. */
export const BYTES = 1;
/** Place of the number of executions that raised. */
export const ERRORS = 2;
/** Place of the number of executions. */
export const COUNT = 3;
/** Numbers for each function. */
export const SUMS = 4;

/** Executions of a chunk by function. */
export interface ChunkSums {
  readonly count: number;
  /** Functions, in any order. */
  readonly prefixes: readonly number[];
  /** {@link SUMS} numbers for each of them. */
  readonly sums: Float64Array;
  /** Of all its executions. */
  readonly total: Seconds;
  /** Time in which at least one of them ran. */
  readonly covered: Seconds;
  readonly longest: Seconds;
  readonly last: Seconds;
  /** Rows of its first and last execution. */
  readonly rows: readonly [number, number];
}

interface Span {
  readonly from: Seconds;
  readonly to: Seconds;
}

const known = new WeakMap<Chunk, ChunkSums>();

/**
 * What is known of all executions of a chunk, if it lies in a period and gets no more executions; else `null`. It is computed
 * once: a view that is renewed each second would otherwise read a million executions again. It takes 32 B for each function in
 * a chunk.
 */
export function sumsOf(chunk: Chunk, { from, to }: Span): ChunkSums | null {
  if (!chunk.full || chunk.first < from || chunk.end > to) {
    return null;
  }
  const { u32, length } = chunk;
  const [first, last] = [u32[ROW], u32[(length - 1) * INTERVAL_WORDS + ROW]];
  const before = known.get(chunk);
  if (before !== undefined && before.count === length && before.rows[0] === first && before.rows[1] === last) {
    return before;
  }
  const sums = summed(chunk, [first, last]);
  known.set(chunk, sums);
  return sums;
}

/** {@link ERRED} in the looks of an execution. */
const ERRED_LOOKS = ERRED << FLAGS_SHIFT;

/**
 * Sums by prefix while a chunk is read; zeros in between. There are thousands of chunks: each only keeps the functions that it
 * has.
 */
let scratch: Float64Array = new Float64Array(64 * SUMS);

function summed({ f64, f32, u32, length }: Chunk, rows: readonly [number, number]): ChunkSums {
  const prefixes: number[] = [];
  let sums = scratch;
  let [total, covered, longest, until] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
    const start = f64[i * START_STRIDE];
    const duration = f32[word + DURATION];
    const looks = u32[word + LOOKS];
    const own = (looks & LABEL_MASK) * SUMS;
    if (own >= sums.length) {
      sums = widened(own);
    }
    const before = sums[own + COUNT];
    if (before === 0) {
      prefixes.push(looks & LABEL_MASK);
    }
    sums[own + COUNT] = before + 1;
    sums[own + TOTAL] += duration;
    sums[own + BYTES] += f32[word + DETAIL];
    if ((looks & ERRED_LOOKS) !== 0) {
      sums[own + ERRORS] += 1;
    }
    total += duration;
    if (duration > longest) {
      longest = duration;
    }
    const end = start + duration;
    // They are in order of start.
    if (start >= until) {
      covered += end - start;
      until = end;
    } else if (end > until) {
      covered += end - until;
      until = end;
    }
  }
  return { count: length, prefixes, sums: taken(prefixes), total, covered, longest, last: until, rows };
}

/** The sums of some functions, which are zero afterwards. */
function taken(prefixes: readonly number[]): Float64Array {
  const all = scratch;
  const sums = new Float64Array(prefixes.length * SUMS);
  for (let k = 0; k < prefixes.length; k++) {
    for (let sum = 0; sum < SUMS; sum++) {
      const at = prefixes[k] * SUMS + sum;
      sums[k * SUMS + sum] = all[at];
      all[at] = 0;
    }
  }
  return sums;
}

/** {@link scratch} with room for another function. */
function widened(needed: number): Float64Array {
  const wider = new Float64Array(Math.max(2 * scratch.length, needed + SUMS));
  wider.set(scratch);
  scratch = wider;
  return wider;
}
