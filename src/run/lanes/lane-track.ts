import type { Bytes, Seconds, Share } from '../../base/units';
import { Chunk, DEPTHS, DEPTH_SHIFT, type Interval } from './lane-chunk';

/**
 * Overlaps up to this are clock corrections (a worker's delay is estimated anew with every heartbeat and jumps by
 * milliseconds), not work at the same time: such intervals stay in one sub-lane.
 */
const OVERLAP_TOLERANCE: Seconds = 0.005;

/**
 * Overlaps beyond the tolerance that make up less than this of a lane's busy time are clock corrections too (under load a
 * delay jumps by hundreds of milliseconds): a lane is not cut into rows for a few of them.
 */
const WORTH_ROWS: Share = 0.05;

/** Neighbours that are asked which sub-lanes are taken. */
const OVERLAP_WINDOW = 256;

/**
 * The intervals of one lane (or the moves of one lane), nearly in order of start.
 *
 * Records come nearly in order; a late one is put in its place within the last chunk and stays at that chunk's begin
 * where it belongs further back. Chunks carry their own bounds, so every answer is right in any order of arrival;
 * order only keeps answers fast.
 */
export class Track {
  /** Chunks from the oldest on, their summaries up to date: they are made when somebody looks, not with each record. */
  get chunks(): readonly Chunk[] {
    this.list[this.list.length - 1]?.refresh();
    return this.list;
  }

  /** Intervals held. */
  length = 0;
  /** Sub-lanes in use: 1 while nothing overlaps. */
  depths = 1;
  /** Rows that the sub-lanes are worth: all of them where work overlaps for a good part of the time, else one. */
  get rows(): number {
    return this.overlapped >= WORTH_ROWS * this.busy ? this.depths : 1;
  }

  /** Greatest end; -Infinity while empty. */
  end: Seconds = Number.NEGATIVE_INFINITY;

  /** Greatest end of what was forgotten; -Infinity while nothing was. */
  droppedUntil: Seconds = Number.NEGATIVE_INFINITY;

  /** Memory held. */
  get byteLength(): Bytes {
    return this.list.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  /** Add one interval. */
  append(interval: Interval): void {
    const { tail } = this;
    if (interval.start < this.end - OVERLAP_TOLERANCE) {
      this.overlapped += Math.min(this.end - interval.start, interval.duration);
      this.stack(interval);
    }
    this.busy += interval.duration;
    tail.insert(interval);
    this.length += 1;
    this.end = Math.max(this.end, interval.start + interval.duration);
  }

  /** Make room for `count` intervals at once, as far as one chunk goes. */
  reserve(count: number): void {
    if (count > 1) {
      this.tail.reserve(count);
    }
  }

  /**
   * The intervals that had ended by a moment, as a track of its own that shares whole chunks with this one. It has the
   * rows of this one, so that a lane does not jump while a person moves through time.
   */
  until(moment: Seconds): Track {
    const cut = new Track();
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

  /** The intervals that are there now, as a track of its own that shares full chunks with this one. */
  copy(): Track {
    const copy = new Track();
    copy.depths = this.depths;
    copy.busy = this.busy;
    copy.overlapped = this.overlapped;
    copy.droppedUntil = this.droppedUntil;
    for (const chunk of this.chunks) {
      const part = chunk.full ? chunk : chunk.until(Number.POSITIVE_INFINITY, copy.end);
      copy.list.push(part);
      copy.length += part.length;
      copy.end = Math.max(copy.end, part.end);
    }
    return copy;
  }

  /**
   * Forget the intervals whose row number is below `row`. Chunks behind the first one that has none are not looked at:
   * rows grow with time.
   *
   * @returns how many were forgotten
   */
  dropBefore(row: number): number {
    const before = this.length;
    for (const chunk of [...this.list]) {
      const had = chunk.length;
      this.droppedUntil = Math.max(this.droppedUntil, chunk.dropBefore(row));
      if (!this.settle(chunk, had)) {
        break;
      }
    }
    return before - this.length;
  }

  /** Forget the older half. Returns how many were forgotten. */
  dropHalf(): number {
    const before = this.length;
    let left = Math.ceil(before / 2);
    for (const chunk of [...this.list]) {
      const had = chunk.length;
      this.droppedUntil = Math.max(this.droppedUntil, chunk.dropFirst(Math.min(left, had)));
      left -= had - chunk.length;
      if (!this.settle(chunk, had)) {
        break;
      }
    }
    return before - this.length;
  }

  /** Account for a chunk that had more intervals before. Returns whether it lost any. */
  private settle(chunk: Chunk, had: number): boolean {
    this.length -= had - chunk.length;
    if (chunk.length === 0) {
      this.list.splice(this.list.indexOf(chunk), 1);
    } else {
      chunk.refresh();
    }
    return chunk.length < had;
  }

  /** The chunk that takes the next interval. */
  private get tail(): Chunk {
    let tail = this.list[this.list.length - 1];
    if (tail === undefined || tail.full) {
      tail?.refresh();
      tail = new Chunk(this.end);
      this.list.push(tail);
    }
    return tail;
  }

  /** Give an interval the lowest sub-lane that is free during it. */
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
  /** Time of all intervals ever appended, and the part of it that overlapped an earlier one. */
  private busy: Seconds = 0;
  private overlapped: Seconds = 0;
}
