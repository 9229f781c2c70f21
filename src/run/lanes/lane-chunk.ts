import type { Bytes, Seconds } from '../../base/units';
import { FAN_OUT, FAN_OUT_SHIFT, giveMemory, INTERVAL_WORDS, levelsFor, NODE_WORDS, takeMemory } from './chunks/chunk-memory';

export { FAN_OUT, INTERVAL_WORDS, NODE_WORDS } from './chunks/chunk-memory';

/** Intervals in a full chunk. While a chunk grows, it is copied: of thousands of lanes, each has one that does. */
export const CHUNK_ROWS = 512;
/** Intervals in a full chunk of a long lane: more, so that the number of its chunks stays small. */
export const LARGE_CHUNK_ROWS = 2048;

/** Bit of `flags`: the task raised. In a node: some task below it raised. */
export const ERRED = 1;
/** Bits of `flags` above {@link ERRED}: the sub-lane of an interval that overlaps others of its lane. */
export const DEPTH_SHIFT = 1;
/** Sub-lanes of a lane; further overlapping intervals share the last one. */
export const DEPTHS = 4;

/** One interval to be added to a chunk. */
export interface Interval {
  /** Scheduler clock. */
  start: Seconds;
  duration: Seconds;
  /** Determines the colour: prefix id of a computation, kind code of a transfer or I/O. At most 65,535. */
  label: number;
  /** {@link ERRED} and the sub-lane. */
  flags: number;
  /** Number of the row in the feed. */
  row: number;
  /** Bytes of the result of a computation; 1 + worker id of the sender (0 unknown) of a transfer. */
  detail: number;
}

// Records of intervals, as 32-bit words: start in the first two (as f64), then the fields below.

/** Word of an interval: f32. */
export const DURATION = 2;
/** Word of an interval: f32. */
export const DETAIL = 3;
/** Word of an interval: u32. */
export const ROW = 4;
/** Word of an interval: label in the low half, flags in the high one. */
export const LOOKS = 5;
/** Starts are at every third f64. */
export const START_STRIDE = INTERVAL_WORDS / 2;

// Records of nodes: start (as f64), then reach, busy time, weight of the vote (f32), label and flags of the vote.

/** Word of a node: f32. */
export const REACH = 2;
/** Word of a node: f32. */
export const BUSY = 3;
/** Word of a node: f32. */
export const WEIGHT = 4;
/** Word of a node: u32. */
export const MAJOR = 5;
/** Bit offset of flags in {@link LOOKS} and {@link MAJOR}. */
export const FLAGS_SHIFT = 16;
/** Label in {@link LOOKS} and {@link MAJOR}. */
export const LABEL_MASK = 0xffff;

/** A factor above the rounding error of an f32, so that a reach is never too short. */
const ROUND_UP = 1 + 2 ** -23;

/** Above every position, and a small integer for the engine: Infinity would be a separate object in each chunk. */
const NEVER = 2 ** 30 - 1;

const FIRST_CAPACITY = 16;
/** Capacities are multiples of this (except for the first), so that levels have whole nodes. */
const CAPACITY_STEP = 64;

/** The memory of an empty chunk: a frozen run has thousands of new chunks, all with the memory of others. */
export const NOTHING = { f64: new Float64Array(0), f32: new Float32Array(0), u32: new Uint32Array(0) };
const NO_LEVELS: readonly number[] = [0, 0];

/**
 * A section of one lane: intervals sorted by start, with a pyramid of summaries over them.
 *
 * A node of level k covers `8**k` neighbours. It stores the start of its first interval, its reach (time from there to the
 * last end, rounded up), the sum of durations, the label found by a majority vote and the weight of that
 * vote. Votes of children can be merged (weighted Boyer–Moore majority vote), so a label with more than half of the
 * time wins.
 *
 * Everything is in one buffer, record by record: with thousands of lanes, memory access dominates, so data that is read
 * together is stored together. Memory: 24 B per interval and 16 B per node, 26.3 B per interval in total, plus up to
 * 1/8 of slack while it grows.
 */
export class Chunk {
  /**
   * @param endBefore - latest end of all intervals in earlier chunks
   * @param most - intervals for which there is room
   */
  constructor(
    readonly endBefore: Seconds = Number.NEGATIVE_INFINITY,
    private readonly most: number = CHUNK_ROWS
  ) {}

  length = 0;

  /** The buffer viewed as each number type. Interval records come first, then nodes level by level. */
  f64 = NOTHING.f64;
  f32 = NOTHING.f32;
  u32 = NOTHING.u32;

