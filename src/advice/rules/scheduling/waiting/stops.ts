/** When the scheduler did not answer although there was work, and how long it did something else than to read a graph. */
import type { Seconds, Share } from '../../../../base/units';
import { unobservedPeriods } from '../../../../run/idle-time';
import type { Run } from '../../../../run/run';
import type { Computation } from '../../../../run/tables/computations';
import { beginOf } from '../../../../selectors/computations/reading';
import { type Facts, once } from '../../../facts';
import type { Span } from '../../../spans';
import { endOf } from '../../../time/in-progress';

/**
 * A time without an answer begins up to a quarter of a second before what caused it, somewhat more where the scheduler is busy:
 * work of less of it may have ended before.
 */
const LOOK: Seconds = 0.4;
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
    const sum = (read: (each: Computation, gap: Span) => Seconds): Seconds =>
      computations.reduce((all, each) => all + read(each, gap), 0);
    const [length, read] = [gap.to - gap.from, sum(readIn)];
    const time = Math.min(to - from, length - read);
    return length - read - sum(readBetween) >= MOSTLY * length && time > 0 ? [{ from, to, time }] : [];
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
 * Since when a computation waited. Of one with graphs that came later it is not known whether the client had sent the next one:
 * between two rounds of a loop, nothing is to be done.
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
 * How long the scheduler may have read a graph of a computation then, of those of which it is known when: the moment that is
 * known is in the midst of it, since tasks get their states after that.
 */
function readIn({ values: { since, last, reading } }: Computation, gap: Span): Seconds {
  const read = reading || 0;
  const known = [since, last > since ? last : since].map(time =>
    time > gap.from - LOOK ? overlap(gap, time - read, time + read) : 0
  );
  return Math.min(read, Math.max(...known));
}

/** Such time of the graphs between the first and the last, of which it is not known when they came. */
function readBetween({ values: { since, last, reading, submissions } }: Computation, gap: Span): Seconds {
  return submissions > 2 ? Math.min(reading || 0, overlap(gap, since, last)) : 0;
}

function overlap({ from, to }: Span, begin: Seconds, end: Seconds): Seconds {
  return Math.max(0, Math.min(to, end) - Math.max(from, begin));
}
