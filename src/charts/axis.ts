/** Ends and ticks of axes that start at zero (`docs/look.md`, "Axes, bars, time, stream"). */
import { byteUnit, formatTick } from '../base/format';
import type { Bytes, CssPixels, Seconds } from '../base/units';

/** A tick: where it stands, and its label; only the last one carries the unit. */
export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Ticks of an axis, given its end and the most that have room. */
export type Ticks = (end: number, most: number) => readonly Tick[];

/** Room that a label needs. */
const LABEL: CssPixels = 42;

/** The smallest 1, 2 or 5 times a power of ten that is not below `least`. */
export function niceStep(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find(candidate => candidate * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** How many labels an axis of a width holds. */
export function ticksThatFit(width: CssPixels): number {
  return Math.max(1, Math.floor(width / LABEL));
}

function multiples(end: number, step: number): number[] {
  const count = Math.floor(end / step + 1e-9);
  return Array.from({ length: Math.min(count, 1000) + 1 }, (_, i) => i * step);
}

/** Labels in one unit with the decimals that the step needs; the unit on the last only. */
function labelled(values: readonly number[], unit: number, name: string): Tick[] {
  const last = values.length - 1;
  return values.map((value, i) => ({ value, label: formatTick(value / unit) + (i === last && name !== '' ? ` ${name}` : '') }));
}

/** The nice value above a maximum that ticks of {@link countTicks} end on. */
export function niceEnd(greatest: number): number {
  const step = niceStep(greatest / 4);
  return greatest > 0 ? Math.ceil(greatest / step - 1e-9) * step : 1;
}

/** Ticks of a count. */
export const countTicks: Ticks = (end, most) => labelled(multiples(end, Math.max(1, niceStep(end / most))), 1, '');

/** Ticks of a count of which so many are one: threads of a worker. */
export function multipleTicks(unit: number, name = ''): Ticks {
  return (end, most) => labelled(multiples(end, unit * Math.max(1, niceStep(end / unit / most))), 1, name);
}

/** The power of two, in some binary unit, that is not below `least`. */
function binaryStep(least: Bytes): Bytes {
  return 2 ** Math.ceil(Math.log2(Math.max(least, 1)) - 1e-9);
}

/** The end above a number of bytes that ticks of {@link byteTicks} end on. */
export function niceByteEnd(greatest: Bytes): Bytes {
  const step = binaryStep(greatest / 4);
  return greatest > 0 ? Math.ceil(greatest / step) * step : 1024;
}

/** Ticks of bytes; the end is one of them even where it is no round figure, since it is a limit. */
export const byteTicks: Ticks = (end, most) => {
  const unit = byteUnit(end);
  // An eighth of a unit has three decimals: nobody reads figures of that length.
  const step = Math.max(binaryStep(end / most), unit.bytes / 4);
  const inner = multiples(end, step).filter(value => end - value >= step * 0.6);
  return labelled([...inner, end], unit.bytes, unit.name);
};

const TIME_UNITS = [
  { name: 'ms', seconds: 0.001, steps: [] },
  { name: 's', seconds: 1, steps: [] },
  { name: 'm', seconds: 60, steps: [1, 2, 5, 10, 15, 30, 60] },
  { name: 'h', seconds: 3600, steps: [1, 2, 3, 6, 12, 24] }
] as const;

function timeUnit(end: Seconds): (typeof TIME_UNITS)[number] {
  return end < 1 ? TIME_UNITS[0] : end <= 120 ? TIME_UNITS[1] : end <= 7200 ? TIME_UNITS[2] : TIME_UNITS[3];
}

function timeStep(least: Seconds, end: Seconds): Seconds {
  const unit = timeUnit(end);
  const wanted = least / unit.seconds;
  return (unit.steps.find(step => step >= wanted) ?? niceStep(wanted)) * unit.seconds;
}

/** The end above a length of time that ticks of {@link durationTicks} end on. */
export function niceDurationEnd(greatest: Seconds): Seconds {
  const step = timeStep(greatest / 4, greatest);
  return greatest > 0 ? Math.ceil(greatest / step - 1e-9) * step : 1;
}

/** Ticks of lengths of time, in one unit. */
export const durationTicks: Ticks = (end, most) => {
  const unit = timeUnit(end);
  return labelled(multiples(end, timeStep(end / most, end)), unit.seconds, unit.name);
};
