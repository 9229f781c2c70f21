/**
 * Time in a run with its pauses folded: a monotone map from scheduler time to columns. Outside of pauses, time passes evenly;
 * a folded pause has a fixed number of columns, whatever its length.
 */
import type { Seconds } from '../base/units';
import { type Pause, pausedIn } from './lanes/busy-periods';

/** Columns on which time passes evenly. */
export interface Stretch {
  /** Folded columns; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Columns of folded pauses that were left out before it. */
  readonly removed: number;
}

/** A folded pause. */
export interface Fold {
  readonly pause: Pause;
  /** Folded columns; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

interface Part extends Fold {
  /** Columns of the same time without folding. */
  readonly begin: number;
  readonly end: number;
  /** Columns left out before the pause, and up to its end. */
  readonly before: number;
  readonly after: number;
}

/** Widths of a folded pause: with its length, with a sign only, and as a mere line where there are many. */
export const FOLD_WIDTHS = [72, 16, 4] as const;

/** Columns by which a number of columns may be wrong as it is computed. */
const EXACT = 1e-3;

/** Pauses that are folded; of more, the longest. */
const MOST_FOLDED = 256;

/**
 * Map of scheduler time to whole-numbered columns from an anchor, for one zoom.
 *
 * Guarantees:
 * 1. Both directions are strictly increasing, and each is the inverse of the other up to rounding.
 * 2. Without a folded pause before it, a time has the column that it has without folding, to the bit; behind one, it is less
 *    by a whole number.
 */
export class FoldedTime {
  /**
   * @param pauses - in order, not overlapping
   * @param gap - columns of a folded pause; a pause of fewer columns is not folded
   */
  constructor(
    readonly anchor: Seconds,
    readonly perColumn: Seconds,
    pauses: readonly Pause[],
    gap: number
  ) {
    this.scale = 1 / perColumn;
    let removed = 0;
    for (const pause of pauses) {
      const begin = Math.ceil((pause.from - anchor) * this.scale);
      const end = Math.floor((pause.to - anchor) * this.scale);
      if (end - begin > gap) {
        const from = begin - removed;
        const after = removed + end - begin - gap;
        this.parts.push({ pause, begin, end, from, to: from + gap, before: removed, after });
        removed = after;
      }
    }
  }

  /** The folded pauses, in order. */
  get folds(): readonly Fold[] {
    return this.parts;
  }

  /** Column of a time, counted from column `first`, with its fraction. */
  columnOf(time: Seconds, first = 0): number {
    const even = (time - this.anchor) * this.scale;
    const part = this.parts[this.countWhere(({ begin }) => begin <= even) - 1];
    if (part === undefined) {
      return even - first;
    }
    return even >= part.end
      ? even - (first + part.after)
      : part.from + ((even - part.begin) / (part.end - part.begin)) * (part.to - part.from) - first;
  }

  /** Time at a column. */
  timeOf(column: number): Seconds {
    const part = this.parts[this.countWhere(({ from }) => from <= column) - 1];
    if (part === undefined) {
      return this.anchor + column * this.perColumn;
    }
    const even =
      column >= part.to
        ? column + part.after
        : part.begin + ((column - part.from) / (part.to - part.from)) * (part.end - part.begin);
    return this.anchor + even * this.perColumn;
  }

  /**
   * Even time: seconds that pass evenly along the columns. It is as long as scheduler time outside of folded pauses, and a
   * folded pause takes as much of it as its columns do.
   */
  evenOf(time: Seconds): Seconds {
    return this.anchor + this.columnOf(time) * this.perColumn;
  }

  /** Scheduler time at an even time. */
  timeOfEven(even: Seconds): Seconds {
    return this.timeOf((even - this.anchor) / this.perColumn);
  }

  /** What is between the folded pauses, within the columns `from` to `to` (exclusive). */
  stretches(from: number, to: number): Stretch[] {
    const list: Stretch[] = [];
    let at = from;
    let removed = 0;
    for (let i = this.countWhere(part => part.to <= from); i <= this.parts.length && at < to; i++) {
      const part = this.parts[i];
      removed = part?.before ?? this.parts[i - 1]?.after ?? 0;
      const end = Math.min(to, part?.from ?? to);
      if (end > at) {
        list.push({ from: at, to: end, removed });
      }
      at = Math.max(at, part?.to ?? to);
    }
    return list;
  }

