/** Find individual intervals in a track: under the pointer, the next one, those of a row. */
import { countLeading } from '../../base/arrays';
import type { Bytes, Seconds } from '../../base/units';
import { type Chunk, DEPTH_SHIFT, ERRED, FAN_OUT } from './lane-chunk';
import type { Track } from './lane-track';

/** A found interval. */
export interface Found {
  readonly start: Seconds;
  readonly duration: Seconds;
  /** Prefix id of a computation, kind code of a transfer or I/O. */
  readonly label: number;
  readonly erred: boolean;
  /** Sub-lane, from 0. */
  readonly depth: number;
  /** Number of the row in the feed. */
  readonly row: number;
  /** Size of the result of a computation; 1 + worker id of the sender of a transfer. */
  readonly detail: Bytes | number;
}

/** Transfer and I/O intervals examined for one task. */
const MOVES_LOOKED_AT = 20_000;

function found(chunk: Chunk, i: number): Found {
  const { flags, ...interval } = chunk.at(i);
  return { ...interval, erred: (flags & ERRED) !== 0, depth: flags >> DEPTH_SHIFT };
}

/** Levels of the nodes that {@link firstReaching} passes over: 512 and 64 intervals. */
const PASSED_LEVELS = [3, 2];

/**
 * An interval before which none ends at `time` or later, for loops over what overlaps a period. Found from the summaries, so it may
 * be up to 64 intervals earlier than the first that does.
 */
export function firstReaching(chunk: Chunk, time: Seconds): number {
  let first = 0;
  for (const level of PASSED_LEVELS) {
    const size = FAN_OUT ** level;
    const nodes = Math.min(chunk.complete(level), Math.floor(chunk.length / size));
    let node = first / size;
    while (node < nodes && chunk.endOf(level, node) < time) {
      node += 1;
    }
    first = node * size;
  }
  return first;
}

/** Number of the chunk before which none ends at `time` or later: 0 if there is none. */
export function oldestReaching(chunks: readonly Chunk[], time: Seconds): number {
  let oldest = chunks.length - 1;
  while (oldest > 0 && chunks[oldest].endBefore >= time) {
    oldest -= 1;
  }
  return Math.max(0, oldest);
}

/**
 * Call `visit` for each interval that overlaps the time from `from` to `to`, in order within a chunk.
 *
 * @param visit - returns false to stop
 */
export function eachBetween(track: Track, from: Seconds, to: Seconds, visit: (interval: Found) => boolean): void {
  for (const chunk of track.chunks) {
    if (chunk.length > 0 && !descend(chunk, chunk.top, 0, FAN_OUT ** chunk.top, from, to, visit)) {
      return;
    }
  }
}

function descend(
  chunk: Chunk,
  level: number,
  node: number,
  size: number,
  from: Seconds,
  to: Seconds,
  visit: (interval: Found) => boolean
): boolean {
  if (chunk.startOf(node * size) > to || (node < chunk.complete(level) && chunk.endOf(level, node) < from)) {
    return true;
  }
  const small = size / FAN_OUT;
  const begin = node * FAN_OUT;
  const end = Math.min(begin + FAN_OUT, Math.ceil(chunk.length / small));
  for (let child = begin; child < end; child++) {
    if (level > 1) {
      if (!descend(chunk, level - 1, child, small, from, to, visit)) {
        return false;
      }
    } else if (chunk.startOf(child) <= to && chunk.startOf(child) + chunk.durationOf(child) >= from) {
      if (!visit(found(chunk, child))) {
        return false;
      }
    }
  }
  return true;
}

/**
 * The interval at a moment, else the nearest one within `reach`.
 *
 * @param depth - preferred sub-lane if several overlap
 * @returns `null` if there is none within reach
 */
export function intervalAt(track: Track, time: Seconds, reach: Seconds, depth: number): Found | null {
  let best: Found | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  eachBetween(track, time - reach, time + reach, interval => {
    const away = Math.max(interval.start - time, time - interval.start - interval.duration, 0);
    const distance = away + (interval.depth === depth ? 0 : reach * 2);
    // The later interval wins: it is drawn over the earlier.
    if (distance <= bestDistance) {
      best = interval;
      bestDistance = distance;
    }
    return true;
  });
  return best;
}

/** Intervals that {@link labelAt} looks at before a moment. */
const LOOKED_BACK = 16;

/**
 * Label of the interval at a moment, of several the one that starts last. Unlike {@link intervalAt} it looks at few intervals,
 * and misses one during which many of its lane start, as with coroutines: for estimates from thousands of moments.
 */
