/** Which part of the selected period the time of threads is. */
import { formatElapsed } from '../../../base/format';
import type { Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import type { Period } from '../../../run/selection/selection';
import { isEmpty, selectionOf } from '../../../run/selection/selection';
import { isWholeOfSelected } from '../../../selectors/computations/selected';
import type { ThreadTime } from './thread-time';

/** Why it is not of the selected period; nothing if it is, or none is selected. */
export function outsideWords(run: Run, { range }: ThreadTime, trans: Translate): readonly string[] {
  const { period } = selectionOf(run).current;
  return period === null || range.selected ? [] : [reason(run, period, trans)];
}

function reason(run: Run, { from, to }: Period, trans: Translate): string {
  const now = run.clock.latest;
  if (from >= now) {
    return trans.__('not in the selected period, which is later than %1', formatElapsed(now - run.origin, 1));
  }
  return to <= run.tasks.incompleteUntil
    ? trans.__('not in the selected period, of which only sums are kept')
    : trans.__('not in the selected period, which is before the first task');
}

/** Which part of the selected period it is; nothing is said without one. */
export function periodWords(run: Run, time: ThreadTime, trans: Translate): readonly string[] {
  const { current } = selectionOf(run);
  if (current.period === null || !time.range.selected) {
    return outsideWords(run, time, trans);
  }
  // The functions of a computation are selected with it.
  const { functions } = current;
  const others = functions !== null && isWholeOfSelected(run, functions) ? null : functions;
  return isEmpty({ ...current, period: null, computation: null, functions: others })
    ? [trans.__('in the selected period')]
    : [trans.__('in the selected period, of all threads and tasks')];
}
