/** What a selected computation selects, in words. */
import { formatDuration } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { sentence, shortened } from '../../plot/text';
import type { Run } from '../../run/run';
import { isDisputed, rowsOfComputation } from '../../run/selection/owned-rows';
import type { SelectedComputation } from '../../run/selection/selection';
import type { Computation } from '../../run/tables/computations';
import { codeWords } from '../tasks/computation-words';
import { beginOf } from './reading';
import { isMixed } from './selected';

/** Longest name, in characters. */
const LONGEST = 40;
/** A shorter wait is not mentioned. */
const NOTICED: Seconds = 0.5;

/** A selected computation: its name, and a sentence on which executions are selected with it; `null` if it has gone. */
export function computationWords(
  run: Run,
  { run: identity, id }: SelectedComputation,
  trans: Translate
): { readonly name: string; readonly sentence: string } | null {
  const found = identity === run.identity ? run.computations.find(id) : undefined;
  if (found === undefined) {
    return null;
  }
  const name = shortened(codeWords(run, found, trans), LONGEST);
  const words =
    rowsOfComputation(run, id) === null || isDisputed(run, id)
      ? trans.__('Tasks of others may be among them: not all tasks of %1 are known.', name)
      : sentence(trans.__('Only tasks of %1.', name));
  return { name, sentence: [words, waitWords(found, trans)].filter(Boolean).join(' ') };
}

/** A note that figures of the selected computation may have tasks of others; none without one, or where it is known whose all are. */
export function mixedNotes(run: Run, trans: Translate): readonly string[] {
  return isMixed(run)
    ? [
        trans.__(
          'tasks of other computations may be among those of the selected one: for some, it is not known which one they belong to'
        )
      ]
    : [];
}

/** How long it waited for its first task; empty if that is not noticed, or not known. */
function waitWords(computation: Computation, trans: Translate): string {
  const wait = computation.values.start - beginOf(computation);
  return wait >= NOTICED ? trans.__('Its first task began %1 after it was submitted.', formatDuration(wait)) : '';
}
