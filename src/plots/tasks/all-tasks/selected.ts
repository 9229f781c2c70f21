/** Which rows of the table of tasks are selected, and what a row selects. */
import { TASK_STATE } from '../../../feed/schema';
import type { Subject } from '../../../plot/plot';
import type { ExecutionList } from '../../../run/lanes/execution-list';
import { FLAGS_SHIFT } from '../../../run/lanes/lane-chunk';
import type { Run } from '../../../run/run';
import { matcherOf } from '../../../run/selection/matcher';
import { type Selection, selectionOf } from '../../../run/selection/selection';
import { isWithin } from '../../../selectors/selection/intervals';
import { keysOf } from './keys';

function numberOf(row: string): number {
  return Number(row.slice(1));
}

/** Whether an execution, or a task that has not ended, is outside the selection. */
export function isLeftOut(run: Run, list: ExecutionList, row: string): boolean {
  if (!row.startsWith('e')) {
    const { functions } = selectionOf(run).current;
    const name = run.prefixNames[run.graph.prefix(numberOf(row))];
    return functions !== null && name !== undefined && !functions.includes(name);
  }
  const matcher = matcherOf(run);
  const number = numberOf(row);
  const at = number - list.base;
  if (at < 0 || !list.has(at)) {
    return false;
  }
  const [start, duration] = [list.start[at], list.duration[at]];
  const looks = list.prefix[at] | (list.flags[at] << FLAGS_SHIFT);
  const within = isWithin(start, start + duration, matcher.from, matcher.to);
  return !(within && matcher.lane(list.lane[at]) && matcher.fits(looks, duration, number));
}

/** An execution by its row; a task that has not ended has none: those of its function are selected. */
export function selects(run: Run, row: string): Partial<Selection> | null {
  if (row.startsWith('e')) {
    return { rows: { run: run.identity, numbers: [numberOf(row)] } };
  }
  const name = run.prefixNames[run.graph.prefix(numberOf(row))];
  return name === undefined ? null : { functions: [name] };
}

/** A task that can be cancelled or retried, once its key is known. */
export function actsOn(run: Run, list: ExecutionList, row: string): Subject | null {
  const key = keysOf(run).get(row) ?? '';
  if (key === '') {
    return null;
  }
  const number = numberOf(row);
  if (!row.startsWith('e')) {
    return { kind: 'task', key, state: TASK_STATE[run.graph.state(number)] ?? null };
  }
  const at = number - list.base;
  return at >= 0 && list.has(at) && list.erred(at) ? { kind: 'task', key, state: 'erred' } : null;
}
