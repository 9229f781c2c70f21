/** What is known of all executions of a chunk: computed once, for whatever looks at them again and again. */
import type { Seconds } from '../../base/units';
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
} from './lane-chunk';

/** Sums of executions by function: {@link SUMS} numbers for each function. This is the place of the sum of durations, in seconds. */
export const TOTAL = 0;
/** Place of the sum of the sizes of results, in bytes. */
export const BYTES = 1;
/** Place of the number of executions that raised. */
export const ERRORS = 2;
/** Numbers for each function. */
export const SUMS = 4;

/** Executions of a chunk by function. */
export interface ChunkSums {
  readonly count: number;
  /** Functions, in any order. */
  readonly prefixes: readonly number[];
  /** Of each of them, where its durations end in {@link durations}. */
  readonly ends: readonly number[];
  readonly durations: Float32Array;
  /** {@link SUMS} numbers for each of them. */
  readonly sums: Float64Array;
  /** Of all its executions. */
  readonly total: Seconds;
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
 * once: a view that is renewed each second would otherwise read a million executions again. It takes 4 B for each of them.
 */
export function sumsOf(chunk: Chunk, { from, to }: Span): ChunkSums | null {
  if (!chunk.full || chunk.first < from || chunk.end > to) {
    return null;
  }
  const { u32, length } = chunk;
  const rows = [u32[ROW], u32[(length - 1) * INTERVAL_WORDS + ROW]] as const;
  const before = known.get(chunk);
  if (before !== undefined && before.count === length && before.rows[0] === rows[0] && before.rows[1] === rows[1]) {
    return before;
  }
  const sums = { ...summed(chunk), count: length, rows };
  known.set(chunk, sums);
  return sums;
}

function summed({ f64, f32, u32, length }: Chunk): Omit<ChunkSums, 'count' | 'rows'> {
  const counts = new Map<number, number>();
  for (let i = 0, word = LOOKS; i < length; i++, word += INTERVAL_WORDS) {
    const prefix = u32[word] & LABEL_MASK;
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const prefixes = [...counts.keys()];
  const places = new Map(prefixes.map((prefix, k) => [prefix, k]));
  const ends: number[] = [];
  let all = 0;
  for (const count of counts.values()) {
    ends.push(all);
    all += count;
  }
  const durations = new Float32Array(length);
  const sums = new Float64Array(prefixes.length * SUMS);
  let [total, longest, last] = [0, 0, Number.NEGATIVE_INFINITY];
  for (let i = 0, word = 0; i < length; i++, word += INTERVAL_WORDS) {
    const duration = f32[word + DURATION];
    const looks = u32[word + LOOKS];
    const end = f64[i * START_STRIDE] + duration;
    const k = places.get(looks & LABEL_MASK) ?? 0;
    durations[ends[k]++] = duration;
    sums[k * SUMS + TOTAL] += duration;
    sums[k * SUMS + BYTES] += f32[word + DETAIL];
    sums[k * SUMS + ERRORS] += (looks >>> FLAGS_SHIFT) & ERRED;
    total += duration;
    longest = duration > longest ? duration : longest;
    last = end > last ? end : last;
  }
  return { prefixes, ends, durations, sums, total, longest, last };
}
