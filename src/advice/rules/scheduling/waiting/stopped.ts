/** A scheduler that did not answer while there was work. */
import { formatCount, formatDuration } from '../../../../base/format';
import type { Share } from '../../../../base/units';
import { count, seconds } from '../../../figures';
import { type Facts, LEAST_SHARE, LEAST_WALL, selecting } from '../../../facts';
import type { Finding } from '../../../rule';
import { longestOf } from '../../../spans';
import { stopsIn } from './stops';

/** It has no cost: whether threads that ran nothing then had anything to do is not known. */
export function stoppedIn(facts: Facts): (Finding & { readonly weight: Share }) | null {
  const { trans, period, partition } = facts;
  const stops = stopsIn(facts);
  const time = stops.reduce((sum, stop) => sum + stop.time, 0);
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
      selection: selecting({ period: longestOf(facts, stops) }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Times without an answer'), stops.length),
        seconds(trans.__('The longest'), Math.max(...stops.map(stop => stop.time))),
        seconds(trans.__('In all'), time)
      ]
    },
    sentence: () =>
      trans._n(
        'The scheduler did not answer for %2 while there was work: its event loop was blocked, or its process or its machine stood still. Threads that ran nothing then are not counted.',
        '%3 times, the scheduler did not answer while there was work, for %2 in all: its event loop was blocked, or its process or its machine stood still. Threads that ran nothing then are not counted.',
        stops.length,
        formatDuration(time),
        formatCount(stops.length)
      )
  };
}