  /** Number of leading parts that satisfy a condition. */
  private countWhere(holds: (part: Part) => boolean): number {
    let low = 0;
    let high = this.parts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.parts[middle])) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private readonly scale: number;
  private readonly parts: Part[] = [];
}

/** The pauses of a run, and how many columns one takes in a picture of some width. */
export class Folding {
  /**
   * @param pauses - in order, not overlapping
   * @param width - columns of the picture
   * @param widths - columns of a folded pause, the widest first: the first of which all visible pauses take at most half of
   *   the picture
   */
  constructor(
    pauses: readonly Pause[],
    private readonly width: number,
    private readonly widths: readonly number[]
  ) {
    this.pauses = longest(pauses);
    const [first, last] = [this.pauses[0], this.pauses[this.pauses.length - 1]];
    const paused = this.pauses.reduce((sum, { from, to }) => sum + to - from, 0);
    this.busy = last === undefined ? 0 : last.to - first.from - paused;
  }

  readonly pauses: readonly Pause[];

  /** The map at a zoom. */
  at(anchor: Seconds, perColumn: Seconds): FoldedTime {
    return new FoldedTime(anchor, perColumn, this.pauses, this.gap(perColumn));
  }

  /** The zoom at which a period has a number of columns. */
  perColumnFor(from: Seconds, to: Seconds, columns: number): Seconds {
    const lengths = this.pauses
      .map(pause => Math.min(pause.to, to) - Math.max(pause.from, from))
      .filter(length => length > 0)
      .sort((a, b) => b - a);
    let found = Number.NaN;
    for (const gap of this.widths) {
      const perColumn = this.solve(from, to, lengths, columns, gap);
      const used = this.gap(perColumn);
      if (used === gap) {
        return perColumn;
      }
      found = used < gap ? perColumn : found;
    }
    return Number.isNaN(found) ? (to - from) / columns : found;
  }

  /** The zoom at which a period has a number of columns, or few less, with folded pauses of `gap` columns. */
  private solve(from: Seconds, to: Seconds, lengths: readonly Seconds[], columns: number, gap: number): Seconds {
    // A folded pause begins and ends at whole columns within it: it takes up to two more, one in the mean.
    for (const rounded of [0, 1]) {
      const perColumn = solve(to - from, lengths, columns, gap + rounded);
      if (new FoldedTime(from, perColumn, this.pauses, gap).columnOf(to) <= columns + EXACT) {
        return perColumn;
      }
    }
    return solve(to - from, lengths, columns, gap + 2);
  }

  /** Time in a period that is not a pause. */
  busyIn(from: Seconds, to: Seconds): Seconds {
    return to - from - pausedIn(this.pauses, from, to);
  }

  /** Columns of a folded pause: depends on the zoom only, so that panning moves a picture without changing it. */
  private gap(perColumn: Seconds): number {
    const seen = this.width * perColumn;
    const count = Math.min(
      this.pauses.length,
      1 + (this.busy > 0 ? (this.pauses.length * seen) / this.busy : this.pauses.length)
    );
    return this.widths.find(width => count * width <= this.width / 2) ?? this.widths[this.widths.length - 1] ?? 1;
  }

  /** Time between the first and the last pause that is not in a pause. */
  private readonly busy: Seconds;
}

/** Nothing is folded. */
export const UNFOLDED = new Folding([], 0, [1]);

/** The pauses that are folded: of very many, the longest; in order of time. */
export function longest(pauses: readonly Pause[]): readonly Pause[] {
  return pauses.length <= MOST_FOLDED
    ? pauses
    : [...pauses]
        .sort((a, b) => b.to - b.from - (a.to - a.from))
        .slice(0, MOST_FOLDED)
        .sort((a, b) => a.from - b.from);
}

/** @param lengths - of the pauses, the longest first */
function solve(length: Seconds, lengths: readonly Seconds[], columns: number, gap: number): Seconds {
  let perColumn = length / columns;
  let left = length;
  for (const [i, pause] of lengths.entries()) {
    const rest = columns - (i + 1) * gap;
    if (pause <= gap * perColumn || rest < columns / 4) {
      break;
    }
    left -= pause;
    perColumn = left / rest;
  }
  return perColumn;
}
