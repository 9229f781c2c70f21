/** What a selected computation selects, in words. */
import type { Translate } from '../../plot/plot';
import { oneLine, sentence } from '../../plot/text';
import type { Run } from '../../run/run';
import { isDisputed, rowsOfComputation } from '../../run/selection/owned-rows';
import type { SelectedComputation } from '../../run/selection/selection';
import { codeWords } from '../tasks/computation-words';

/** Longest name, in characters. */
const LONGEST = 40;

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
  const name = oneLine(codeWords(found, trans), LONGEST);
  const words =
    rowsOfComputation(run, id) === null || isDisputed(run, id)
      ? trans.__('Tasks of others may be among them: not all tasks of %1 are known.', name)
      : sentence(trans.__('Only tasks of %1.', name));
  return { name, sentence: words };
}
