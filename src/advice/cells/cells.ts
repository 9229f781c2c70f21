/** The cells of a notebook whose work lies in a period. */
import type { Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { shortened } from '../../plot/text';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import type { Computation } from '../../run/tables/computations';
import { beginOf } from '../../selectors/computations/reading';
import { codeWords } from '../../selectors/tasks/computation-words';
import { endOf } from '../time/in-progress';

/** Longest name, in characters. */
const LONGEST = 40;

/** What a cell computed, with what other cells had in progress meanwhile. */
export interface CellWork {
  readonly from: Seconds;
  readonly to: Seconds;
  /** In order of their beginning. */
  readonly computations: readonly Computation[];
}

/**
 * Work of a period by cell, in order; where cells are not known, all is one. Empty if no computation is known.
 *
 * @param only - of this client; `null` for all
 */
export function cellsIn(run: Run, { from, to }: Period, only: string | null = null): readonly CellWork[] {
  const found: { from: Seconds; to: Seconds; cell: number; client: string; computations: Computation[] }[] = [];
  const times = run.computations.list
    .filter(({ client }) => only === null || client === only)
    .map(computation => ({ computation, ...timesOf(run, computation) }))
    .filter(each => each.begin < to && each.end > from)
    .sort((a, b) => a.begin - b.begin);
  for (const { computation, begin, end } of times) {
    const last = found.at(-1);
    const { cell, client } = computation;
    // Two notebooks may have cells of the same number.
    const another = cell > 0 && (cell !== last?.cell || client !== last.client);
    if (last === undefined || (another && begin >= last.to)) {
      found.push({ from: begin, to: end, cell, client, computations: [computation] });
    } else {
      last.to = Math.max(last.to, end);
      [last.cell, last.client] = cell > 0 ? [cell, client] : [last.cell, last.client];
      last.computations.push(computation);
    }
  }
  return found;
}

/** What of some work is of one client; `null` if nothing is. */
export function workOf(run: Run, work: CellWork, client: string): CellWork | null {
  const computations = work.computations.filter(each => each.client === client);
  const times = computations.map(each => timesOf(run, each));
  return computations.length === 0
    ? null
    : { from: Math.min(...times.map(({ begin }) => begin)), to: Math.max(...times.map(({ end }) => end)), computations };
}

function timesOf(run: Run, computation: Computation): { readonly begin: Seconds; readonly end: Seconds } {
  return { begin: beginOf(computation), end: endOf(run, computation) };
}

/**
 * "[3] total.compute()": the name that the computation which took most has in all views, with the numbers of the other cells of its
 * notebook, "[3–5] total.compute()". Empty if nothing is known of it.
 */
export function cellName(run: Run, { computations }: CellWork, trans: Translate): string {
  const [main] = [...computations].sort((a, b) => (b.values.compute || 0) - (a.values.compute || 0));
  if (main === undefined) {
    return '';
  }
  const name = shortened(codeWords(run, main, trans, ''), LONGEST);
  const numbers = computations.filter(({ cell, client }) => cell > 0 && client === main.client).map(({ cell }) => cell);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least < most && main.cell > 0 ? name.replace(`[${main.cell}]`, `[${least}–${most}]`) : name;
}
