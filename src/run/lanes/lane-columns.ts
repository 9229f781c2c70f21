/** What a query of the timeline asks for, and its result. */
import type { Seconds } from '../../base/units';

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
  /** … and leave this many columns free before the next, so that neighbours of the same colour can be distinguished. */
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

/** Column of a time, with its fraction. All code that must agree to the bit uses this. */
export function columnOf(grid: Grid, time: Seconds): number {
  return (time - grid.anchor) * (1 / grid.perColumn) - grid.first;
}

/** Time at a column. */
export function timeOf(grid: Grid, column: number): Seconds {
  return grid.anchor + (grid.first + column) * grid.perColumn;
}
