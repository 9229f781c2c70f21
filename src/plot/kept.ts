/** What a pane keeps from one drawing to the next, so that neither rows nor axes jump while values change. */
import type { Seconds } from '../base/units';
import type { Run } from '../run/run';

/** An axis shrinks only after so long below half: a picture that rescales by itself cannot be compared with itself. */
const PATIENCE: Seconds = 10;

interface AxisEnd {
  readonly end: number;
  /** Since when less than half of the axis is used; NaN while more is. */
  readonly low: Seconds;
}

/**
 * Order of rows and ends of axes of one pane. It is forgotten when another run is drawn. A picture that is drawn without it
 * says what fits its moment alone.
 */
export class Kept {
  /** Places of rows by id, as they were when the order was chosen; empty where another order was. */
  readonly order = new Map<number, number>();
  /** Ends of axes by name. */
  readonly ends = new Map<string, AxisEnd>();

  /** What is kept of a run. */
  of(run: Run): this {
    if (run.identity !== this.identity) {
      this.identity = run.identity;
      this.order.clear();
      this.ends.clear();
    }
    return this;
  }

  private identity = '';
}

/** The part of a plot's context that this is about. */
export interface Keeping {
  /** Nothing where a picture is drawn once. */
  readonly kept?: Kept;
}

/**
 * Rows by size, the largest first, as it was when the order was chosen: no row changes its place by itself, new rows
 * come last, and choosing again sorts again.
 *
 * @param size - what is compared; NaN comes last
 */
export function keepBySize<T extends { readonly id: number }>(
  run: Run,
  { kept }: Keeping,
  rows: readonly T[],
  size: (row: T) => number
): readonly T[] {
  const order = kept?.of(run).order ?? new Map<number, number>();
  const known = (row: T): number => (Number.isFinite(size(row)) ? size(row) : -1);
  for (const row of rows.filter(each => !order.has(each.id)).sort((a, b) => known(b) - known(a))) {
    order.set(row.id, order.size);
  }
  return [...rows].sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

/** Another order was chosen: the next choice by size sorts again. */
export function forgetBySize(run: Run, { kept }: Keeping): void {
  kept?.of(run).order.clear();
}

/**
 * The end of an axis that follows what it shows: it grows at once and shrinks only after 10 s below half.
 *
 * @param wanted - the end that fits now
 * @param axis - names the axis within its plot, where there is more than one
 */
export function steadyEnd(run: Run, { kept }: Keeping, wanted: number, axis = ''): number {
  const ends = kept?.of(run).ends;
  const now = run.clock.latest;
  const last = ends?.get(axis);
  const used = last !== undefined && wanted >= last.end / 2;
  const patient = last !== undefined && wanted < last.end && !(now < last.low) && (used || !(now - last.low >= PATIENCE));
  if (ends === undefined || !patient) {
    ends?.set(axis, { end: wanted, low: Number.NaN });
    return wanted;
  }
  if (used !== Number.isNaN(last.low)) {
    ends.set(axis, { end: last.end, low: used ? Number.NaN : now });
  }
  return last.end;
}
