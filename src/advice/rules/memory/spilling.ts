import { formatBytes, formatPercent } from '../../../base/format';
import type { Bytes } from '../../../base/units';
import { bytes, seconds, share } from '../../figures';
import { type Facts, selecting, shareOf, stretchOf, timeOf } from '../../facts';
import type { Rule } from '../../rule';

/** Workers write results to disk because memory is short, and tasks wait to have them back. */
export const spilling: Rule = {
  cause: 'spilling',
  theme: 'memory',
  workload: 'spilling.py',
  recognised: 'Threads waited for spilled inputs, or nothing ran while the bytes on disk changed.',
  needs: ['tasks', 'series'],
  thresholds: [],
  link: 'https://distributed.dask.org/en/stable/worker-memory.html#spill-data-to-disk',
  title: trans => trans.__('Results are spilled to disk'),
  remedy: trans =>
    trans.__(
      'Keep less at a time: smaller chunks, reduce early, drop futures and persisted collections that are not needed. Or give workers more memory.'
    ),
  find: facts => {
    const { trans } = facts;
    const { most, idle } = spilledIn(facts);
    const waited = timeOf(facts, 'disk');
    if (!(most > 0) && waited === 0) {
      return null;
    }
    return {
      claims: { disk: waited, ...idle },
      confidence: 'high',
      // Who has more data than memory should know it before it costs time.
      always: most > 0,
      evidence: {
        selection: selecting({ period: stretchOf(facts, 'disk', 'quiet') }),
        plot: 'workers-memory',
        figures: [
          bytes(trans.__('On disk at most'), most),
          seconds(trans.__('Waited for disk'), waited),
          share(trans.__('Of the time'), shareOf(facts, waited))
        ]
      },
      sentence: cost =>
        trans.__(
          'Memory was short: up to %1 of results were on disk, and threads lost %2 of the time to writing and reading them.',
          formatBytes(most),
          formatPercent(cost.share)
        )
    };
  }
};

/** Spilled bytes, and what threads did not do while these grew: a worker that writes does nothing else. */
function spilledIn({ run, partition, period }: Facts): {
  most: Bytes;
  idle: { quiet: number; starved: number; overhead: number };
} {
  const { from, width, count } = partition.steps;
  const { byStep } = partition;
  const times = run.series.column('time');
  const values = run.series.column('spilled_sum');
  const idle = { quiet: 0, starved: 0, overhead: 0 };
  let most = 0;
  for (let k = 0; k < Math.min(values.length, times.length); k++) {
    if (times[k] < period.from || times[k] > period.to) {
      continue;
    }
    most = Math.max(most, values[k] || 0);
    if (k > 0 && values[k] !== values[k - 1]) {
      const first = Math.max(0, Math.floor((times[k - 1] - from) / width));
      const last = Math.min(count, Math.ceil((times[k] - from) / width));
      for (let i = first; i < last; i++) {
        idle.quiet += byStep.quiet[i];
        idle.starved += byStep.starved[i];
        idle.overhead += byStep.overhead[i];
      }
    }
  }
  return { most, idle };
}
