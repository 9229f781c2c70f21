/** What computations spent most of their time on. */
import type { Seconds } from '../../../base/units';
import { PerRun } from '../../../run/per-run';
import type { Run } from '../../../run/run';
import type { Computation } from '../../../run/tables/computations';
import { executionStatistics, type FunctionStatistics } from '../../../selectors/selection/statistics';
import { selecting } from '../../facts';

/** Graphs of one computation that are looked at. */
const MOST_GRAPHS = 10;
/** Computations that are remembered. */
const MOST_KNOWN = 200;

/** Times of two workers may differ by so much: what begins as little before the end of others began after them. */
const CLOCKS: Seconds = 0.05;

/** What the tasks of one function did. */
export interface Ran {
  readonly prefix: number;
  readonly name: string;
  readonly count: number;
  readonly total: Seconds;
}

interface Known {
  /** What it depends on. */
  readonly print: string;
  readonly ran: readonly Ran[];
}

const known = new PerRun<Map<number, Known>>(() => new Map());

/**
 * The function that took most of the time of a computation. Graphs that the same code submits within a second are one
 * computation, such as those of a loop: of several graphs, as many functions that ran after each other, oldest first.
 */
export function ranIn(run: Run, { id, values }: Computation): readonly Ran[] {
  const { start, stop, done, submissions } = values;
  const kept = start >= run.tasks.incompleteUntil;
  const print = `${start} ${stop} ${done} ${submissions} ${kept}`;
  const all = known.of(run);
  const before = all.get(id);
  if (before?.print === print) {
    return before.ran;
  }
  // Of executions that are only summed, functions are not known.
  const ran = kept && start < stop ? gathered(run, { from: start, to: stop }, submissions) : [];
  all.delete(id);
  all.set(id, { print, ran });
  if (all.size > MOST_KNOWN) {
    all.delete(all.keys().next().value ?? id);
  }
  return ran;
}

function gathered(run: Run, period: { readonly from: Seconds; readonly to: Seconds }, submissions: number): readonly Ran[] {
  const { functions } = executionStatistics(run, selecting({ period }), 'none');
  const graphs = Math.min(MOST_GRAPHS, Math.max(1, submissions || 1));
  if (graphs === 1) {
    return functions.slice(0, 1).map(ranOf);
  }
  const spans = functions.slice(0, graphs).flatMap(each => {
    const { span } = executionStatistics(run, selecting({ period, functions: [each.name] }), 'none');
    return span === null ? [] : [{ each, span }];
  });
  spans.sort((a, b) => a.span.from - b.span.from);
  let until = Number.NEGATIVE_INFINITY;
  const found: Ran[] = [];
  for (const { each, span } of spans) {
    if (span.from >= until - CLOCKS) {
      found.push(ranOf(each));
    }
    until = Math.max(until, span.to);
  }
  return found;
}

function ranOf({ prefix, name, count, total }: FunctionStatistics): Ran {
  return { prefix, name, count, total };
}
