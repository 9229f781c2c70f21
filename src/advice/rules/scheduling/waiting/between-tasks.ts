import { formatCount, formatDuration, formatPercent } from '../../../../base/format';
import { oneDecimal } from '../../../../selectors/plain-number';
import type { Seconds, Share } from '../../../../base/units';
import type { Translate } from '../../../../plot/plot';
import { average, count, seconds } from '../../../figures';
import { type Facts, selecting, shareOf } from '../../../facts';
import type { Rule } from '../../../rule';
import { claimIn, joined, longestOf } from '../../../spans';
import { isPart } from '../../../words';
import { spilledIn } from '../../memory/spilled';
import { SMALL } from '../small-tasks';
import { meanOf, type Second, secondsIn, sumOf } from './by-second';
import { longGapsIn } from './long-gaps';
import { queuedIn } from './queueing';

/** Of the time of all threads: on a busy machine, healthy runs lose a fifth. */
const LEAST: Share = 0.25;
/** The same in a second: with less, threads wait for something else then. */
const WAITING: Share = 0.15;
/** Tasks that a thread begins in a second: with fewer, it waits for something else. */
const LEAST_STARTS = 1;
/** An event loop of a worker ticks every 20 ms; each step between two tasks waits as long. */
const LATE: Seconds = 0.04;
/** Tasks for each thread: Dask sends 1.1 for each to begin with, and with fewer than this, hardly one waits in the worker. */
const SPARE = 1.25;
/** With fewer, threads have none: steps that follow each other, each of which waits for the scheduler, are exactly one. */
const LEAST_ASSIGNED = 0.95;
/** Of the time between two tasks. */
const MOSTLY: Share = 0.5;
/** One or two may be the start or the end of something. */
const LEAST_SECONDS = 3;
/** As many pauses, or they are chance. */
const LEAST_TASKS = 20;
const GAP: Seconds = 1.5;
/** A time without a task that is as long, and as many times a task, is not one of those that come after each task. */
const SINGLE: Seconds = 2;
const MANY = 10;

