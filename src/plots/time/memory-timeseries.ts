import { AXES } from '../../plot/icon';
import { formatBytes } from '../../base/format';
import { byteTicks, niceByteEnd } from '../../charts/axis';
import { overTime } from '../../charts/over-time';
import type { Run } from '../../run/run';
import { limitOf } from '../../selectors/workers/memory-limit';
import { liveWorkers } from '../../selectors/workers/worker-rows';

/** Mean limit of the current workers, or the limit of one worker; NaN if one has none. */
function meanLimit(run: Run, worker: number | null): number {
  const rows = liveWorkers(run).filter(({ id }) => worker === null || id === worker);
  return limitOf(rows) / rows.length;
}

/** Whether workers have always had this mean: they were always these, or each had this limit. */
function limitHolds(run: Run): boolean {
  const limits = new Set(run.workerNames.map(name => name?.memory_limit));
  const now = liveWorkers(run).length;
  const same = run.workerNames.length === now && run.series.column('workers').every(count => count === 0 || count === now);
  return limits.size <= 1 || same;
}

/** Memory of worker processes over time. */
export const memoryTimeseries = overTime({
  id: 'memory-timeseries',
  icon: `${AXES}<path fill-opacity=".4" d="M3 12V9.500l4-2L10 8l4.500-4.500V12z"/><path d="M3 9l4-2 3 .5 4.500-4.500v1.500L10.400 9 7 8.400l-4 2z"/>`,
  title: 'Memory over time',
  caption: 'memory of workers: mean and range, or one of them',
  synonyms: ['memory timeseries', 'ram', 'process', 'history', 'leak', 'rss'],
  howToRead:
    'The line is the mean memory of worker processes (programs that tasks start as processes of their own do not count), the band reaches from the minimum to the maximum of workers; the horizontal line is the mean of their limits. ' +
    'If the upper edge of the band nears the limit, a worker will spill or pause even if the mean looks fine. ' +
    'A line that rises from one computation to the next suggests results that are still referenced, or a leak.',
  quantities: [{ measure: 'process', name: '', colour: theme => theme.memory('blue')[0] }],
  of: 'workers',
  format: formatBytes,
  end: (run, greatest, worker) => {
    const limit = meanLimit(run, worker);
    return limit >= greatest ? limit : niceByteEnd(greatest);
  },
  fit: niceByteEnd,
  ticks: byteTicks,
  limit: meanLimit,
  limitText: 'mean limit',
  limitHolds
});
