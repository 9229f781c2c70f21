/** What ran before and after an execution: the answer to the request `neighbours`, which is untrusted. */
import type { Seconds } from '../../../base/units';
import { listOf, mapOf, numberOf } from '../../../base/untrusted';

/** An execution that another needs, or that needs another. */
export interface Ran {
  readonly row: number;
  readonly lane: number;
  readonly start: Seconds;
  readonly duration: Seconds;
}

/** Neighbours of one kind. */
export interface Side {
  /** All that Dask knows. */
  readonly count: number;
  /** Those whose execution was found. */
  readonly at: readonly Ran[];
}

/** What ran before and after an execution. */
export interface Neighbours {
  readonly before: Side;
  readonly after: Side;
  /** Whether the scheduler has forgotten some of what it needed. */
  readonly lost: boolean;
  /** Whether the search for them was given up. */
  readonly late: boolean;
}

/** More are not drawn; the collector looks for no more either. */
const MOST_ARROWS = 200;

/** Read an answer; `null` if Dask does not know the task any more, undefined if it is not an answer. */
export function readNeighbours(answer: unknown): Neighbours | null | undefined {
  const { known, lost, late, dependencies, dependents } = mapOf(answer);
  if (known !== true) {
    return known === false ? null : undefined;
  }
  const before = sideOf(dependencies, MOST_ARROWS);
  return { before, after: sideOf(dependents, MOST_ARROWS - before.at.length), lost: lost === true, late: late === true };
}

function sideOf(value: unknown, most: number): Side {
  const { count, at } = mapOf(value);
  const found = listOf(at)
    .slice(0, most)
    .map(mapOf)
    .map(({ row, lane, start, duration }) => ({
      row: numberOf(row, -1),
      lane: numberOf(lane, -1),
      start: numberOf(start, Number.NaN),
      duration: numberOf(duration, Number.NaN)
    }))
    .filter(ran => ran.lane >= 0 && Number.isFinite(ran.start) && ran.duration >= 0 && ran.duration < 1e9);
  return { count: Math.max(found.length, Math.floor(numberOf(count)) || 0), at: found };
}
