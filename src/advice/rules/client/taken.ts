import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Share } from '../../../base/units';
import { count, seconds } from '../../figures';
import { type Facts, selecting, threadsIn } from '../../facts';
import type { Finding } from '../../rule';
import { claimedTime, claimIn, longestOf, within } from '../../spans';
import { takingsOf } from '../../time/taking';

/** Of the time of the threads: with less, tasks ran of which it is not known who asked for them. */
const IDLE: Share = 0.9;

/** A client takes one result after the other when all tasks have ended; `null` if none does. */
export function takenOneByOne(facts: Facts): Finding | null {
  const { run, period, partition, trans } = facts;
  const spans = takingsOf(run)
    .map(each => ({ ...each, from: Math.max(each.from, period.from), to: Math.min(each.to, period.to) }))
    .filter(({ from, to }) => from < to);
  const claims = [claimIn(facts, spans, ['quiet', 'outside'])];
  const all = spans.reduce((sum, each) => sum + (each.to - each.from) * threadsIn(partition, each), 0);
  if (!(all > 0) || claimedTime(claims) < IDLE * all) {
    return null;
  }
  const times = spans.flatMap(({ moments }) => moments).filter(time => within(facts, time)).length;
  const time = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    claims,
    confidence: 'medium',
    doubt: trans.__('What the client does between two results is not measured.'),
    title: trans.__('The client takes results one by one'),
    remedy: trans.__('Let workers do what the client does with each result, or take all results at once (client.gather).'),
    evidence: {
      selection: selecting({ period: longestOf(facts, spans) }),
      plot: 'task-stream',
      figures: [count(trans.__('Times that results were taken'), times), seconds(trans.__('In all'), time)]
    },
    sentence: cost =>
      trans.__(
        'When all tasks had ended, the client took results one after the other: %1 times in %2. There was nothing to compute meanwhile. It costs %3 of the time.',
        formatCount(times),
        formatDuration(time),
        formatPercent(cost.share)
      )
  };
}
