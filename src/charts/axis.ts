/** Ends and ticks of axes that start at zero (`docs/look.md`, "Axes, bars, time, stream"). */
import { byteUnit, formatTick } from '../base/format';
import type { Bytes, CssPixels, Seconds } from '../base/units';
import { plainNumber } from '../selectors/plain-number';

/** A tick: its position and label; only the last label has the unit. */
export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Ticks of an axis, given its end and the maximum number that fits. */
export type Ticks = (end: number, most: number) => readonly Tick[];

/** Space for a label. */
const LABEL: CssPixels = 42;

/** The smallest 1, 2 or 5 times a power of ten that is at least `least`. */
export function niceStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find(candidate => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** How many labels fit on an axis of a given width. */
export function ticksThatFit(width: CssPixels): number {
  return Math.max(1, Math.floor(width / LABEL));
}

function multiples(end: number, step: number): number[] {
  const count = Math.floor(end / step + 1e-9);
  return Array.from({ length: Math.min(count, 1000) + 1 }, (_, i) => i * step);
}

/** Labels in one unit with the decimals required by the step; the unit only on the last. */
function labelled(values: readonly number[], unit: number, name: string): Tick[] {
  const last = values.length - 1;
  return values.map((value, i) => ({ value, label: formatTick(value / unit) + (i === last && name !== '' ? ` ${name}` : '') }));
}

/** The rounded-up maximum at which ticks of {@link countTicks} end. */
export function niceEnd(greatest: number): number {
  const step = niceStep(greatest / 4);
  return greatest > 0 ? Math.ceil(greatest / step - 1e-9) * step : 1;
}

/** Ticks of a count. */
export const countTicks: Ticks = (end, most) => labelled(multiples(end, Math.max(1, niceStep(end / most))), 1, '');

/** Ticks of a number without a unit, which may be far below 1. */
export const plainTicks: Ticks = (end, most) =>
  multiples(end, niceStep(end / most)).map(value => ({ value, label: plainNumber(value) }));

/** Ticks of a count in multiples of another: threads per worker. */
export function multipleTicks(unit: number, name = ''): Ticks {
  return (end, most) => labelled(multiples(end, unit * Math.max(1, niceStep(end / unit / most))), 1, name);
}

/** The smallest power of two, in a binary unit, that is at least `least`. */
function binaryStep(least: Bytes): Bytes {
  return 2 ** Math.ceil(Math.log2(Math.max(least, 1)) - 1e-9);
}

/** The rounded-up number of bytes at which ticks of {@link byteTicks} end. */
export function niceByteEnd(greatest: Bytes): Bytes {
  const step = binaryStep(greatest / 4);
  return greatest > 0 ? Math.ceil(greatest / step) * step : 1024;
}

/** Ticks of bytes. The end always has one, even if it is not round, since it is a limit. */
export const byteTicks: Ticks = (end, most) => {
  const unit = byteUnit(end);
  // An eighth of a unit has three decimals, which is too long to read.
  const step = Math.max(binaryStep(end / most), unit.bytes / 4);
  const inner = multiples(end, step).filter(value => end - value >= step * 0.6);
  return labelled([...inner, end], unit.bytes, unit.name);
};

const TIME_UNITS = [
  { name: 'µs', seconds: 1e-6, steps: [] },
  { name: 'ms', seconds: 0.001, steps: [] },
  { name: 's', seconds: 1, steps: [] },
  { name: 'm', seconds: 60, steps: [1, 2, 5, 10, 15, 30, 60] },
  { name: 'h', seconds: 3600, steps: [1, 2, 3, 6, 12, 24] }
] as const;

function timeUnit(end: Seconds): (typeof TIME_UNITS)[number] {
  return TIME_UNITS[end < 0.001 ? 0 : end < 1 ? 1 : end <= 120 ? 2 : end <= 7200 ? 3 : 4];
}

function timeStep(least: Seconds, end: Seconds): Seconds {
  const unit = timeUnit(end);
  const wanted = least / unit.seconds;
  return (unit.steps.find(step => step >= wanted) ?? niceStep(wanted)) * unit.seconds;
}

/** The rounded-up duration at which ticks of {@link durationTicks} end. */
export function niceDurationEnd(greatest: Seconds): Seconds {
  const step = timeStep(greatest / 4, greatest);
  return greatest > 0 ? Math.ceil(greatest / step - 1e-9) * step : 1;
}

/** Ticks of durations, in one unit. */
export const durationTicks: Ticks = (end, most) => {
  const unit = timeUnit(end);
  return labelled(multiples(end, timeStep(end / most, end)), unit.seconds, unit.name);
};
