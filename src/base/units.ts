/**
 * Units as type aliases, so that every number declares its unit. At run time the aliases are plain numbers; they are
 * documentation for the compiler.
 */

/** Seconds. Absolute times are the scheduler's clock, seconds since the Unix epoch. */
export type Seconds = number;
export const MINUTE: Seconds = 60;
export const HOUR: Seconds = 3600;
export const DAY: Seconds = 86_400;
/** Milliseconds, as in the browser's clocks. */
export type Milliseconds = number;
/** Bytes. */
export type Bytes = number;
/** Bytes per second. */
export type BytesPerSecond = number;
/** Per cent of one core, as in psutil and Dask: 400 is four busy cores. */
export type CpuPercent = number;
/** A fraction between 0 and 1. */
export type Share = number;
/** Layout pixels. */
export type CssPixels = number;
/** Physical pixels: CSS pixels times the device pixel ratio. */
export type DevicePixels = number;
