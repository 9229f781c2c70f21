import type { Bytes, Seconds } from '../base/units';

/** Children of a node of the summary pyramid. Measured against 4, 16 and 64: the middle of walk time and memory. */
export const FAN_OUT = 8;

/** Intervals in a full chunk. */
export const CHUNK_ROWS = 2048;

/** Bit of `flags`: the task raised. In a node: some task below it raised. */
export const ERRED = 1;
/** Bits of `flags` above {@link ERRED}: the sub-lane of an interval that overlaps others of its lane. */
export const DEPTH_SHIFT = 1;
/** Sub-lanes of a lane; what overlaps more than this shares the last one. */
export const DEPTHS = 4;

/** One interval as it goes into a chunk. */
export interface Interval {
  /** Scheduler clock. */
  start: Seconds;
  duration: Seconds;
  /** What decides the colour: prefix id of a computation, code of the kind of a move. At most 65,535. */
  label: number;
  /** {@link ERRED} and the sub-lane. */
  flags: number;
  /** Number of the row in the feed. */
  row: number;
  /** Bytes of the result of a computation; 1 + worker id of the sender (0 unknown) of a move. */
  detail: number;
}

/**
 * A stretch of one lane: intervals in order of start as columns, with a pyramid of summaries over them.
 *
 * A node of level k covers `8**k` neighbours. It needs no start (that of its first interval is it) and holds the last
 * end, the sum of durations, the label that a majority vote finds and the weight of that vote. Votes of children
 * merge (Boyer and Moore's vote, weighted), so a label with more than half of the time always wins.
 *
 * Memory: 23 B an interval and 19 B a node, 25.7 B an interval in all, and up to 1/8 of slack while it grows.
 */
export class Chunk {
  length = 0;
  start = new Float64Array(0);
  duration = new Float32Array(0);
  label = new Uint16Array(0);
  flags = new Uint8Array(0);
  row = new Uint32Array(0);
  detail = new Float32Array(0);

  /** Columns of the nodes of all levels; level k begins at `offsets[k]`, and `offsets[0]` is unused. */
  last = new Float64Array(0);
  busy = new Float32Array(0);
  major = new Uint16Array(0);
  weight = new Float32Array(0);
  marks = new Uint8Array(0);
  offsets: number[] = [0];

  /** Level of the root, which covers the whole chunk. */
  get top(): number {
    return this.offsets.length - 1;
  }

  get full(): boolean {
    return this.length >= CHUNK_ROWS;
  }

  /** Start of the first interval. */
  get first(): Seconds {
    return this.start[0];
  }

  /** Greatest end of all intervals; right only after {@link refresh}. */
  get end(): Seconds {
    return this.last[this.offsets[this.top]];
  }

  /** Memory held. */
  get byteLength(): Bytes {
    const columns = [this.start, this.duration, this.label, this.flags, this.row, this.detail];
    const nodes = [this.last, this.busy, this.major, this.weight, this.marks];
    return [...columns, ...nodes].reduce((sum, column) => sum + column.byteLength, 0);
  }

  /** Put an interval where its start belongs; the pyramid is stale until {@link refresh}. */
  insert(interval: Interval): void {
    if (this.length === this.start.length) {
      this.grow();
    }
    const at = this.upperBound(interval.start);
    if (at < this.length) {
      for (const column of [this.start, this.duration, this.label, this.flags, this.row, this.detail]) {
        column.copyWithin(at + 1, at, this.length);
      }
    }
    this.start[at] = interval.start;
    this.duration[at] = interval.duration;
    this.label[at] = interval.label;
    this.flags[at] = interval.flags;
    this.row[at] = interval.row;
    this.detail[at] = interval.detail;
    this.length += 1;
    this.stale = Math.min(this.stale, at);
  }

