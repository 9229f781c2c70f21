/** The query of the timeline: a lane summarized in pixel columns. The cost depends on the columns, not the intervals. */
import type { Seconds } from '../../base/units';
import {
  BUSY,
  type Chunk,
  DEPTH_SHIFT,
  DURATION,
  ERRED,
  FAN_OUT,
  FLAGS_SHIFT,
  INTERVAL_WORDS,
  LABEL_MASK,
  LOOKS,
  MAJOR,
  NODE_WORDS,
  REACH,
  START_STRIDE,
  WEIGHT
} from './lane-chunk';
import { Columns, EXACT, type FoldStyle, type Grid, SEEN, timeOf } from './lane-columns';
import { firstReaching, oldestReaching } from './lane-search';
import type { Track } from './lane-track';
import type { Past } from './past/past';

export { columnOf, Columns, EXACT, SEEN } from './lane-columns';
export type { FoldStyle, Grid, WideInterval } from './lane-columns';

/**
 * Fold a track into the columns `from` to `to` (exclusive).
 *
 * A complete summary within one column is used as it is; others are descended; an interval of a column or more is drawn
 * in full. Presence and busy time of every column are exact at any zoom; what is only known in cells is spread evenly over
 * them.
 *
 * @returns the number of summaries and intervals visited
 */
export function fold(track: Track, grid: Grid, from: number, to: number, style: FoldStyle, out: Columns): number {
  out.reset(from, to);
  const { chunks } = track;
  walk.begin(grid, from, to, style, out);
  walk.past(track.past);
  // One column of margin allows for rounding.
  for (let i = oldestReaching(chunks, timeOf(grid, from - 1)); i < chunks.length; i++) {
    walk.chunk(chunks[i]);
  }
  return walk.visited;
}

/**
 * Busy time alone, as {@link fold} finds it: in less than half the time where columns have few intervals.
 *
 * @returns the number of summaries and intervals visited
 */
export function foldBusy(track: Track, grid: Grid, from: number, to: number, after: Seconds, out: Columns): number {
  out.reset(from, to);
  // Summaries are then added to what chunks without them have.
  out.seen.fill(SEEN, from, to);
  walk.begin(grid, from, to, { ...EXACT, after }, out);
  walk.past(track.past);
  const { chunks } = track;
  // As above.
  const [begin, end] = [Math.max(after, timeOf(grid, from - 1)), timeOf(grid, to + 1)];
  for (let i = oldestReaching(chunks, begin); i < chunks.length; i++) {
    const chunk = chunks[i];
    if (chunk.length === 0 || chunk.end < begin || chunk.first > end) {
      continue;
    }
    const [first, stop] = [firstReaching(chunk, begin), chunk.upperBound(end)];
    const length = Math.min(chunk.end, end) - Math.max(chunk.first, begin);
    // Summaries are worth their descent where several of them are in one column.
    if ((stop - first) * grid.perColumn > 2 * FAN_OUT * length) {
      walk.chunk(chunk);
    } else {
      walk.busy(chunk, first, stop);
    }
  }
  return walk.visited;
}

/** One traversal of one track. */
class Walk {
  /** Start a traversal: one object is reused, since there may be thousands per frame. */
  begin(grid: Grid, from: number, to: number, style: FoldStyle, out: Columns): void {
    this.from = from;
    this.to = to;
    this.style = style;
    this.out = out;
    this.anchor = grid.anchor;
    this.first = grid.first;
    this.scale = 1 / grid.perColumn;
    this.after = style.after ?? Number.NEGATIVE_INFINITY;
    this.visited = 0;
  }

  visited = 0;

  chunk(chunk: Chunk): void {
    if (chunk.length > 0) {
      this.nodes(chunk, chunk.top, 0, 1, FAN_OUT ** chunk.top);
    }
  }

  /** Only the busy time of each of the intervals `begin` to `stop` (exclusive). */
  busy({ f64, f32 }: Chunk, begin: number, stop: number): void {
    const { anchor, first, scale, from, to, after } = this;
    const { busy } = this.out;
    this.visited += Math.max(0, stop - begin);
    for (let i = begin; i < stop; i++) {
      const start = f64[i * START_STRIDE];
      const end = start + f32[i * INTERVAL_WORDS + DURATION];
      const b = (end - anchor) * scale - first;
      const a = (start - anchor) * scale - first;
      const x = Math.floor(a);
      if (a >= to) {
        return;
      }
      if (b < x + 1 && x >= from && end > after) {
        busy[x] += b - a;
      } else if (end > after) {
        for (let column = Math.max(x, from); column < b && column < to; column++) {
          busy[column] += Math.min(b, column + 1) - Math.max(a, column);
        }
      }
    }
  }

  /** Intervals that are no longer kept. */
  past(past: Past | null): void {
    if (past === null) {
      return;
    }
    const { cells } = past;
    const { anchor, first, scale, from, to, after } = this;
    // A column of margin, as above.
    for (let i = cells.after(anchor + (first + from - 1) / scale); i < cells.length; i++) {
      const begin = cells.firstOf(i);
      const end = cells.lastOf(i);
      const a = (Math.max(begin, after) - anchor) * scale - first;
      if (a >= to) {
        return;
      }
      this.visited += 1;
      const b = (end - anchor) * scale - first;
      if (b >= from && end > after) {
        // Where the errors were is not known: they win one pixel, not all.
        this.cell(a, b, cells.labelOf(i), cells.busyOf(i) / (end - begin), cells.weightOf(i) / (end - begin), cells.errorsOf(i));
      }
    }
  }

