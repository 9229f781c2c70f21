import type { DevicePixels, Seconds, Share } from '../../../base/units';
import { columnOf, type Grid } from '../../../run/lanes/lane-fold';

/** Finest zoom: below it, scheduler times (f64 seconds since 1970) cannot be told apart. */
const FINEST: Seconds = 1e-6;
/** Coarsest zoom: a week per column. */
const COARSEST: Seconds = 604_800;

/**
 * Maps times to columns of device pixels, on a grid anchored in time, so that a picture moves by whole columns and
 * stays exact.
 */
export class Viewport implements Grid {
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

  get span(): Seconds {
    return this.width * this.perColumn;
  }

  /** Column of a time, with its fraction; may be outside the view. */
  columnOf(time: Seconds): number {
    return columnOf(this, time);
  }

  timeOf(column: number): Seconds {
    return this.anchor + (this.first + column) * this.perColumn;
  }

  /** An independent copy of the current state. */
  grid(): Grid {
    return { anchor: this.anchor, first: this.first, perColumn: this.perColumn };
  }

  /** Move by columns; positive goes to later times. */
  pan(columns: number): void {
    this.first += Math.round(columns);
  }

  /** Show `factor` times as much time (below 1: zoom in); the time at `column` stays fixed. */
  zoom(factor: number, column: number): void {
    const time = this.timeOf(column);
    this.scale(this.perColumn * factor);
    this.first = Math.round((time - this.anchor) / this.perColumn - column);
  }

  /** Show the time from `from` to `to`, with a fraction of the width left free at both ends. */
  fit(from: Seconds, to: Seconds, margin: Share): void {
    const columns = Math.max(1, this.width * (1 - 2 * margin));
    this.scale((to - from) / columns);
    this.first = Math.round((from - this.anchor) / this.perColumn - this.width * margin);
  }

  /**
   * Show `span` seconds up to `edge`, which stays `margin` columns left of the right edge; not earlier than `origin`.
   */
  lead(span: Seconds, edge: Seconds, origin: Seconds, margin: DevicePixels): void {
    this.scale(span / Math.max(1, this.width - margin));
    const follow = Math.ceil((edge - this.anchor) / this.perColumn) - (this.width - margin);
    const begin = Math.floor((origin - this.anchor) / this.perColumn) - Math.min(margin, 4);
    this.first = Math.max(follow, begin);
  }

  private scale(perColumn: Seconds): void {
    this.perColumn = Number.isFinite(perColumn) ? Math.min(COARSEST, Math.max(FINEST, perColumn)) : this.perColumn;
  }
}
