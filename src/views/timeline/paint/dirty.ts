import type { DevicePixels } from '../../../base/units';

/** Ranges per band: changes are at the end of a lane, and at either edge after scrolling. */
const RANGES = 2;

/** Columns painted ahead of a moving picture: at least these … */
const LEAST_AHEAD: DevicePixels = 32;
/** … and up to this number more. */
const MORE_AHEAD: DevicePixels = 64;
/** All columns that a band may be walked for beyond the window. */
export const MOST_AHEAD: DevicePixels = LEAST_AHEAD + MORE_AHEAD;

/** Tracks which columns of which bands have to be queried. */
export class DirtyColumns {
  constructor(
    private readonly bands: number,
    private readonly width: DevicePixels
  ) {
    this.first = new Int32Array(bands * RANGES);
    this.end = new Int32Array(bands * RANGES);
  }

  /** Bands with dirty columns. */
  pending = 0;

  /** First dirty column of a band's next range. */
  from(band: number): number {
    return this.first[band * RANGES];
  }

  /** End of a band's next dirty range (exclusive). */
  to(band: number): number {
    return this.end[band * RANGES];
  }

  /** Whether a band has dirty columns. */
  has(band: number): boolean {
    return this.first[band * RANGES] < this.end[band * RANGES];
  }

  /** Every column of every band. */
  all(): void {
    this.first.fill(0);
    for (let at = 0; at < this.end.length; at++) {
      this.end[at] = at % RANGES === 0 ? this.width : 0;
    }
    this.pending = this.width > 0 ? this.bands : 0;
  }

  /** Columns `from` to `to` (exclusive) of a band, clipped to the window. */
  add(band: number, from: number, to: number): void {
    const first = Math.max(0, from);
    const end = Math.min(this.width, to);
    if (first >= end) {
      return;
    }
    const at = band * RANGES;
    if (!this.has(band)) {
      this.pending += 1;
      this.set(at, first, end);
    } else if (this.touches(at, first, end)) {
      this.join(at, first, end);
      this.unite(at);
    } else if (this.first[at + 1] < this.end[at + 1]) {
      this.join(at + 1, first, end);
      this.unite(at);
    } else {
      this.set(at + 1, first, end);
    }
  }

  /** A band's next range is done; its other range, if any, is next. */
  clean(band: number): void {
    const at = band * RANGES;
    const had = this.has(band);
    this.set(at, this.first[at + 1], this.end[at + 1]);
    this.set(at + 1, 0, 0);
    if (had && !this.has(band)) {
      this.pending -= 1;
    }
  }

  /** The picture moved by columns to earlier positions. */
  shift(columns: number): void {
    if (this.pending === 0) {
      return;
    }
    for (let band = 0; band < this.bands; band++) {
      const at = band * RANGES;
      if (this.has(band)) {
        const [from, to] = [this.first[at] - columns, this.end[at] - columns];
        const [nextFrom, nextTo] = [this.first[at + 1] - columns, this.end[at + 1] - columns];
        const second = this.first[at + 1] < this.end[at + 1];
        this.clean(band);
        this.clean(band);
        this.add(band, from, to);
        if (second) {
          this.add(band, nextFrom, nextTo);
        }
      }
    }
  }

  /** Whether a range overlaps or touches another one. */
  private touches(at: number, first: number, end: number): boolean {
    return first <= this.end[at] && end >= this.first[at];
  }

  private join(at: number, first: number, end: number): void {
    this.set(at, Math.min(this.first[at], first), Math.max(this.end[at], end));
  }

  /** Merge a band's two ranges if they meet. */
  private unite(at: number): void {
    const [first, end] = [this.first[at + 1], this.end[at + 1]];
    if (first < end && this.touches(at, first, end)) {
      this.join(at, first, end);
      this.set(at + 1, 0, 0);
    }
  }

  private set(at: number, first: number, end: number): void {
    this.first[at] = first;
    this.end[at] = end;
  }

  private readonly first: Int32Array;
  private readonly end: Int32Array;
}

/** The edge towards which the picture moves: columns beyond it will be visible soon. 0 if it stays, or follows live. */
export type Edge = -1 | 0 | 1;

/**
 * Counts the columns beyond one edge of the window that are painted already, by band. To walk a lane for the few columns of
 * one frame costs almost as much as for many, so that of hundreds of bands only some are walked in each.
 */
export class AheadColumns {
  constructor(bands: number) {
    this.counts = new Int32Array(bands);
  }

  /** Where the painted columns are. */
  edge: Edge = 0;

  /** The picture moves in another direction: nothing is painted there. */
  turn(edge: Edge): void {
    if (edge !== this.edge) {
      this.edge = edge;
      this.counts.fill(0);
    }
  }

  /** Everything must be painted again. */
  clear(): void {
    this.counts.fill(0);
  }

  /** Some columns have become visible. Returns how many of them, the first at the former edge, are not painted. */
  take(band: number, columns: number): number {
    const left = this.counts[band] - columns;
    this.counts[band] = Math.max(0, left);
    return Math.max(0, -left);
  }

  /** Columns of a band were painted beyond the edge. */
  add(band: number, columns: number): void {
    this.counts[band] = columns;
  }

  /** A band has changed between two columns of a window. */
  change(band: number, from: number, to: number, width: DevicePixels): void {
    const count = this.counts[band];
    const begin = this.edge < 0 ? -count : width;
    if (count > 0 && from < begin + count && to > begin) {
      this.counts[band] = 0;
    }
  }

  /**
   * How many columns beyond the edge to paint with the visible ones; 0 where some are painted already.
   *
   * @param room - columns of the canvas beyond the edge
   */
  more(band: number, room: DevicePixels): number {
    // Another number for each band, also where there is little room: else all would be due in the same frame.
    const most = LEAST_AHEAD + ((band * 37) % MORE_AHEAD);
    return this.counts[band] > 0 ? 0 : Math.floor(most * Math.min(1, room / MOST_AHEAD));
  }

  private readonly counts: Int32Array;
}