  /** Word at which the nodes of each level begin; `levels[0]` is unused. */
  levels = NO_LEVELS;

  /** Level of the root, which covers the whole chunk. */
  get top(): number {
    return this.levels.length - 1;
  }

  /** Whether the next interval begins another chunk. */
  get full(): boolean {
    return this.length >= this.most;
  }

  /** Start of the first interval. */
  get first(): Seconds {
    return this.f64[0];
  }

  /** Latest end of all intervals ever inserted; -Infinity if there was none. */
  end: Seconds = Number.NEGATIVE_INFINITY;

  /** Memory used. */
  get byteLength(): Bytes {
    return this.u32.byteLength;
  }

  /** One interval, as a new object: not for hot paths. */
  at(i: number): Interval {
    const word = i * INTERVAL_WORDS;
    return {
      start: this.f64[i * START_STRIDE],
      duration: this.f32[word + DURATION],
      label: this.u32[word + LOOKS] & LABEL_MASK,
      flags: this.u32[word + LOOKS] >>> FLAGS_SHIFT,
      row: this.u32[word + ROW],
      detail: this.f32[word + DETAIL]
    };
  }

  /** Start of interval `i`, in scheduler time. The following methods read its other fields: see {@link Interval}. */
  startOf(i: number): Seconds {
    return this.f64[i * START_STRIDE];
  }

  durationOf(i: number): Seconds {
    return this.f32[i * INTERVAL_WORDS + DURATION];
  }

  detailOf(i: number): number {
    return this.f32[i * INTERVAL_WORDS + DETAIL];
  }

  rowOf(i: number): number {
    return this.u32[i * INTERVAL_WORDS + ROW];
  }

  labelOf(i: number): number {
    return this.u32[i * INTERVAL_WORDS + LOOKS] & LABEL_MASK;
  }

  flagsOf(i: number): number {
    return this.u32[i * INTERVAL_WORDS + LOOKS] >>> FLAGS_SHIFT;
  }

  /**
   * Number of complete nodes of a level. A node that may still grow has no summary, unless its chunk is full: the
   * summary would have to be recomputed with every interval, and a picture drawn with it would later look different.
   */
  complete(level: number): number {
    return this.full ? Number.POSITIVE_INFINITY : Math.floor(this.length / FAN_OUT ** level);
  }

  /** A moment at or just after the latest end below a complete node; valid only after {@link refresh}. */
  endOf(level: number, node: number): Seconds {
    const word = this.levels[level] + node * NODE_WORDS;
    return this.f64[word >> 1] + this.f32[word + REACH];
  }

  /** Insert an interval in order of start; the pyramid is stale until {@link refresh}. */
  insert(interval: Interval): void {
    if (this.length >= this.capacity) {
      this.grow(this.length + 1);
    }
    const at = this.upperBound(interval.start);
    const word = at * INTERVAL_WORDS;
    this.own(at);
    const { f32, u32 } = this;
    if (at < this.length) {
      u32.copyWithin(word + INTERVAL_WORDS, word, this.length * INTERVAL_WORDS);
    }
    this.f64[at * START_STRIDE] = interval.start;
    f32[word + DURATION] = interval.duration;
    f32[word + DETAIL] = interval.detail;
    u32[word + ROW] = interval.row;
    u32[word + LOOKS] = interval.label | (interval.flags << FLAGS_SHIFT);
    this.length += 1;
    this.end = Math.max(this.end, interval.start + interval.duration);
    if (at < this.stale) {
      this.stale = at;
    }
  }

  /** Read what the next {@link insert} needs: see `Track.touch`. */
  touch(): number {
    const last = this.length - 1;
    const word = last * INTERVAL_WORDS;
    return last < 0 ? 0 : this.end + this.f64[last * START_STRIDE] + this.f32[word + DURATION] + this.u32[word + LOOKS];
  }

  /** Reserve space for `count` more intervals at once, as far as they fit into a chunk. */
  reserve(count: number): void {
    const wanted = Math.min(this.most, this.length + count);
    if (wanted > this.capacity) {
      this.grow(wanted);
    }
  }

