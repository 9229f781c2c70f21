/** What is kept of intervals that are no longer kept one by one: sums in cells of time, for each lane. */
import type { Bytes, Seconds, Share } from '../../../base/units';
import { type Chunk, DURATION, ERRED, FLAGS_SHIFT, INTERVAL_WORDS, LABEL_MASK, LOOKS, START_STRIDE } from '../lane-chunk';
import { Cells } from './cells';

/**
 * Cells of all lanes together: 16 MiB. 2,000 lanes that compute and transfer all the time have at least 65 for either, which of a
 * day are 17 minutes each; 100 lanes have twenty times as many.
 */
export const MOST_CELLS = 1 << 19;

/** Width of a cell at first. It only ever doubles. */
const FIRST_WIDTH: Seconds = 1;
/** No cell is wider, whatever a frame says. */
const LARGEST_WIDTH: Seconds = 2 ** 31;
/** Cells that one interval may fill. */
const MOST_PER_INTERVAL = 4096;

/**
 * The summaries of all lanes, whose cells have one width.
 *
 * Guarantees: there are at most {@link MOST_CELLS}, or two for each lane if there are more lanes; whatever is dropped, and
 * however long that goes on: cells become wider instead, and the sums stay what they were.
 */
export class Pasts {
  /** @param most - number of cells */
  constructor(
    private readonly most: number = MOST_CELLS,
    private wide: Seconds = FIRST_WIDTH
  ) {}

  /** Cells of all lanes. */
  cells = 0;

  /** Width of a cell. */
  get width(): Seconds {
    return this.wide;
  }

  /** Memory used. */
  get byteLength(): Bytes {
    return this.list.reduce((sum, past) => sum + past.cells.byteLength, 0);
  }

  /** The summary of another lane. */
  open(): Past {
    const past = new Past(this, new Cells(this.wide));
    this.list.push(past);
    return past;
  }

  /** Take up a summary that was made of one of others of the same width. */
  take(past: Past): Past {
    this.list.push(past);
    this.cells += past.cells.length;
    return past;
  }

  /** Others of the same width, without any lane. */
  others(): Pasts {
    return new Pasts(this.most, this.wide);
  }

  /** Make the cells so wide that an interval fills few of them. */
  fit(duration: Seconds): void {
    while (duration > this.wide * MOST_PER_INTERVAL) {
      this.widen();
    }
  }

  /** Make the cells wide enough to keep their number within the limit. */
  limit(): void {
    while (this.cells > this.most && this.wide < LARGEST_WIDTH) {
      this.widen();
    }
  }

  private widen(): void {
    this.wide *= 2;
    this.cells = 0;
    for (const { cells } of this.list) {
      cells.widen();
      this.cells += cells.length;
    }
  }

  private readonly list: Past[] = [];
}

/** The intervals of one lane that are no longer kept. */
export class Past {
  constructor(
    private readonly all: Pasts,
    readonly cells: Cells
  ) {}

  /** Number of intervals. */
  count = 0;
  /** Earliest start of them; Infinity if there are none. */
  first: Seconds = Number.POSITIVE_INFINITY;
  /** Latest end of them; -Infinity if there are none. */
  end: Seconds = Number.NEGATIVE_INFINITY;

  /** Add the intervals `begin` to `end` (exclusive) of a chunk, which drops them. */
  addRecords({ f64, f32, u32 }: Chunk, begin: number, end: number): void {
    for (let i = begin; i < end; i++) {
      const word = i * INTERVAL_WORDS;
      const looks = u32[word + LOOKS];
      this.add(f64[i * START_STRIDE], f32[word + DURATION], looks & LABEL_MASK, (looks >>> FLAGS_SHIFT) & ERRED);
    }
  }

  /** @param erred - 1 if it raised, else 0 */
  private add(start: Seconds, duration: Seconds, label: number, erred: number): void {
    const { all, cells } = this;
    all.fit(duration);
    const { width } = all;
    const before = cells.length;
    const end = start + duration;
    this.count += 1;
    this.first = start < this.first ? start : this.first;
    this.end = end > this.end ? end : this.end;
    cells.own();
    let begin = Math.floor(start / width) * width;
    let cell = cells.cell(begin, label);
    cells.note(cell, erred);
    cells.put(cell, start - begin, Math.min(end - begin, width), label);
    for (begin += width; begin < end; begin += width) {
      cell = cells.cell(begin, label);
      cells.put(cell, 0, Math.min(end - begin, width), label);
    }
    all.cells += cells.length - before;
    all.limit();
  }

