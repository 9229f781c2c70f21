/** Whether work comes at the beat of a clock, as from a sensor or a timer: then nothing holds the threads up. */
import type { Seconds, Share } from '../../../base/units';

/** Fewer beats may keep time by chance. */
export const LEAST_BEATS = 16;
/**
 * What begins at the beat of a clock is early or late by itself: a time between two has the errors of both, √2 of one. What
 * begins when something else has ended adds up all errors, so that beats drift by more than one time between two differs.
 */
export const STEADY: Share = 0.8;
/**
 * Of the usual time between two beats. With more, times are not about equal: where a client takes now long and now short, the sum of
 * its times often stays as near to a line as one of them is to the others.
 */
export const UNEVEN: Share = 0.1;
/**
 * Of the usual pause, by which pauses differ on average: with more, they may be those of a stream. From recordings: 0.02 to
 * 0.09 in loops, 0.2 and more in streams.
 */
export const IRREGULAR: Share = 0.15;
/** Of the times: the others may be early or late for another reason. */
const MOST: Share = 0.9;
/** Times are known to some milliseconds: what differs by less says nothing. */
const SHORTEST: Seconds = 0.001;

/**
 * Whether times keep to a clock better than the waiting before each keeps its length.
 *
 * @param beats - in order
 * @param waits - the time before each beat that would be the same each time if no clock were there
 * @param exact - to how much times are known
 * @param least - beats from which on it is known
 */
export function isClocked(beats: readonly Seconds[], waits: readonly Seconds[], exact: Seconds, least = LEAST_BEATS): boolean {
  const differ = deviation(waits);
  return beats.length >= least && areEven(beats) && differ > Math.max(SHORTEST, exact) && drift(beats) <= STEADY * differ;
}

/** Whether the times between beats are about equal, where some beats may be missing. */
function areEven(beats: readonly Seconds[]): boolean {
  const steps = beats.slice(1).map((time, k) => time - beats[k]);
  const usual = median(steps);
  return deviation(steps.map(step => step / Math.max(1, Math.round(step / usual)))) <= UNEVEN * usual;
}

/** Whether pauses differ from the usual one by as much as those before work that comes when it comes. */
export function areIrregular(pauses: readonly Seconds[]): boolean {
  const usual = median(pauses);
  const differ = pauses.reduce((sum, pause) => sum + Math.abs(pause - usual), 0) / pauses.length;
  return differ > IRREGULAR * usual;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** By how much times differ from the one in the middle, without the tenth that does most: a machine may be busy for a moment. */
function deviation(values: readonly Seconds[]): Seconds {
  const usual = median(values);
  const squares = values.map(value => (value - usual) ** 2).sort((a, b) => a - b);
  const count = Math.ceil(MOST * values.length);
  return Math.sqrt(squares.slice(0, count).reduce((sum, square) => sum + square, 0) / count);
}

/** By how much times differ from those of the clock that fits them best, some of whose beats may be missing. */
function drift(beats: readonly Seconds[]): Seconds {
  const steps = beats.slice(1).map((time, k) => time - beats[k]);
  const usual = median(steps);
  let number = 0;
  const numbers = [0, ...steps.map(step => (number += Math.max(1, Math.round(step / usual))))];
  const half = Math.floor(beats.length / 2);
  const beat = median(beats.slice(half).map((time, k) => (time - beats[k]) / (numbers[k + half] - numbers[k])));
  return deviation(beats.map((time, k) => time - beats[0] - numbers[k] * beat));
}
