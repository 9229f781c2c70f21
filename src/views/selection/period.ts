import type { Seconds, Share } from '../../base/units';
import type { Period, SelectedRows, Selection } from '../../run/selection/selection';

/** Step of a key press, as a share of the visible time. */
const STEP: Share = 0.02;

/** Time shown before and after a selected period. */
const MARGIN: Share = 0.05;

/** The period that a double click on a selected one shows: a little more than it. `null` outside of it. */
export function selectedAround(selected: Period | null, time: Seconds): Period | null {
  if (selected === null || !(selected.from <= time && time <= selected.to)) {
    return null;
  }
  const margin = MARGIN * (selected.to - selected.from);
  return { from: selected.from - margin, to: selected.to + margin };
}

/**
 * A selected period after a key press.
 *
 * @param selected - the period before; by default the first half of the visible time
 * @param within - the visible time
 * @param sign - later or earlier
 * @param onlyEnd - whether its start stays
 */
export function movedPeriod(selected: Period | null, within: Period, sign: -1 | 1, onlyEnd: boolean): Period {
  const step = (within.to - within.from) * STEP * sign;
  const { from, to } = selected ?? { from: within.from, to: (within.from + within.to) / 2 };
  const shift = onlyEnd ? 0 : Math.max(step, within.from - from);
  const end = Math.min(within.to, to + step);
  return { from: from + shift, to: Math.max(end, from + shift + Math.abs(step)) };
}

/** No executions. */
const NO_ROWS: SelectedRows = { run: '', numbers: [] };

/** What of a selection had not ended by a time. */
export function since(selection: Selection, after: Seconds): Selection {
  const { from, to } = selection.period ?? { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  if (after >= to) {
    return { ...selection, rows: NO_ROWS, period: { from: to, to } };
  }
  return after > from ? { ...selection, period: { from: after, to } } : selection;
}
