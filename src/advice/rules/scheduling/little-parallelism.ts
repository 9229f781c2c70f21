import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import { oneDecimal } from '../../../selectors/plain-number';
import { oneLine } from '../../../plot/text';
import { average, count, seconds, share } from '../../figures';
import { type Facts, LEAST_SHARE, selecting, shareOf, stretchOf, threadsIn, timeOf } from '../../facts';
import { type Finding, LEAST_COST, type Rule } from '../../rule';
import { ALONE, fedIn, LEAST_PIECES } from '../client/fed';
import { loopOf } from '../client/rounds';
import { haveSeceded, secededWords } from '../compute/locks';
import { IN_USE, ownThreadsIn } from '../compute/own-threads';
import { aloneSpans, chainedIn, spansOfTasks } from './long-tasks';
import { type FreeThreads, freeThreadsIn, whyUnseen } from './waiting/seceded';
import { type Claim, claimedTime, claimIn, joined, longestOf, without } from '../../spans';
import { timeIn } from '../../time/parts';
import { type Work, workIn } from '../../work-in';
import { measuredWords } from '../../words';
import type { Run } from '../../../run/run';
import type { Period } from '../../../run/selection/selection';
import type { Seconds } from '../../../base/units';
import { beginOf } from '../../../selectors/computations/reading';
import { endOf } from '../../time/in-progress';

/** Tasks of Dask's P2P shuffles, of merges, too: the next step begins when all data has been sent. */
const SHUFFLE = /shuffle-barrier|(rechunk|shuffle|hash-join)[-_](transfer|p2p)|p2pshuffle|hashjoinp2p/;

/** With more than this multiple of what the longest stretch lost, the cost cannot be worked out from its figures. */
const NOT_ONLY = 1.1;

/** Of fewer tasks, it is doubtful. */
const LEAST_TASKS = 3;

/** Fewer threads than the cluster has can work, because the others have no task that is ready. */
export const littleParallelism: Rule = {
  cause: 'little-parallelism',
  theme: 'scheduling',
  workload: 'chain.py',
  recognised:
    'Fewer threads than there are run tasks at the same time, and their workers have no task for the others; also where tasks that take longer than ' +
    'others of their function need the results of each other, by the graph, or one of them is submitted alone. ' +
    'If the reason is a client that submits the next task only when it has the result of the last one, or tasks one by one ' +
    'while others run, the time does not count here. Where the profile shows that tasks which have left their threads (worker_client()) wait for others, threads ' +
    'to which, by samples, no task was given count, too: Dask records the time of such tasks as computing. Nor does time in which, by samples, workers take cores for most of the threads without a task: ' +
    'tasks compute in threads of their own, as those of XGBoost do. If the tasks are steps of a P2P shuffle, the verdict says so; if Dask computes a part of a table to find out its columns, what to do is to give them.',
  needs: ['tasks'],
  thresholds: [
    LEAST_COST,
    { value: LEAST_TASKS, unit: 'count', of: 'tasks, for certainty', source: 'fewer may be chance' },
    {
      value: IN_USE,
      unit: 'share',
      of: 'threads without a task whose cores are in use',
      source: 'with less, it may be what processes do besides tasks'
    }
  ],
  link: 'https://docs.dask.org/en/stable/delayed-best-practices.html#break-up-computations-into-many-pieces',
  title: trans => trans.__('Too few tasks can run at once'),
  remedy: trans =>
    trans.__(
      'Divide the work: use more partitions or smaller chunks, parts that do not need each other, or a tree instead of a chain. If it cannot be divided, fewer threads are enough.'
    ),
  find: all => {
    const { run, trans } = all;
    const explained = [...(fedIn(all)?.spans ?? loopOf(all)?.waits ?? []), ...ownThreadsIn(all)];
    const facts = without(all, 'starved', explained);
    const chain = claimIn(all, joined([...spansOfTasks(chainedIn(all)), ...aloneSpans(all)].sort((a, b) => a.from - b.from)), [
      'straggler'
    ]);
    const starved = timeOf(facts, 'starved');
    const claims = [{ time: { starved }, beside: explained }, chain];
    const free = freeThreadsIn(all, explained);
    if (free !== null && shareOf(all, free.seconds) >= LEAST_SHARE) {
      return besideWaiting(all, free, claims);
    }
    const idle = claimedTime(claims);
    if (shareOf(facts, idle) < LEAST_SHARE) {
      return null;
    }
    const period = timeIn(chain.time) > 0 ? stretchOf(facts, 'starved', 'straggler') : stretchOf(facts, 'starved');
    const { functions, use } = workIn(run, period);
    const [longest] = functions;
    if (longest === undefined) {
      return null;
    }
    const name = oneLine(run.prefixNames[longest.id] ?? '?', 60);
    const running = [...run.running.list].filter(({ start }) => start < facts.period.to);
    const doubt = doubtOf(all);
    const shuffled = isShuffle(run, functions);
    const tasks = functions.reduce((sum, each) => sum + each.count, 0);
    const few = facts.executions.count + running.length < LEAST_TASKS;
    const busy = (use.compute + use.running) / (period.to - period.from);
    const threads = Math.round(threadsIn(facts.partition, period));
    return {
      claims,
      confidence: few ? 'low' : doubt === '' ? 'high' : 'medium',
      doubt: few ? trans.__('This is based on fewer than three tasks.') : doubt,
      remedy: shuffled
        ? trans.__(
            'A shuffle begins its next step when all data has been sent. Change chunks or partitions less often, and load data with those that the next steps need.'
          )
        : tasks <= MOST_META && isForMeta(all, period)
          ? trans.__(
              'Dask computes one part of the data to find out the columns of all (make_meta). Give meta= to from_map, from_delayed and similar functions.'
            )
          : undefined,
      evidence: {
        selection: selecting({ period }),
        plot: 'task-stream',
        figures: [
          share(trans.__('Threads without a task that is ready'), shareOf(facts, idle)),
          seconds(trans.__('Length of the longest stretch'), period.to - period.from),
          count(trans.__('Tasks in it'), tasks)
        ]
      },
      sentence: cost => {
        const [length, worked, all] = [formatDuration(period.to - period.from), oneDecimal(busy), formatCount(threads)];
        const words = shuffled
          ? trans.__(
              'Too few tasks can run at once: for up to %1, %2 of %3 threads worked, mostly on %4, a step of a shuffle (P2P) for which others wait. It costs %5 of the time.',
              ...([length, worked, all, name, formatPercent(cost.share)] as const)
            )
          : trans.__(
              'Too few tasks can run at once: for up to %1, %2 of %3 threads worked, mostly on %4. It costs %5 of the time.',
              ...([length, worked, all, name, formatPercent(cost.share)] as const)
            );
        const whole =
          cost.seconds > NOT_ONLY * (threads - busy) * (period.to - period.from)
            ? trans.__('%1 With other such times, that is %2 of thread time.', words, formatDuration(cost.seconds))
            : words;
        return measuredWords(whole, cost, idle, trans);
      }
    };
  },
  overlooked: whyUnseen
};

