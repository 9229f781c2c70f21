/** When the scheduler did not answer although there was work, and how long it did something else than to read a graph. */
import type { Seconds, Share } from '../../../../base/units';
import { unobservedPeriods } from '../../../../run/idle-time';
import type { Run } from '../../../../run/run';
import type { Computation } from '../../../../run/tables/computations';
import { beginOf } from '../../../../selectors/computations/reading';
import { type Facts, once } from '../../../facts';
import type { Span } from '../../../spans';
import { endOf } from '../../../time/in-progress';

/** A time without an answer begins up to a quarter of a second before what caused it, and ends as much later: work that lies in less may have ended before. */
const LOOK: Seconds = 1;
/** Of a time without an answer that it may have read graphs: with less left, that is what it did. */
const MOSTLY: Share = 0.5;

/** A time in which the scheduler did not answer. */
export interface Stop extends Span {
  /** Without the time in which it may have read a graph. */
  readonly time: Seconds;
}

/** Those of the period in which work is known to have waited for it. */
export const stopsIn = once((facts): readonly Stop[] => {
  const { run, period, computations } = facts;
  return unobservedPeriods(run).flatMap(gap => {
    const begin = waitedSince(facts, gap);
    const [from, to] = [Math.max(begin, period.from), Math.min(gap.to, period.to)];
    const read = computations.reduce((sum, each) => sum + readIn(each, gap), 0);
    const time = Math.min(to - from, gap.to - gap.from - read);
    return time >= MOSTLY * (to - from) && time > 0 ? [{ from, to, time }] : [];
  });
});

/** Since when work waited in a time without an answer; Infinity if none is known to have. */
function waitedSince(facts: Facts, gap: Span): Seconds {
  const { run, computations } = facts;
  // Nobody knows of a task that ended then before the scheduler answers.
  return ranIn(facts, gap) ? gap.from : Math.min(...computations.map(each => waits(run, each, gap)));
}

/** Whether something ran well within it. */
function ranIn({ partition: { steps, activity } }: Facts, { from, to }: Span): boolean {
  const first = Math.max(0, Math.ceil((from + LOOK - steps.from) / steps.width));
  const end = Math.min(steps.count, Math.floor((to - LOOK - steps.from) / steps.width));
  for (let i = first; i < end; i++) {
    if (activity.compute[i] + activity.running[i] > 0) {
      return true;
    }
  }
  return false;
}

/**
 * Since when a computation waited. Of one with graphs that came later it is not known whether the client had sent the next one: between
 * two rounds of a loop, nothing is to be done.
 */
function waits(run: Run, computation: Computation, { from, to }: Span): Seconds {
  const { since, last } = computation.values;
  const sent = Math.max(from, sentOf(computation));
  const open = since > from || !(last > from) ? endOf(run, computation) : since;
  return sent < to - LOOK && open > from + LOOK ? sent : Number.POSITIVE_INFINITY;
}

/** When the client had sent its first graph, at the latest. */
function sentOf(computation: Computation): Seconds {
  const { begun, packing, since } = computation.values;
  return Math.min(since, begun > 0 ? begun + (packing || 0) : beginOf(computation));
}

/**
 * How long the scheduler may have read graphs of a computation then, at most. Of a graph it is known when about half had been done: its
 * tasks get their states after that. Of more than two graphs, nobody knows when those between came.
 */
function readIn({ values: { since, last, reading, submissions } }: Computation, { from, to }: Span): Seconds {
  const read = reading || 0;
  const within = (begin: Seconds, end: Seconds): Seconds => Math.max(0, Math.min(to, end) - Math.max(from, begin));
  const known = [since, last > since ? last : since].map(time => (time > from - LOOK ? within(time - read, time + read) : 0));
  const between = submissions > 2 ? within(since, last) : 0;
  return Math.min(read, Math.max(...known) + between);
}
