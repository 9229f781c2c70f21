/** Older points of a series merged, as the collector does it for pages that come late: nothing that is read of them becomes untrue. */
import type { Seconds } from '../../../base/units';

/** A longer time between two points was not measured: they are not merged. */
const GAP: Seconds = 5;
/** Time between samples: a point without length stands for as much. */
const SAMPLE: Seconds = 1;

/** When points begin and end, and how many workers there were. */
export interface Spans {
  readonly times: Float64Array;
  readonly untils: Float64Array;
  readonly workers: Float64Array;
}

/**
 * The first index of each cell of points that are merged to one: neighbours without a gap that together last no longer
 * than a step. Points without workers are not merged with others: they have no extremes.
 *
 * @param end - number of points to merge
 */
export function cellsOf({ times, untils, workers }: Spans, end: number, step: Seconds): readonly number[] {
  const cells: number[] = [];
  let first = 0;
  for (let i = 0; i < end; i++) {
    const joins =
      i > 0 &&
      times[i] - untilOf(untils, times, i - 1) <= GAP &&
      workers[i] > 0 === workers[first] > 0 &&
      untilOf(untils, times, i) - times[first] < step;
    if (!joins) {
      first = i;
      cells.push(i);
    }
  }
  return cells;
}

function untilOf(untils: Float64Array, times: Float64Array, i: number): Seconds {
  return Math.max(times[i], untils[i] || 0);
}

/** How much time each of the first points stands for. */
export function weightsOf({ times, untils }: Spans, end: number): Float64Array {
  return Float64Array.from({ length: end }, (_, i) => untilOf(untils, times, i) - times[i] + SAMPLE);
}

/**
 * Merge the values of a column in place: the first `cells.length` values are those of the cells. Minima and maxima stay what
 * they are; of all others, except times, the mean remains. A value that is not known does not count.
 *
 * @param end - number of points to merge
 */
export function mergeColumn(
  name: string,
  values: Float64Array,
  cells: readonly number[],
  weights: Float64Array,
  end: number
): void {
  const merge = mergeOf(name);
  for (const [cell, first] of cells.entries()) {
    const stop = cells[cell + 1] ?? end;
    values[cell] = stop === first + 1 ? values[first] : merge(values, first, stop, weights);
  }
}

type Merge = (values: Float64Array, first: number, stop: number, weights: Float64Array) => number;

function mergeOf(name: string): Merge {
  if (name === 'time') {
    return (values, first) => values[first];
  }
  if (name === 'until' || name.endsWith('_max')) {
    return greatest;
  }
  if (name.endsWith('_min')) {
    return least;
  }
  // Also of the number of workers: rounded, the mean of workers would be above the maximum of them, or below the minimum.
  return mean;
}

function greatest(values: Float64Array, first: number, stop: number): number {
  let found = Number.NaN;
  for (let i = first; i < stop; i++) {
    found = values[i] <= found || Number.isNaN(values[i]) ? found : values[i];
  }
  return found;
}

function least(values: Float64Array, first: number, stop: number): number {
  let found = Number.NaN;
  for (let i = first; i < stop; i++) {
    found = values[i] >= found || Number.isNaN(values[i]) ? found : values[i];
  }
  return found;
}

const mean: Merge = (values, first, stop, weights) => {
  let [sum, weight] = [0, 0];
  for (let i = first; i < stop; i++) {
    if (!Number.isNaN(values[i])) {
      sum += values[i] * weights[i];
      weight += weights[i];
    }
  }
  return weight > 0 ? sum / weight : Number.NaN;
};