  /** Number of intervals that start at `time` or before. */
  upperBound(time: Seconds): number {
    let low = 0;
    let high = this.length;
    // Records come nearly in order: the common answer is the end.
    if (high > 0 && this.start[high - 1] <= time) {
      return high;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[middle] <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Forget the first `count` intervals. */
  dropFirst(count: number): void {
    for (const column of [this.start, this.duration, this.label, this.flags, this.row, this.detail]) {
      column.copyWithin(0, count, this.length);
    }
    this.length -= count;
    this.stale = 0;
  }

  /** Forget the intervals whose row number is below `row`. */
  dropBefore(row: number): void {
    let kept = 0;
    for (let i = 0; i < this.length; i++) {
      if (this.row[i] >= row) {
        this.start[kept] = this.start[i];
        this.duration[kept] = this.duration[i];
        this.label[kept] = this.label[i];
        this.flags[kept] = this.flags[i];
        this.row[kept] = this.row[i];
        this.detail[kept] = this.detail[i];
        kept += 1;
      }
    }
    this.length = kept;
    this.stale = 0;
  }

  /** Bring the pyramid up to date: only what lies behind the first change is done again. */
  refresh(): void {
    if (this.stale >= this.length) {
      return;
    }
    let first = this.stale;
    let count = this.length;
    for (let level = 1; level <= this.top; level++) {
      first = Math.floor(first / FAN_OUT);
      const nodes = Math.ceil(count / FAN_OUT);
      for (let node = first; node < nodes; node++) {
        this.summarise(level, node, count);
      }
      count = nodes;
    }
    this.stale = Number.POSITIVE_INFINITY;
  }

  private summarise(level: number, node: number, children: number): void {
    const to = Math.min((node + 1) * FAN_OUT, children);
    const below = this.offsets[level - 1];
    let last = Number.NEGATIVE_INFINITY;
    let busy = 0;
    let major = 0;
    let weight = 0;
    let marks = 0;
    for (let child = node * FAN_OUT; child < to; child++) {
      const leaf = level === 1;
      const i = leaf ? child : below + child;
      const end = leaf ? this.start[i] + this.duration[i] : this.last[i];
      const label = leaf ? this.label[i] : this.major[i];
      const vote = leaf ? this.duration[i] : this.weight[i];
      last = end > last ? end : last;
      busy += leaf ? this.duration[i] : this.busy[i];
      marks |= (leaf ? this.flags[i] : this.marks[i]) & ERRED;
      if (label === major) {
        weight += vote;
      } else if (vote > weight || child === node * FAN_OUT) {
        major = label;
        weight = vote - weight;
      } else {
        weight -= vote;
      }
    }
    const at = this.offsets[level] + node;
    this.last[at] = last;
    this.busy[at] = busy;
    this.major[at] = major;
    this.weight[at] = weight;
    this.marks[at] = marks;
  }

  /** More room by an eighth, so that a long lane carries little slack and an append stays amortised O(1). */
  private grow(): void {
    const size = this.length;
    const wanted = size === 0 ? 16 : size < 64 ? 64 : Math.ceil((size * 1.125) / 64) * 64;
    const capacity = Math.min(CHUNK_ROWS, wanted);
    this.start = enlarged(this.start, new Float64Array(capacity));
    this.duration = enlarged(this.duration, new Float32Array(capacity));
    this.label = enlarged(this.label, new Uint16Array(capacity));
    this.flags = enlarged(this.flags, new Uint8Array(capacity));
    this.row = enlarged(this.row, new Uint32Array(capacity));
    this.detail = enlarged(this.detail, new Float32Array(capacity));
    this.layNodes(capacity);
  }

  private layNodes(capacity: number): void {
    this.offsets = [0];
    let total = 0;
    let count = capacity;
    do {
      count = Math.ceil(count / FAN_OUT);
      this.offsets.push(total);
      total += count;
    } while (count > 1);
    this.last = new Float64Array(total);
    this.busy = new Float32Array(total);
    this.major = new Uint16Array(total);
    this.weight = new Float32Array(total);
    this.marks = new Uint8Array(total);
    this.stale = 0;
  }

  /** First interval that the pyramid does not know yet; Infinity while it knows all. */
  private stale = Number.POSITIVE_INFINITY;
}

function enlarged<T extends { set(from: T): void }>(old: T, target: T): T {
  target.set(old);
  return target;
}
