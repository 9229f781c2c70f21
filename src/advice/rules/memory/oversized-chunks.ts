import { formatBytes, formatPercent } from '../../../base/format';
import type { Bytes, Share } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import type { FunctionStatistics } from '../../../selectors/selection/statistics';
import { bytes, count, seconds } from '../../figures';
import { type Facts, once, selecting } from '../../facts';
import type { Rule } from '../../rule';
import { claimsOf, slowedBy, spilledIn, spillingPeriod } from './spilled';

/** Chunks that fit into a worker's memory for each of its threads: tasks need inputs, copies and results at once. */
const FIT = 10;
/** Of the bytes of all results: where large ones have fewer, smaller ones fill the memory. */
const MOSTLY: Share = 0.5;
/** Fewer results are no chunks. */
const LEAST_RESULTS = 4;

/** Memory is short because single results are too large for it. */
export const oversizedChunks: Rule = {
  cause: 'oversized-chunks',
  theme: 'memory',
  workload: 'large_chunks.py',
  recognised:
    'Results were spilled to disk, and those of functions that make half of all bytes have on average more than a tenth of the memory that a worker has for each of its threads.',
  needs: ['tasks', 'series', 'workers'],
  thresholds: [
    {
      value: FIT,
      unit: 'count',
      of: 'chunks for each thread that must fit into the memory of a worker',
      source: "Dask's best practices"
    }
  ],
  link: 'https://docs.dask.org/en/stable/array-best-practices.html#select-a-good-chunk-size',
  title: trans => trans.__('Chunks are too large for the memory'),
  remedy: trans =>
    trans.__(
      'Use smaller chunks or partitions: about ten for each thread should fit into the memory of a worker, often 100 MB each.'
    ),
  find: facts => {
    const { trans } = facts;
    const spilled = spilledIn(facts);
    const { most } = spilled;
    const first = chunksIn(facts);
    if (first === null) {
      return null;
    }
    const room = roomOf(facts);
    const slowed = slowedBy(facts, spilled);
    return {
      claims: claimsOf(facts, spilled, slowed),
      confidence: 'medium',
      doubt: trans.__(
        'Memory may be short for another reason, too. Longer tasks because of large chunks count only while results are spilled.'
      ),
      always: true,
      evidence: {
        selection: selecting({ period: spillingPeriod(facts, spilled) }),
        plot: 'memory-timeseries',
        figures: [
          bytes(trans.__('Mean size of a result'), meanOf(first)),
          count(trans.__('Results'), first.count),
          bytes(trans.__('Memory for each thread'), room),
          bytes(trans.__('On disk at most'), most),
          ...(slowed > 0 ? [seconds(trans.__('Tasks took longer by'), slowed)] : [])
        ]
      },
      sentence: cost =>
        trans.__(
          'Results of %1 are %2 on average, and a worker has %3 of memory for each thread. Up to %4 were spilled to disk. It costs at least %5 of the time.',
          oneLine(first.name, 60),
          formatBytes(meanOf(first)),
          formatBytes(room),
          formatBytes(most),
          formatPercent(cost.share)
        )
    };
  }
};

/** The function with most bytes in results that are too large, while memory is short; `null` if there is none. */
export const chunksIn = once((facts): FunctionStatistics | null => {
  const fits = roomOf(facts) / FIT;
  const { most, earlier } = spilledIn(facts);
  if (!(fits > 0) || !(most > 0) || earlier) {
    return null;
  }
  const large = facts.executions.functions.filter(each => each.count >= LEAST_RESULTS && meanOf(each) > fits);
  const sum = large.reduce((all, each) => all + each.bytes, 0);
  return sum < MOSTLY * facts.executions.bytes ? null : ([...large].sort((a, b) => b.bytes - a.bytes)[0] ?? null);
});

function meanOf(each: FunctionStatistics): Bytes {
  return each.bytes / each.count;
}

/** Memory that a worker has for each of its threads, the least of all; NaN if there are no limits. */
function roomOf({ run }: Facts): Bytes {
  const rooms = liveWorkers(run)
    .map(({ limit, nthreads }) => limit / nthreads)
    .filter(room => room > 0 && Number.isFinite(room));
  return rooms.length > 0 ? Math.min(...rooms) : Number.NaN;
}
