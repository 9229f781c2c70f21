import type { DevicePixels, Seconds, Share } from '../../../base/units';
import { type FoldedTime, type Folding, UNFOLDED } from '../../../run/folded-time';
import type { Grid } from '../../../run/lanes/lane-fold';
import type { TimeSpan } from '../../../run/time-window';

/** Finest zoom: below it, scheduler times (f64 seconds since 1970) cannot be distinguished. */
const FINEST: Seconds = 1e-6;
/** Coarsest zoom: a week per column. */
const COARSEST: Seconds = 604_800;

/** A grid whose columns leave out the folded pauses. */
export interface FoldedGrid extends Grid {
  /** The same object while the zoom and the pauses are the same. */
  readonly folded: FoldedTime;
}

/**
 * Maps times to columns of device pixels, on a grid anchored in time, so that a picture moves by whole columns and
 * stays exact. Pauses of the run are folded by {@link folding}.
 */
export class Viewport implements FoldedGrid {
  /** Scheduler time from which columns are counted. */
  anchor: Seconds = 0;
  perColumn: Seconds = 0.05;
  first = 0;
  width: DevicePixels = 0;

  /** Scheduler time of the left edge. */
  get start(): Seconds {
    return this.timeOf(0);
  }

  /** Scheduler time of the right edge. */
  get end(): Seconds {
    return this.timeOf(this.width);
  }

  /** Visible time without what is folded. */
  get span(): Seconds {
    return this.width * this.perColumn;
  }

  /** The pauses; the time at the left edge stays where it is when they change. */
  get folding(): Folding {
    return this.pauses;
  }

  set folding(folding: Folding) {
    if (folding !== this.pauses) {
      const { start } = this;
      this.pauses = folding;
      this.first = Math.round(this.folded.columnOf(start));
    }
  }

  get folded(): FoldedTime {
    const { anchor, perColumn, pauses } = this;
    if (this.map === null || this.mapped !== pauses || this.map.anchor !== anchor || this.map.perColumn !== perColumn) {
      this.mapped = pauses;
      this.map = pauses.at(anchor, perColumn);
    }
    return this.map;
  }

  /** The visible time, with what is folded of it. */
  get visible(): TimeSpan {
    const { start: from, end: to, folded, first, width } = this;
    return folded.folds.some(fold => fold.to > first && fold.from < first + width) ? { from, to, folded } : { from, to };
  }

  /** Column of a time, with its fraction; may be outside the view. */
  columnOf(time: Seconds): number {
    return this.folded.columnOf(time, this.first);
  }

  timeOf(column: number): Seconds {
    return this.folded.timeOf(this.first + column);
  }

  /** An independent copy of the current state. */
  grid(): FoldedGrid {
    return { anchor: this.anchor, first: this.first, perColumn: this.perColumn, folded: this.folded };
  }

  /** Move by columns; positive goes to later times. */
  pan(columns: number): void {
    this.first += Math.round(columns);
  }

  /** Show `factor` times as much time (below 1: zoom in); the time at `column` stays fixed. */
  zoom(factor: number, column: number): void {
    const time = this.timeOf(column);
    this.scale(this.perColumn * factor);
    this.first = Math.round(this.folded.columnOf(time) - column);
  }

  /** Show the time from `from` to `to`, with a fraction of the width left free at both ends. */
  fit(from: Seconds, to: Seconds, margin: Share): void {
    const columns = Math.max(1, this.width * (1 - 2 * margin));
    this.scale(this.pauses.perColumnFor(from, to, columns));
    this.first = Math.round(this.folded.columnOf(from) - this.width * margin);
  }

  /** The span at which a period fills the width except for `margin` columns. */
  spanFor(from: Seconds, to: Seconds, margin: DevicePixels): Seconds {
    const columns = Math.max(1, this.width - margin);
    return this.pauses.perColumnFor(from, to, columns) * columns;
  }

  /**
   * Show `span` seconds (what is folded does not count) up to `edge`, which stays `margin` columns left of the right edge; not
   * earlier than `origin`.
   */
  lead(span: Seconds, edge: Seconds, origin: Seconds, margin: DevicePixels): void {
    this.scale(span / Math.max(1, this.width - margin));
    const follow = Math.ceil(this.folded.columnOf(edge)) - (this.width - margin);
    const begin = Math.floor(this.folded.columnOf(origin)) - Math.min(margin, 4);
    this.first = Math.max(follow, begin);
  }

  private pauses: Folding = UNFOLDED;
  private map: FoldedTime | null = null;
  /** The pauses of the map. */
  private mapped: Folding = UNFOLDED;

  private scale(perColumn: Seconds): void {
    this.perColumn = Number.isFinite(perColumn) ? Math.min(COARSEST, Math.max(FINEST, perColumn)) : this.perColumn;
  }
}
