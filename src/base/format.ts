/**
 * Number formats for users (`docs/look.md`, "Type and numbers"): three significant digits, a unit with each figure, and a
 * dash for unknown values, never a zero. Digits and separators follow one locale, so that a point never means thousands in
 * one figure and decimals in the next.
 */
import { type Bytes, type BytesPerSecond, type CpuPercent, DAY, HOUR, MINUTE, type Seconds, type Share } from './units';

/** Replaces an unknown figure. */
export const UNKNOWN = '–';

/** A unit of bytes: its name and how many bytes it is. */
export interface ByteUnit {
  readonly name: string;
  readonly bytes: Bytes;
}

const BYTE_UNITS: readonly ByteUnit[] = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'].map((name, i) => ({ name, bytes: 1024 ** i }));

const SECOND_UNITS = [
  { name: 'µs', seconds: 1e-6 },
  { name: 'ms', seconds: 1e-3 },
  { name: 's', seconds: 1 }
] as const;

/** Larger figures cannot be measurements: a dash is shown, since digits would look valid. */
const MOST_BYTES: Bytes = 1e24;
const LONGEST: Seconds = 1e10;
const MOST_COUNT = 1e15;
const LAST_MOMENT: Seconds = 7_258_118_400;

let locale: string | undefined;
let formatters = new Map<string, Intl.NumberFormat>();
/** Texts of small counts, by count: tables have a million of them, and a formatter takes a microsecond for each. */
let smallCounts: string[] = [];
const SMALL = 1000;

/**
 * Use the digits and separators of a locale instead of the browser's: for tests, which must not depend on the machine.
 *
 * @param name - a BCP 47 tag; `undefined` for the browser's locale
 * @throws RangeError if the tag is malformed; the locale does not change
 */
export function setNumberLocale(name: string | undefined): void {
  new Intl.NumberFormat(name);
  locale = name;
  formatters = new Map();
  smallCounts = [];
}

/** Whether a figure is valid: a number of plausible size. */
function isKnown(value: number, most: number): boolean {
  return Math.abs(value) <= most;
}