/** Threads wait after each task, though tasks are not small: what for is not measured, but what it is not may be. */
export const betweenTasks: Rule = {
  cause: 'between-tasks',
  theme: 'scheduling',
  workload: 'slow_sizeof.py',
  recognised:
    'In some seconds each thread starts a task or more, which take more than 20 ms on average, and threads spend 15 % of the time ' +
    'or more between two tasks; that is a quarter or more of the whole time. What no other rule explains of it counts. So does what Dask counts as disk while ' +
    'nothing is there. What is most likely: finding out the size of results, if more than half is such time; event loops of workers that tick ' +
    'late, by samples of these seconds (code that holds the GIL, say); fewer tasks than threads, if workers have fewer than 0.95 for each; workers without a further task, to which each is sent ' +
    'when another has ended; else it is not known. Seconds in which tasks queue for the scheduler do not count. ' +
    'Nothing is said where half of it is single times of more than 2 s and of ten tasks, once for each thread at most.',
  needs: ['tasks', 'series'],
  thresholds: [
    {
      value: LEAST,
      unit: 'share',
      of: 'the time of threads between two tasks',
      source: 'measured: healthy runs lose a tenth, on a busy machine a fifth'
    },
    { value: WAITING, unit: 'share', of: 'the same in a second', source: 'with less, threads wait for something else then' },
    {
      value: LEAST_STARTS,
      unit: 'count',
      of: 'tasks that a thread starts in a second',
      source: 'with fewer, it waits for something else'
    },
    { value: LEAST_SECONDS, unit: 'count', of: 'such seconds', source: 'fewer may be the start or the end of something' },
    { value: LEAST_TASKS, unit: 'count', of: 'tasks in these seconds', source: 'fewer may be chance' },
    { value: LATE, unit: 's', of: "mean tick of the workers' event loops", source: 'it is 20 ms where nothing is late' },
    {
      value: LEAST_ASSIGNED,
      unit: 'count',
      of: 'tasks that workers have for each thread, below which threads have none',
      source: 'steps that follow each other are exactly one'
    },
    {
      value: SPARE,
      unit: 'count',
      of: 'tasks that workers have for each thread',
      source: 'Dask sends 1.1 for each to begin with (distributed.scheduler.worker-saturation); with more, the next one is there'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/efficiency.html',
  title: trans => trans.__('Threads wait between tasks'),
  remedy: trans =>
    trans.__('Give each task more to do. The profile of event loops shows what scheduler and workers do between tasks.'),
  find: facts => {
    const { trans } = facts;
    const found = gapsIn(facts);
    const starts = sumOf(found, each => each.starts);
    const parts = waitedIn(facts);
    const lost = sumOf(found, each => waitOf(each, parts));
    if (found.length < LEAST_SECONDS || starts < LEAST_TASKS || shareOf(facts, lost) < LEAST) {
      return null;
    }
    const duration = sumOf(found, each => each.busy) / starts;
    const long = longGapsIn(
      facts.run,
      { from: found[0].from, to: found[found.length - 1].to },
      Math.max(SINGLE, MANY * duration)
    );
    // Once of each thread at most: a mean over all tasks would say nothing of what that was.
    if (long.time >= MOSTLY * lost && long.count <= facts.partition.activity.lanes) {
      return null;
    }
    const gap = lost / starts;
    const reason = reasonOf(facts, found, gap);
    return {
      claims: [claimIn(facts, found, parts)],
      confidence: 'low',
      doubt: trans.__('What threads wait for between tasks is not measured.'),
      remedy: reason.remedy,
      evidence: {
        selection: selecting({ period: longestOf(facts, joined(found, GAP)) }),
        plot: 'task-stream',
        figures: [
          count(trans.__('Tasks'), starts),
          seconds(trans.__('Mean duration'), duration),
          seconds(trans.__('Mean time between two'), gap),
          ...reason.figures
        ]
      },
      sentence: cost => {
        const words = [formatCount(starts), formatDuration(duration), formatDuration(gap), formatPercent(cost.share)] as const;
        return [
          // The pauses are what was measured; others may have had a part of their cost.
          isPart(cost, lost)
            ? trans.__(
                'Threads wait between tasks: %1 tasks took %2 on average, and %3 passed after each. Without what other causes explain, it costs %4 of the time.',
                ...words
              )
            : trans.__(
                'Threads wait between tasks: %1 tasks took %2 on average, and %3 passed after each. It costs %4 of the time.',
                ...words
              ),
          reason.words
        ].join(' ');
      }
    };
  }
};

/** What is most likely. */
interface Reason {
  /** A sentence. */
  readonly words: string;
  /** That of the rule if there is none. */
  readonly remedy?: string;
  readonly figures: ReturnType<typeof seconds>[];
}

function reasonOf(facts: Facts, found: readonly Second[], gap: Seconds): Reason {
  const { trans, threads } = facts;
  const stored = waitedIn(facts).includes('disk') ? sumOf(found, each => each.disk) / sumOf(found, each => each.starts) : 0;
  if (stored >= MOSTLY * gap) {
    return slowSizes(stored, trans);
  }
  const tick = meanOf(facts, 'event_loop_sum', found) / workersIn(facts, found);
  const spare = meanOf(facts, 'processing_sum', found) / threads;
  if (tick >= LATE) {
    return lateLoops(tick, trans);
  }
  if (spare < LEAST_ASSIGNED) {
    return tooFew(spare, trans);
  }
  if (spare < SPARE) {
    return noSpare(spare, trans);
  }
  return spare >= SPARE ? kept(trans) : { words: trans.__('What for is not known.'), figures: [] };
}

function kept(trans: Translate): Reason {
  return {
    words: trans.__(
      'Workers had the next tasks already. What kept them is not known: it may be tasks that hold the GIL, resources= that allow few at a time, a small pool of threads (executor=), or other programs that take their cores.'
    ),
    remedy: trans.__(
      'If tasks hold the GIL, use more worker processes with fewer threads. If they ask for resources=, ask for less of them, or give workers more. Give a pool (executor=) as many threads as its worker has. The profile of event loops shows what scheduler and workers do between tasks.'
    ),
    figures: []
  };
}

function slowSizes(stored: Seconds, trans: Translate): Reason {
  return {
    words: trans.__(
      'Most likely it takes long to find out the size of results: Dask records %1 a task for storing and getting them, though nothing was on disk.',
      formatDuration(stored)
    ),
    remedy: trans.__(
      'Return arrays, tables or small results; give classes that hold much data a quick __sizeof__, or register them with dask.sizeof.'
    ),
    figures: [seconds(trans.__('Storing and getting results, a task'), stored)]
  };
}

function lateLoops(tick: Seconds, trans: Translate): Reason {
  return {
    words: trans.__(
      'Most likely the workers are late: their event loops tick every %1 instead of every 20 ms. Code in their processes holds the GIL or runs in the event loops, or other programs take their cores.',
      formatDuration(tick)
    ),
    remedy: trans.__(
      'Use more worker processes with fewer threads, or code that releases the GIL, and keep plugins of workers and coroutines short. The profile of event loops shows what workers do between tasks.'
    ),
    figures: [seconds(trans.__('Mean tick of the event loops of workers'), tick)]
  };
}

function noSpare(spare: number, trans: Translate): Reason {
  return {
    words: trans.__(
      'Most likely each task waits for its way through the scheduler: workers had %1 tasks for each thread, so the next one came only when another had ended.',
      oneDecimal(spare)
    ),
    remedy: trans.__(
      'Give each task more to do, or put steps that follow each other into one task. For independent tasks, a higher setting distributed.scheduler.worker-saturation sends more of them ahead.'
    ),
    figures: [average(trans.__('Tasks for each thread'), spare)]
  };
}

function tooFew(spare: number, trans: Translate): Reason {
  return {
    words: trans.__(
      'Most likely no further task had been submitted, or was ready: workers had only %1 for each thread.',
      oneDecimal(spare)
    ),
    remedy: trans.__('Submit work before threads need it, or divide it into more parts that do not need each other.'),
    figures: [average(trans.__('Tasks for each thread'), spare)]
  };
}

function workersIn(facts: Facts, found: readonly Second[]): number {
  return Math.max(1, meanOf(facts, 'workers', found) || 1);
}

function gapsIn(facts: Facts): readonly Second[] {
  const parts = waitedIn(facts);
  const queued = new Set(queuedIn(facts));
  return secondsIn(facts).filter(second => {
    const { starts, busy, capacity } = second;
    const often = starts > 0 && starts >= LEAST_STARTS * capacity && !queued.has(second);
    return often && busy / starts > SMALL && waitOf(second, parts) >= WAITING * capacity;
  });
}

/** Dask also counts as disk how long a result is weighed and put into memory. */
function waitedIn(facts: Facts): readonly ('overhead' | 'disk')[] {
  return spilledIn(facts).most === 0 ? ['overhead', 'disk'] : ['overhead'];
}

function waitOf(second: Second, parts: readonly ('overhead' | 'disk')[]): Seconds {
  return parts.reduce((sum, part) => sum + second[part], 0);
}
