/** What the scheduler did in each step of a period: it read graphs, had a computation in progress, or did not answer. */
import type { Seconds } from '../../base/units';
import { unobservedPeriods } from '../../run/idle-time';
import type { Run } from '../../run/run';
import { beginOf, readingEach } from '../../selectors/computations/reading';
import { withTasks } from '../points';
import { Grid, type Steps } from './grid';
import { isOpen, lastOf } from './in-progress';
import { takingsOf } from './taking';

/** Of a step, to which sums are known. */
const EXACT = 1e-6;

/** Seconds of each step in which the scheduler read a graph, did not answer, and in which a computation was in progress. */
export interface SchedulerTime {
  readonly reading: Float64Array;
  /** It did not get to look at itself, and read no graph: what happened then is not known, except for tasks that have a record. */
  readonly unanswered: Float64Array;
  /** `null` if no computation is known. */
  readonly open: Float64Array | null;
  /**
   * The same with the time in which tasks were tried again whose workers ended: without a worker, nothing else shows that they
   * wait.
   */
  readonly tried: Float64Array | null;
}

/** What the scheduler did in each step. */
export function schedulerTime(run: Run, steps: Steps): SchedulerTime {
  const reading = new Grid(steps);
  const { list } = run.computations;
  const tasks = [...withTasks(run), ...takingsOf(run)].map(each => [each.from, each.to] as const);
  const spans = list.map(computation => {
    const { since, stop, last } = computation.values;
    const each = readingEach(computation);
    reading.add(since - each, since);
    if (last - each > since) {
      reading.add(last - each, last);
    }
    const end = isOpen(run, computation) ? run.clock.latest : Math.max(stop || 0, last || 0);
    return [beginOf(computation), end] as const;
  });
  const tried = list.filter(({ values }) => values.erred > 0).map(each => [beginOf(each), lastOf(run, each)] as const);
  const isKnown = list.length > 0;
  const open = isKnown ? together(steps, [...spans, ...tasks]) : null;
  const read = capped(reading.seconds(), steps.width);
  const gaps = together(
    steps,
    unobservedPeriods(run).map(({ from, to }) => [from, to] as const)
  );
  return {
    reading: read,
    unanswered: gaps.map((seconds, i) => rounded(Math.max(0, seconds - read[i]), steps.width)),
    open,
    tried: tried.length === 0 ? open : together(steps, [...spans, ...tasks, ...tried])
  };
}

/** How much of each step lies in any of some spans. */
function together(steps: Steps, spans: readonly (readonly [begin: Seconds, end: Seconds])[]): Float64Array {
  const grid = new Grid(steps);
  let until = Number.NEGATIVE_INFINITY;
  for (const [begin, end] of spans.filter(each => each[0] < each[1]).sort((a, b) => a[0] - b[0])) {
    grid.add(Math.max(begin, until), end);
    until = Math.max(until, end);
  }
  return grid.seconds();
}

/** Sums are not exact: what is left of a whole step is nothing. */
function rounded(seconds: Seconds, width: Seconds): Seconds {
  return seconds > (1 - EXACT) * width ? width : seconds < EXACT * width ? 0 : seconds;
}

function capped(seconds: Float64Array, most: Seconds): Float64Array {
  return seconds.map(value => Math.min(value, most));
}