  /** The same summary, among others. */
  copy(all: Pasts): Past {
    const { count, first, end } = this;
    return all.take(Object.assign(new Past(all, this.cells.copy()), { count, first, end }));
  }

  /** What had been by a moment, as a separate summary among others; its count is an estimate. */
  until(moment: Seconds, all: Pasts): Past {
    const cells = this.cells.until(moment);
    let count = 0;
    for (let i = 0; i < cells.length; i++) {
      count += cells.countOf(i);
    }
    const { first, end } = this;
    return all.take(Object.assign(new Past(all, cells), { count, first, end: Math.min(end, moment) }));
  }

  /** What is known of the cell at a moment, else of one within `reach` of it; `null` if there is none. */
  at(time: Seconds, reach: Seconds): PastCell | null {
    const { cells } = this;
    const after = cells.after(time);
    const next = after < cells.length ? cells.firstOf(after) - time : Number.POSITIVE_INFINITY;
    const before = after > 0 ? time - cells.lastOf(after - 1) : Number.POSITIVE_INFINITY;
    if (Math.min(next, before) > reach) {
      return null;
    }
    const i = next <= Math.max(0, before) ? after : after - 1;
    const [from, to, busy] = [cells.firstOf(i), cells.lastOf(i), cells.busyOf(i)];
    const [label, count, erred] = [cells.labelOf(i), cells.countOf(i), cells.errorsOf(i)];
    return { from, to, busy: Math.min(1, busy / (to - from)), label, mostly: cells.weightOf(i) > busy / 2, count, erred };
  }

  /** Whether there was anything between two moments. */
  touches(from: Seconds, to: Seconds): boolean {
    const { cells } = this;
    const i = cells.after(from);
    return i < cells.length && cells.firstOf(i) < to;
  }

  /** The next cell that begins at a time or later (`step` 1), or the last that ends by then (-1); `null` if there is none. */
  nearest(time: Seconds, step: 1 | -1): { readonly from: Seconds; readonly to: Seconds } | null {
    const { cells } = this;
    const ending = cells.after(time);
    const i = step === -1 ? ending - 1 : ending < cells.length && cells.firstOf(ending) < time ? ending + 1 : ending;
    return i >= 0 && i < cells.length ? { from: cells.firstOf(i), to: cells.lastOf(i) } : null;
  }

  /**
   * Busy time, intervals and errors between two moments. A cell that is only partly between them counts as if its intervals were
   * spread evenly over it.
   */
  between(from: Seconds, to: Seconds): PastSums {
    const { cells } = this;
    let [busy, count, erred, most] = [0, 0, 0, 0];
    for (let i = cells.after(from); i < cells.length && cells.firstOf(i) < to; i++) {
      const [first, last] = [cells.firstOf(i), cells.lastOf(i)];
      const inside = Math.min(last, to) - Math.max(first, from);
      const share = inside / (last - first);
      const own = cells.busyOf(i) * share;
      busy += own;
      most += Math.min(own, inside);
      count += cells.countOf(i) * share;
      erred += cells.errorsOf(i) * share;
    }
    // What began earlier and takes all of the time does not count as begun in it.
    return { busy, covered: most, count: count === 0 && busy > 0 ? 1 : count, erred };
  }
}

/** What is known of a cell. */
export interface PastCell {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly busy: Share;
  /** The label with most time, if `mostly`, else one of several. */
  readonly label: number;
  readonly mostly: boolean;
  /** Intervals that began in it. */
  readonly count: number;
  readonly erred: number;
}

/** Sums of a part of a summary. */
export interface PastSums {
  /** Sum of the durations; overlapping intervals count several times. */
  readonly busy: Seconds;
  /** At least the time in which any interval ran, and at most the length of the part. */
  readonly covered: Seconds;
  /** Intervals: an estimate where a cell is only partly inside; one where none began and one went on. */
  readonly count: number;
  readonly erred: number;
}
