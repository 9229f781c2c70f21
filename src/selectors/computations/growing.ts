/** Keeps what selects a computation in progress up to date. */
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { stateOf } from '../tasks/computation-words';
import { isMadeHere, selectedBy } from './selected';

/** Statistics of what is selected are not computed again with every frame. */
const INTERVAL: Seconds = 1;

const watched = new WeakSet<Run>();

/** Let the selected period and functions of a computation of a run grow while it is in progress; as long as the run exists. */
export function growSelected(run: Run): void {
  if (!watched.has(run)) {
    watched.add(run);
    // A receiver of its own: a signal keeps its senders for as long as a receiver lives, and `grow` lives with the page.
    run.changed.connect(changed => grow(changed));
  }
}

function grow(run: Run): void {
  const selection = selectionOf(run);
  const { computation, period, functions, rows } = selection.current;
  if (computation === null || period === null || computation.run !== run.identity) {
    return;
  }
  const found = run.computations.find(computation.id);
  const next = found === undefined ? null : selectedBy(run, found);
  if (found === undefined || next === null || !next.period) {
    return;
  }
  const grown = next.period.to - period.to;
  // Where what was left was cancelled, it ended with its last execution, before now.
  const due = stateOf(found) === 'active' ? grown >= INTERVAL : grown !== 0;
  if (due) {
    // The user may have chosen some of its functions, or of its tasks.
    const narrowed = rows !== null || (functions !== null && !isMadeHere(functions));
    selection.change({ ...next, functions: narrowed ? functions : (next.functions ?? null) });
  }
}
