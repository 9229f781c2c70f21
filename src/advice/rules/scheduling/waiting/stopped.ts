/** A scheduler that did not answer while there was work. */
import { formatCount, formatDuration } from '../../../../base/format';
import type { Seconds, Share } from '../../../../base/units';
import { unobservedPeriods } from '../../../../run/idle-time';
import { beginOf } from '../../../../selectors/computations/reading';
import { count, seconds } from '../../../figures';
import { type Facts, LEAST_SHARE, LEAST_WALL, selecting } from '../../../facts';
import type { Finding } from '../../../rule';
import { longestOf, type Span, sumOf } from '../../../spans';
import { endOf } from '../../../time/in-progress';
import type { Partition } from '../../../time/partition';

/** It has no cost: whether threads that ran nothing then had anything to do is not known. */
export function stoppedIn(facts: Facts): (Finding & { readonly weight: Share }) | null {
  const { trans, period, partition } = facts;
  const spans = stopsIn(facts);
  const time = spans.reduce((sum, span) => sum + unansweredIn(partition, span), 0);
  const weight = time / (period.to - period.from - partition.pauses);
  if (time < LEAST_WALL || weight < LEAST_SHARE) {
    return null;
  }
  return {
    claims: [],
    weight,
    confidence: 'high',
    always: true,
    title: trans.__('The scheduler did not answer'),
    remedy: trans.__(
      'Look for what blocks its event loop: a plugin, functions of client.run_on_scheduler, or, in the process of a notebook, code that keeps the GIL. If the process stood still, see its machine: memory that is swapped, too little CPU, or a computer that slept.'
    ),
    evidence: {
      selection: selecting({ period: longestOf(facts, spans) }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Times without an answer'), spans.length),
        seconds(
          trans.__('The longest'),
          spans.reduce((most, { from, to }) => Math.max(most, to - from), 0)
        ),
        seconds(trans.__('In all'), time)
      ]
    },
    sentence: () =>
      trans._n(
        'The scheduler did not answer for %2 while there was work: its event loop was blocked, or its process or its machine stood still. Threads that ran nothing then are not counted.',
        '%3 times, the scheduler did not answer while there was work, for %2 in all: its event loop was blocked, or its process or its machine stood still. Threads that ran nothing then are not counted.',
        spans.length,
        formatDuration(time),
        formatCount(spans.length)
      )
  };
}

/** Without the time in which it read a graph. */
function unansweredIn({ steps, unanswered }: Partition, { from, to }: Span): Seconds {
  const stepAt = (time: Seconds): number => Math.round((time - steps.from) / steps.width);
  return sumOf(unanswered.subarray(stepAt(from), stepAt(to)));
}

/** When it did not answer, in the period, and a computation was in progress or came meanwhile: of an idle cluster, nobody waits for an answer. */
function stopsIn({ run, period, computations }: Facts): readonly Span[] {
  return unobservedPeriods(run)
    .filter(({ from, to }) => computations.some(each => beginOf(each) < to && endOf(run, each) > from))
    .map(({ from, to }) => ({ from: Math.max(from, period.from), to: Math.min(to, period.to) }))
    .filter(({ from, to }) => from < to);
}
