/** What a plot that is a Vega-Lite spec draws. */
/** A JSON value: specs and datasets are plain data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The room that a picture has, in CSS pixels. */
export interface VegaSize {
  readonly width: number;
  readonly height: number;
}

/** Room and rows that are in view; pictures without rows ignore the latter. */
export interface VegaFrame extends VegaSize {
  readonly firstRow: number;
  readonly endRow: number;
}

/** Heights above and below the rows that stay in place while the rows scroll, in CSS pixels. */
export interface RowMargins {
  readonly top: number;
  readonly bottom: number;
}

/** Rows that scroll where there is no room for all. */
export interface VegaRows {
  readonly count: number;
  /** Height of a row, in CSS pixels. */
  readonly pitch: number;
  readonly margins: RowMargins;
}

/** What is drawn in a frame. */
export interface VegaDrawing {
  /** Values of the spec's parameters: axis end, edges, whatever may change without compiling. */
  readonly params: Readonly<Record<string, number>>;
  /**
   * Rows of the named datasets. The view honours two fields of a row: `tooltip` ({@link TooltipContent}) and `click`
   * (`{plot, args}`: the plot to open with its arguments).
   */
  readonly data: Readonly<Record<string, readonly Readonly<Record<string, Json>>[]>>;
}

/** A picture of one moment of a run. */
export interface VegaPicture {
  /** A short text that changes when the spec has to be compiled again, theme, size and parameters aside. */
  readonly key: string;
  /** The spec, which refers to datasets and parameters by name; called only when it is compiled. */
  spec(): Json;
  /** Rows of a picture that has one for each worker or function; nothing where it has none. */
  readonly rows?: VegaRows;
  draw(frame: VegaFrame): VegaDrawing;
}
