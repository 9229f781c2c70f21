/**
 * The query of the timeline: a lane summarized in pixel columns. The cost depends on the columns, not the intervals.
 */
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
import type { Track } from './lane-track';

/**
 * Time span of the columns: column x begins at `anchor + (first + x) * perColumn` and covers `perColumn`. The first
 * column is a whole number, so that a scrolled picture and a redrawn one agree to the bit.
 */
export interface Grid {
  readonly anchor: Seconds;
  readonly first: number;
  readonly perColumn: Seconds;
}

/** Bit of `seen`: the column contains an interval, however short. */
export const SEEN = 2;

/** An interval wide enough for a label or a pattern; its columns may lie outside the requested range. */
export interface WideInterval {
  readonly from: number;
  readonly to: number;
  readonly label: number;
  readonly flags: number;
  readonly layer: number;
}

/** How to draw intervals that are not summarized. */
export interface FoldStyle {
  /** Number of separate sub-lanes; 1 merges all. */
  readonly layers: number;
  /** Intervals of at least this many columns end on whole columns … */
  readonly snapFrom: number;
  /** … and leave this many columns free before the next, so that neighbours of the same colour can be told apart. */
  readonly air: number;
  /** Intervals that end at or before this time are skipped; by default none are. */
  readonly after?: Seconds;
  /** Intervals of at least this many columns are listed in {@link Columns.wide}. */
  readonly wideFrom: number;
}

/** Exact coverage, for figures rather than pictures. */
export const EXACT: FoldStyle = {
  layers: 1,
  snapFrom: Number.POSITIVE_INFINITY,
  air: 0,
  wideFrom: Number.POSITIVE_INFINITY
};

/** Result of a query, owned and reused by the caller: one entry per column and layer, at `layer * width + x`. */
export class Columns {
  constructor(
    readonly width: number,
    readonly layers: number = 1
  ) {
    const size = width * layers;
    this.busy = new Float32Array(size);
    this.label = new Uint16Array(size);
    this.vote = new Float32Array(size);
    this.seen = new Uint8Array(size);
  }

  /** Time covered by intervals in columns; above 1 where they overlap. */
  readonly busy: Float32Array;
  /** The label with most of that time; undefined where nothing was seen. */
  readonly label: Uint16Array;
  /** Weight of the majority vote; undefined where nothing was seen. */
  readonly vote: Float32Array;
  /** {@link SEEN} and `ERRED`. */
  readonly seen: Uint8Array;
  readonly wide: WideInterval[] = [];

  /** Clear the columns `from` to `to` (exclusive) of all layers, and the wide intervals. */
  reset(from: number, to: number): void {
    for (let at = 0; at < this.seen.length; at += this.width) {
      // Labels and votes of unseen columns are never read.
      this.seen.fill(0, at + from, at + to);
      this.busy.fill(0, at + from, at + to);
    }
    this.wide.length = 0;
  }
}

/**
 * Fold a track into the columns `from` to `to` (exclusive).
 *
 * A complete summary within one column is used as it is; others are descended; an interval of a column or more is drawn
 * in full. Presence and busy time of every column are exact at any zoom.
 *
 * @returns the number of summaries and intervals visited
 */
export function fold(track: Track, grid: Grid, from: number, to: number, style: FoldStyle, out: Columns): number {
  out.reset(from, to);
  const { chunks } = track;
  const begin = grid.anchor + (grid.first + from) * grid.perColumn;
  let oldest = chunks.length - 1;
  // Skip chunks that end before the first column; one column of margin allows for rounding.
  while (oldest > 0 && chunks[oldest].endBefore >= begin - grid.perColumn) {
    oldest -= 1;
  }
  walk.begin(grid, from, to, style, out);
  for (let i = Math.max(0, oldest); i < chunks.length; i++) {
    walk.chunk(chunks[i]);
  }
  return walk.visited;
}

/** Busy time of a track between two moments; intervals at the same time count twice. */
export function busyBetween(track: Track, from: Seconds, to: Seconds): Seconds {
  const length = to - from;
  if (!(length > 0)) {
    return 0;
  }
  fold(track, { anchor: from, first: 0, perColumn: length }, 0, 1, EXACT, single);
  return single.busy[0] * length;
}

const single = new Columns(1);

/** Column of a time, with its fraction. All code that must agree to the bit uses this. */
export function columnOf(grid: Grid, time: Seconds): number {
  return (time - grid.anchor) * (1 / grid.perColumn) - grid.first;
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
  private out: Columns = single;
  private anchor: Seconds = 0;
  private first = 0;
  private scale = 1;
  private after: Seconds = Number.NEGATIVE_INFINITY;
}

const walk = new Walk();
