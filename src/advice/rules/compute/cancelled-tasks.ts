import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { count, seconds } from '../../figures';
import { LEAST_SHARE, selecting, shareOf } from '../../facts';
import { LEAST_COST, type Rule } from '../../rule';
import { claimOf, joined, longestOf, lostIn, spansOf } from '../../spans';
import { lacks } from '../../time/only-means';
import { timeIn } from '../../time/parts';
import { HEARD } from '../../../run/idle-time';
import { unrecordedIn } from './unrecorded';

/** Between a cancelling and the heartbeat that reports it, and between two samples. */
const GAP: Seconds = 1;

/** Threads go on with tasks that were cancelled: Python cannot stop a thread. */
export const cancelledTasks: Rule = {
  cause: 'cancelled-tasks',
  theme: 'compute',
  workload: 'cancelled.py',
  recognised:
    'Heartbeats report tasks that were cancelled and that their workers have not ended. They count for threads that have ' +
    'nothing else, from the heartbeat that reports them on; and so does the time before, in which workers had tasks that ' +
    'no record shows.',
  needs: ['tasks', 'series'],
  thresholds: [
    LEAST_COST,
    {
      value: HEARD,
      unit: 's',
      of: 'until a heartbeat reports cancelled tasks, at most',
      source: 'heartbeats come twice a second on a small cluster, samples once a second'
    }
  ],
  link: 'https://docs.dask.org/en/stable/futures.html',
  title: trans => trans.__('Cancelled tasks still run'),
  remedy: trans =>
    trans.__(
      'A thread cannot be stopped. Restart workers that must be free at once. Let long tasks end by themselves (by checking a distributed.Event), or make them shorter.'
    ),
  unknown: ({ run, trans }) =>
    lacks(run, 'cancelled_sum') ? trans.__('Cancelled tasks that still run were not recorded.') : null,
  find: facts => {
    const { trans, partition } = facts;
    const after = partition.activity.cancelled.reduce((sum, each) => sum + each, 0);
    const before = unrecordedIn(facts).filter(({ cancelled }) => cancelled);
    // Samples come later than tasks, and those that report cancelled ones still later.
    const around = before.map(({ from, to }) => ({ from: from - GAP, to: to + GAP }));
    const lost = lostIn(facts, around, ['quiet', 'outside']);
    if (after === 0 || shareOf(facts, after + timeIn(lost)) < LEAST_SHARE) {
      return null;
    }
    const { steps, activity } = partition;
    const spans = spansOf(steps, activity.cancelled);
    // A mean of less than one, or a step in a part of which there was one, is one anyway.
    const most = activity.cancelled.reduce((found, each) => Math.max(found, Math.round(each / steps.width)), 1);
    return {
      claims: [claimOf('running', activity.cancelled), { time: lost, spans: around }],
      confidence: 'high',
      evidence: {
        selection: selecting({ period: longestOf(facts, joined([...before, ...spans], GAP)) }),
        plot: 'workers',
        figures: [count(trans.__('Threads at most'), most), seconds(trans.__('Time of threads after it'), after)]
      },
      sentence: cost =>
        trans._n(
          'A thread worked on tasks that were cancelled, for %2 in all. It costs %3 of the time. Of that, %5 came after they had been cancelled, because threads cannot be stopped.',
          'Up to %4 threads worked on tasks that were cancelled, for %2 in all. It costs %3 of the time. Of that, %5 came after they had been cancelled, because threads cannot be stopped.',
          most,
          formatDuration(cost.seconds),
          formatPercent(cost.share),
          formatCount(most),
          formatDuration(Math.min(after, cost.seconds))
        )
    };
  }
};