/** Tasks that have left their threads wait for others, of which there are too few for all threads. */
function besideWaiting(facts: Facts, free: FreeThreads, others: readonly Claim[]): Finding {
  const { trans } = facts;
  const period = longestOf(facts, free.spans);
  const claims = [free.claim, ...others];
  return {
    claims,
    confidence: 'medium',
    doubt: trans.__('How many threads had a task is known by samples of every second.'),
    remedy: trans.__(
      'Let a task submit all that it needs before it waits for any of it: client.map and client.gather instead of one submit(…).result() after the other. If each needs the result of the one before, fewer threads are enough.'
    ),
    evidence: {
      selection: selecting({ period }),
      plot: 'task-stream',
      figures: [
        share(trans.__('Threads without a task that is ready'), shareOf(facts, claimedTime(claims))),
        average(trans.__('Threads that had a task'), free.held),
        seconds(trans.__('Length of the longest stretch'), period.to - period.from)
      ]
    },
    sentence: cost => {
      const words = trans.__(
        'Too few tasks can run at once: tasks of %1 have left their threads and wait for others (%2), and by samples %3 of %4 threads had a task. It costs %5 of the time.',
        oneLine(free.name, 60),
        free.wait,
        oneDecimal(free.held),
        formatCount(Math.round(free.threads)),
        formatPercent(cost.share)
      );
      return measuredWords(words, cost, claimedTime(claims), trans);
    }
  };
}

function doubtOf(facts: Facts): string {
  if (haveSeceded(facts)) {
    return secededWords(facts.trans);
  }
  return arePieces(facts) ? facts.trans.__('Most tasks were submitted one by one: there may have been no more of them yet.') : '';
}

/** Whether most tasks were submitted one by one, by a client or by other tasks. */
function arePieces({ computations }: Facts): boolean {
  const sum = (of: 'submissions' | 'tasks'): number => computations.reduce((all, { values }) => all + (values[of] || 0), 0);
  return sum('tasks') >= LEAST_PIECES && sum('submissions') >= ALONE * sum('tasks');
}

/** Dask's task that looks at a first part of a table. */
const META = 'make_meta';
/** It needs one part of the table, which is read by a task or two. With more, the same computation did something else. */
const MOST_META = 3;

/** Whether a computation that is only to find out the columns of a table took most of a period. */
function isForMeta({ run, computations }: Facts, { from, to }: Period): boolean {
  return computations.some(computation => {
    const inside = Math.min(endOf(run, computation), to) - Math.max(beginOf(computation), from);
    const functions = run.computations.functionsOf(computation.id);
    return inside > (to - from) / 2 && functions.some(({ prefix }) => run.prefixNames[prefix] === META);
  });
}

/** Whether most of the work is in steps of shuffles. */
function isShuffle({ prefixNames }: Run, functions: readonly Work[]): boolean {
  const sum = (list: readonly Work[]): Seconds => list.reduce((all, { total }) => all + total, 0);
  return sum(functions.filter(({ id }) => SHUFFLE.test(prefixNames[id] ?? ''))) > sum(functions) / 2;
}
