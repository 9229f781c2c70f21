import { formatDuration, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import type { Period } from '../../../run/selection/selection';
import type { ExecutionRow } from '../../../selectors/selection/statistics';
import type { RunningTask } from '../../../run/tables/running';
import { count, seconds, share } from '../../figures';
import { clippedTo, type Facts, OUTLYING, outlierLimit, selecting, shareOf, stretchOf, timeOf } from '../../facts';
import type { Finding, Rule } from '../../rule';

/** A few tasks take much longer than others of their function, while other threads have nothing left. */
export const straggler: Rule = {
  cause: 'straggler',
  theme: 'scheduling',
  workload: 'straggler.py',
  recognised:
    'Threads have no task while a task runs that takes at least three times the median of its function (and ' +
    '0.25 s), also while it runs.',
  needs: ['tasks'],
  thresholds: [
    {
      value: OUTLYING,
      unit: 'count',
      of: 'times the median of its function that a task takes',
      source: 'rules for Spark take 1.5 times the third quartile to 5 times the median'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/efficiency.html',
  title: trans => trans.__('A few tasks take much longer than the others'),
  remedy: trans =>
    trans.__(
      'Divide the data evenly: by size and not by name or key, or with more partitions than threads. Submit long tasks first.'
    ),
  find: facts => {
    const waited = timeOf(facts, 'straggler');
    return waited > 0 ? (runningOne(facts, waited) ?? endedOne(facts, waited)) : null;
  }
};

/** Of the tasks that run now, the one that has run longest beyond its limit. */
function runningOne(facts: Facts, waited: Seconds): Finding | null {
  const { run, byPrefix, trans } = facts;
  const now = Math.min(facts.period.to, run.clock.latest);
  let [found, longest]: [RunningTask | null, Seconds] = [null, 0];
  for (const task of run.running.list) {
    const elapsed = now - task.start;
    // One that has seceded waits for others, and holds no thread.
    if (!task.seceded && elapsed >= outlierLimit(byPrefix.get(task.prefix)) && elapsed > longest) {
      [found, longest] = [task, elapsed];
    }
  }
  const known = found && byPrefix.get(found.prefix);
  if (!found || !known) {
    return null;
  }
  const { start, key, worker } = found;
  const address = run.workerNames[worker]?.address;
  return {
    claims: { straggler: waited },
    confidence: 'medium',
    doubt: trans.__('It has not ended yet.'),
    evidence: {
      selection: selecting({ period: { from: start, to: now }, workers: address === undefined ? null : [address] }),
      plot: 'task-stream',
      figures: [
        seconds(trans.__('Runs for'), longest),
        seconds(trans.__('Median of its function'), known.median),
        share(trans.__('Threads without a task meanwhile'), shareOf(facts, waited))
      ]
    },
    sentence: cost =>
      trans.__(
        '%1 has been running for %2; others of its function take %3. Threads with nothing else to do: %4 of the time.',
        oneLine(key, 80),
        formatDuration(longest),
        formatDuration(known.median),
        formatPercent(cost.share)
      )
  };
}

/** A stretch, longer where it does not have all executions: those outside of the selected period are not selected. */
function withAll({ period }: Facts, stretch: Period, slow: readonly ExecutionRow[]): Period {
  const from = slow.reduce((least, { start }) => Math.min(least, start), stretch.from);
  const to = slow.reduce((most, { start, duration }) => Math.max(most, start + duration), stretch.to);
  return clippedTo(period, { from, to });
}

function endedOne(facts: Facts, waited: Seconds): Finding | null {
  const { run, byPrefix, executions, trans } = facts;
  const slow = executions.slowest.filter(each => each.duration >= outlierLimit(byPrefix.get(each.prefix)));
  const [first] = slow;
  const known = first && byPrefix.get(first.prefix);
  if (first === undefined || known === undefined) {
    return null;
  }
  const times = first.duration / known.median;
  return {
    claims: { straggler: waited },
    confidence: 'high',
    evidence: {
      selection: selecting({
        period: withAll(facts, stretchOf(facts, 'straggler'), slow),
        rows: { run: run.identity, numbers: slow.map(({ row }) => row) }
      }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Long tasks'), slow.length),
        seconds(trans.__('The longest'), first.duration),
        seconds(trans.__('Median of its function'), known.median),
        share(trans.__('Threads without a task meanwhile'), shareOf(facts, waited))
      ]
    },
    sentence: cost =>
      trans.__(
        'A task of %1 took %2, %3 times the median of its function (%4). Other threads had nothing to do meanwhile: %5 of the time.',
        oneLine(known.name, 60),
        formatDuration(first.duration),
        times >= 10 ? times.toFixed(0) : times.toFixed(1),
        formatDuration(known.median),
        formatPercent(cost.share)
      )
  };
}
