/** State that a pane keeps between drawings, so that rows and axes do not jump while values change. */
import type { Seconds } from '../base/units';
import type { Run } from '../run/run';

/**
 * An axis shrinks only after its content has stayed below half for this long: a picture that keeps rescaling cannot be
 * compared with its earlier state.
 */
const PATIENCE: Seconds = 10;

interface AxisEnd {
  readonly end: number;
  /** Time since which less than half of the axis is used; NaN while more is used. */
  readonly low: Seconds;
}

/**
 * Row order and axis ends of one pane. Reset when another run is drawn. Without it, a picture is scaled and sorted for
 * the current moment only.
 */
export class Kept {
  /** Row positions by id, from when the order was chosen; empty after another order was chosen. */
  readonly order = new Map<number, number>();
  /** What {@link order} is the order of. */
  basis: unknown = null;
  /** Axis ends by name. */
  readonly ends = new Map<string, AxisEnd>();

  /** The state kept for a run. */
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

/** The part of a plot's context used here. */
export interface Keeping {
  /** Undefined where a picture is drawn once. */
  readonly kept?: Kept;
}

/**
 * Rows sorted by size, largest first, as of when the order was chosen. Rows never move by themselves, new rows go to
 * the end, and choosing the order again sorts again.
 *
 * @param size - the sort value; NaN sorts last
 * @param basis - what the sizes are of: those of something else are sorted again
 */
export function keepBySize<T extends { readonly id: number }>(
  run: Run,
  { kept }: Keeping,
  rows: readonly T[],
  size: (row: T) => number,
  basis: unknown = null
): readonly T[] {
  if (kept !== undefined && kept.of(run).basis !== basis) {
    kept.order.clear();
    kept.basis = basis;
  }
  const order = kept?.of(run).order ?? new Map<number, number>();
  const known = (row: T): number => (Number.isFinite(size(row)) ? size(row) : -1);
  for (const row of rows.filter(each => !order.has(each.id)).sort((a, b) => known(b) - known(a))) {
    order.set(row.id, order.size);
  }
  const placed = new Array<T | undefined>(order.size);
  for (const row of rows) {
    placed[order.get(row.id) ?? 0] = row;
  }
  return placed.filter(row => row !== undefined);
}

/** Another order was chosen, so the next sort by size starts over. */
export function forgetBySize(run: Run, { kept }: Keeping): void {
  kept?.of(run).order.clear();
}

/**
 * The end of an axis that follows its content: it grows at once and shrinks only after 10 s below half.
 *
 * @param wanted - the end that fits now
 * @param axis - name of the axis, for plots with more than one
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
