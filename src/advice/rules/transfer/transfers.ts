import { formatDuration, formatPercent } from '../../../base/format';
import type { Bytes } from '../../../base/units';
import { atLeast, bytes, count, seconds, share } from '../../figures';
import { type Facts, LEAST_SHARE, selecting, shareOf, stretchOf, timeOf } from '../../facts';
import { LEAST_COST, type Rule } from '../../rule';

/** Threads wait for results of other workers. */
export const transfers: Rule = {
  cause: 'transfers',
  theme: 'transfer',
  workload: 'transfers.py',
  recognised: 'Threads waited for inputs from other workers, with nothing else to run meanwhile.',
  needs: ['tasks'],
  thresholds: [LEAST_COST],
  link: 'https://distributed.dask.org/en/stable/locality.html',
  title: trans => trans.__('Data moves between workers'),
  remedy: trans =>
    trans.__(
      'Keep data that is used together on the same worker: use matching chunks, few rechunks and shuffles, and reductions before joins. Put what all tasks need on every worker (client.scatter(…, broadcast=True)). Fewer workers with more threads share memory.'
    ),
  find: facts => {
    const { trans } = facts;
    const waited = timeOf(facts, 'transfer');
    if (shareOf(facts, waited) < LEAST_SHARE) {
      return null;
    }
    const period = stretchOf(facts, 'transfer');
    const moved = movedIn(facts);
    return {
      claims: [{ time: { transfer: waited } }],
      confidence: 'high',
      evidence: {
        selection: selecting({ period }),
        plot: 'task-stream',
        figures: [
          share(trans.__('Threads that waited for transfers'), shareOf(facts, waited)),
          seconds(trans.__('Length of the longest stretch'), period.to - period.from),
          ...(moved.count > 0
            ? [
                atLeast(count(trans.__('Transfers'), moved.count), moved.more),
                atLeast(bytes(trans.__('Moved'), moved.total), moved.more)
              ]
            : [])
        ]
      },
      sentence: cost =>
        trans.__(
          'Threads waited %1 of the time for results of other workers, %2 in all, with nothing else to run meanwhile.',
          formatPercent(cost.share),
          formatDuration(cost.seconds)
        )
    };
  }
};

interface Moved {
  readonly count: number;
  readonly total: Bytes;
  /** Whether some may not be known. */
  readonly more: boolean;
}

function movedIn({ run, period }: Facts): Moved {
  const { list, lost, gathering } = run.transfers;
  const inside = list.filter(each => each.stop > period.from && each.start < period.to);
  return {
    count: inside.length,
    total: inside.reduce((sum, each) => sum + (each.total || 0), 0),
    more: lost + gathering.dropped + gathering.silent > 0
  };
}
