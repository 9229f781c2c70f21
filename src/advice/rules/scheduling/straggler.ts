import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import { oneDecimal } from '../../../selectors/plain-number';
import type { Seconds } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Period } from '../../../run/selection/selection';
import type { RunningTask } from '../../../run/tables/running';
import { count, seconds, share } from '../../figures';
import { clippedTo, type Facts, OUTLYING, outlierLimit, selecting, shareOf, timeOf } from '../../facts';
import type { Finding, Rule } from '../../rule';
import { type Claim, claimIn, joined } from '../../spans';
import { knownUntil } from '../../time/activity';
import { timeIn } from '../../time/parts';
import { MEANS, usualIn } from '../../time/usual';
import { withoutSilences } from '../../time/workers/standing';
import { firstTasksIn, UNNAMED } from '../compute/first-tasks';
import { aloneIn, chainedIn, type LongTask, longTasksIn, type Waited, waitedOf } from './long-tasks';

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
    'other cells may do other work under the same name. Where the graph says that such a task needs the result of another one of its function, ' +
    'they are a chain, for which too few tasks can run at once; so are those that need at least twice as many results of their own function as its tasks do on average, which they put together. Time in which its worker sent no heartbeat, and neither began nor ended a task, does not count; where that may have been another worker, or results went to disk meanwhile, it does, which is a doubt. Where a client submits such a task when it has the results of all others, and nothing else ' +
    'begins until it ends, too few tasks can run, too.',
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
      'Divide the data evenly, by size and not by name or key, or into more partitions than threads. Submit long tasks first.'
    ),
  find: facts => {
    if (!(timeOf(facts, 'straggler') > 0)) {
      return null;
    }
    const waited = waitedOf(facts);
    const alone = aloneIn(facts);
    const running = runningOnes(facts, waited).filter(({ task: { start }, elapsed }) => !alone(start, start + elapsed));
    // Why the first ones of each worker take longer is not how the data is divided.
    const first = new Set(firstTasksIn(facts).flatMap(({ list }) => list.map(({ row }) => row)));
    const chained = new Set(chainedIn(facts).map(({ row }) => row));
    const ended = longTasksIn(facts, waited).filter(
      ({ row, start, duration }) => !first.has(row) && !chained.has(row) && !alone(start, start + duration)
    );
    const spans = [
      ...running.map(({ task, elapsed }) => ({ from: task.start, to: task.start + elapsed })),
      ...ended.map(({ start, duration }) => ({ from: start, to: start + duration }))
    ];
    const long: Long = {
      ended,
      count: spans.length,
      claim: claimIn(facts, joined(spans.sort((a, b) => a.from - b.from)), ['straggler'])
    };
    const [one] = running;
    return one !== undefined && one.waited >= (ended[0]?.waited ?? 0) ? ofRunning(facts, one, long) : ofEnded(facts, long);
  }
};

/** All tasks for which threads waited. */
interface Long {
  readonly ended: readonly LongTask[];
  /** With those that run. */
  readonly count: number;
  readonly claim: Claim;
}

/** A task that runs now, and what threads waited for it. */
interface Running {
  readonly task: RunningTask;
  readonly elapsed: Seconds;
  readonly waited: Seconds;
  readonly median: Seconds;
}

/** Tasks that run now, are beyond their limits, and were waited for, the one that most was waited for first. */
function runningOnes({ run, period, byPrefix, partition }: Facts, waited: Waited): readonly Running[] {
  const found: Running[] = [];
  const usual = usualIn(run);
  for (const task of run.running.list) {
    const now = Math.min(period.to, knownUntil(run, task.worker));
    const silences = partition.activity.silences.byWorker.get(task.worker) ?? [];
    const elapsed = withoutSilences(task.start, now, silences);
    const known = byPrefix.get(task.prefix);
    // One that has seceded waits for others, and holds no thread.
    if (known === undefined || task.seceded || !(elapsed >= outlierLimit(known)) || usual(task.prefix, task.start, elapsed)) {
      continue;
    }
    found.push({ task, elapsed, waited: waited(task.start, now), median: known.median });
  }
  return found.filter(each => each.waited > 0).sort((a, b) => b.waited - a.waited || b.elapsed - a.elapsed);
}

