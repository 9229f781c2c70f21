import type { Bytes, Seconds, Share } from '../../base/units';
import { Chunk, CHUNK_ROWS, DEPTHS, DEPTH_SHIFT, type Interval, LARGE_CHUNK_ROWS } from './lane-chunk';
import type { Past, Pasts } from './past/past';

/**
 * Overlaps up to this are clock corrections, not parallel work: such intervals stay in one sub-lane. A worker shifts its
 * times to the scheduler's clock by what its last heartbeat measured (`Worker.scheduler_delay`), which is wrong by up to
 * half of the round trip and therefore jumps with every heartbeat: by milliseconds, under load by hundreds of them. What
 * ended after a jump backwards then begins before what ended before it.
 */
const OVERLAP_TOLERANCE: Seconds = 0.005;

/**
 * A lane has rows for its sub-lanes if its intervals overlap the one that arrived before them for more than this share of
 * its time. Intervals arrive in the order in which they ended. After a jump of the clock, only one of them overlaps the
 * one before it; where coroutines run at the same time, most do.
 */
const WORTH_ROWS: Share = 0.15;

/** Chunks of a lane from which on further ones are large. */
const MANY_CHUNKS = 16;

/** Neighbours checked for occupied sub-lanes. */
const OVERLAP_WINDOW = 256;

/**
 * Intervals of one lane (computations, or transfers and I/O), nearly in order of start.
 *
 * Records arrive nearly in order. A late one is inserted into the last chunk, at its beginning if it belongs further
 * back. Chunks store their own bounds, so every answer is correct for any order of arrival; order only makes answers
 * fast.
 */
export class Track {
  /** Chunks, oldest first, with up-to-date summaries: these are computed on access, not per record. */
  get chunks(): readonly Chunk[] {
    this.list[this.list.length - 1]?.refresh();
    return this.list;
  }

  /** Number of intervals kept. */
  length = 0;
  /** Sub-lanes in use: 1 while nothing overlaps. */
  depths = 1;
  /** Rows to draw: all sub-lanes if intervals ran at the same time, else one. */
  get rows(): number {
    return this.overlapped >= WORTH_ROWS * this.busy ? this.depths : 1;
  }

  /** Latest end; -Infinity while empty. */
  end: Seconds = Number.NEGATIVE_INFINITY;

  /** Start of the first interval that is kept; Infinity if none is. */
  get first(): Seconds {
    return this.list.reduce(
      (first, chunk) => (chunk.length > 0 ? Math.min(first, chunk.first) : first),
      Number.POSITIVE_INFINITY
    );
  }

  /** What is kept of dropped intervals; `null` if none were dropped. */
  past: Past | null = null;

  /** Latest end of the dropped intervals; -Infinity if none were dropped. */
  get droppedUntil(): Seconds {
    return this.past?.end ?? Number.NEGATIVE_INFINITY;
  }