function decimal(value: number, decimals: number, grouping = false): string {
  const key = `${decimals}${grouping}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: grouping,
      // As those of durations and clocks, which are put together from whole numbers.
      numberingSystem: 'latn'
    });
    formatters.set(key, formatter);
  }
  return formatter.format(value);
}

/** Decimals that give a figure of this size three significant digits. */
function decimalsFor(value: number): number {
  const size = Math.abs(value);
  return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

/** A multiple of a unit; `whole` if the unit cannot be divided. */
function threeDigits(value: number, whole = false): string {
  return decimal(value, whole ? 0 : decimalsFor(value));
}

/** The unit of a quantity, for a single figure or the maximum of a column or axis. */
export function byteUnit(greatest: Bytes): ByteUnit {
  const size = Math.abs(greatest);
  // A figure that would round to 1,000 uses the next unit: four digits are hard to compare.
  return BYTE_UNITS.find(unit => size < 999.5 * unit.bytes) ?? BYTE_UNITS[BYTE_UNITS.length - 1];
}

/** `812 B`, `48.2 MiB`, `16.7 GiB`. */
export function formatBytes(bytes: Bytes): string {
  if (!isKnown(bytes, MOST_BYTES)) {
    return UNKNOWN;
  }
  const unit = byteUnit(bytes);
  return `${threeDigits(bytes / unit.bytes, unit.bytes === 1 || bytes === 0)} ${unit.name}`;
}

/**
 * Format of the figures of one column: the unit and decimals of the maximum.
 *
 * @returns a function that formats one figure; a small one with less than two digits left uses a smaller unit
 */
export function formatBytesIn(greatest: Bytes): (bytes: Bytes) => string {
  const unit = byteUnit(isKnown(greatest, MOST_BYTES) ? greatest : 0);
  const decimals = unit.bytes === 1 ? 0 : decimalsFor(greatest / unit.bytes);
  const least = 10 ** (1 - decimals);
  return bytes => {
    if (!isKnown(bytes, MOST_BYTES)) {
      return UNKNOWN;
    }
    const value = bytes / unit.bytes;
    if (value > 0 && value < least) {
      return formatBytes(bytes);
    }
    return `${decimal(value, value === 0 ? 0 : decimals)} ${unit.name}`;
  };
}

/** A part of a whole, with the unit of the whole only once: `16.7 / 32.0 GiB`. */
export function formatBytesOf(part: Bytes, whole: Bytes): string {
  const both = [part, whole].filter(bytes => isKnown(bytes, MOST_BYTES));
  const write = formatBytesIn(Math.max(0, ...both));
  const [left, right] = [write(part), write(whole)];
  const unit = ` ${byteUnit(Math.max(0, ...both)).name}`;
  return `${right === UNKNOWN ? left : left.replace(unit, '')} / ${right}`;
}

/** Bytes per second: `84.1 MiB/s`. */
export function formatByteRate(rate: BytesPerSecond): string {
  return isKnown(rate, MOST_BYTES) ? `${formatBytes(rate)}/s` : UNKNOWN;
}

/** A count per second: `41/s`, `7.2/s`, `< 0.1/s`. */
export function formatRate(perSecond: number): string {
  if (!isKnown(perSecond, MOST_COUNT)) {
    return UNKNOWN;
  }
  if (perSecond > 0 && perSecond < 0.05) {
    return `< ${decimal(0.1, 1)}/s`;
  }
  return perSecond === 0 || perSecond >= 9.95 ? `${formatCount(perSecond)}/s` : `${decimal(perSecond, 1)}/s`;
}

/** A duration: `< 1 µs`, `85 µs`, `581 ms`, `1.24 s`, `49.9 s`, `8 m 12 s`, `2 h 05 m`, `3 d 4 h`. */
export function formatDuration(seconds: Seconds): string {
  if (!isKnown(seconds, LONGEST)) {
    return UNKNOWN;
  }
  if (seconds < 0) {
    return `−${formatDuration(-seconds)}`;
  }
  if (seconds < 5e-7) {
    return seconds === 0 ? '0 s' : '< 1 µs';
  }
  if (seconds < 59.95) {
    const unit = SECOND_UNITS.find(({ name, seconds: size }) => name === 's' || seconds < 999.5 * size) ?? SECOND_UNITS[2];
    const value = seconds / unit.seconds;
    // Clocks resolve microseconds at best: decimals of one would be false precision.
    return `${threeDigits(value, unit.name === 'µs')} ${unit.name}`;
  }
  if (Math.round(seconds) < HOUR) {
    const whole = Math.round(seconds);
    return `${Math.floor(whole / MINUTE)} m ${whole % MINUTE} s`;
  }
  const minutes = Math.round(seconds / MINUTE);
  if (minutes < DAY / MINUTE) {
    return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
  }
  const hours = Math.round(seconds / HOUR);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** An estimated duration with reduced precision: `≈ 4 s`, `≈ 48 s`, `≈ 8 m`, `≈ 2 h 05 m`. */
export function formatEstimate(seconds: Seconds): string {
  if (!isKnown(seconds, LONGEST)) {
    return UNKNOWN;
  }
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 90) {
    return `≈ ${whole} s`;
  }
  return whole < HOUR ? `≈ ${Math.round(whole / MINUTE)} m` : `≈ ${formatDuration(whole)}`;
}

/**
 * A time relative to a start, for a time axis: `0:05`, `12:40`, `2:10:00`; with one decimal `0:31.4`.
 *
 * @param decimals - decimals of the seconds
 */
export function formatElapsed(seconds: Seconds, decimals = 0): string {
  if (!isKnown(seconds, LONGEST)) {
    return UNKNOWN;
  }
  // Carry in the smallest displayed unit, or 59.96 would become 0:60.0.
  const scale = 10 ** decimals;
  const units = Math.round(Math.abs(seconds) * scale);
  const whole = Math.floor(units / scale);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  const head = hours > 0 ? `${hours}:${pad(minutes)}` : String(minutes);
  const tail = decimals > 0 ? `${decimal(0.1, 1).charAt(1)}${String(units % scale).padStart(decimals, '0')}` : '';
  return `${seconds < 0 && units > 0 ? '−' : ''}${head}:${pad(whole % MINUTE)}${tail}`;
}

/** A time of the user's wall clock: `10:42:07`. */
export function formatWallClock(time: Seconds): string {
  if (!(time >= 0 && time <= LAST_MOMENT)) {
    return UNKNOWN;
  }
  const moment = new Date(time * 1000);
  return [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(part => String(part).padStart(2, '0')).join(':');
}

/** A count with all digits, for tooltips where the plot shows `1.23 M`. */
export function formatExactCount(count: number): string {
  if (!isKnown(count, MOST_COUNT)) {
    return UNKNOWN;
  }
  if (!(count >= 0 && count < SMALL && Number.isInteger(count))) {
    return decimal(Math.round(count), 0, true);
  }
  smallCounts[count] ??= decimal(count, 0, true);
  return smallCounts[count];
}

/** A round figure of an axis: a whole one exactly, others with at most three significant digits, without trailing zeros. */
export function formatTick(value: number): string {
  if (!isKnown(value, MOST_COUNT)) {
    return UNKNOWN;
  }
  const short = Number.isInteger(value) ? value : Number(value.toPrecision(3));
  const decimals = [0, 1, 2, 3].find(count => Math.abs(short * 10 ** count - Math.round(short * 10 ** count)) < 1e-6) ?? 3;
  return decimal(short, decimals, true);
}

/** A count: exact with separators to 999,999, then `1.23 M`, `1.23 G`. */
export function formatCount(count: number): string {
  if (!isKnown(count, MOST_COUNT)) {
    return UNKNOWN;
  }
  if (Math.abs(Math.round(count)) < 1e6) {
    return formatExactCount(count);
  }
  return Math.abs(count) < 999.5e6 ? `${threeDigits(count / 1e6)} M` : `${threeDigits(count / 1e9)} G`;
}

/** A fraction of a whole: `41 %`, `< 1 %`, and `100 %` only if nothing is left. */
export function formatPercent(share: Share): string {
  if (!isKnown(share, MOST_COUNT)) {
    return UNKNOWN;
  }
  const percent = Math.round(share * 100);
  if (share > 0 && share < 0.01) {
    return '< 1 %';
  }
  return `${decimal(share < 1 ? Math.min(percent, 99) : percent, 0)} %`;
}

/** CPU as counted by Dask, in per cent of one core: `372 %`. */
export function formatCpu(cpu: CpuPercent): string {
  return isKnown(cpu, MOST_COUNT) ? `${decimal(Math.round(cpu), 0, true)} %` : UNKNOWN;
}
