import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import { oneDecimal } from '../../../selectors/plain-number';
import type { Seconds } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import type { Period } from '../../../run/selection/selection';
import type { RunningTask } from '../../../run/tables/running';
import { count, seconds, share } from '../../figures';
import { clippedTo, type Facts, OUTLYING, outlierLimit, selecting, shareOf, stretchOf, timeOf } from '../../facts';
import type { Finding, Rule } from '../../rule';
import { knownUntil } from '../../time/activity';
import { MEANS, usualIn } from '../../time/usual';
import { firstTasksIn, UNNAMED } from '../compute/first-tasks';
import { type LongTask, longTasksIn, type Waited, waitedOf } from './long-tasks';

/** Long tasks that "Show me" selects. */
const MOST_SHOWN = 1000;

/** A few tasks take much longer than others of their function, while other threads have nothing left. */
export const straggler: Rule = {
  cause: 'straggler',
  theme: 'scheduling',
  workload: 'straggler.py',
  recognised:
    'Threads have no task while a task runs that takes at least three times the median of its function (and ' +
    '0.25 s), also while it runs; and at least twice the mean of its function in its own computation, as far as that is known: ' +
    'other cells may do other work under the same name.',
  needs: ['tasks'],
  thresholds: [
    {
      value: OUTLYING,
      unit: 'count',
      of: 'times the median of its function that a task takes',
      source: 'rules for Spark take 1.5 times the third quartile to 5 times the median'
    },
    {
      value: MEANS,
      unit: 'count',
      of: 'times the mean of its function in its computation that it takes',
      source: 'where half of the tasks take as long, that is what they take'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/efficiency.html',
  title: trans => trans.__('A few tasks take much longer than the others'),
  remedy: trans =>
    trans.__(
      'Divide the data evenly: by size and not by name or key, or with more partitions than threads. Submit long tasks first.'
    ),
  find: facts => {
    const all = timeOf(facts, 'straggler');
    if (!(all > 0)) {
      return null;
    }
    const waited = waitedOf(facts);
    const running = runningOne(facts, waited);
    // Why the first ones of each worker take longer is not how the data is divided.
    const first = new Set(firstTasksIn(facts).flatMap(({ list }) => list.map(({ row }) => row)));
    const ended = longTasksIn(facts, waited).filter(({ row }) => !first.has(row));
    if (running !== null && running.waited > 0 && running.waited >= (ended[0]?.waited ?? 0)) {
      return ofRunning(facts, running, all);
    }
    return ended.length > 0 ? ofEnded(facts, ended, all) : null;
  }
};

/** A task that runs now, and what threads waited for it. */
interface Running {
  readonly task: RunningTask;
  readonly elapsed: Seconds;
  readonly waited: Seconds;
  readonly median: Seconds;
}

/** Of the tasks that run now and are beyond their limits, the one that most was waited for. */
function runningOne({ run, period, byPrefix }: Facts, waited: Waited): Running | null {
  let found: Running | null = null;
  const usual = usualIn(run);
  for (const task of run.running.list) {
    const now = Math.min(period.to, knownUntil(run, task.worker));
    const elapsed = now - task.start;
    const known = byPrefix.get(task.prefix);
    // One that has seceded waits for others, and holds no thread.
    if (known === undefined || task.seceded || !(elapsed >= outlierLimit(known)) || usual(task.prefix, task.start, elapsed)) {
      continue;
    }
    const one = { task, elapsed, waited: waited(task.start, now), median: known.median };
    if (found === null || one.waited > found.waited || (one.waited === found.waited && elapsed > found.elapsed)) {
      found = one;
    }
  }
  return found;
}

function ofRunning(facts: Facts, { task, elapsed, waited, median }: Running, all: Seconds): Finding {
  const { run, trans } = facts;
  const { start, key, worker } = task;
  const silent = knownUntil(run, worker) < run.clock.latest;
  const address = run.workerNames[worker]?.address;
  return {
    claims: [{ time: { straggler: all } }],
    confidence: 'medium',
    doubt: silent
      ? trans.__('Its worker sends no heartbeat: whether it has ended since is not known.')
      : trans.__('It has not ended yet.'),
    evidence: {
      selection: selecting({ period: { from: start, to: start + elapsed }, workers: address === undefined ? null : [address] }),
      plot: 'task-stream',
      figures: [
        seconds(trans.__('Runs for'), elapsed),
        seconds(trans.__('Median of its function'), median),
        share(trans.__('Threads without a task meanwhile'), shareOf(facts, waited))
      ]
    },
    sentence: cost =>
      trans.__(
        '%1 has been running for %2; others of its function take %3. Threads with nothing else to do: %4 of the time.',
        oneLine(key, 80),
        formatDuration(elapsed),
        formatDuration(median),
        formatPercent(cost.share)
      )
  };
}

/** A stretch, longer where it does not have all executions: those outside of the selected period are not selected. */
function withAll({ period }: Facts, stretch: Period, slow: readonly LongTask[]): Period {
  const from = slow.reduce((least, { start }) => Math.min(least, start), stretch.from);
  const to = slow.reduce((most, { start, duration }) => Math.max(most, start + duration), stretch.to);
  return clippedTo(period, { from, to });
}

function ofEnded(facts: Facts, slow: readonly LongTask[], all: Seconds): Finding | null {
  const { run, byPrefix, trans } = facts;
  const [first] = slow;
  const known = byPrefix.get(first.prefix);
  if (known === undefined) {
    return null;
  }
  const times = first.duration / known.median;
  return {
    claims: [{ time: { straggler: all } }],
    confidence: known.name === UNNAMED ? 'low' : 'high',
    doubt:
      known.name === UNNAMED
        ? trans.__('Dask calls all functions without a name "lambda": it may be another one than the others.')
        : '',
    evidence: {
      selection: selecting({
        period: withAll(facts, stretchOf(facts, 'straggler'), slow),
        rows: { run: run.identity, numbers: slow.slice(0, MOST_SHOWN).map(({ row }) => row) }
      }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Long tasks'), slow.length),
        seconds(trans.__('Duration'), first.duration),
        seconds(trans.__('Median of its function'), known.median),
        share(trans.__('Threads without a task meanwhile'), shareOf(facts, all))
      ]
    },
    sentence: cost => {
      const [name, took, median] = [oneLine(known.name, 60), formatDuration(first.duration), formatDuration(known.median)];
      const words = [
        name,
        took,
        times >= 10 ? formatCount(times) : oneDecimal(times),
        median,
        formatPercent(cost.share)
      ] as const;
      const others = slow.length - 1;
      return others === 0
        ? trans.__(
            'A task of %1 took %2, %3 times the median of its function (%4). Other threads had nothing to do meanwhile: %5 of the time.',
            ...words
          )
        : trans._n(
            'A task of %2 took %3, %4 times the median of its function (%5), and 1 more took much longer than usual. Other threads had nothing to do meanwhile: %6 of the time.',
            'A task of %2 took %3, %4 times the median of its function (%5), and %7 more took much longer than usual. Other threads had nothing to do meanwhile: %6 of the time.',
            others,
            ...words,
            formatCount(others)
          );
    }
  };
}