  /** Number of intervals that start at `time` or before. */
  upperBound(time: Seconds): number {
    const { f64 } = this;
    let low = 0;
    let high = this.length;
    // Records arrive nearly in order: usually the position is the end.
    if (high > 0 && f64[(high - 1) * START_STRIDE] <= time) {
      return high;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if (f64[middle * START_STRIDE] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** This chunk, for several tracks: it is full, so that none of them adds to it, and none may change it. */
  shared(): this {
    this.isShared = true;
    return this;
  }

  /** Whether several tracks have it. */
  isShared = false;

  /** Whether it has an interval whose row number is below `row`. */
  hasBefore(row: number): boolean {
    for (let i = 0; i < this.length; i++) {
      if (this.rowOf(i) < row) {
        return true;
      }
    }
    return false;
  }

  /**
   * Drop the first `count` intervals.
   *
   * @param goes - is called before with the numbers of the first and (exclusive) the last
   */
  dropFirst(count: number, goes: (begin: number, end: number) => void): void {
    goes(0, count);
    this.own(0);
    this.u32.copyWithin(0, count * INTERVAL_WORDS, this.length * INTERVAL_WORDS);
    this.shrink(this.length - count);
  }

  /**
   * Drop the intervals whose row number is below `row`.
   *
   * @param goes - is called before for each of their sequences, with the numbers of the first and (exclusive) the last
   */
  dropBefore(row: number, goes: (begin: number, end: number) => void): void {
    let kept = 0;
    this.own(0);
    for (let i = 0; i < this.length; ) {
      const begin = i;
      const stays = this.rowOf(i) >= row;
      while (i < this.length && this.rowOf(i) >= row === stays) {
        i += 1;
      }
      if (stays) {
        this.u32.copyWithin(kept * INTERVAL_WORDS, begin * INTERVAL_WORDS, i * INTERVAL_WORDS);
        kept += i - begin;
      } else {
        goes(begin, i);
      }
    }
    this.shrink(kept);
  }

  /** Fewer intervals are left; they give back the memory of others. */
  private shrink(kept: number): void {
    this.length = kept;
    this.stale = 0;
    if (this.capacity - kept >= CAPACITY_STEP) {
      this.resize(kept);
    }
  }

  /**
   * The current intervals, as a separate chunk: it shares memory with this one, which goes on to append behind them. What
   * changes earlier intervals copies them first.
   *
   * @param endBefore - latest end of all intervals in earlier chunks
   */
  copy(endBefore: Seconds): Chunk {
    this.refresh();
    this.lent = Math.max(this.lent, this.length);
    const part = new Chunk(endBefore, this.most);
    part.f64 = this.f64;
    part.f32 = this.f32;
    part.u32 = this.u32;
    part.levels = this.levels;
    part.length = this.length;
    part.end = this.end;
    part.stale = this.stale;
    part.capacity = this.capacity;
    part.lent = NEVER;
    return part;
  }

  /** Before a change of the intervals from `at` on: memory that other chunks read there is copied. */
  private own(at: number): void {
    if (at < this.lent) {
      this.resize(this.capacity);
    }
  }

  /**
   * The intervals that had ended by a moment, as a separate chunk.
   *
   * @param endBefore - latest end of all intervals in earlier chunks
   */
  until(moment: Seconds, endBefore: Seconds): Chunk {
    const part = new Chunk(endBefore, this.most);
    part.reserve(this.length);
    for (let i = 0; i < this.length; i++) {
      if (this.startOf(i) + this.durationOf(i) <= moment) {
        part.insert(this.at(i));
      }
    }
    part.refresh();
    return part;
  }

  /** Update the pyramid: only complete nodes, and only those after the first change. */
  refresh(): void {
    const { full } = this;
    let first = this.stale >> FAN_OUT_SHIFT;
    let count = this.length;
    let nodes = full ? (count + FAN_OUT - 1) >> FAN_OUT_SHIFT : count >> FAN_OUT_SHIFT;
    if (this.stale >= count || first >= nodes) {
      return;
    }
    for (let node = first; node < nodes; node++) {
      this.summariseIntervals(node, Math.min(count, (node + 1) * FAN_OUT));
    }
    for (let level = 2; level < this.levels.length; level++) {
      first >>= FAN_OUT_SHIFT;
      count = nodes;
      nodes = full ? (count + FAN_OUT - 1) >> FAN_OUT_SHIFT : count >> FAN_OUT_SHIFT;
      for (let node = first; node < nodes; node++) {
        this.summariseNodes(level, node, Math.min(count, (node + 1) * FAN_OUT));
      }
    }
    this.stale = full ? NEVER : this.length & ~(FAN_OUT - 1);
  }

  /** Summarize the intervals of a node of level 1, up to `to` (exclusive). */
  private summariseIntervals(node: number, to: number): void {
    const { f64, f32, u32 } = this;
    const begin = node * FAN_OUT;
    let last = Number.NEGATIVE_INFINITY;
    let busy = 0;
    let major = 0;
    let weight = -1;
    let marks = 0;
    for (let i = begin, word = begin * INTERVAL_WORDS; i < to; i++, word += INTERVAL_WORDS) {
      const duration = f32[word + DURATION];
      const looks = u32[word + LOOKS];
      const label = looks & LABEL_MASK;
      const end = f64[i * START_STRIDE] + duration;
      last = end > last ? end : last;
      busy += duration;
      marks |= looks >>> FLAGS_SHIFT;
      if (label === major) {
        weight = (weight < 0 ? 0 : weight) + duration;
      } else if (duration > weight) {
        major = label;
        weight = duration - (weight < 0 ? 0 : weight);
      } else {
        weight -= duration;
      }
    }
    this.note(this.levels[1] + node * NODE_WORDS, f64[begin * START_STRIDE], last, busy, weight, major, marks);
  }

  /** Summarize the nodes below a node, up to `to` (exclusive). */
  private summariseNodes(level: number, node: number, to: number): void {
    const { f64, f32, u32 } = this;
    const begin = node * FAN_OUT;
    const below = this.levels[level - 1] + begin * NODE_WORDS;
    let last = Number.NEGATIVE_INFINITY;
    let busy = 0;
    let major = 0;
    let weight = -1;
    let marks = 0;
    for (let i = begin, word = below; i < to; i++, word += NODE_WORDS) {
      const vote = f32[word + WEIGHT];
      const looks = u32[word + MAJOR];
      const label = looks & LABEL_MASK;
      const end = f64[word >> 1] + f32[word + REACH];
      last = end > last ? end : last;
      busy += f32[word + BUSY];
      marks |= looks >>> FLAGS_SHIFT;
      if (label === major) {
        weight = (weight < 0 ? 0 : weight) + vote;
      } else if (vote > weight) {
        major = label;
        weight = vote - (weight < 0 ? 0 : weight);
      } else {
        weight -= vote;
      }
    }
    this.note(this.levels[level] + node * NODE_WORDS, f64[below >> 1], last, busy, weight, major, marks);
  }

  private note(word: number, start: Seconds, last: Seconds, busy: Seconds, weight: Seconds, major: number, marks: number): void {
    const { f32 } = this;
    const reach = last - start;
    this.f64[word >> 1] = start;
    f32[word + REACH] = reach;
    if (f32[word + REACH] < reach) {
      f32[word + REACH] = reach * ROUND_UP;
    }
    f32[word + BUSY] = busy;
    f32[word + WEIGHT] = weight;
    this.u32[word + MAJOR] = major | ((marks & ERRED) << FLAGS_SHIFT);
  }

  /** Grow by half or more: an append stays amortised O(1), and a lane has little slack, since its other chunks have none. */
  private grow(wanted: number): void {
    this.resize(Math.max(wanted, this.length * 1.5));
  }

  /** Reserve space for this many intervals, rounded up, at most a full chunk. */
  private resize(wanted: number): void {
    const rounded = wanted <= FIRST_CAPACITY ? FIRST_CAPACITY : Math.ceil(wanted / CAPACITY_STEP) * CAPACITY_STEP;
    const capacity = Math.min(this.most, rounded);
    const levels = levelsFor(capacity);
    const { f64, f32, u32: old, levels: before } = this;
    const memory = takeMemory(capacity);
    this.f64 = memory.f64;
    this.f32 = memory.f32;
    this.u32 = memory.u32;
    // As in new memory: it is read of an empty chunk, too.
    this.f64[0] = 0;
    this.u32.set(old.subarray(0, this.length * INTERVAL_WORDS));
    // The summaries stay valid: they are only at other places.
    for (let level = 1, nodes = this.length; level < levels.length && level < before.length; level++) {
      nodes = Math.ceil(nodes / FAN_OUT);
      this.u32.set(old.subarray(before[level], before[level] + nodes * NODE_WORDS), levels[level]);
    }
    if (this.lent === 0 && this.capacity > 0) {
      giveMemory(this.capacity, { f64, f32, u32: old });
    }
    this.levels = levels;
    this.capacity = capacity;
    this.lent = 0;
  }

  /** Intervals for which there is room. */
  private capacity = 0;
  /** First interval not covered by a complete node; {@link NEVER} when no more can be added. */
  private stale = NEVER;
  /** Intervals before this one are also read by other chunks: all in a copy, which must not write behind them either. */
  private lent = 0;
}
