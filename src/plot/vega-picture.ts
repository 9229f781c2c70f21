/** The picture of a plot with a Vega-Lite spec. */
import type { Seconds } from '../base/units';

/** A JSON value: specs and datasets are plain data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The space for a picture, in CSS pixels. */
export interface VegaSize {
  readonly width: number;
  readonly height: number;
}

/** The space and the visible rows; pictures without rows ignore the latter. */
export interface VegaFrame extends VegaSize {
  readonly firstRow: number;
  readonly endRow: number;
}

/** Heights above and below the rows that stay fixed while the rows scroll, in CSS pixels. */
export interface RowMargins {
  readonly top: number;
  readonly bottom: number;
}

/** Rows that scroll when they do not all fit. */
export interface VegaRows {
  readonly count: number;
  /** All rows, of which a search has found {@link count}; undefined where rows are not searched. */
  readonly of?: number;
  /** Height of a row, in CSS pixels. */
  readonly pitch: number;
  readonly margins: RowMargins;
}

/** The area of a picture whose horizontal axis is scheduler time. Positions are CSS pixels of the frame. */
export interface TimeAxis {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Position of a time; it may be outside. */
  at(time: Seconds): number;
  /** The time at a position. */
  timeAt(x: number): Seconds;
}

/** The data drawn in a frame. */
export interface VegaDrawing {
  /** Where the times are; undefined where the horizontal axis is not scheduler time. */
  readonly axis?: TimeAxis;
  /** Values of the spec's parameters: axis end, edges and anything else that can change without recompiling. */
  readonly params: Readonly<Record<string, number>>;
  /**
   * Rows of the named datasets. The view uses two fields of a row: `tooltip` (`TooltipContent`) and `click`
   * (`{plot, args}`: the plot to open and its arguments).
   */
  readonly data: Readonly<Record<string, readonly Readonly<Record<string, Json>>[]>>;
}

/** A picture of a run at one moment. */
export interface VegaPicture {
  /** A short text that changes when the spec must be recompiled for reasons other than theme, size and parameters. */
  readonly key: string;
  /** The spec, which refers to datasets and parameters by name; called only to compile it. */
  spec(): Json;
  /** Rows of a picture with one row per worker or function; undefined for other pictures. */
  readonly rows?: VegaRows;
  draw(frame: VegaFrame): VegaDrawing;
}
