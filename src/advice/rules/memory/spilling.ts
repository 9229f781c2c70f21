import { formatBytes, formatDuration, formatPercent } from '../../../base/format';
import { bytes, seconds, share } from '../../figures';
import { type Facts, selecting, shareOf, timeOf } from '../../facts';
import type { Bytes, Seconds, Share } from '../../../base/units';
import type { Cost } from '../../advice';
import type { Rule } from '../../rule';
import { measuredWords } from '../../words';
import { keptPart } from './kept-results';
import { chunksIn } from './oversized-chunks';
import { claimsOf, LARGER, LEAST_EXECUTIONS, LONGER, MINOR, slowedBy, SLOWEST, spilledIn, spillingPeriod } from './spilled';

/** What is not measured and takes a smaller share of the time is not reported. */
const NOTEWORTHY: Share = 0.005;
const NOTHING_INFERRED = { slowed: 0, idle: 0 } as const;

/** Workers write results to disk because memory is short, and tasks wait to have them back. */
export const spilling: Rule = {
  cause: 'spilling',
  theme: 'memory',
  workload: 'spilling.py',
  recognised:
    'Threads waited for spilled inputs, or nothing ran while the bytes on disk changed, but if nothing was read no longer than ' +
    'it takes to write them at 10 MB/s; and by how much tasks of the same function with results of the same size took longer ' +
    'then than before, by their medians.',
  needs: ['tasks', 'series'],
  thresholds: [
    {
      value: MINOR,
      unit: 'B',
      of: 'on disk, if it costs less than what is reported otherwise',
      source: 'less is nothing that memory lacks'
    },
    {
      value: SLOWEST,
      unit: 'B',
      of: 'that workers write in a second at least, if nothing is read',
      source: 'results are turned into bytes and written at least this fast'
    },
    { value: LONGER, unit: 'count', of: 'times as long as before that tasks take meanwhile', source: 'less may be chance' },
    {
      value: LARGER,
      unit: 'count',
      of: 'times as large as before that their results are at most',
      source: 'other results are other work'
    },
    { value: LEAST_EXECUTIONS, unit: 'count', of: 'executions before and meanwhile', source: 'a median of fewer says little' }
  ],
  link: 'https://distributed.dask.org/en/stable/worker-memory.html#spilling-based-on-managed-memory',
  title: trans => trans.__('Results are spilled to disk'),
  remedy: trans =>
    trans.__(
      'Keep less in memory at a time: use smaller chunks, reduce early, drop futures and persisted collections that are not needed. Or give workers more memory.'
    ),
  find: facts => {
    const { trans } = facts;
    const spilled = spilledIn(facts);
    const { most, earlier, idle } = spilled;
    const waited = timeOf(facts, 'disk');
    // Dask also counts inputs as read from disk that were long in coming from memory: with nothing on disk, they were.
    // What earlier work has left there only counts where it is waited for.
    if (most === 0 || ((Number.isNaN(most) || earlier) && waited === 0)) {
      return null;
    }
    // The time is that of the cause of it, where this is known.
    const chunks = chunksIn(facts) !== null;
    const kept = !chunks && keptPart(facts) === 1;
    const inferred =
      chunks || kept ? NOTHING_INFERRED : { slowed: slowedBy(facts, spilled), idle: idle.quiet + idle.starved + idle.overhead };
    const { slowed } = inferred;
    const unknown = Number.isNaN(most);
    const doubtful = slowed > 0 || (inferred.idle > waited && shareOf(facts, inferred.idle) >= NOTEWORTHY);
    return {
      claims: chunks || kept ? [] : claimsOf(facts, spilled, slowed),
      confidence: unknown || doubtful ? 'medium' : 'high',
      doubt: unknown
        ? trans.__('How much was on disk is not known: inputs that come late from memory look the same.')
        : doubtful
          ? trans.__('Waiting for disk is measured. Longer tasks and idle threads at the same time may have other reasons, too.')
          : '',
      // A user with more data than memory should know before it costs time.
      always: most >= MINOR && !earlier,
      evidence: {
        selection: selecting({ period: spillingPeriod(facts, spilled) }),
        plot: 'memory-timeseries',
        figures: [
          ...(unknown ? [] : [bytes(trans.__('On disk at most'), most)]),
          seconds(trans.__('Waited for disk'), waited),
          share(trans.__('Of the time'), shareOf(facts, waited)),
          ...(slowed > 0 ? [seconds(trans.__('Tasks took longer by'), slowed)] : []),
          ...(inferred.idle > 0 ? [seconds(trans.__('Threads were idle while workers wrote or read'), inferred.idle)] : [])
        ]
      },
      sentence: cost => sentenceOf(facts, { most, waited, chunks, kept }, cost)
    };
  }
};

/** What the sentence is about. */
interface Spilled {
  /** On disk at most; NaN if that is not known. */
  readonly most: Bytes;
  readonly waited: Seconds;
  /** Whether another cause of it is reported: too large chunks, or results that are kept. */
  readonly chunks: boolean;
  readonly kept: boolean;
}

function sentenceOf(facts: Facts, { most, waited, chunks, kept }: Spilled, cost: Cost): string {
  const { trans } = facts;
  if (Number.isNaN(most)) {
    const all = trans.__(
      'Threads waited %1 for inputs from disk. It costs %2 of the time.',
      formatDuration(waited),
      formatPercent(cost.share)
    );
    return measuredWords(all, cost, waited, trans);
  }
  if (chunks) {
    return trans.__('Memory was short: up to %1 of results were on disk, because chunks are too large.', formatBytes(most));
  }
  if (kept) {
    return trans.__(
      'Memory was short: up to %1 of results were on disk, because results that nothing reads are kept.',
      formatBytes(most)
    );
  }
  // Of other causes of the idle time, the more certain ones have had theirs.
  const more = Math.max(0, cost.seconds - waited);
  const words = [formatBytes(most), formatDuration(waited), formatDuration(more), formatPercent(cost.share)] as const;
  if (shareOf(facts, more) >= NOTEWORTHY && waited === 0) {
    return trans.__(
      'Memory was short: up to %1 of results were on disk. While workers wrote them, tasks took longer or threads were idle for %3, probably for that reason. It costs %4 of the time.',
      ...words
    );
  }
  if (shareOf(facts, more) >= NOTEWORTHY) {
    return trans.__(
      'Memory was short: up to %1 of results were on disk. Threads waited %2 for disk. While workers wrote or read, tasks took longer or threads were idle for %3, probably for the same reason. Together it costs %4 of the time.',
      ...words
    );
  }
  return waited > 0
    ? measuredWords(
        trans.__(
          'Memory was short: up to %1 of results were on disk, and threads waited %2 for disk. It costs %4 of the time.',
          ...words
        ),
        cost,
        waited,
        trans
      )
    : trans.__('Memory was short: up to %1 of results were on disk. No thread has waited for them.', ...words);
}