  /** Memory used. */
  get byteLength(): Bytes {
    return this.list.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  /** Add one interval. */
  append(interval: Interval): void {
    const { tail } = this;
    if (interval.start < this.end - OVERLAP_TOLERANCE) {
      this.overlapped += Math.max(0, Math.min(this.last - interval.start, interval.duration));
      this.stack(interval);
    }
    this.last = interval.start + interval.duration;
    this.busy += interval.duration;
    tail.insert(interval);
    this.length += 1;
    this.end = Math.max(this.end, interval.start + interval.duration);
  }

  /**
   * Read what the next {@link append} needs, so that it is in the cache.
   *
   * A processor waits for the memory of many tracks at once if a loop only reads from them, and for one after the other if
   * each is also appended to. The sum means nothing: without it the engine would leave out the reads.
   */
  touch(): number {
    const { list, end, busy, last } = this;
    return list.length === 0 ? 0 : end + busy + last + list[list.length - 1].touch();
  }

  /** Reserve space for `count` intervals at once, within one chunk. */
  reserve(count: number): void {
    if (count > 1) {
      this.tail.reserve(count);
    }
  }

  /**
   * The intervals that had ended by a moment, as a separate track that shares whole chunks with this one. It has the
   * same rows, so that a lane does not jump while the user moves through time.
   *
   * @param pasts - takes up its summary
   */
  until(moment: Seconds, pasts: Pasts): Track {
    const cut = new Track();
    cut.past = this.past?.until(moment, pasts) ?? null;
    cut.depths = this.depths;
    cut.busy = this.busy;
    cut.overlapped = this.overlapped;
    for (const chunk of this.chunks) {
      const part = chunk.end <= moment ? chunk : chunk.first > moment ? null : chunk.until(moment, cut.end);
      if (part !== null && part.length > 0) {
        cut.list.push(part);
        cut.length += part.length;
        cut.end = Math.max(cut.end, part.end);
      }
    }
    return cut;
  }

  /**
   * The current intervals, as a separate track that shares memory with this one until this one changes what it had.
   *
   * @param pasts - takes up its summary
   */
  copy(pasts: Pasts): Track {
    const copy = new Track();
    copy.past = this.past?.copy(pasts) ?? null;
    copy.depths = this.depths;
    copy.busy = this.busy;
    copy.overlapped = this.overlapped;
    let { end, length } = copy;
    for (const chunk of this.chunks) {
      const part = chunk.full ? chunk.shared() : chunk.copy(end);
      copy.list.push(part);
      length += part.length;
      end = Math.max(end, part.end);
    }
    copy.length = length;
    copy.end = end;
    return copy;
  }

  /**
   * Drop the intervals whose row number is below `row`. The search stops at the first chunk without any: rows grow with
   * time.
   *
   * @param pasts - where a summary of them is kept
   * @returns the number of dropped intervals
   */
  dropBefore(row: number, pasts: Pasts): number {
    const before = this.length;
    for (const each of [...this.list]) {
      if (!each.hasBefore(row)) {
        break;
      }
      const chunk = this.own(each);
      const had = chunk.length;
      chunk.dropBefore(row, this.into(chunk, pasts));
      this.settle(chunk, had);
    }
    return before - this.length;
  }

  /** Drop the older half; a summary of it is kept. Returns the number of dropped intervals. */
  dropHalf(pasts: Pasts): number {
    const before = this.length;
    let left = Math.ceil(before / 2);
    for (const each of [...this.list]) {
      if (left === 0) {
        break;
      }
      const chunk = this.own(each);
      const had = chunk.length;
      chunk.dropFirst(Math.min(left, had), this.into(chunk, pasts));
      left -= had - chunk.length;
      this.settle(chunk, had);
    }
    return before - this.length;
  }

  /** Takes up what a chunk drops. */
  private into(chunk: Chunk, pasts: Pasts): (begin: number, end: number) => void {
    return (begin, end) => {
      this.past ??= pasts.open();
      this.past.addRecords(chunk, begin, end);
    };
  }

  /** A chunk of this track alone instead of one that others have, too: it is going to lose intervals. */
  private own(chunk: Chunk): Chunk {
    const own = chunk.isShared ? chunk.copy(chunk.endBefore) : chunk;
    if (own !== chunk) {
      this.list[this.list.indexOf(chunk)] = own;
    }
    return own;
  }

  /** Update the counts after a chunk lost intervals. */
  private settle(chunk: Chunk, had: number): void {
    this.length -= had - chunk.length;
    if (chunk.length === 0) {
      this.list.splice(this.list.indexOf(chunk), 1);
    } else {
      chunk.refresh();
    }
  }

  /** The chunk for the next interval. */
  private get tail(): Chunk {
    let tail = this.list[this.list.length - 1];
    if (tail === undefined || tail.full) {
      tail?.refresh();
      tail = new Chunk(this.end, this.list.length < MANY_CHUNKS ? CHUNK_ROWS : LARGE_CHUNK_ROWS);
      this.list.push(tail);
    }
    return tail;
  }

  /** Assign the lowest sub-lane that is free during an interval. */
  private stack(interval: Interval): void {
    const from = interval.start + OVERLAP_TOLERANCE;
    const to = interval.start + interval.duration - OVERLAP_TOLERANCE;
    let taken = 0;
    let left = OVERLAP_WINDOW;
    for (let c = this.list.length - 1; c >= 0 && left > 0; c--) {
      const chunk = this.list[c];
      for (let i = chunk.length - 1; i >= 0 && left > 0; i--, left--) {
        if (chunk.startOf(i) < to && chunk.startOf(i) + chunk.durationOf(i) > from) {
          taken |= 1 << (chunk.flagsOf(i) >> DEPTH_SHIFT);
        }
      }
    }
    let depth = 0;
    while (depth < DEPTHS - 1 && taken & (1 << depth)) {
      depth += 1;
    }
    interval.flags |= depth << DEPTH_SHIFT;
    this.depths = Math.max(this.depths, depth + 1);
  }

  private readonly list: Chunk[] = [];
  /** Time of all intervals ever appended, and how much of it overlapped the one that arrived before. */
  private busy: Seconds = 0;
  private overlapped: Seconds = 0;
  /** End of the interval that arrived last. */
  private last: Seconds = Number.NEGATIVE_INFINITY;
}