function ofRunning(facts: Facts, { task, elapsed, median }: Running, long: Long): Finding {
  const { run, trans, partition, byPrefix } = facts;
  const { start, key, worker, prefix } = task;
  const { doubtful } = partition.activity.silences;
  const isDoubtful = withoutSilences(start, start + elapsed, doubtful) < outlierLimit(byPrefix.get(prefix));
  const silent = knownUntil(run, worker) < run.clock.latest;
  const address = run.workerNames[worker]?.address;
  return {
    claims: [long.claim],
    confidence: 'medium',
    doubt: silent
      ? trans.__('Its worker sends no heartbeat: whether it has ended since is not known.')
      : isDoubtful
        ? silenceDoubt(trans)
        : trans.__('It has not ended yet.'),
    evidence: {
      selection: selecting({ period: { from: start, to: start + elapsed }, workers: address === undefined ? null : [address] }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Long tasks'), long.count),
        seconds(trans.__('Runs for'), elapsed),
        seconds(trans.__('Median of its function'), median),
        share(trans.__('Threads without a task meanwhile'), shareOf(facts, timeIn(long.claim.time)))
      ]
    },
    sentence: cost => {
      const others = long.count - 1;
      const words = [oneLine(key, 80), formatDuration(elapsed), formatDuration(median), formatPercent(cost.share)] as const;
      return others === 0
        ? trans.__(
            '%1 has been running for %2. Others of its function take %3. Other threads have nothing to do meanwhile. It costs %4 of the time.',
            ...words
          )
        : trans._n(
            '%2 has been running for %3. Others of its function take %4. 1 more took much longer than usual. Other threads have nothing to do meanwhile. It costs %5 of the time.',
            '%2 has been running for %3. Others of its function take %4. %6 more took much longer than usual. Other threads have nothing to do meanwhile. It costs %5 of the time.',
            others,
            ...words,
            formatCount(others)
          );
    }
  };
}

function silenceDoubt(trans: Translate): string {
  return trans.__(
    'A worker sent no heartbeat meanwhile: whether these tasks computed, or its process stood still, is not known.'
  );
}

/** The time of all executions: those outside of the selected period are not selected. */
function timeOfAll({ period }: Facts, ended: readonly LongTask[]): Period {
  const from = ended.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const to = ended.reduce((most, { start, duration }) => Math.max(most, start + duration), Number.NEGATIVE_INFINITY);
  return clippedTo(period, { from, to });
}

/** A task that begins so soon after another one may need its result. */
const SOON: Seconds = 0.25;

function certaintyOf(
  { run, trans, partition, byPrefix }: Facts,
  { ended }: Long,
  name: string
): Pick<Finding, 'confidence' | 'doubt'> {
  if (name === UNNAMED) {
    const doubt = trans.__('Dask calls all functions without a name "lambda": it may be another one than the others.');
    return { confidence: 'low', doubt };
  }
  const { doubtful } = partition.activity.silences;
  if (
    ended.some(
      each => withoutSilences(each.start, each.start + each.duration, doubtful) < outlierLimit(byPrefix.get(each.prefix))
    )
  ) {
    return { confidence: 'medium', doubt: silenceDoubt(trans) };
  }
  const [{ prefix }] = ended;
  const own = ended.filter(each => each.prefix === prefix).sort((a, b) => a.start - b.start);
  const follows = own.some(({ start }, i) => {
    const after = i > 0 ? start - own[i - 1].start - own[i - 1].duration : Number.NaN;
    return after >= 0 && after <= SOON;
  });
  return follows && run.graph.size === 0
    ? {
        confidence: 'medium',
        doubt: trans.__('Some began when another one had ended: if they need its result, they are steps to be divided, not data.')
      }
    : { confidence: 'high', doubt: '' };
}

function ofEnded(facts: Facts, long: Long): Finding | null {
  const { run, byPrefix, trans } = facts;
  const [first] = long.ended;
  const known = byPrefix.get(first?.prefix);
  if (known === undefined) {
    return null;
  }
  const times = first.duration / known.median;
  return {
    claims: [long.claim],
    ...certaintyOf(facts, long, known.name),
    evidence: {
      selection: selecting({
        period: timeOfAll(facts, long.ended),
        rows: { run: run.identity, numbers: long.ended.slice(0, MOST_SHOWN).map(({ row }) => row) }
      }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Long tasks'), long.count),
        seconds(trans.__('Duration'), first.duration),
        seconds(trans.__('Median of its function'), known.median),
        share(trans.__('Threads without a task meanwhile'), shareOf(facts, timeIn(long.claim.time)))
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
      const others = long.count - 1;
      return others === 0
        ? trans.__(
            'A task of %1 took %2, %3 times the median of its function (%4). Other threads had nothing to do meanwhile. It costs %5 of the time.',
            ...words
          )
        : trans._n(
            'A task of %2 took %3, %4 times the median of its function (%5). 1 more took much longer than usual. Other threads had nothing to do meanwhile. It costs %6 of the time.',
            'A task of %2 took %3, %4 times the median of its function (%5). %7 more took much longer than usual. Other threads had nothing to do meanwhile. It costs %6 of the time.',
            others,
            ...words,
            formatCount(others)
          );
    }
  };
}
