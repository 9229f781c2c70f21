/** The parts of threads' time: each moment of a thread is in exactly one. */
import type { Seconds, Share } from '../../base/units';

export const PARTS = [
  /** Ran the code of tasks that have ended. */
  'compute',
  /** Runs tasks that have not ended. */
  'running',
  /** Waited for inputs from other workers. */
  'transfer',
  /** Waited for spilled inputs. */
  'disk',
  /** Deserialized a task. */
  'serialise',
  /** The scheduler was reading a graph. */
  'reading',
  /** No computation was in progress: nothing had been submitted. */
  'outside',
  /** A computation was in progress, but no thread of the cluster did anything. */
  'quiet',
  /** Other threads ran a few tasks that take much longer than others of their function; this one had nothing left. */
  'straggler',
  /** Other threads ran tasks; there was none for this one. */
  'starved',
  /** Between two tasks: there was work, but it had not arrived. */
  'overhead'
] as const;
export type Part = (typeof PARTS)[number];

export type Parts = Record<Part, Seconds>;

/** No time. */
export function noTime(): Parts {
  return Object.fromEntries(PARTS.map(part => [part, 0])) as Parts;
}

/** The same share of each of the given parts. */
export function partOf(parts: Partial<Parts>, share: Share): Partial<Parts> {
  return Object.fromEntries(Object.entries(parts).map(([part, seconds]) => [part, share * seconds]));
}

/** So much of each of the given parts that they are no more than some seconds together. */
export function atMost(seconds: Seconds, parts: Partial<Parts>): Partial<Parts> {
  return partOf(parts, Math.min(1, seconds / (timeIn(parts) || 1)));
}

/** Time of all given parts together. */
export function timeIn(parts: Partial<Parts>): Seconds {
  return Object.values(parts).reduce((sum, each) => sum + each, 0);
}
