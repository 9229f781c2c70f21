/**
 * Units as type aliases: every number of the project says what it counts.
 * The aliases are plain numbers at run time; they are documentation that the compiler carries along.
 */

/** Seconds. Absolute times are the scheduler's clock, seconds since the Unix epoch. */
export type Seconds = number;
/** Milliseconds, as the browser's own clocks give them. */
export type Milliseconds = number;
/** Bytes. */
export type Bytes = number;
/** Bytes per second. */
export type BytesPerSecond = number;
/** Per cent of one core, as psutil and Dask count CPU: 400 is four busy cores. */
export type CpuPercent = number;
/** A share between 0 and 1. */
export type Share = number;
/** Layout pixels. */
export type CssPixels = number;
/** Physical pixels: CSS pixels times the device pixel ratio. */
export type DevicePixels = number;
