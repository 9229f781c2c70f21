/** Search for executions, in steps, so that a page does not stop: a million take some 20 ms. */
import type { Seconds } from '../../base/units';
import { type Chunk, DURATION, INTERVAL_WORDS, LOOKS, ROW, START_STRIDE } from '../../run/lanes/lane-chunk';
import type { Run } from '../../run/run';
import type { Matcher } from '../../run/selection/matcher';

/** An execution that a search has found. */
export interface Hit {
  readonly lane: number;
  readonly prefix: number;
  readonly row: number;
  readonly start: Seconds;
  readonly duration: Seconds;
}

/** A place in the order of a search: by start, then by row. */
export interface Place {
  readonly start: Seconds;
  readonly row: number;
}

/** The result of one step of a search. */
export interface Step {
  /** The next execution; `null` if there is none. */
  readonly hit: Hit | null;
  /** Its number from 1, in order of start. */
  readonly number: number;
}

/** What a search looks at. */
export interface Scope {
  readonly run: Run;
  readonly matcher: Matcher;
  /** Executions that ended until then are left out; -Infinity for none. */
  readonly after: Seconds;
}

/**
 * Count what a search finds, in steps of about 2,000 executions. Of a run that grows in between, some of the new ones are
 * counted.
 */
export function* countSteps(scope: Scope): Generator<void, number, void> {
  let count = 0;
  for (const [, chunk] of chunksOf(scope)) {
    count += countWithin(scope, chunk, chunk.length);
    yield;
  }
  return count;
}

/**
 * Find the next execution after a place, or the one before it.
 *
 * @param from - `null` for the first or the last
 */
export function* stepFrom(scope: Scope, from: Place | null, direction: 1 | -1): Generator<void, Step, void> {
  let best: Hit | null = null;
  for (const [lane, chunk] of chunksOf(scope)) {
    best = nearest(scope, lane, chunk, from, direction, best);
    yield;
  }
  if (best === null) {
    return { hit: null, number: 0 };
  }
  let number = 0;
  for (const [, chunk] of chunksOf(scope)) {
    number += countUntil(scope, chunk, best);
    yield;
  }
  return { hit: best, number };
}

/** The next execution after a place, or the one before it; beyond the last one it goes on at the other end. */
export function* stepAround(scope: Scope, from: Place, direction: 1 | -1): Generator<void, Step, void> {
  const next = yield* stepFrom(scope, from, direction);
  return next.hit === null ? yield* stepFrom(scope, null, direction) : next;
}

function* chunksOf({ run, matcher, after }: Scope): Generator<readonly [lane: number, chunk: Chunk], void, void> {
  for (const [number, lane] of run.tasks.lanes.entries()) {
    if (lane !== undefined && matcher.lane(number)) {
      for (const chunk of lane.compute.chunks) {
        if (chunk.end > after) {
          yield [number, chunk];
        }
      }
    }
  }
}

function fits({ matcher, after }: Scope, { f64, f32, u32 }: Chunk, i: number): boolean {
  const word = i * INTERVAL_WORDS;
  const duration = f32[word + DURATION];
  return f64[i * START_STRIDE] + duration > after && matcher.fits(u32[word + LOOKS], duration, u32[word + ROW]);
}

function countWithin(scope: Scope, chunk: Chunk, length: number): number {
  if (scope.matcher.whole && scope.after === Number.NEGATIVE_INFINITY) {
    return length;
  }
  let count = 0;
  for (let i = 0; i < length; i++) {
    count += fits(scope, chunk, i) ? 1 : 0;
  }
  return count;
}

/** Number of fitting executions up to a place, including it. */
function countUntil(scope: Scope, chunk: Chunk, place: Place): number {
  const end = chunk.upperBound(place.start);
  let count = countWithin(scope, chunk, end);
  // Executions that start at the same time come in order of their rows.
  for (let i = end - 1; i >= 0 && chunk.startOf(i) === place.start; i--) {
    count -= chunk.rowOf(i) > place.row && fits(scope, chunk, i) ? 1 : 0;
  }
  return count;
}

function nearest(scope: Scope, lane: number, chunk: Chunk, from: Place | null, direction: 1 | -1, best: Hit | null): Hit | null {
  const { length } = chunk;
  let found = best;
  if (direction === 1) {
    let i = from === null ? 0 : lowerBound(chunk, from.start);
    for (; i < length && (found === null || chunk.startOf(i) <= found.start); i++) {
      found = better(scope, lane, chunk, i, from, direction, found);
    }
  } else {
    let i = from === null ? length - 1 : chunk.upperBound(from.start) - 1;
    for (; i >= 0 && (found === null || chunk.startOf(i) >= found.start); i--) {
      found = better(scope, lane, chunk, i, from, direction, found);
    }
  }
  return found;
}

function better(
  scope: Scope,
  lane: number,
  chunk: Chunk,
  i: number,
  from: Place | null,
  direction: 1 | -1,
  best: Hit | null
): Hit | null {
  if (!fits(scope, chunk, i)) {
    return best;
  }
  const place = { start: chunk.startOf(i), row: chunk.rowOf(i) };
  const beyond = from === null || order(place, from) * direction > 0;
  const closer = best === null || order(place, best) * direction < 0;
  if (!beyond || !closer) {
    return best;
  }
  return { lane, prefix: chunk.labelOf(i), ...place, duration: chunk.durationOf(i) };
}

function order(a: Place, b: Place): number {
  return a.start - b.start || a.row - b.row;
}

/** Position of the first execution that starts at `time` or later. */
function lowerBound(chunk: Chunk, time: Seconds): number {
  let i = chunk.upperBound(time);
  while (i > 0 && chunk.startOf(i - 1) >= time) {
    i -= 1;
  }
  return i;
}