export function labelAt({ chunks }: Track, time: Seconds): number | undefined {
  for (let c = chunks.length - 1; c >= 0; c--) {
    const chunk = chunks[c];
    if (chunk.length > 0 && chunk.end >= time) {
      const last = chunk.upperBound(time) - 1;
      for (let i = last; i >= 0 && i > last - LOOKED_BACK; i--) {
        if (chunk.startOf(i) + chunk.durationOf(i) >= time) {
          return chunk.labelOf(i);
        }
      }
    }
    if (chunk.endBefore < time) {
      return undefined;
    }
  }
  return undefined;
}

/** The interval that starts next after (`step` 1) or last before (-1) the given one; `null` at the end of the lane. */
export function neighbour(track: Track, start: Seconds, row: number, step: 1 | -1): Found | null {
  let best: Found | null = null;
  for (const chunk of track.chunks) {
    const candidate = step === 1 ? firstAfter(chunk, start, row) : lastBefore(chunk, start, row);
    if (candidate >= 0 && candidate < chunk.length) {
      const interval = found(chunk, candidate);
      if (best === null || step * compare(interval.start, interval.row, best.start, best.row) < 0) {
        best = interval;
      }
    }
  }
  return best;
}

/**
 * Order for stepping through intervals: by start, then by row, so that intervals with the same start are all reached.
 */
function compare(start: Seconds, row: number, otherStart: Seconds, otherRow: number): number {
  return start - otherStart || row - otherRow;
}

function firstAfter(chunk: Chunk, start: Seconds, row: number): number {
  let best = -1;
  let i = countLeading(chunk.length, each => chunk.startOf(each) < start);
  for (; i < chunk.length && chunk.startOf(i) === start; i++) {
    if (chunk.rowOf(i) > row && (best < 0 || chunk.rowOf(i) < chunk.rowOf(best))) {
      best = i;
    }
  }
  return best >= 0 ? best : lowestRow(chunk, i, 1);
}

function lastBefore(chunk: Chunk, start: Seconds, row: number): number {
  let best = -1;
  let i = chunk.upperBound(start) - 1;
  for (; i >= 0 && chunk.startOf(i) === start; i--) {
    if (chunk.rowOf(i) < row && (best < 0 || chunk.rowOf(i) > chunk.rowOf(best))) {
      best = i;
    }
  }
  return best >= 0 ? best : lowestRow(chunk, i, -1);
}

/** Of the intervals with the same start as number `i`, the one with the lowest (`step` 1) or highest row. */
function lowestRow(chunk: Chunk, i: number, step: 1 | -1): number {
  let best = i;
  for (let k = i + step; k >= 0 && k < chunk.length && chunk.startOf(k) === chunk.startOf(i); k += step) {
    if (step * (chunk.rowOf(k) - chunk.rowOf(best)) < 0) {
      best = k;
    }
  }
  return best;
}

/**
 * Transfers and I/O of a row, oldest first. The search goes from the newest to older ones: they came shortly before their
 * computation, and a thread may have had tens of thousands within the reach.
 *
 * @param before - end of the row's computation and of the search
 * @param reach - how long before that an interval may have ended
 */
export function movesOf({ chunks }: Track, row: number, before: Seconds, reach: Seconds): Found[] {
  const list: Found[] = [];
  let left = MOVES_LOOKED_AT;
  for (let c = chunks.length - 1; c >= 0 && left > 0; c--) {
    const chunk = chunks[c];
    if (chunk.end < before - reach) {
      continue;
    }
    for (let i = chunk.upperBound(before) - 1; i >= 0 && left > 0; i--, left--) {
      if (chunk.rowOf(i) === row && chunk.startOf(i) + chunk.durationOf(i) >= before - reach) {
        list.push(found(chunk, i));
      }
    }
  }
  return list.sort((a, b) => a.start - b.start);
}

/**
 * Executions from a row number on, newest first.
 *
 * @param lanes - as in the task store
 */
export function rowsFrom(
  lanes: readonly ({ readonly compute: Track } | undefined)[],
  row: number
): (Found & { readonly lane: number })[] {
  const list: (Found & { readonly lane: number })[] = [];
  for (const [lane, state] of lanes.entries()) {
    for (const chunk of state?.compute.chunks ?? []) {
      for (let i = 0; i < chunk.length; i++) {
        if (chunk.rowOf(i) >= row) {
          list.push({ lane, ...found(chunk, i) });
        }
      }
    }
  }
  return list.sort((a, b) => b.row - a.row);
}