  /** Shares of the columns from `a` to `b`, in every layer. */
  private cell(a: number, b: number, label: number, busy: number, vote: number, errors: number): void {
    const { layers } = this.style;
    const end = Math.min(Math.ceil(b), this.to);
    for (let x = Math.max(Math.floor(a), this.from); x < end; x++) {
      const share = (Math.min(b, x + 1) - Math.max(a, x)) / layers;
      const flags = errors > 0 && x === Math.floor(a) ? ERRED : 0;
      for (let layer = 0; layer < layers; layer++) {
        this.add(layer * this.out.width + x, share * busy, label, share * vote, flags);
      }
    }
  }

  /** Nodes `begin` to `stop` (exclusive) of a level, each of which covers `size` intervals when full. */
  private nodes(chunk: Chunk, level: number, begin: number, stop: number, size: number): void {
    const { f64, f32, u32 } = chunk;
    const { anchor, first, scale, from, to, after } = this;
    const complete = chunk.complete(level);
    this.visited += stop - begin;
    for (let node = begin, word = chunk.levels[level] + begin * NODE_WORDS; node < stop; node++, word += NODE_WORDS) {
      const start = node < complete ? f64[word >> 1] : f64[node * size * START_STRIDE]; // no record while it may still grow
      const a = (start - anchor) * scale - first;
      if (a >= to) {
        // A chunk is sorted by start: everything that follows is even later.
        return;
      }
      if (node >= complete) {
        this.descend(chunk, level, node, size);
        continue;
      }
      const b = (start + f32[word + REACH] - anchor) * scale - first;
      if (b < from || start + f32[word + REACH] <= after) {
        continue;
      }
      const x = Math.floor(a);
      if (b >= x + 1 || start <= after) {
        this.descend(chunk, level, node, size);
      } else if (x >= from) {
        const looks = u32[word + MAJOR];
        this.add(x, f32[word + BUSY] * scale, looks & LABEL_MASK, f32[word + WEIGHT] * scale, looks >>> FLAGS_SHIFT);
      }
    }
  }

  private descend(chunk: Chunk, level: number, node: number, size: number): void {
    const begin = node * FAN_OUT;
    if (level === 1) {
      this.intervals(chunk, begin, Math.min(begin + FAN_OUT, chunk.length));
    } else {
      const small = size / FAN_OUT;
      this.nodes(chunk, level - 1, begin, Math.min(begin + FAN_OUT, Math.ceil(chunk.length / small)), small);
    }
  }

  private intervals(chunk: Chunk, begin: number, end: number): void {
    const { f64, f32, u32 } = chunk;
    const { anchor, first, scale, from, to, after } = this;
    this.visited += end - begin;
    for (let i = begin, word = begin * INTERVAL_WORDS; i < end; i++, word += INTERVAL_WORDS) {
      const start = f64[i * START_STRIDE];
      const end = start + f32[word + DURATION];
      const b = (end - anchor) * scale - first;
      const a = (start - anchor) * scale - first;
      if (a < to && b >= from && end > after) {
        const looks = u32[word + LOOKS];
        this.interval(a, b, looks & LABEL_MASK, looks >>> FLAGS_SHIFT);
      }
    }
  }

  /** An interval from column `a` to `b`. */
  private interval(a: number, b: number, label: number, flags: number): void {
    const width = b - a;
    if (width < 1) {
      this.covered(a, b, label, flags, 0);
      return;
    }
    const layer = Math.min(flags >> DEPTH_SHIFT, this.style.layers - 1);
    if (width >= this.style.wideFrom) {
      this.out.wide.push({ from: a, to: b, label, flags, layer });
    }
    if (width >= this.style.snapFrom) {
      this.whole(Math.round(a), Math.round(b) - this.style.air, label, flags, layer);
    } else {
      this.covered(a, b, label, flags, layer);
    }
  }

  /** Fill the columns `x` to `end` (exclusive). */
  private whole(x: number, end: number, label: number, flags: number, layer: number): void {
    const at = layer * this.out.width;
    const to = Math.min(end, this.to);
    for (let column = Math.max(x, this.from); column < to; column++) {
      this.add(at + column, 1, label, 1, flags);
    }
  }

  /** The columns from `a` to `b`, the first and the last weighted by coverage. */
  private covered(a: number, b: number, label: number, flags: number, layer: number): void {
    const at = layer * this.out.width;
    const xa = Math.floor(a);
    const xb = Math.floor(b);
    if (xa >= this.from) {
      const share = (xa === xb ? b : xa + 1) - a;
      this.add(at + xa, share, label, share, flags);
    }
    if (xb === xa) {
      return;
    }
    this.whole(xa + 1, xb, label, flags, layer);
    if (b > xb && xb >= this.from && xb < this.to) {
      this.add(at + xb, b - xb, label, b - xb, flags);
    }
  }

  /** Add busy time to a column, and a vote for its label. */
  private add(at: number, busy: number, label: number, vote: number, flags: number): void {
    const { busy: busies, label: labels, vote: votes, seen } = this.out;
    const before = seen[at];
    seen[at] = before | SEEN | (flags & ERRED);
    if (before === 0) {
      busies[at] = busy;
      labels[at] = label;
      votes[at] = vote;
      return;
    }
    busies[at] += busy;
    if (labels[at] === label) {
      votes[at] += vote;
    } else if (vote > votes[at]) {
      labels[at] = label;
      votes[at] = vote - votes[at];
    } else {
      votes[at] -= vote;
    }
  }

  private from = 0;
  private to = 0;
  private style: FoldStyle = EXACT;
  private out = new Columns(0);
  private anchor: Seconds = 0;
  private first = 0;
  private scale = 1;
  private after: Seconds = Number.NEGATIVE_INFINITY;
}

const walk = new Walk();
