/** Thread-seconds of the executions of chunks in periods, computed once for each chunk. */
import type { Seconds } from '../../../base/units';
import {
  type Chunk,
  DURATION,
  FAN_OUT,
  INTERVAL_WORDS,
  LABEL_MASK,
  LOOKS,
  ROW,
  START_STRIDE
} from '../../../run/lanes/lane-chunk';
import type { Matcher } from '../../../run/selection/matcher';
import { type Cells, MOST_PERIODS, PeriodSums } from './period-sums';

/** Level of the summaries that say which executions ended before the visible time: 64 at once. */
const SKIPPED_AT_ONCE = 2;

/** Thread-seconds by function. */
export interface ThreadSums {
  readonly busy: PeriodSums;
  /** What is not in {@link busy}, as the thread computed something else already. */
  readonly overlaps: PeriodSums;
}

/**
 * Sums of one chunk, kept while it, the periods and the selection stay the same: 12 B for each function in each period. There
 * are ten thousand chunks, and a chunk has hundreds of functions where keys such as `load_17` make them.
 */
interface Folded extends Cells {
  readonly matcher: Matcher;
  readonly width: Seconds;
  readonly length: number;
  readonly firstRow: number;
  readonly lastRow: number;
  /** End of the executions before it, where that is later than the first of the chunk. */
  readonly covered: Seconds;
  /** Number of the first period, counted from time 0. */
  readonly first: number;
  /** Of the cells, those of busy threads; the others are overlaps. */
  readonly busy: number;
}

const folded = new WeakMap<Chunk, Folded>();
const scratch: ThreadSums = { busy: new PeriodSums(), overlaps: new PeriodSums() };

/**
 * Add the selected executions of a chunk whose periods are all among those of the sums.
 *
 * @param covered - as in {@link addChunk}
 */
export function addFolded(sums: ThreadSums, chunk: Chunk, matcher: Matcher, width: Seconds, covered: Seconds): void {
  const first = Math.floor(chunk.first / width);
  const count = Math.floor(chunk.end / width) - first + 1;
  if (count > MOST_PERIODS) {
    addChunk(sums, chunk, matcher, width, covered);
    return;
  }
  const { length } = chunk;
  const [firstRow, lastRow] = [chunk.rowOf(0), chunk.rowOf(length - 1)];
  let known = folded.get(chunk);
  if (
    known?.matcher !== matcher ||
    known.width !== width ||
    known.covered !== covered ||
    known.length !== length ||
    known.firstRow !== firstRow ||
    known.lastRow !== lastRow
  ) {
    scratch.busy.begin(first, count, width);
    scratch.overlaps.begin(first, count, width);
    addChunk(scratch, chunk, matcher, width, covered);
    known = { matcher, width, length, firstRow, lastRow, covered, first, busy: scratch.busy.filled, ...cellsOf(scratch) };
    folded.set(chunk, known);
  }
  sums.busy.addCells(known, known.first, 0, known.busy);
  sums.overlaps.addCells(known, known.first, known.busy, known.keys.length);
}

function cellsOf({ busy, overlaps }: ThreadSums): Cells {
  const count = busy.filled + overlaps.filled;
  const buffer = new ArrayBuffer(count * (Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT));
  const seconds = new Float64Array(buffer, 0, count);
  const cells = { seconds, keys: new Uint32Array(buffer, seconds.byteLength, count) };
  busy.write(cells, 0);
  overlaps.write(cells, busy.filled);
  return cells;
}

/**
 * Add the selected executions of a chunk; summaries leave out what ended before the periods.
 *
 * @param covered - end of the executions before it: a thread computes one task at a time, and where two of them overlap, the
 *   clock of its worker was corrected between them
 */
export function addChunk(sums: ThreadSums, chunk: Chunk, matcher: Matcher, width: Seconds, covered: Seconds): void {
  const { first, count } = sums.busy;
  const last = chunk.upperBound((first + count) * width);
  const level = Math.min(SKIPPED_AT_ONCE, chunk.top);
  const size = FAN_OUT ** level;
  let busyUntil = covered;
  for (let node = 0; node * size < last; node++) {
    if (node >= chunk.complete(level) || chunk.endOf(level, node) > first * width) {
      busyUntil = addIntervals(sums, chunk, node * size, Math.min(last, (node + 1) * size), matcher, busyUntil);
    }
  }
}

/** Returns the end of these executions and of those before them. */
function addIntervals(
  { busy, overlaps }: ThreadSums,
  { f64, f32, u32 }: Chunk,
  begin: number,
  end: number,
  matcher: Matcher,
  covered: Seconds
): Seconds {
  let busyUntil = covered;
  for (let i = begin, word = begin * INTERVAL_WORDS; i < end; i++, word += INTERVAL_WORDS) {
    const looks = u32[word + LOOKS];
    const duration = f32[word + DURATION];
    const start = f64[i * START_STRIDE];
    if (matcher.whole || matcher.fits(looks, duration, u32[word + ROW])) {
      busy.add(looks & LABEL_MASK, Math.max(start, busyUntil), start + duration);
      if (start < busyUntil) {
        overlaps.add(looks & LABEL_MASK, start, Math.min(busyUntil, start + duration));
      }
    }
    busyUntil = Math.max(busyUntil, start + duration);
  }
  return busyUntil;
}
