import type { RowPairs, Translate } from '../../../plot/plot';
import { shortened } from '../../../plot/text';
import type { TooltipLink } from '../../../plot/tooltip';
import type { Run } from '../../../run/run';
import type { Computation } from '../../../run/tables/computations';
import { clockAt } from '../../../selectors/moments';
import { oneBefore, referenceTo, runBefore } from '../../../selectors/computations/chosen';
import { codeWords } from '../../../selectors/tasks/computation-words';
import { beginOf } from '../../../selectors/computations/reading';

/** Longest name of one, in characters. */
const LONGEST = 32;

/** Two computations, in the order in which they came. */
function link(run: Run, one: Computation, other: Computation, trans: Translate): TooltipLink {
  const [a, b] = one.id < other.id ? [one, other] : [other, one];
  const [first, second] = [a, b].map(each => shortened(codeWords(run, each, trans), LONGEST));
  const words = (name: string, of: Computation): string => (first === second ? `${name} (${clockAt(beginOf(of), run)})` : name);
  return {
    label: trans.__('Compare A: %1 with B: %2', words(first, a), words(second, b)),
    plot: 'compare-computations',
    args: { first: referenceTo(a), second: referenceTo(b) }
  };
}

/** Two computations side by side: a picked one with the run before of its cell, or with the one before it. */
export const pairs: RowPairs = {
  label: (picked, trans) => (picked > 1 ? trans.__('Compare these two') : trans.__('Compare')),
  hint: trans => trans.__('Pick two rows to compare: click one, and another one with Ctrl or ⌘'),
  links: (run, rows, trans) => {
    const found = rows.flatMap(row => run.computations.list.find(({ id }) => String(id) === row) ?? []);
    const [one, other] = found;
    if (rows.length > 1) {
      return found.length > 1 ? [link(run, one, other, trans)] : [];
    }
    const before = one === undefined ? [] : [runBefore(run, one), oneBefore(run, one)];
    return [...new Set(before.filter(each => each !== null))].map(each => link(run, each, one, trans));
  }
};
