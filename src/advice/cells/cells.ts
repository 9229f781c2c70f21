/** The cells of a notebook whose work lies in a period. */
import type { Seconds } from '../../base/units';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import type { Period } from '../../run/selection/selection';
import type { Computation } from '../../run/tables/computations';
import { beginOf } from '../../selectors/computations/reading';
import { endOf } from '../time/in-progress';

/** Longest name of a function, in characters. */
const LONGEST = 30;

/** What a cell computed, with what other cells had in progress meanwhile. */
export interface CellWork {
  readonly from: Seconds;
  readonly to: Seconds;
  /** In order of their beginning. */
  readonly computations: readonly Computation[];
}

/** Work of a period by cell, in order; where cells are not known, all is one. Empty if no computation is known. */
export function cellsIn(run: Run, { from, to }: Period): readonly CellWork[] {
  const found: { from: Seconds; to: Seconds; cell: number; computations: Computation[] }[] = [];
  const times = run.computations.list
    .map(computation => ({ computation, ...timesOf(run, computation) }))
    .filter(each => each.begin < to && each.end > from)
    .sort((a, b) => a.begin - b.begin);
  for (const { computation, begin, end } of times) {
    const last = found.at(-1);
    const { cell } = computation;
    const another = cell > 0 && cell !== last?.cell;
    if (last === undefined || (another && begin >= last.to)) {
      found.push({ from: begin, to: end, cell, computations: [computation] });
    } else {
      last.to = Math.max(last.to, end);
      last.cell = cell > 0 ? cell : last.cell;
      last.computations.push(computation);
    }
  }
  return found;
}

function timesOf(run: Run, computation: Computation): { readonly begin: Seconds; readonly end: Seconds } {
  return { begin: beginOf(computation), end: endOf(run, computation) };
}

/** "[3] price": the numbers of the cells, and the function that took most. Empty if neither is known. */
export function cellName(run: Run, { computations }: CellWork): string {
  const numbers = computations.map(({ cell }) => cell).filter(cell => cell > 0);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const seconds = new Map<number, Seconds>();
  for (const { prefix, compute } of computations.flatMap(({ id }) => run.computations.functionsOf(id))) {
    seconds.set(prefix, (seconds.get(prefix) ?? 0) + (compute || 0));
  }
  const [first] = [...seconds].sort((a, b) => b[1] - a[1]);
  return [
    numbers.length === 0 ? '' : least === most ? `[${least}]` : `[${least}–${most}]`,
    first === undefined ? '' : oneLine(run.prefixNames[first[0]] ?? '', LONGEST)
  ]
    .filter(part => part !== '')
    .join(' ');
}
